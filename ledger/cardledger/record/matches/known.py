"""What a seat can know, as lines of text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardledger.count_of import count_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardledger.rules.engine.match import Match
    from cardledger.rules.knowledge import SeatKnowledge

ASIDE = "elsewhere"
"""The place of cards that are in nobody's hand: the stock, or what was left over."""


def in_json(found: SeatKnowledge, at: int) -> dict[str, Any]:
    """Return what a seat can know after an event, as the API answers it."""
    places = range(len(found.sizes))
    return {
        "at": at,
        "seat": found.seat,
        "known": found.known,
        "sizes": found.sizes,
        "unseen": [
            {"face": one.face, "shares": [one.shares.get(place, 0.0) for place in places]} for one in found.unseen
        ],
        "deals": str(found.deals),
        "denials": [one._asdict() for one in found.denials],
        "recorded": found.recorded,
    }


def known_lines(table: Match[Any], found: SeatKnowledge) -> Iterator[str]:
    """Yield a line for each card that a seat has not seen: the share of all deals in which it is in each place.

    Then come the events that showed what somebody does not hold.
    """
    names = [*table.players, ASIDE]
    places = [place for place, size in enumerate(found.sizes) if size]
    unseen = count_of(len(found.unseen), "card")
    if found.recorded:
        yield f"{names[found.seat]} has not seen {unseen}; {count_of(found.deals, 'deal')} would fit"
    else:
        yield f"the cards dealt were not recorded: by what was, {unseen} can be in more than one place"
        yield f"{count_of(found.deals, 'deal')} would fit; what {names[found.seat]} held is not known"
    if not places:
        return
    yield "card  " + "  ".join(f"{names[place]:>9}" for place in places)
    for one in found.unseen:
        yield f"{one.face:<6}" + "  ".join(f"{_share(one.shares.get(place, 0.0)):>9}" for place in places)
    for denial in found.denials:
        yield f"event {denial.seq}: {names[denial.seat]} does not hold {', '.join(dict.fromkeys(denial.faces))}"


def _share(share: float) -> str:
    """Return a share in words: certain, impossible, or in per cent."""
    if share == 0:
        return "–"
    return "certain" if share == 1 else f"{100 * share:.0f}%"

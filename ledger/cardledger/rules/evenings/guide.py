"""Guide cards: for each number of a movement, where it sits in each round, against whom, with which boards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from cardledger.rules.evenings.movement import refusal

if TYPE_CHECKING:
    from cardledger.rules.evenings.session import SessionState

_LINES = ("NS", "EW")
_SEATS = ("N", "E", "S", "W")


class Stop(NamedTuple):
    """Where a number sits in a round: the name of its table, its line or seat, who plays with and against it, its boards.

    `table` and `sits` are empty for a number that sits out.
    """

    round: int
    table: str
    sits: str
    partner: int | None
    opponents: tuple[int, ...]
    boards: tuple[int, ...]


def guide_cards(session: SessionState) -> dict[int, list[Stop]]:
    """Return the stops of each number, in all rounds that the movement has planned.

    Raises RuleError `session.movement` where there is no movement, or where seats are drawn round by round.
    """
    movement = session.movements[-1] if session.movements else None
    if movement is None:
        raise refusal("this evening has no movement: choose one, then print its guide cards")
    if movement.kind in ("swiss", "drive"):
        raise refusal("seats are drawn round by round here, so there are no guide cards: read each round from its page")
    cards: dict[int, list[Stop]] = {entry: [] for entry in sorted(session.entries)}
    for round in sorted({round for round, _ in session.planned}):
        at = {
            entry: (number, seat)
            for number, seated in session.tables(round).items()
            for seat, entry in enumerate(seated.seats)
            if entry and seated.plays
        }
        for entry, stops in cards.items():
            stops.append(_stop(session, round, *at[entry]) if entry in at else Stop(round, "", "", None, (), ()))
    return cards


def _stop(session: SessionState, round: int, table: int, seat: int) -> Stop:
    seated = session.tables(round)[table]
    four = len(seated.seats) == len(_SEATS)
    partner = seated.seats[(seat + 2) % 4] if four else None
    others = tuple(entry for at, entry in enumerate(seated.seats) if at != seat and entry != partner)
    sits = _SEATS[seat] if four else _LINES[seat] if len(seated.seats) == len(_LINES) else str(seat + 1)
    return Stop(round, session.table_name(round, table), sits, partner, others, seated.boards)


def described(cards: dict[int, list[Stop]]) -> list[dict[str, Any]]:
    """Return guide cards as JSON data."""
    return [{"entry": entry, "rounds": [stop._asdict() for stop in stops]} for entry, stops in cards.items()]

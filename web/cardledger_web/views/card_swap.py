"""The form that swaps two cards which were mixed up: where each card of a hand is, and what a swap would change."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from cardledger.errors import LedgerError
from cardledger.record.matches.match_size import expect_room
from cardledger.record.matches.replay import hand_result
from cardledger.record.recording.swapping import swap
from cardledger.rules.engine import events as ev
from cardledger.rules.stream import unroll
from cardledger_web.languages import _
from cardledger_web.views.cards import drawn
from cardledger_web.views.changed_results import changed_results
from cardledger_web.views.form import sentence

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from werkzeug.datastructures import MultiDict

    from cardledger.rules.engine.match import Match
    from cardledger.rules.stream import Stream


class CardPlace(NamedTuple):
    """A card of a hand: its face, its name, and whether it was played."""

    face: str
    text: str
    played: bool


@dataclass
class CardSwap:
    """The form as filled in. `places` are the cards by player, in the order of play, then those held.

    `changes` is what the swap would change, in words, and `events` are what records it; none before two cards are
    chosen.
    """

    seq: int
    hand: int
    hands: int
    one: str = ""
    other: str = ""
    places: dict[str, list[CardPlace]] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    events: list[ev.Event] = field(default_factory=list)
    changes: list[str] = field(default_factory=list)
    wrong: str = ""


def swap_of(stream: Stream, names: Sequence[str], given: MultiDict[str, str]) -> CardSwap:
    """Return the form of a swap, judged if two cards are chosen; `names` are the players' by seat."""
    table = stream.table
    text = given.get("hand", "")
    number = int(text) if text.isdecimal() and 1 <= int(text[:6]) <= len(table.hands) else len(table.hands)
    form = CardSwap(stream.seq, number, len(table.hands), given.get("one", ""), given.get("other", ""))
    form.names = {face: card.label for face, card in drawn(table.pack).items()}
    if number:
        form.places = _places(stream, number, names)
    if form.one or form.other:
        _judge(form, stream, names)
    return form


def _judge(form: CardSwap, stream: Stream, names: Sequence[str]) -> None:
    try:
        form.events = swap(stream, form.hand, form.one, form.other)
        tried = stream.copy()
        for event in form.events:
            expect_room(tried, event)
            tried.append(event)
    except LedgerError as error:
        form.events, form.wrong = [], sentence(error)
    else:
        form.changes = [*_changes(stream.table, tried.table, form.hand, names)]


def _places(stream: Stream, number: int, names: Sequence[str]) -> dict[str, list[CardPlace]]:
    """Return the cards of a hand by player: those played, in their order, then those still held."""
    table = stream.table
    hand = table.hands[number - 1]
    after = table.hands[number].first if number < len(table.hands) else stream.seq + 1
    texts = drawn(table.pack)
    places: dict[str, list[CardPlace]] = {name: [] for name in names}
    seen = set()
    for seq, event in unroll(stream.heads[-1]):
        if not hand.first <= seq < after:
            continue
        card = getattr(event, "card", None)
        if isinstance(card, str) and not isinstance(event, ev.Give):
            places[names[event.seat]].append(CardPlace(card, texts[card].text, played=True))  # type: ignore[attr-defined]
            seen.add(card)
    for seat, held in enumerate(getattr(hand, "held", ())):
        for card in table.pack.list(held) if hand is table.hand else ():
            if card not in seen:
                places[names[seat]].append(CardPlace(card, texts[card].text, played=False))
    return {name: cards for name, cards in places.items() if cards}


def _changes(before: Match[Any], after: Match[Any], number: int, names: Sequence[str]) -> Iterator[str]:
    """Yield what differs after the swap: takers of tricks, and results."""
    old, new = (hand_result(table, table.hands[number - 1])["tricks"] for table in (before, after))
    for place, (was, now) in enumerate(zip(old, new, strict=False), 1):
        if was["taker"] != now["taker"]:
            taker, before_it = _taker(now, names), _taker(was, names)
            yield _("Trick %(number)s goes to %(taker)s, not to %(was)s", number=place, taker=taker, was=before_it)
    yield from changed_results(before, after, names)


def _taker(trick: dict[str, Any], names: Sequence[str]) -> str:
    return _("nobody") if trick["taker"] is None else names[trick["taker"]]

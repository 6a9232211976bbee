"""A hand as text, to be pasted into a mail or a forum: the hands around a compass, the calls, the lead and the result."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from cardledger_web.languages import _
from cardledger_web.views.plain import unmarked

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardledger_web.views.diagram import DiagramSeat, DrawnDiagram
    from cardledger_web.views.match import HandRow

_SIDE = 26
"""The width of a hand at a side."""
_CALL = 8
_AROUND = 4
"""The number of seats that fit around a compass."""


def hand_text(title: str, hand: HandRow, names: Sequence[str], result: str, address: str) -> str:
    """Return a hand as text.

    - title: the game, the day and the number of the hand.
    - names: the players by seat.
    - result: what the hand was worth.
    - address: where its page is.
    """
    return "\n".join(unmarked(line).rstrip() for line in _lines(title, hand, names, result, address)) + "\n"


def _lines(title: str, hand: HandRow, names: Sequence[str], result: str, address: str) -> Iterator[str]:
    yield title
    if hand.hand_facts:
        yield " · ".join(hand.hand_facts)
    yield ""
    shown = hand.diagram
    if shown is not None:
        yield from _hands(shown, names)
        yield from _calls(shown)
        yield from (f"{number} {text}" for number, text in enumerate(shown.notes, 1))
        if shown.lead:
            yield f"{_('Lead:')} {shown.lead.text}"
    else:
        for trick in hand.tricks:
            cards = (
                f"{names[seat]} {card.text}"
                for seat in (*range(trick.leader, len(names)), *range(trick.leader))
                if (card := trick.cards[seat]) is not None
            )
            yield f"{trick.number:2}  {', '.join(cards)}"
    yield ""
    yield from filter(None, (result, address))


def _hands(shown: DrawnDiagram, names: Sequence[str]) -> Iterator[str]:
    hands = {seat.place: [*_hand(seat, names)] for seat in shown.seats}
    if len(hands) != _AROUND:
        for place in sorted(hands):
            yield from (*hands[place], "")
        return
    low, left, high, right = (hands[place] for place in range(_AROUND))
    yield from (_padded("", _SIDE // 2) + line for line in high)
    for place in range(max(len(left), len(right))):
        yield _padded(_at(left, place), _SIDE) + _at(right, place)
    yield from (_padded("", _SIDE // 2) + line for line in low)
    yield ""


def _hand(seat: DiagramSeat, names: Sequence[str]) -> Iterator[str]:
    yield f"{seat.short} {names[seat.seat]}"
    if seat.suits is None:
        yield _("cards not seen")
    else:
        yield from (f"{suit.pip} {' '.join(card.rank for card in cards) or '–'}" for suit, cards in seat.suits)


def _calls(shown: DrawnDiagram) -> Iterator[str]:
    if not shown.rounds:
        return
    yield "".join(_padded(seat.short, _CALL) for seat in shown.order)
    for calls in shown.rounds:
        said = (f"{call[0]}{f'({call[1]})' if call[1] else ''}" if call else "" for call in calls)
        yield "".join(_padded(text, _CALL) for text in said)
    yield ""


def _at(lines: Sequence[str], place: int) -> str:
    return lines[place] if place < len(lines) else ""


def _padded(text: str, width: int) -> str:
    """Return a text filled with blanks; characters of double width count twice, marks not at all."""
    text = unmarked(text)
    wide = sum(2 if unicodedata.east_asian_width(c) in "WF" else not unicodedata.combining(c) for c in text)
    return text + " " * max(1, width - wide)

"""Situations: what was the case in a hand or at a decision, each a function of the fold.

Statistics filter and split by them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from cardledger.rules.engine.events import Discard, Draw, Event, Give
from cardledger.rules.engine.measures import Counts

if TYPE_CHECKING:
    from cardledger.rules.engine.game import Game
    from cardledger.rules.engine.match import Match
    from cardledger.rules.engine.orders import Orders
    from cardledger.rules.engine.state import Hand

Cards = Sequence[Sequence[str]] | None
"""The cards dealt to each seat, None if they are not known."""
BEHIND, LEVEL, AHEAD = 1, 2, 3
_LONG = 16
_MOST = 10 ** (_LONG - 1) - 1
"""No count is larger."""
_HIGH = 3
"""How many ranks are high."""


@dataclass(frozen=True, slots=True)
class HandSituation:
    """What was the case for a seat in a hand: its id, its title, what it means, and a function of the finished hand.

    The function takes match, hand and cards dealt and returns a whole number by seat, None where nothing is known.
    `words` are the names of the numbers, if they have names. `within(game)` tells whether hands of a game can have it;
    without it, hands of any game can.
    """

    id: str
    title: str
    about: str
    value: Callable[[Match[Any], Hand, Cards], Sequence[int] | None]
    words: dict[int, str] = field(default_factory=dict)
    within: Callable[[Game[Any]], bool] | None = None

    def word(self, code: int) -> str | int | None:
        """Return the value behind a stored number: a name or a number; None if it is not known."""
        return self.words.get(code, code - 1) if code else None


def codes_of(name: str, value: str) -> tuple[int, int] | None:
    """Return the lowest and the highest stored number that a value in words stands for; None if there is none.

    A value is a word of a situation, a number, or a span of numbers, open at either end.

    >>> codes_of("standing", "level"), codes_of("points", "26"), codes_of("points", "10..13"), codes_of("points", "26..")
    ((2, 2), (26, 26), (10, 13), (26, 999999999999999))
    """
    known = OF_HAND.get(name)
    if known is not None and known.words:
        return next(((code, code) for code, word in known.words.items() if word == value), None)
    low, span, high = value.partition("..")
    lowest = _number(low, -_MOST if high else None)
    highest = _number(high if span else low, _MOST if low else None)
    if lowest is None or highest is None:
        return None
    return (lowest, highest) if known is None else (max(lowest, 0) + 1, highest + 1)


def _number(text: str, otherwise: int | None) -> int | None:
    """Return a whole number, `otherwise` for an empty text, None for any other."""
    if not text:
        return otherwise
    whole = text.isascii() and text.removeprefix("-").isdigit() and len(text) < _LONG
    return int(text) if whole else None


def standing(table: Match[Any], hand: Hand, dealt: Cards) -> Sequence[int] | None:
    """Return whether each side was ahead, level or behind before the hand, against the best other side."""
    before = table.hands[hand.number - 2].totals if hand.number > 1 else [0] * table.n
    if before is None:
        return None
    sides = table.game.sides(table.n)
    good = [-total for total in before] if table.game.scoring.fewest else before
    found = []
    for seat, own in enumerate(good):
        best = max(total for total, side in zip(good, sides, strict=True) if side != sides[seat])
        found.append(AHEAD if own > best else LEVEL if own == best else BEHIND)
    return found


def trump_length(table: Match[Any], hand: Hand, dealt: Cards) -> Sequence[int] | None:
    """Return the number of trumps dealt to each seat; None in a hand without trumps."""
    trumps = trumps_of(table.game.orders, hand.order)
    if dealt is None or not trumps:
        return None
    mask = table.pack.mask
    return [sum(bool(mask[face] & trumps) for face in cards) for cards in dealt]


def has_trumps(game: Game[Any]) -> bool:
    """Tell whether hands of a game can have a trump suit that is the same in all tricks."""
    return any(_trump_sets(game.orders))


def void_suits(table: Match[Any], hand: Hand, dealt: Cards) -> Sequence[int] | None:
    """Return in how many suits each seat was dealt no card."""
    if dealt is None:
        return None
    of, suits = table.pack.of, table.pack.suits
    found = []
    for cards in dealt:
        seen = 0
        for face in cards:
            seen |= suits[of[face][0]]
        found.append(len(table.pack.suit_names) - seen.bit_count())
    return found


def high_cards(table: Match[Any], hand: Hand, dealt: Cards) -> Sequence[int] | None:
    """Return how many cards of the three highest ranks each seat was dealt."""
    if dealt is None:
        return None
    high = high_faces(tuple(table.pack.faces), tuple(table.pack.ranks))
    return [sum(map(high.__contains__, cards)) for cards in dealt]


HAND_SITUATIONS = (
    HandSituation(
        "standing", "Standing before the hand", "total against the best other side before the hand", standing,
        {BEHIND: "behind", LEVEL: "level", AHEAD: "ahead"},
    ),
    HandSituation("trump_length", "Trumps dealt", "number of trumps dealt", trump_length, within=has_trumps),
    HandSituation("void_suits", "Void suits dealt", "number of suits without a card in the hand dealt", void_suits),
    HandSituation("high_cards", "High cards dealt", "cards of the three highest ranks in the hand dealt", high_cards),
)  # fmt: skip
"""The situations of hands, in the order in which pages show them."""
OF_HAND = {one.id: one for one in HAND_SITUATIONS}


def missing_in(game: Game[Any]) -> frozenset[str]:
    """Return the ids of the situations that no hand of a game can have."""
    return frozenset(one.id for one in HAND_SITUATIONS if one.within is not None and not one.within(game))


def situations_of(table: Match[Any], hand: Hand, events: Callable[[], Sequence[Event]]) -> Counts:
    """Return the situations of a complete hand as counts by seat.

    0 where nothing is known, numbers one higher than they are.
    """
    dealt = _dealt(table, hand, events())
    counts: dict[str, Sequence[int]] = {}
    for one in HAND_SITUATIONS:
        values = one.value(table, hand, dealt)
        if values is not None:
            counts[one.id] = values if one.words else [value + 1 for value in values]
    return counts


def _dealt(table: Match[Any], hand: Hand, events: Sequence[Event]) -> Cards:
    """Return the cards dealt, as recorded or as the play of a whole hand shows them."""
    recorded: Cards = getattr(events[0], "hands", None)
    if recorded is not None:
        return recorded
    faces = table.pack.faces
    shown: list[list[str]] = [[] for _ in range(table.n)]
    for seats, cards, _, _ in hand.tricks:
        for seat, card in zip(seats, cards, strict=True):
            shown[seat].append(faces[card])
    whole = hand.each > 0 and all(len(cards) == hand.each for cards in shown)
    return None if not whole or any(isinstance(event, Give | Discard | Draw) for event in events) else shown


@cache
def high_faces(faces: tuple[str, ...], ranks: tuple[int, ...]) -> frozenset[str]:
    """Return the faces of the cards of the three highest ranks."""
    lowest = sorted(set(ranks))[-_HIGH:][0]
    return frozenset(face for face, rank in zip(faces, ranks, strict=True) if rank >= lowest)


def trumps_of(orders: Orders, order: int) -> int:
    """Return the cards that are trump under an order: those of one suit that beat every other suit led."""
    sets = _trump_sets(orders)
    return sets[order] if order < len(sets) else 0


@cache
def _trump_sets(orders: Orders) -> tuple[int, ...]:
    return tuple(
        sum(1 << card for card in range(len(suits)) if all(by_led[card] > 0 for by_led in power))
        for suits, power in zip(orders.suit, orders.power, strict=False)
    )

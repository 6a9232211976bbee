"""Packs of cards: a card is a small int, a set of cards an int bitmask, a face the text people write."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Literal

SUITS: tuple[Literal["C", "D", "H", "S"], ...] = ("C", "D", "H", "S")
"""Suits of the standard pack in the hierarchy of the rulebook, lowest first."""
SUIT_WORDS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
"""The suits of the standard pack in words."""
RANKS = "23456789TJQKA"
"""Ranks of the standard pack, lowest first."""
_SIGNS = ("♣♧", "♦♢", "♥♡", "♠♤")
"""The signs of the suits, full and empty."""


def _ways(suit: int, rank: str) -> Iterator[str]:
    """Yield the ways in which people write a card of the standard pack: TH, 10h, h10, 10♥, ♥T."""
    letter = SUITS[suit]
    # Telephones put an invisible sign after the suit, so that it is drawn as a picture.
    suits = (letter, letter.lower(), *_SIGNS[suit], *(f"{sign}\ufe0f" for sign in _SIGNS[suit]))
    ranks = dict.fromkeys((rank, rank.lower(), *(("10",) if rank == "T" else ())))
    for one in suits:
        for other in ranks:
            yield from (other + one, one + other)


_FACES = {way: rank + suit for s, suit in enumerate(SUITS) for rank in RANKS for way in _ways(s, rank)}
OTHER_WAYS = frozenset(way for way, face in _FACES.items() if way != face)
"""The ways of writing a card that are not its face."""


def read_face(text: str) -> str:
    """Return the face that a text means: of the standard pack as it is stored, of other packs the text itself.

    >>> read_face("10♥"), read_face("s9"), read_face("RY6")
    ('TH', '9S', 'RY6')
    """
    return _FACES.get(text, text)


class Pack:
    """All cards of a game.

    `faces[card]` is the text of a card, `ranks[card]` its height, `suits[card]` the bitmask of its suits
    (bit 0 is the lowest suit; some cards are of two suits), `mask[face]` all cards that bear a face (twins share
    one), `of[face]` the lowest of them and its bit, `bits[card]` the set of just one card, `alike[card]` all cards with
    its face, `kin[card]` all that share a suit with it, `suit_masks[suit]` all cards of a suit, `full` all.
    """

    def __init__(self, cards: list[tuple[str, int, int]], suit_names: tuple[str, ...] | str) -> None:
        """Build a pack of `(face, suits bitmask, rank)` in the order of the cards' ints."""
        self.suit_names = suit_names
        self.faces = [face for face, _, _ in cards]
        self.suits = [suits for _, suits, _ in cards]
        self.ranks = [rank for _, _, rank in cards]
        self.full = (1 << len(cards)) - 1
        self.mask: dict[str, int] = {}
        for card, face in enumerate(self.faces):
            self.mask[face] = self.mask.get(face, 0) | 1 << card
        self.bits = [1 << card for card in range(len(cards))]
        self.alike = [self.mask[face] for face in self.faces]
        self.of = {face: (card, 1 << card) for card, face in reversed([*enumerate(self.faces)])}
        self.suit_masks = [
            sum(1 << card for card, suits in enumerate(self.suits) if suits >> suit & 1)
            for suit in range(len(suit_names))
        ]
        self.kin = [sum(1 << card for card, other in enumerate(self.suits) if suits & other) for suits in self.suits]

    def show(self, mask: int) -> tuple[str, ...]:
        """Return the faces in a set of cards, each once, in plain string order."""
        return tuple(sorted({self.faces[card] for card in cards_in(mask)}))

    def list(self, mask: int) -> list[str]:
        """Return the faces in a set of cards, twins twice, in the order of the pack."""
        return [self.faces[card] for card in cards_in(mask)]


def cards_in(mask: int) -> list[int]:
    """Return the cards of a set, lowest first."""
    cards = []
    while mask:
        low = mask & -mask
        cards.append(low.bit_length() - 1)
        mask ^= low
    return cards


@cache
def standard_pack() -> Pack:
    """Return the 52 cards, suit by suit (C D H S), twos low and aces high."""
    return Pack(
        [(rank + suit, 1 << s, r) for s, suit in enumerate(SUITS) for r, rank in enumerate(RANKS)],
        SUITS,
    )

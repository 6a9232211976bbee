"""Cards on a page: what is written on each, what a screen reader says, and its colours."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from ledger.cards import FIVE_SUITS, SUITS

if TYPE_CHECKING:
    from ledger.cards import Pack

_SUITS = {"C": ("clubs", "♣"), "D": ("diamonds", "♦"), "H": ("hearts", "♥"), "S": ("spades", "♠")}
_RANKS = {"T": "10", "J": "Jack", "Q": "Queen", "K": "King", "A": "Ace"}
_COLOURS = {"R": "red", "Y": "yellow", "G": "green", "B": "blue", "P": "purple"}
_AS_TEXT = "\ufe0e"
"""After a suit glyph: text, not a coloured picture, which some telephones would show."""


@dataclass(frozen=True, slots=True)
class Card:
    """A card as drawn: `text` in the colour `suit`, or above bars of `colours`; `label` is how it is read out.

    On a table the corner shows `rank` above `pip`, the two parts of the text, and the middle of the card `centre`.
    """

    text: str
    label: str
    rank: str
    pip: str = ""
    centre: str = ""
    suit: str = ""
    colours: tuple[str, ...] = ()


@cache
def drawn(pack: Pack) -> MappingProxyType[str, Card]:
    """Return every card of a pack by its face.

    >>> from ledger.cards import standard_pack
    >>> drawn(standard_pack())["KH"].label
    'King of hearts'
    """
    draw = _standard if pack.suit_names == SUITS else _five_suits if pack.suit_names == FIVE_SUITS else _coloured
    return MappingProxyType({face: draw(pack, card) for card, face in enumerate(pack.faces)})


def _standard(pack: Pack, card: int) -> Card:
    face = pack.faces[card]
    rank, letter = face[0], face[1]
    suit, glyph = _SUITS[letter]
    name, pip = _RANKS.get(rank, rank), f"{glyph}{_AS_TEXT}"
    rank = "10" if rank == "T" else rank
    return Card(f"{rank}{pip}", f"{name} of {suit}", rank, pip, pip, suit)


def _five_suits(pack: Pack, card: int) -> Card:
    face = pack.faces[card]
    colours = tuple(_COLOURS[letter] for letter in face[:-1])
    return Card(face, f"{' and '.join(colours)} {face[-1]}", face[-1], face[:-1], face[-1], colours=colours)


def _coloured(pack: Pack, card: int) -> Card:
    """Draw a card of a pack whose suits are colours with names; anything else by its face alone."""
    face, suits = pack.faces[card], pack.suits[card]
    colours = tuple(name for suit, name in enumerate(pack.suit_names) if suits >> suit & 1)
    value = str(pack.ranks[card])
    return Card(face, f"{face} ({' and '.join(colours)} {value})", face, centre=value, colours=colours)


@cache
def deck(pack: Pack) -> str:
    """Return every card of a pack as JSON, for the scripts that draw tables (static/cards.js)."""
    return json.dumps({face: asdict(card) for face, card in drawn(pack).items()}, ensure_ascii=False)

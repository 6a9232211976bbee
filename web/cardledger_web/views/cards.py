"""Cards on a page: text, name for screen readers, and colours."""

from __future__ import annotations

import re
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from cardledger.rules.engine.cards import SUITS
from cardledger_web.languages import N_, SOURCE, _, joined, language, translated

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardledger.rules.engine.cards import Pack

_SUITS = {"C": (N_("clubs"), "♣"), "D": (N_("diamonds"), "♦"), "H": (N_("hearts"), "♥"), "S": (N_("spades"), "♠")}
_RANKS = {"T": "10", "J": N_("Jack"), "Q": N_("Queen"), "K": N_("King"), "A": N_("Ace")}
_COLOURS = {"R": "red", "Y": "yellow", "G": "green", "B": "blue", "P": "purple"}
_NAMES = (
    N_("red"), N_("orange"), N_("yellow"), N_("green"), N_("cyan"), N_("blue"), N_("violet"), N_("purple"), N_("pink"),
    N_("brown"), N_("grey"),
)  # fmt: skip
"""The names of colours, as they are said."""
_SHAPES = {
    "red": "♥", "orange": "⬟", "yellow": "★", "green": "▲", "cyan": "▼", "blue": "◆", "violet": "●", "purple": "●", "pink": "✚",
    "brown": "■", "grey": "⬢",
}  # fmt: skip
"""A shape for each colour, so that cards can be told apart without it."""
_AS_TEXT = "\ufe0e"
"""Put after a suit glyph: it asks for text, not for the coloured picture of some telephones."""
_SIGNS = re.compile("[♣♦♥♠]")


def as_text(words: str) -> str:
    """Return words with every sign of a suit marked as text."""
    return _SIGNS.sub(rf"\g<0>{_AS_TEXT}", words)


class DrawnCard(NamedTuple):
    """A card as drawn: `text` in the colour `suit`, or above bars of `colours`; `label` is its spoken name.

    On a table the corner shows `rank` above `pip`, the two parts of the text, and the middle of the card `centre`. A
    card of `colours` has `shapes` in them for a pip, and in the middle if there is no `centre`.
    """

    text: str
    label: str
    rank: str
    pip: str = ""
    centre: str = ""
    suit: str = ""
    colours: tuple[str, ...] = ()
    shapes: tuple[str, ...] = ()


def drawn(pack: Pack) -> MappingProxyType[str, DrawnCard]:
    """Return every card of a pack by its face, with its spoken name in the language of the page.

    >>> from cardledger.rules.engine.cards import standard_pack
    >>> drawn(standard_pack())["KH"].label
    'King of hearts'
    """
    return _drawn(pack, language())


def suit_signs(pack: Pack) -> dict[str, frozenset[str]]:
    """Return the faces of each suit by its sign, the lowest suit first; nothing for a pack without such suits."""
    if pack.suit_names != SUITS:
        return {}
    return {
        f"{_SUITS[letter][1]}{_AS_TEXT}": frozenset(face for face in pack.faces if face[1] == letter)
        for letter in pack.suit_names
    }


@cache
def _drawn(pack: Pack, _language: str) -> MappingProxyType[str, DrawnCard]:
    lettered = set(pack.suit_names) <= _COLOURS.keys()
    draw = _standard if pack.suit_names == SUITS else _lettered if lettered else _coloured
    return MappingProxyType({face: draw(pack, card) for card, face in enumerate(pack.faces)})


def _standard(pack: Pack, card: int) -> DrawnCard:
    face = pack.faces[card]
    rank, letter = face[0], face[1]
    suit, glyph = _SUITS[letter]
    name, pip = _RANKS.get(rank, rank), f"{glyph}{_AS_TEXT}"
    rank = "10" if rank == "T" else rank
    return DrawnCard(
        f"{rank}{pip}", _("%(rank)s of %(suit)s", rank=translated(name), suit=translated(suit)), rank, pip, pip, suit
    )


def _lettered(pack: Pack, card: int) -> DrawnCard:
    face = pack.faces[card]
    colours = tuple(_COLOURS[letter] for letter in face[:-1])
    return DrawnCard(face, f"{_said(colours)} {face[-1]}", face[-1], colours=colours, shapes=_shapes(colours))


def _said(colours: tuple[str, ...]) -> str:
    return joined([translated(colour) for colour in colours])


def _coloured(pack: Pack, card: int) -> DrawnCard:
    """Draw a card of a pack whose suits are colours with names; anything else by its face alone."""
    face, suits = pack.faces[card], pack.suits[card]
    colours = tuple(name for suit, name in enumerate(pack.suit_names) if suits >> suit & 1)
    value = str(pack.ranks[card])
    label = f"{face} ({_said(colours)} {value})"
    return DrawnCard(face, label, face, centre=value, colours=colours, shapes=_shapes(colours))


def _shapes(colours: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{_SHAPES[colour]}{_AS_TEXT}" for colour in colours)


@cache
def hand_order(pack: Pack) -> Mapping[str, int]:
    """Return the places of the faces in a hand: as the pack has them; standard cards highest first, as people hold them."""
    cards = _drawn(pack, SOURCE)
    return {face: -place if card.suit else place for place, (face, card) in enumerate(cards.items())}

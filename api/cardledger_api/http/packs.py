"""The packs of a game: the default cards, and those of other options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardledger.rules.engine.game import Game, Option


class Card(NamedTuple):
    """A card of a pack: the text people write, its suits (some cards have two) and its height."""

    face: str
    suits: list[str]
    rank: int


class ShownPack(NamedTuple):
    """A pack under some options; the default pack names none."""

    options: dict[str, Any]
    suits: list[str]
    cards: list[Card]


def packs(game: Game[Any]) -> list[ShownPack]:
    """Return a game's default pack, then those of single options that change it."""
    shown_packs = [_shown(game, {})]
    for option in game.options:
        for value in _values(option):
            other = _shown(game, {option.name: value})
            if other.cards not in [pack.cards for pack in shown_packs]:
                shown_packs.append(other)
    return shown_packs


def _values(option: Option) -> Iterator[object]:
    """Yield the values of an option, if they can be counted."""
    yield from option.choices or ((False, True) if option.kind == "boolean" else ())


def _shown(game: Game[Any], options: dict[str, Any]) -> ShownPack:
    pack = game.pack(game.fill(options, game.sizes[0]))
    names = [*pack.suit_names]
    cards = [
        Card(face, [name for place, name in enumerate(names) if suits >> place & 1], rank)
        for face, suits, rank in zip(pack.faces, pack.suits, pack.ranks, strict=True)
    ]
    return ShownPack(options, names, cards)

"""The packs of a game: its cards as they are by default, and as options change them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ledger.events import Open

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.cards import Pack
    from ledger.game import Game, Option


class Card(NamedTuple):
    """A card of a pack: the text people write, its suits (some cards have two) and its height."""

    face: str
    suits: list[str]
    rank: int


class ShownPack(NamedTuple):
    """A pack under some options; by default there are none to tell."""

    options: dict[str, Any]
    suits: list[str]
    cards: list[Card]


def packs(game: Game) -> list[ShownPack]:
    """Return the pack a game is played with by default, then those that single options change it to."""
    found = [_shown(game, {})]
    for option in game.options:
        for value in _values(option):
            other = _shown(game, {option.name: value})
            if other.cards not in [pack.cards for pack in found]:
                found.append(other)
    return found


def kind_of(option: Option) -> str:
    """Return what values an option takes: choice, boolean or integer."""
    if option.choices:
        return "choice"
    return "boolean" if isinstance(option.default, bool) else "integer"


def _values(option: Option) -> Iterator[object]:
    """Yield the values of an option, if they can be counted."""
    yield from option.choices or ((False, True) if kind_of(option) == "boolean" else ())


def _shown(game: Game, options: dict[str, Any]) -> ShownPack:
    players = tuple(f"player {seat}" for seat in range(game.players[0]))
    pack: Pack = game.table(game, Open(game=game.id, players=players, options=options)).pack
    names = [*pack.suit_names]
    cards = [
        Card(face, [name for place, name in enumerate(names) if suits >> place & 1], rank)
        for face, suits, rank in zip(pack.faces, pack.suits, pack.ranks, strict=True)
    ]
    return ShownPack(options, names, cards)

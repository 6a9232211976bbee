"""The games by id: those of this package, and those that installed packages add through `cardledger.games`."""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points
from types import MappingProxyType

from ledger.errors import FormatError
from ledger.events import Open
from ledger.game import Game
from ledger.games import (
    diamonds_bid,
    diamonds_draw,
    diversity,
    hecto_diversity,
    poison_hearts,
    ruff,
)
from ledger.table import Table

COMPILED = hasattr(Table, "__mypyc_attrs__")
"""Whether the rules run compiled: a switch of the build (README, "Compiled rules")."""


@cache
def games() -> MappingProxyType[str, Game]:
    """Return all games by id, our own first; an entry point of the group `cardledger.games` names a Game value."""
    found = [
        diversity.GAME, diamonds_bid.GAME, poison_hearts.GAME, hecto_diversity.GAME,
        ruff.GAME, ruff.GAME_2, diamonds_draw.GAME,
    ]  # fmt: skip
    found += [point.load() for point in sorted(entry_points(group="cardledger.games"))]
    return MappingProxyType({game.id: game for game in found})


def game(id: str) -> Game:
    """Return a game; raises FormatError `format.game` for an id nobody knows."""
    try:
        return games()[id]
    except KeyError:
        raise FormatError("format.game", f"there is no game {id!r} (there are {', '.join(games())})") from None


def start(event: Open) -> Table:
    """Return the table of a match just opened.

    Raises FormatError `format.game`, `format.option`, `format.value`, and RuleError `table.range`.
    """
    chosen = game(event.game)
    if event.rules not in (None, chosen.book.edition):
        raise FormatError(
            "format.value", f"{event.rules!r} is no edition known here: {chosen.id} is at {chosen.book.edition}"
        )
    seen = set()
    for player in event.players:
        if (
            not 1 <= len(player) <= 64
            or not player.isprintable()
            and any(ord(c) < 32 or 127 <= ord(c) < 160 for c in player)
        ):
            raise FormatError(
                "format.value", f"a player id has 1 to 64 characters and no control characters: {player!r}"
            )
        if player in seen:
            raise FormatError("format.value", f"player {player!r} sits at two seats")
        seen.add(player)
    table: Table = chosen.table(chosen, event)
    return table

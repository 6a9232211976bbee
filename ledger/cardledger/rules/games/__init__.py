"""The games, a folder each, by id and edition.

Old editions stay: a match is folded under the edition its opening names.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.metadata import entry_points
from types import MappingProxyType
from typing import Any

from cardledger.errors import UnknownGameError
from cardledger.plugins import loaded
from cardledger.rules.engine.editions import by_game, check_players, editions_in, newest
from cardledger.rules.engine.events import Open
from cardledger.rules.engine.game import Game
from cardledger.rules.engine.match import Match, begin
from cardledger.sentence import Sentence, choosing

OURS = (
    "hearts", "spades", "whist", "euchre", "oh_hell", "bridge",
    "diversity", "diamonds_bid", "poison_hearts", "hecto_diversity", "ruff", "diamonds_draw",
)  # fmt: skip
"""The folders of our own games, in the order of lists."""
COMPILED = hasattr(Match, "__mypyc_attrs__")
"""Whether the rules are compiled; the build decides that (ledger/cardledger/README.md)."""


@cache
def editions() -> Mapping[str, Mapping[str, Game[Any]]]:
    """Return the editions of every game by id, oldest first: `ruff` → `ruff/1`, `ruff/2`.

    An entry point of the group `cardledger.games` names a Game, or a function that returns several editions of games.
    """
    every_game = [game for name in OURS for game in editions_in(f"{__name__}.{name}")]
    for point in sorted(entry_points(group="cardledger.games")):
        every_game = loaded(point, lambda brought, before=every_game: _with(before, brought)) or every_game  # type: ignore[misc]
    return by_game(every_game)


def _with(before: list[Game[Any]], brought: Any) -> list[Game[Any]]:
    """Return the games together with those of a package; raises an exception if there is anything wrong with them."""
    more = [brought] if isinstance(brought, Game) else [*brought()]
    by_game([*before, *more])
    ids = {game.id for game in before}
    for game in more:
        if not isinstance(game, Game):
            raise TypeError(f"{game!r} is not a Game")
        if game.id in ids:
            raise ValueError(f"there is already a game {game.id}")
    return [*before, *more]


@cache
def games() -> Mapping[str, Game[Any]]:
    """Return the newest edition of every game by id, our own games first."""
    return MappingProxyType({id: newest(by_edition) for id, by_edition in editions().items()})


def game(id: str, rules: str | None = None) -> Game[Any]:
    """Return an edition of a game, the newest unless one is named.

    Raises FormatError `format.game` for an unknown game, `format.value` for an unknown edition.
    """
    by_edition = editions().get(id)
    if by_edition is None:
        raise UnknownGameError("format.game", choosing(Sentence("there is no game {id!r}", id=id), id, editions()))
    wanted = newest(by_edition).book.edition if rules is None else rules
    if wanted not in by_edition:
        raise UnknownGameError(
            "format.value", choosing(Sentence("there is no edition {rules!r}", rules=wanted), wanted, by_edition)
        )
    return by_edition[wanted]


def first_played_alike(id: str) -> Game[Any]:
    """Return the oldest edition of a game with the same play and points as the newest.

    Hands of both are worth the same.
    """
    known = game(id)
    return next(edition for edition in editions()[id].values() if edition.plays_like(known))


def start(event: Open, rules: str | None = None) -> Match[Any]:
    """Start the match of an opening, under the edition it names or else the newest; `rules` overrides that (what if).

    Raises FormatError `format.game`, `format.option`, `format.value`, and RuleError `table.range`.
    """
    chosen = game(event.game, event.rules if rules is None else rules)
    check_players(event.players)
    return begin(chosen, event)

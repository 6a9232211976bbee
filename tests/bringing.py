"""Games that a test brings, as an installed package would: known everywhere in this process for the time of a test."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from cardledger.rules import games as registry
from cardledger.rules.engine.game import Game


@contextmanager
def brought(*games: Game[Any]) -> Iterator[None]:
    """Let games of our own tests be known beside those that are there, which stay the same objects."""
    known, by_game = registry.editions(), registry.by_game

    def the_same(every: Iterable[Game[Any]]) -> dict[str, Mapping[str, Game[Any]]]:
        return {id: known.get(id, made) for id, made in by_game(every).items()}

    def look_up(*offered: Game[Any]) -> None:
        points = [SimpleNamespace(name=game.id, dist=None, load=lambda game=game: game) for game in offered]
        registry.editions.cache_clear()
        registry.games.cache_clear()
        with patch.multiple(registry, entry_points=lambda group: points, by_game=the_same):
            registry.games()

    look_up(*games)
    try:
        yield
    finally:
        look_up()

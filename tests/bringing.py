"""Games that a test brings, as an installed package would: known everywhere in this process for the time of a test."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from cardledger.rules import games as registry
from cardledger.rules.engine.game import Game


@contextmanager
def brought(*games: Game[Any]) -> Iterator[None]:
    """Let games of our own tests be known beside those that are there."""
    points = [SimpleNamespace(name=game.id, dist=None, load=lambda game=game: game) for game in games]
    with patch.object(registry, "entry_points", lambda group: points):
        _forget()
        registry.editions()
    registry.games()
    try:
        yield
    finally:
        _forget()


def _forget() -> None:
    registry.editions.cache_clear()
    registry.games.cache_clear()

"""Editions: rulebooks of a game that exist side by side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from cardledger.errors import FormatError
from cardledger.rules.engine.game import Game


@cache
def editions_in(package: str) -> tuple[Game[Any], ...]:
    """Return the editions of a game that lies in a folder, the package of that name; they are made once.

    They are `EDITIONS` of its `rules.py`, oldest first, with what the other files bring, as far as there are such
    files: `BOT` of `bot.py`, `count` and `MEASURES` of `measures.py`, `MEASURED` of `measured.py`, `remark` of
    `remarks.py`, `SHEET` of `sheet.py`. What an edition has of its own stays.
    """

    def brought(module: str, name: str) -> Any:
        there = find_spec(f"{package}.{module}") is not None
        return getattr(import_module(f"{package}.{module}"), name) if there else None

    parts = {
        "bot": brought("bot", "BOT"),
        "count": brought("measures", "count"),
        "measures": brought("measures", "MEASURES"),
        "measured": brought("measured", "MEASURED"),
        "remark": brought("remarks", "remark"),
    }
    sheet, found = brought("sheet", "SHEET"), []
    for game in import_module(f"{package}.rules").EDITIONS:
        missing = {name: part for name, part in parts.items() if part is not None and not getattr(game.study, name)}
        study = replace(game.study, **missing)
        found.append(replace(game, study=study, sheet=game.sheet if sheet is None else sheet))
    return tuple(found)


def by_game(games: Iterable[Game[Any]]) -> dict[str, dict[str, Game[Any]]]:
    """Return the editions of every game, in the order of the games; raises ValueError for one given twice."""
    by_id: dict[str, dict[str, Game[Any]]] = {}
    for game in games:
        editions = by_id.setdefault(game.id, {})
        if game.book.edition in editions:
            raise ValueError(f"{game.book.edition} is given twice")
        editions[game.book.edition] = game
    return {
        id: dict(sorted(editions.items(), key=lambda one: int(one[0].rpartition("/")[2])))
        for id, editions in by_id.items()
    }


def newest(editions: Mapping[str, Game[Any]]) -> Game[Any]:
    """Return the latest edition of a game."""
    return editions[[*editions][-1]]


def check_players(players: tuple[str, ...]) -> None:
    """Refuse player ids of a wrong form, and a player who sits at two seats; raises FormatError `format.value`."""
    seen = set()
    for player in players:
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

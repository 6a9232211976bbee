"""The definitions of figures in tables: the measures with their formulas, and every edition with what changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardledger.rules.engine.measures import COMMON
from cardledger.rules.games import game, games
from cardledger.study.stats.estimators import ESTIMATORS
from cardledger.study.stats.measures.of_game import measures_of
from cardledger.study.stats.stats_table import StatsTable

if TYPE_CHECKING:
    from cardledger.rules.engine.measures import Measure
    from cardledger.study.stats.estimators import Estimator

_MEASURES = ("game", "measure", "title", "formula", "better", "kind", "source", "edition")
_EDITIONS = ("game", "what", "id", "title", "formula", "edition", "since", "changed")


def measures(game_id: str | None = None) -> StatsTable:
    """Return the measures, those of all games first; raises FormatError `format.game`."""
    rows = [
        {
            "game": id, "measure": one.id, "title": one.title, "formula": one.formula, "better": one.better,
            "kind": one.kind, "source": one.source, "edition": one.edition,
        }
        for id in ([None, *games()] if game_id is None else [game_id])
        for one in (COMMON if id is None else measures_of(id) if game_id else game(id).study.measures)
    ]  # fmt: skip
    return StatsTable("measures", _MEASURES, rows, "", {}, definitions=())


def definitions(game_id: str | None = None) -> StatsTable:
    """Return every edition of every estimator and measure, the newest of each first; with a game only its measures.

    Estimators and the measures of all games have no game. Raises FormatError `format.game`.
    """
    ids = [*games()] if game_id is None else [game(game_id).id]
    defined: list[tuple[str | None, str, Measure | Estimator]] = [
        *((None, "estimator", one) for one in ESTIMATORS),
        *((None, "measure", one) for one in COMMON),
        *((id, "measure", one) for id in ids for one in game(id).study.measures),
    ]
    rows = [
        {
            "game": id, "what": what, "id": one.id, "title": one.title, "formula": one.formula,
            "edition": one.edition_named(back), "since": edition.since, "changed": edition.changed,
        }
        for id, what, one in defined
        for back, edition in enumerate(one.history)
    ]  # fmt: skip
    return StatsTable("definitions", _EDITIONS, rows, "", {}, definitions=())

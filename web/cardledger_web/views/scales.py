"""Scales of strength in words: points, or against the other tables with the same cards."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from cardledger.study.stats.measures.scale import has_field
from cardledger.study.stats.query import SCALES
from cardledger_web.languages import N_

if TYPE_CHECKING:
    from cardledger.study.stats import Query, Statistics


class ScaleWords(NamedTuple):
    """A scale of strength in words: as a choice, and as the head of a column."""

    choice: str
    head: str


SCALE_WORDS = {
    "points": ScaleWords(N_("points a hand"), N_("Points a hand")),
    "field": ScaleWords(N_("matchpoints"), N_("Percent")),
    "imps": ScaleWords(N_("IMPs"), N_("IMPs a board")),
}


class ScaleChoice(NamedTuple):
    """A scale that a reader may choose, with the query that has it."""

    words: ScaleWords
    query: Query
    chosen: bool


def scales_of(statistics: Statistics, game: str, query: Query) -> list[ScaleChoice]:
    """Return the scales on which a game measures strength; none to choose from if points are the only one."""
    if not has_field(statistics.sheets.sheet(game)):
        return []
    queries = {id: replace(query, scale=None if id == "points" else id) for id in SCALES}
    return [ScaleChoice(SCALE_WORDS[id], each, each == query) for id, each in queries.items()]

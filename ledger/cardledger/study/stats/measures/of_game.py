"""What statistics need of a game: its measures and its sides."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from cardledger.errors import StoreError
from cardledger.rules.engine.measures import COMMON, LAID, Measure
from cardledger.rules.engine.sides import each_alone
from cardledger.rules.games import game
from cardledger.sentence import Sentence, choosing

if TYPE_CHECKING:
    from cardledger.study.stats.measures.sheet import Sheet
    from cardledger.study.stats.strength.company import Sides


def sides_of(game_id: str) -> Sides:
    """Return the function that gives each seat of a game its side."""
    sides: Sides = getattr(game(game_id), "sides", each_alone)
    return sides


def measures_of(game_id: str) -> tuple[Measure, ...]:
    """Return all measures of a game; raises FormatError `format.game`."""
    chosen = game(game_id)
    better: Literal["fewer", "more"] = "fewer" if chosen.scoring.fewest else "more"
    common = (replace(one, better=better) if one.amount in ("points", "fair") else one for one in COMMON)
    return (*common, *chosen.study.measures)


def measures_in(sheet: Sheet) -> tuple[Measure, ...]:
    """Return the measures of a game that a sheet can answer.

    Without the worth of any deal none about luck, and so on.
    """
    missing = LAID - sheet.known
    return tuple(one for one in measures_of(sheet.game) if not {one.amount, one.of} & missing)


def measure_of(game_id: str, id: str) -> Measure:
    """Return a measure of a game; raises FormatError `format.game`, StoreError `store.unknown`."""
    measures = {measure.id: measure for measure in measures_of(game_id)}
    if id not in measures:
        raise StoreError(
            "store.unknown", choosing(Sentence("{game} has no measure {id!r}", game=game_id, id=id), id, measures)
        )
    return measures[id]

"""The field: each measure over all players of a game, and the distribution of points a hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cardledger.rules.engine.measures import COMMON, MATCHES
from cardledger.study.stats.estimators import FIELD, estimators_of
from cardledger.study.stats.measures.estimate import estimates
from cardledger.study.stats.measures.of_game import measures_in
from cardledger.study.stats.measures.tally import Tally, cells, parts_hands
from cardledger.study.stats.stats_table import GROUPS, StatsTable, group_of, short

if TYPE_CHECKING:
    from cardledger.study.stats.measures.sheet import Sheet
    from cardledger.study.stats.query import Query


def field_means(sheet: Sheet, query: Query) -> StatsTable:
    """Return every measure over all players that pass a query, split by its dimension, if it has one.

    An evening is one observation: what one player of a table wins, another loses.
    """
    tally = Tally(sheet, query)
    split = cells(tally, query.by)
    groups = len(split.labels)
    rows, measures = [], measures_in(sheet)
    for measure in measures:
        if parts_hands(sheet, query) and {measure.amount, measure.of} & MATCHES:
            continue
        for label, estimate in zip(
            split.labels, estimates(measure, split, split.group, groups, whole=True), strict=True
        ):
            if estimate.cases:
                rows.append(
                    {
                        "measure": measure.id, "title": measure.title, **group_of(query, label),
                        "value": short(estimate.value), "low": short(estimate.low), "high": short(estimate.high),
                        "cases": estimate.cases, "better": measure.better, "kind": measure.kind,
                        "formula": measure.formula, "source": measure.source, "edition": measure.edition,
                    }
                )  # fmt: skip
    columns = (
        "measure", "title", *GROUPS[: len(query.splits)], "value", "low", "high", "cases", "better", "kind", "formula", "source", "edition"
    )  # fmt: skip
    return StatsTable(
        "field",
        columns,
        rows,
        query.text,
        {sheet.game: tally.basis()},
        by=query.by,
        definitions=(FIELD, *estimators_of(measures)),
    )


def spread(sheet: Sheet, query: Query) -> StatsTable:
    """Return how often each number of points was scored in a hand."""
    tally = Tally(sheet, query)
    points, hands = np.unique(sheet.hands["points"][tally.hands], return_counts=True)
    rows = [{"points": int(each), "seats": int(some)} for each, some in zip(points, hands, strict=True)]
    return StatsTable(
        "points", ("points", "seats"), rows, query.text, {sheet.game: tally.basis()}, definitions=COMMON[:1]
    )

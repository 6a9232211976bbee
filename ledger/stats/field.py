"""The field: what all players of a game do together, measure by measure, and how points a hand are spread."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ledger.measures import MATCHES
from ledger.stats.estimate import estimates
from ledger.stats.tables import Table, measures_of
from ledger.stats.tally import Tally, cells

if TYPE_CHECKING:
    from ledger.stats.query import Query
    from ledger.stats.sheet import Sheet


def field_means(sheet: Sheet, query: Query) -> Table:
    """Return every measure over all players that a query lets through; the dimension of the query does not count."""
    tally = Tally(sheet, query)
    split = cells(tally, None)
    rows = []
    for measure in measures_of(sheet.game):
        if query.by_hand and {measure.amount, measure.of} & MATCHES:
            continue
        (found,) = estimates(measure, split, split.group, 1)
        if found.cases:
            rows.append(
                {
                    "measure": measure.id, "title": measure.title, "value": found.value, "cases": found.cases,
                    "better": measure.better, "kind": measure.kind, "formula": measure.formula, "source": measure.source,
                }
            )  # fmt: skip
    columns = ("measure", "title", "value", "cases", "better", "kind", "formula", "source")
    return Table("field", columns, rows, query.text, {sheet.game: tally.basis()})


def spread(sheet: Sheet, query: Query) -> Table:
    """Return how often each number of points was scored in a hand."""
    tally = Tally(sheet, query)
    points, hands = np.unique(sheet.hands["points"][tally.hands], return_counts=True)
    rows = [{"points": int(each), "seats": int(some)} for each, some in zip(points, hands, strict=True)]
    return Table("points", ("points", "seats"), rows, query.text, {sheet.game: tally.basis()})

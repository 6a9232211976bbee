"""The scale of the field: what share of the tables with the same cards did worse, in percent, as matchpoints count."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cardledger.count_of import count_of
from cardledger.errors import StoreError
from cardledger.rules.engine.measures import FIELD
from cardledger.study.stats.query import SCALES

if TYPE_CHECKING:
    from cardledger.study.stats.measures.sheet import Sheet

LEAST_TABLES = 3
"""A deal is measured against the field if at least this many tables played it."""


def has_field(sheet: Sheet) -> bool:
    """Tell whether a game compares the tables that played the same deal."""
    return bool(FIELD & {*sheet.names})


def on_field(sheet: Sheet) -> Sheet:
    """Return the hands of shared deals alone, their points in percent; more is better where more points are.

    A seat gets 1 for each other table with fewer points for the same deal, options and seat, and ½ for each with as many,
    in percent of the number of other tables. No luck is taken off: all held the same cards. Hands of single deals, and
    matches without a shared one, are not in it, so that the two scales are never added.

    Raises StoreError `store.unknown` for a game that does not compare tables.
    """
    if not has_field(sheet):
        raise StoreError("store.unknown", f"{sheet.game} is not compared with the field: ask on the scale of points")
    hands, seats = sheet.hands, sheet.seats
    row = hands["row"]
    match = seats["row"][row]
    which = (hands["deal"].astype(np.int64) * len(sheet.texts["options"]) + sheet.matches["options"][match]) * 16
    group = np.unique(which + seats["seat"][row], return_inverse=True)[1].ravel()
    points = hands["points"].astype(float)
    many = np.bincount(group)[group]
    # Places in the group: those with equal points share the mean of theirs.
    order = np.lexsort((points, group))
    first = np.concatenate(([0], np.cumsum(np.bincount(group))))[:-1]
    place = np.empty(len(row))
    place[order] = np.arange(len(row)) - first[group[order]]
    equal = np.unique(np.stack([group, points]), axis=1, return_inverse=True)[1].ravel() if len(row) else group
    place = (np.bincount(equal, place) / np.maximum(np.bincount(equal), 1))[equal]
    percent = 100 * place / np.maximum(many - 1, 1)
    shared = (hands["deal"] >= 0) & (many >= LEAST_TABLES)
    return sheet.rescaled("field", shared, percent)


def scale_notes(sheet: Sheet, shared: Sheet | None) -> tuple[str, ...]:
    """Say on which scale a table stands, and how many hands could be measured on the other; `shared` has those hands."""
    if sheet.scale == "field":
        return (f"scale: {SCALES['field']}", "hands of single deals are left out: they stand on the scale of points")
    hands = 0 if shared is None else int((shared.seats["seat"][shared.hands["row"]] == 0).sum())
    if not hands:
        return ()
    return (
        f"scale: points; {count_of(hands, 'hand')} of deals that three tables played can be measured against the field",
    )

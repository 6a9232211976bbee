"""Scales of the field: how a table did against the others with the same cards, in matchpoints or in IMPs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cardledger.count_of import count_of
from cardledger.errors import StoreError
from cardledger.rules.engine.measures import FIELD
from cardledger.rules.evenings.imps import STEPS
from cardledger.sentence import advising
from cardledger.study.stats.measures.shared_boards import deal_and_seat
from cardledger.study.stats.query import SCALES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cardledger.study.stats.measures.sheet import Sheet

LEAST_TABLES = 3
"""A deal is measured against the field if at least this many tables played it."""


def has_field(sheet: Sheet) -> bool:
    """Tell whether a game compares the tables that played the same deal."""
    return bool(FIELD & {*sheet.names})


def on_field(sheet: Sheet, scale: str) -> Sheet:
    """Return the hands of shared deals alone, measured against the other tables; more is better where more points are.

    On the scale "field" a seat gets 1 for each other table with fewer points for the same deal, options and seat, and ½
    for each with as many, in percent of the number of other tables. On the scale "imps" it gets the mean of the
    international match points (Law 78B) of its differences to the other tables. No luck is taken off: all held the same
    cards. Hands of single deals, and matches without a shared one, are not in it, so that scales are never added.

    Raises StoreError `store.unknown` for a game that does not compare tables.
    """
    if not has_field(sheet):
        raise StoreError(
            "store.unknown", advising(f"{sheet.game} is not compared with the field: ask on the scale of points")
        )
    hands = sheet.hands
    group = np.unique(deal_and_seat(sheet), return_inverse=True)[1].ravel()
    many = np.bincount(group)[group]
    shared = (hands["deal"] >= 0) & (many >= LEAST_TABLES)
    won = np.zeros(len(group))
    won[shared] = _AGAINST_OTHERS[scale](group[shared], hands["points"][shared].astype(float))
    return sheet.rescaled(scale, shared, won)


def _percent(group: NDArray[Any], points: NDArray[Any]) -> NDArray[Any]:
    """Return the matchpoints of each result among those of its group, in percent of what was possible."""
    if not len(points):
        return points
    # Places in the group: those with equal points share the mean of theirs.
    order = np.lexsort((points, group))
    first = np.concatenate(([0], np.cumsum(np.bincount(group))))[:-1]
    place = np.empty(len(points))
    place[order] = np.arange(len(points)) - first[group[order]]
    equal = np.unique(np.stack([group, points]), axis=1, return_inverse=True)[1].ravel()
    place = (np.bincount(equal, place) / np.bincount(equal))[equal]
    percent: NDArray[Any] = 100 * place / (np.bincount(group)[group] - 1)
    return percent


def mean_imps(group: NDArray[Any], points: NDArray[Any]) -> NDArray[Any]:
    """Return the mean of the IMPs of each result against the others of its group."""
    if not len(points):
        return points
    # Of many tables few results differ: each different one is compared with each, and counted as often as it came.
    (groups, values), result, often = np.unique(
        np.stack([group, points]), axis=1, return_inverse=True, return_counts=True
    )
    number = np.unique(groups, return_counts=True)[1]
    of_mine, begin = np.repeat(number, number), np.repeat(np.cumsum(number) - number, number)
    mine = np.repeat(np.arange(len(values)), of_mine)
    other = np.arange(len(mine)) - np.repeat(np.cumsum(of_mine) - of_mine, of_mine) + begin[mine]
    ahead = values[mine] - values[other]
    won = np.sign(ahead) * np.searchsorted(STEPS, np.abs(ahead), side="right") * often[other]
    imps: NDArray[Any] = np.bincount(mine, won)[result.ravel()] / (np.bincount(group)[group] - 1)
    return imps


_AGAINST_OTHERS = {"field": _percent, "imps": mean_imps}


def scale_notes(sheet: Sheet, shared: Sheet | None) -> tuple[str, ...]:
    """Say on which scale a table stands, and how many hands could be measured on the other.

    `shared` has those hands.
    """
    if sheet.scale != "points":
        return (
            f"scale: {SCALES[sheet.scale]}",
            "hands of single deals are left out: they stand on the scale of points",
        )
    hands = 0 if shared is None else int((shared.seats["seat"][shared.hands["row"]] == 0).sum())
    if not hands:
        return ()
    return (
        f"scale: points; {count_of(hands, 'hand')} of deals that three tables played can be measured against the field",
    )

"""Evenings.

The matches of an event on one day. A player has good evenings and bad ones, so an evening is one observation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cardledger.study.stats.measures.sheet import Sheet

FEWEST_EVENINGS = 4
"""Least number of evenings for a verdict; the days of matches without an event count as evenings from so many on."""


def evenings_of(sheet: Sheet) -> NDArray[Any]:
    """Return the evening of each match of a sheet, as a number: its event and day.

    A match without an event belongs to its day, where these matches have days at all: in a ledger whose matches are of
    one day or two, each is an evening of its own, and so is each of an unknown day.
    """
    event, day = (sheet.matches[name].astype(np.int64) for name in ("event", "date"))
    named = (event >= 0) & (event < len(sheet.texts["event"]))
    days = len(sheet.texts["date"]) + 1
    key = np.where(named, event + 1, 0) * days + day
    alone = ~named & ((len(np.unique(day[~named & (day >= 0)])) < FEWEST_EVENINGS) | (day < 0))
    key[alone] = -1 - np.flatnonzero(alone)
    numbers: NDArray[Any] = np.unique(key, return_inverse=True)[1]
    return numbers

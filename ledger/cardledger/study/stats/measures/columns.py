"""Columns in memory: a table as one array of numbers for each name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Sequence

Columns = dict[str, NDArray[Any]]


def empty(names: Sequence[str], kind: type[np.signedinteger[Any]] = np.int32) -> Columns:
    """Return a table without rows."""
    return dict.fromkeys(names, np.zeros(0, dtype=kind))


def narrow(column: NDArray[Any]) -> NDArray[Any]:
    """Return whole numbers in the narrowest type that holds them all."""
    ends = int(column.min(initial=0)), int(column.max(initial=0))
    for kind in (np.int8, np.int16, np.int32):
        if np.iinfo(kind).min <= ends[0] and ends[1] <= np.iinfo(kind).max:
            return column.astype(kind, copy=False)
    return column


def summed(hands: Columns, name: str, rows: int) -> NDArray[Any]:
    """Return a count of hands summed by their `row`."""
    sums: NDArray[Any] = np.bincount(hands["row"], hands[name], rows)
    return sums.astype(np.int32) if hands[name].dtype.kind == "i" and np.abs(sums).max(initial=0) < 2**31 else sums


def chosen_rows(columns: Columns, chosen: NDArray[Any], above: NDArray[Any] | None = None) -> Columns:
    """Return the chosen rows of a table; `row` is renumbered for the chosen rows of the table above."""
    same = int(chosen.argmin()) if not chosen.all() else len(chosen)
    left = {name: np.concatenate((column[:same], column[same:][chosen[same:]])) for name, column in columns.items()}
    if above is not None:
        left["row"] = (np.cumsum(above, dtype=np.int32) - 1)[left["row"]]
    return left

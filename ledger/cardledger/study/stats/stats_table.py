"""An answer of statistics: rows of named values, and what they were computed from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardledger.rules.engine.definition import Definition
    from cardledger.study.stats.compare import Comparison
    from cardledger.study.stats.measures.tally import Basis
    from cardledger.study.stats.query import Query

GROUPS = ("group", "second")
"""The columns of the dimensions of a split."""


@dataclass(frozen=True, slots=True)
class StatsTable:
    """An answer: rows of named values, and by game the basis they were computed from.

    `query` is the query as text, `by` the dimension of the column `group`, if there is one, or with a
    comma those of `group` and `second`. `notes` are sentences to
    show beside the numbers. `comparison` is the comparison of players, if the table has one. `definitions` are the
    estimators and measures of its figures: none for a list of what is recorded.
    """

    name: str
    columns: tuple[str, ...]
    rows: list[dict[str, Any]]
    query: str
    basis: dict[str, Basis]
    notes: tuple[str, ...] = ()
    by: str | None = None
    comparison: Comparison | None = None
    definitions: tuple[Definition, ...] = field(kw_only=True)

    @property
    def editions(self) -> tuple[str, ...]:
        """The editions of the definitions, and of those that these rest on, each once."""
        return tuple(dict.fromkeys(below.edition for one in self.definitions for below in one.whole))


def group_of(query: Query, label: Any) -> dict[str, Any]:
    """Return a value of the dimension, or of two, as columns of a row."""
    return dict(zip(GROUPS, label if len(query.splits) > 1 else (label, None), strict=True))


def label_of(query: Query, row: Mapping[str, Any]) -> Any:
    """Return the value of the dimension of a row, or the pair of two."""
    return (row["group"], row["second"]) if len(query.splits) > 1 else row.get("group")


def shortened(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row with its numbers rounded."""
    return {name: short(value) if isinstance(value, float) else value for name, value in row.items()}


def short(value: float | None) -> float | None:
    """Return a number rounded to six significant digits."""
    return None if value is None else float(f"{value:.6g}")

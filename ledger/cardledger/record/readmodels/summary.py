"""A summary: a table of counts over a read model, kept by triggers, so that no page reads the whole ledger."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from cardledger.record.readmodels.model import ReadModel, create_table, referred


@dataclass(frozen=True)
class Summary:
    """Sums over the rows of a read model, over all matches.

    `key` and `sums` map each column to its SQL expression over a row of `source`, whose columns are written as
    `{row}.name`, and its meaning; the first of `sums` counts the rows (`1`): a group without rows is deleted.
    """

    name: str
    about: str
    source: ReadModel
    key: dict[str, tuple[str, str]]
    sums: dict[str, tuple[str, str]]

    @cached_property
    def columns(self) -> dict[str, tuple[str, str]]:
        """The columns with their SQL types and meanings."""
        kinds = {name: kind for name, (kind, _) in self.source.columns.items()}
        keys = {name: (kinds.get(name, "TEXT NOT NULL"), meaning) for name, (_, meaning) in self.key.items()}
        return keys | {name: ("INTEGER NOT NULL", meaning) for name, (_, meaning) in self.sums.items()}

    @property
    def refers(self) -> dict[tuple[str, ...], str]:
        """The tables that hold the rows which columns of this one point at."""
        return referred(self)

    @cached_property
    def schema(self) -> str:
        """The statement that creates the table."""
        return create_table(self)

    @cached_property
    def triggers(self) -> tuple[str, ...]:
        """The statements that create the triggers, which keep the table up to date."""
        added, gone = self._added("NEW"), self._gone("OLD")
        return (
            f"CREATE TRIGGER {self.name}_added AFTER INSERT ON {self.source.name} BEGIN {added} END",
            f"CREATE TRIGGER {self.name}_gone AFTER DELETE ON {self.source.name} BEGIN {gone} END",
            # Most changes of a row change nothing here.
            f"CREATE TRIGGER {self.name}_changed AFTER UPDATE ON {self.source.name}"
            f" WHEN ({self._said('OLD')}) IS NOT ({self._said('NEW')}) BEGIN {gone} {added} END",
        )

    @cached_property
    def differing(self) -> str:
        """The query that tells whether the table differs from the sums of its source."""
        stored = f"SELECT * FROM {self.name}"
        return f"SELECT EXISTS ({self.folded} EXCEPT {stored}) OR EXISTS ({stored} EXCEPT {self.folded})"

    @property
    def fill(self) -> str:
        """The statement that fills the empty table."""
        return f"INSERT INTO {self.name} {self.folded}"

    @cached_property
    def folded(self) -> str:
        """The query for the sums of the source's rows."""
        expressions = {**self.key, **self.sums}
        selected = ", ".join(
            f"sum({sql})" if name in self.sums else sql for name, (sql, _) in expressions.items()
        ).format(row=self.source.name)
        keys = ", ".join(sql for sql, _ in self.key.values()).format(row=self.source.name)
        return f"SELECT {selected} FROM {self.source.name} GROUP BY {keys}"

    def _said(self, row: str) -> str:
        return ", ".join(sql for sql, _ in (*self.key.values(), *self.sums.values())).format(row=row)

    def _added(self, row: str) -> str:
        values = self._said(row)
        changes = ", ".join(f"{name} = {name} + excluded.{name}" for name in self.sums)
        return f"INSERT INTO {self.name} VALUES ({values}) ON CONFLICT DO UPDATE SET {changes};".format(row=row)

    def _gone(self, row: str) -> str:
        changes = ", ".join(f"{name} = {name} - ({sql})" for name, (sql, _) in self.sums.items())
        where = " AND ".join(f"{name} = {sql}" for name, (sql, _) in self.key.items())
        rows = next(iter(self.sums))
        return (
            f"UPDATE {self.name} SET {changes} WHERE {where}; DELETE FROM {self.name} WHERE {where} AND {rows} = 0;"
        ).format(row=row)

"""What a summary is: a table of counts over a read model, kept by triggers, so that no page has to read the ledger through."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ledger.readmodels.model import ReadModel


@dataclass(frozen=True)
class Summary:
    """Sums over the rows of a read model, whatever match they are of.

    `key` and `sums` map each column to its SQL expression over a row of `source`, whose columns are written as
    `{row}.name`, and its meaning; the first of `sums` counts the rows (`1`): a group without rows is gone.
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
        found = {name: (kinds.get(name, "TEXT NOT NULL"), meaning) for name, (_, meaning) in self.key.items()}
        return found | {name: ("INTEGER NOT NULL", meaning) for name, (_, meaning) in self.sums.items()}

    @cached_property
    def schema(self) -> tuple[str, ...]:
        """The statements that create the table and the triggers that keep it."""
        columns = ", ".join(f"{name} {kind}" for name, (kind, _) in self.columns.items())
        added, gone = self._added("NEW"), self._gone("OLD")
        return (
            f"CREATE TABLE {self.name} ({columns}, PRIMARY KEY ({', '.join(self.key)})) WITHOUT ROWID",
            f"CREATE TRIGGER {self.name}_added AFTER INSERT ON {self.source.name} BEGIN {added} END",
            f"CREATE TRIGGER {self.name}_gone AFTER DELETE ON {self.source.name} BEGIN {gone} END",
            # Most changes of a row change nothing here.
            f"CREATE TRIGGER {self.name}_changed AFTER UPDATE ON {self.source.name}"
            f" WHEN ({self._said('OLD')}) IS NOT ({self._said('NEW')}) BEGIN {gone} {added} END",
        )

    @cached_property
    def differing(self) -> str:
        """The query for whether the table is not what the rows of the source add up to."""
        kept = f"SELECT * FROM {self.name}"
        return f"SELECT EXISTS ({self.folded} EXCEPT {kept}) OR EXISTS ({kept} EXCEPT {self.folded})"

    @cached_property
    def folded(self) -> str:
        """The query for what the rows of the source add up to."""
        expressions = {**self.key, **self.sums}
        said = ", ".join(f"sum({sql})" if name in self.sums else sql for name, (sql, _) in expressions.items()).format(
            row=self.source.name
        )
        keys = ", ".join(sql for sql, _ in self.key.values()).format(row=self.source.name)
        return f"SELECT {said} FROM {self.source.name} GROUP BY {keys}"

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

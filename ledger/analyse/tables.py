"""The tables an analysis writes: Parquet group by group of rows, CSV on demand, all of them in their places only at the end."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from ledger.analyse.findings import PROBLEMS, Findings, batch, models, schema
from ledger.archive.columns import arrow
from ledger.errors import StoreError
from ledger.readmodels import SUMMARIES
from ledger.readmodels.model import Kept, Row
from ledger.readmodels.summary import Summary

ROWS = 50_000
"""Rows of a group: as many however they came, so that the same rows are the same bytes."""
SUMMARY = "summary.json"
_PART = ".part"
_KINDS = (".parquet", ".csv")


class Table:
    """A table as it is written."""

    def __init__(self, table: Kept | Summary, folder: Path, csv: bool) -> None:
        pa = arrow()
        self.name = table.name
        self.rows = 0
        self._schema = schema(table)
        self._waiting: list[Any] = []
        self._held = 0
        self.files = [folder / f"{table.name}.parquet{_PART}"]
        self._parquet = pa.parquet.ParquetWriter(self.files[0], self._schema, compression="zstd")
        self._csv = None
        if csv:
            self.files.append(folder / f"{table.name}.csv{_PART}")
            self._csv = pa.csv.CSVWriter(self.files[1], self._schema)

    def add(self, rows: bytes) -> None:
        """Add a batch of rows."""
        table = arrow().ipc.open_stream(rows).read_all()
        self.rows += len(table)
        self._waiting.append(table)
        self._held += len(table)
        while self._held >= ROWS:
            self._write(ROWS)

    def _write(self, count: int) -> None:
        """Write as many of the rows that wait."""
        waiting = arrow().concat_tables(self._waiting)
        table, rest = waiting[:count].combine_chunks(), waiting[count:]
        self._waiting, self._held = [rest], len(rest)
        self._parquet.write_table(table, row_group_size=ROWS)
        if self._csv is not None:
            self._csv.write_table(_harmless(table))

    def close(self) -> None:
        """Write what waits, and close the files."""
        if self._held:
            self._write(self._held)
        self._parquet.close()
        if self._csv is not None:
            self._csv.close()


def _harmless(table: Any) -> Any:
    """Return a table whose texts no spreadsheet takes for formulas."""
    pc = arrow().compute
    for place, field in enumerate(table.schema):
        if field.type == "string":
            texts = table.column(place)
            marked = pc.binary_join_element_wise("'", texts, "")
            table = table.set_column(
                place, field, pc.if_else(pc.match_substring_regex(texts, "^[=+@-]"), marked, texts)
            )
    return table


class Tables:
    """All tables of an analysis, in a folder; what is there under their names is replaced when they are finished."""

    def __init__(self, folder: Path, audit: bool, csv: bool) -> None:
        """Begin to write; raises StoreError `store.write`, `store.extra`."""
        self._folder = folder
        self._sums: dict[str, dict[Row, Row]] = {summary.name: {} for summary in SUMMARIES}
        self.tables: dict[str, Table] = {}
        arrow()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            kinds: list[Kept | Summary] = [*models(audit), *SUMMARIES, PROBLEMS]
            for table in kinds:
                self.tables[table.name] = Table(table, folder, csv)
        except OSError as error:
            raise self._unwritten(error) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for table in self.tables.values():
            with suppress(OSError):
                table.close()
            for file in table.files:
                file.unlink(missing_ok=True)

    def add(self, found: Findings) -> None:
        """Add what a share comes to; raises StoreError `store.write`."""
        try:
            for name, rows in found.tables.items():
                self.tables[name].add(rows)
            if found.problems:
                told = [(each.match, each.seq, each.code, each.message) for each in found.problems]
                self.tables[PROBLEMS.name].add(batch(PROBLEMS, told))
        except OSError as error:
            raise self._unwritten(error) from None
        for summary in SUMMARIES:
            sums, keys = self._sums[summary.name], len(summary.key)
            for row in found.sums[summary.name]:
                key, new = row[:keys], row[keys:]
                known = sums.get(key)
                sums[key] = new if known is None else tuple(a + b for a, b in zip(known, new, strict=True))

    def finish(self, about: Callable[[dict[str, int]], bytes]) -> None:
        """Put the tables in their places, and last `summary.json`, made of the number of rows in each.

        Raises StoreError `store.write`.
        """
        try:
            for summary in SUMMARIES:
                sums = sorted(self._sums[summary.name].items())
                self.tables[summary.name].add(batch(summary, [key + sum for key, sum in sums]))
            for table in self.tables.values():
                table.close()
                for old in _KINDS:
                    self._folder.joinpath(f"{table.name}{old}").unlink(missing_ok=True)
                for file in table.files:
                    file.replace(file.with_suffix(""))
            part = self._folder / f"{SUMMARY}{_PART}"
            part.write_bytes(about({name: table.rows for name, table in self.tables.items()}))
            part.replace(part.with_suffix(""))
        except OSError as error:
            raise self._unwritten(error) from None

    def _unwritten(self, error: OSError) -> StoreError:
        return StoreError("store.write", f"{self._folder} was not written: {error}")

"""The tables an analysis writes.

Parquet group by group of rows, CSV on demand, all of them in their places only at the end.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from cardledger.errors import StoreError
from cardledger.record.readmodels import SUMMARIES
from cardledger.record.readmodels.arrow_tables import about as described
from cardledger.record.readmodels.arrow_tables import arrow, schema
from cardledger.record.readmodels.model import DerivedTable, Row
from cardledger.record.readmodels.summary import Summary
from cardledger.study.analyse.share_results import PROBLEMS, TRAIL, WRITTEN, ShareResult, batch

ROWS = 50_000
"""Rows of a group: always the same number, so that equal rows give equal bytes."""
SUMMARY = "summary.json"
_PART = ".part"
_KINDS = (".parquet", ".csv")


class TableWriter:
    """A table as it is written."""

    def __init__(self, table: DerivedTable | Summary, folder: Path, csv: bool, position: int | None) -> None:
        pa = arrow()
        self.name = table.name
        self.rows = 0
        self._schema = schema(table).with_metadata(described(table, position))
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
        """Write this number of waiting rows."""
        waiting = arrow().concat_tables(self._waiting)
        table, remaining = waiting[:count].combine_chunks(), waiting[count:]
        self._waiting, self._held = [remaining], len(remaining)
        self._parquet.write_table(table, row_group_size=ROWS)
        if self._csv is not None:
            self._csv.write_table(_harmless(table))

    def close(self) -> None:
        """Write the waiting rows, and close the files."""
        if self._held:
            self._write(self._held)
        self._parquet.close()
        if self._csv is not None:
            self._csv.close()


def _harmless(table: Any) -> Any:
    """Return a table whose texts a spreadsheet will not read as formulas."""
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
    """All tables of an analysis, in a folder; older files of the same names are replaced at the end."""

    def __init__(self, folder: Path, audit: bool, csv: bool, position: int | None) -> None:
        """Begin to write tables that reflect a position in the ledger.

        Raises StoreError `store.write`, `store.extra`.
        """
        self._folder = folder
        self._sums: dict[str, dict[Row, Row]] = {summary.name: {} for summary in SUMMARIES}
        self.tables: dict[str, TableWriter] = {}
        arrow()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            kinds: list[DerivedTable | Summary] = [*WRITTEN, *((TRAIL,) if audit else ()), PROBLEMS]
            for table in kinds:
                self.tables[table.name] = TableWriter(table, folder, csv, position)
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

    def add(self, result: ShareResult) -> None:
        """Add the results of a share; raises StoreError `store.write`."""
        try:
            for name, rows in result.tables.items():
                self.tables[name].add(rows)
            if result.problems:
                problems = [(each.match, each.seq, each.code, each.message) for each in result.problems]
                self.tables[PROBLEMS.name].add(batch(PROBLEMS, problems))
        except OSError as error:
            raise self._unwritten(error) from None
        for summary in SUMMARIES:
            sums, keys = self._sums[summary.name], len(summary.key)
            for row in result.sums[summary.name]:
                key, new = row[:keys], row[keys:]
                before = sums.get(key)
                sums[key] = new if before is None else tuple(a + b for a, b in zip(before, new, strict=True))

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

"""Read models as Arrow tables: real dates, times and truth values, each column with its meaning."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from datetime import date, datetime
from importlib.metadata import version
from types import ModuleType
from typing import TYPE_CHECKING, Any, cast

from cardledger.errors import StoreError

if TYPE_CHECKING:
    from cardledger.record.readmodels.model import Described, Row

_PARSERS: dict[str, Callable[[Any], Any]] = {
    "DATE": date.fromisoformat,
    "TIMESTAMP": datetime.fromisoformat,
    "BOOLEAN": bool,
}


def arrow() -> ModuleType:
    """Return pyarrow, with its Parquet; raises StoreError `store.extra` if it is not installed."""
    try:
        import pyarrow
        import pyarrow.compute
        import pyarrow.csv
        import pyarrow.parquet
    except ImportError:
        raise StoreError("store.extra", "Parquet needs pyarrow: pip install 'cardledger[analytics]'") from None
    return cast("ModuleType", pyarrow)


def schema(table: Described) -> Any:
    """Return the schema of a table: the metadata of each field holds its meaning in words (`meaning`)."""
    pa = arrow()
    types = {
        "TEXT": pa.string(), "INTEGER": pa.int64(), "REAL": pa.float64(), "BOOLEAN": pa.bool_(),
        "DATE": pa.date32(), "TIMESTAMP": pa.timestamp("us", tz="UTC"),
    }  # fmt: skip
    fields = [
        pa.field(name, types[kind.partition(" ")[0]], metadata={"meaning": meaning})
        for name, (kind, meaning) in table.columns.items()
    ]
    return pa.schema(fields)


def about(table: Described, position: int | None) -> dict[str, str]:
    """Return what a table is, as metadata of Arrow and Parquet.

    Its name, what it holds, the version, and the position that it reflects.
    """
    facts = {"table": table.name, "about": table.about, "version": version("cardledger"), "position": position}
    return {"cardledger": json.dumps(facts)}


def table_of(table: Described, rows: Iterable[Row]) -> Any:
    """Return rows of a table as Arrow."""
    pa, form = arrow(), schema(table)
    columns = list(zip(*rows, strict=True)) or [()] * len(form)
    kinds = [kind.partition(" ")[0] for kind, _ in table.columns.values()]
    arrays = [
        pa.array(_values(kind, values), field.type) for kind, values, field in zip(kinds, columns, form, strict=True)
    ]
    return pa.table(arrays, schema=form)


def _values(kind: str, values: Iterable[Any]) -> list[Any]:
    """Return values as Arrow takes them; a day or time that cannot be is null."""
    if kind == "INTEGER":
        return [value if value is None else int(value) for value in values]  # true and false are 1 and 0 in SQL
    parse = _PARSERS.get(kind)
    if parse is None:
        return list(values)
    known: dict[Any, Any] = {None: None}
    for value in set(values) - {None}:
        try:
            known[value] = parse(value)
        except ValueError:
            known[value] = None
    return [known[value] for value in values]

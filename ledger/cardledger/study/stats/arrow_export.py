"""Tables of statistics as Arrow and Parquet; needs pyarrow."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from cardledger.errors import StoreError
from cardledger.record.readmodels.arrow_tables import arrow
from cardledger.study.stats.export import as_json

if TYPE_CHECKING:
    from pathlib import Path

    import pyarrow

    from cardledger.study.stats.stats_table import StatsTable


def in_arrow(table: StatsTable) -> pyarrow.Table:
    """Return a table as Arrow, its basis as metadata; raises StoreError `store.extra`."""
    from msgspec import json

    about = as_json(table)
    rows = about.pop("rows")
    columns = {name: [row[name] for row in rows] for name in table.columns}
    return arrow().table(columns).replace_schema_metadata({"cardledger": json.encode(about)})


def as_arrow(table: StatsTable) -> bytes:
    """Return a table as an Arrow IPC stream, its basis as metadata; raises StoreError `store.extra`."""
    pa, arrow_table, file = arrow(), in_arrow(table), io.BytesIO()
    with pa.ipc.new_stream(file, arrow_table.schema) as stream:
        stream.write_table(arrow_table)
    return file.getvalue()


def as_parquet(table: StatsTable) -> bytes:
    """Return a table as Parquet, its basis as metadata; raises StoreError `store.extra`."""
    file = io.BytesIO()
    arrow().parquet.write_table(in_arrow(table), file)
    return file.getvalue()


def write_parquet(table: StatsTable, path: Path) -> None:
    """Write a table as Parquet, its basis as metadata; raises StoreError `store.extra`, `store.write`."""
    content = as_parquet(table)
    try:
        path.write_bytes(content)
    except OSError as error:
        raise StoreError("store.write", f"{path} was not written: {error}") from None

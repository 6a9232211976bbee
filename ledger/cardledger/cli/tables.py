"""The command `cardledger tables`: the read models for other programs, described and written."""

from __future__ import annotations

import csv
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import click

from cardledger.cli.options import db_option
from cardledger.cli.output import json_option, print_json, print_table, print_text, write_exactly
from cardledger.count_of import count_of
from cardledger.errors import StoreError
from cardledger.formats.spreadsheets.cells import harmless
from cardledger.record.readmodels import TABLES
from cardledger.record.readmodels.arrow_tables import arrow
from cardledger.record.readmodels.datasette import metadata
from cardledger.record.store.address import Where

if TYPE_CHECKING:
    from cardledger.record.readmodels.model import Described


@click.command("tables")
@click.argument("name", required=False, metavar="[TABLE]", type=click.Choice([*TABLES]))
@click.option("--csv", "as_csv", is_flag=True, help="The rows of TABLE as CSV, with the names of players.")
@click.option(
    "--parquet", "file", type=click.Path(path_type=Path, dir_okay=False), help="Write TABLE to this Parquet file."
)
@click.option(
    "--datasette",
    is_flag=True,
    help="Metadata for Datasette: the meanings of all tables and columns, those of the ledger too.",
)
@json_option("The tables with the type and meaning of each column.")
@db_option
def tables_command(
    name: str | None, as_csv: bool, file: Path | None, datasette: bool, as_json: bool, path: Where
) -> None:
    """List the tables that other programs can read, or the columns of TABLE, with their meanings; or write TABLE.

    The tables are in the file beside the ledger whose name ends in .views.db: for Datasette, DuckDB or any SQLite tool.
    In Parquet, days, times and truth values have types of their own, and the metadata hold the meanings.

    \b
    Examples:
      cardledger tables
      cardledger tables plays
      cardledger tables seats --csv --db club.db
      cardledger tables --datasette --db club.db
    """
    if (as_csv or file) and name is None:
        raise click.UsageError("name a TABLE: cardledger tables lists them")
    if datasette:
        print_json(metadata(path.stem if isinstance(path, Path) else "ledger"))
    elif name is None and as_json:
        print_json([_described(table) for table in TABLES.values()])
    elif name is None:
        print_table(("table", "rows"), [(table.name, table.about) for table in TABLES.values()])
    elif as_csv or file:
        _write(name, path, file)
    elif as_json:
        print_json(_described(TABLES[name]))
    else:
        print_text(TABLES[name].about, "")
        columns = TABLES[name].columns.items()
        print_table(
            ("column", "type", "meaning"), [(column, _type(kind), meaning) for column, (kind, meaning) in columns]
        )


def _described(table: Described) -> dict[str, Any]:
    """Return a table with its columns, ready for JSON."""
    columns = [
        {"name": name, "type": _type(kind), "null": "NOT NULL" not in kind, "meaning": meaning}
        for name, (kind, meaning) in table.columns.items()
    ]
    refers = [{"columns": [*columns], "table": other} for columns, other in table.refers.items()]
    return {"name": table.name, "about": table.about, "columns": columns, "key": [*table.key], "refers": refers}


def _type(kind: str) -> str:
    return kind.partition(" ")[0].lower()


def _write(name: str, path: Where, file: Path | None) -> None:
    """Write a table as CSV to standard output, or to a Parquet file."""
    from cardledger.public_api import open  # imported here, because it loads slowly

    with open(str(path)) as ledger:
        table = ledger.table(name)
    if file is None:
        writer = csv.writer(SimpleNamespace(write=write_exactly))
        writer.writerow(table.column_names)
        for batch in table.to_batches(10_000):
            writer.writerows([harmless(cell) for cell in row.values()] for row in batch.to_pylist())
        return
    try:
        arrow().parquet.write_table(table, file)
    except OSError as error:
        raise StoreError("store.write", f"{file} was not written: {error.strerror or error}") from None
    click.echo(f"{count_of(table.num_rows, 'row')} written to {file}", err=True)

"""The commands `cardledger pack` and `cardledger unpack`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import click

from ledger.archive import files
from ledger.archive.files import Archive
from ledger.archive.spool import Spool
from ledger.archive.unpacking import Unpacked, lay_aside, store
from ledger.cli import db_option
from ledger.ledger import Ledger
from ledger.matchfile import printable
from ledger.people import STREAM
from ledger.progress import progress
from ledger.store import Recording
from ledger.store.where import Where, opened

archive_argument = click.argument(
    "archive", type=click.Path(path_type=Path, dir_okay=False), metavar="ARCHIVE"
)  # fmt: skip


@click.command()
@archive_argument
@click.option("--without-names", is_flag=True, help="Leave out who the pseudonyms stand for, and what was noted.")
@db_option
def pack(archive: Path, without_names: bool, path: Where) -> None:
    """Write all matches of a ledger into ARCHIVE, a Parquet file with a row for each hand.

    It is small, any tool for data reads it, and `unpack` makes the same ledger of it again, to the byte. Every hash is
    computed on the way, and again from what was written; a file of that name is replaced only then.

    \b
    Examples:
      cardledger pack season.parquet --db club.db
      cardledger pack for-everybody.parquet --without-names --db club.db
      duckdb -c "SELECT game, count(*) FROM 'season.parquet' WHERE hand > 0 GROUP BY game"
    """
    with closing(opened(path, create=False)) as events:
        upto = events.last_position()
        with progress("packing", upto) as bar:
            found = _counted(events.recordings(upto=upto), bar)
            packed = files.pack(found if without_names else files.with_names(found, events.names), archive, upto)
    size = archive.stat().st_size
    click.echo(
        f"{printable(str(archive))}: {packed.matches} matches, {packed.events} events,"
        f" {size / max(packed.events, 1):.1f} bytes each; heads {packed.heads}"
    )


def _counted(recordings: Iterator[Recording], bar: Any) -> Iterator[Recording]:
    """Yield matches while a bar shows how many events they have."""
    for recording in recordings:
        yield recording
        bar.update(len(recording.lines))


@click.command()
@archive_argument
@db_option
def unpack(archive: Path, path: Where) -> None:
    """Store the matches of ARCHIVE in a ledger, event for event as they were packed.

    Nothing is stored before all hashes have been computed again and all play has been judged. What is there already is
    not stored again; a match that cannot be stored is told on standard error, with exit status 2 at the end.

    \b
    Examples:
      cardledger unpack season.parquet --db club.db
    """
    matches = known = events = problems = 0

    def refused(found: Unpacked) -> bool:
        if found.error is not None:
            name, place = printable(str(archive)), (found.error.index or 0) + 1
            click.echo(f"{name}:{found.match}:{place}: {found.error.code}: {printable(found.error.message)}", err=True)
        return found.error is not None

    with Archive(archive) as packed, Spool() as spool:
        with progress("reading", packed.manifest.events) as bar:
            for item in lay_aside(packed, spool):
                if isinstance(item, Unpacked):
                    problems += refused(item)
                else:
                    bar.update(item)
        with Ledger(path) as ledger, progress("storing", packed.manifest.events) as bar:
            for found in store(spool, ledger):
                bar.update(found.events)
                problems += refused(found)
                if found.match != STREAM:
                    matches += found.new > 0
                    known += found.new == 0 and found.error is None
                events += found.new
    already = f", {known} stored already" if known else ""
    click.echo(f"{printable(str(archive))}: {matches} matches, {events} events stored{already}")
    if problems:
        sys.exit(2)

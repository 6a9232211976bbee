"""The commands `cardledger pack` and `cardledger unpack`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import click

from cardledger.cli.notices import to_record_in
from cardledger.cli.options import db_option
from cardledger.cli.output import json_option, tell
from cardledger.count_of import count_of
from cardledger.progress import progress
from cardledger.record.matches.matchfile import printable
from cardledger.record.people.people import STREAM
from cardledger.record.store import Recording
from cardledger.record.store.address import Where
from cardledger.record.store.opening import opened
from cardledger.record.store.streams import is_match
from cardledger.study.archive import files
from cardledger.study.archive.files import Archive
from cardledger.study.archive.recognised import NOT_ANONYMOUS, Recognised
from cardledger.study.archive.spool import Spool
from cardledger.study.archive.unpacking import Unpacked, lay_aside, store

archive_argument = click.argument(
    "archive", type=click.Path(path_type=Path, dir_okay=False), metavar="ARCHIVE"
)  # fmt: skip


@click.command()
@archive_argument
@click.option(
    "--pseudonyms", "--without-names", "pseudonyms", is_flag=True,
    help="Leave out names and texts; pseudonyms remain. This is not anonymous.",
)  # fmt: skip
@json_option(
    "The file, the numbers of matches, events and bytes; with pseudonyms, "
    "how many players and how many played on days of their own."
)
@db_option
def pack(archive: Path, pseudonyms: bool, as_json: bool, path: Where) -> None:
    """Write all matches of a ledger into ARCHIVE, a Parquet file with a row for each hand.

    The file is small, every data tool reads it, and `unpack` restores the same matches, byte for byte. Clubs, sessions
    and leagues are not part of it: `backup` and `copy` carry them. Every hash is computed from the ledger and again
    from the new file; only then does it replace a file of that name.

    With --pseudonyms the archive holds no names and no texts: not of players, remarks, evenings, tables or places. It is
    not anonymous. Days, times, cards and ids stay, so a reader who knows on which days somebody played finds them; the ids of
    matches and the pseudonyms lead to the names on a server that everybody may read, and in receipts; and what was
    recorded before there were pseudonyms is plain text. Give it to those who may know the names. (--without-names is the
    option's old name.)

    \b
    Examples:
      cardledger pack season.parquet --db club.db
      cardledger pack for-analysts.parquet --pseudonyms --db club.db
      duckdb -c "SELECT game, count(*) FROM 'season.parquet' WHERE hand > 0 GROUP BY game"
    """
    known = Recognised()
    with closing(opened(path, create=False)) as events:
        upto = events.last_position()
        with progress("packing", upto) as bar:
            recordings = _counted(events.recordings(upto=upto), bar)
            told = _told(recordings, known) if pseudonyms else files.with_names(recordings, events.names)
            packed = files.pack(told, archive, upto)
    size = archive.stat().st_size
    each = f"{size / max(packed.events, 1):.1f} bytes each; heads {packed.heads}"
    tell(
        as_json, f"{archive}: {count_of(packed.matches, 'match')}, {count_of(packed.events, 'event')}, {each}",
        file=str(archive), matches=packed.matches, events=packed.events, bytes=size, heads=packed.heads,
        **({"players": known.players, "on_days_of_their_own": known.alone} if pseudonyms else {}),
    )  # fmt: skip
    if pseudonyms:
        click.echo(f"cardledger: {NOT_ANONYMOUS}: {known.in_words}.", err=True)


def _told(recordings: Iterator[Recording], known: Recognised) -> Iterator[Recording]:
    """Yield matches, and note by what people can be recognised in them."""
    for recording in recordings:
        known.take(recording)
        yield recording


def _counted(recordings: Iterator[Recording], bar: Any) -> Iterator[Recording]:
    """Yield matches and people, and nothing else, while a bar shows the events done."""
    for recording in recordings:
        if recording.match == STREAM or is_match(recording.match):
            yield recording
        bar.update(len(recording.lines))


@click.command()
@archive_argument
@json_option("The file, and the numbers of matches, events and matches stored already.")
@db_option
def unpack(archive: Path, as_json: bool, path: Where) -> None:
    """Store the matches of ARCHIVE in a ledger, event for event as they were packed.

    Nothing is stored until every hash and all play have been checked. Matches that the ledger already has are
    skipped; a match that cannot be stored is reported on standard error, and the exit status is then 2.

    \b
    Examples:
      cardledger unpack season.parquet --db club.db
    """
    matches = stored_already = events = problems = 0

    def refused(unpacked: Unpacked) -> bool:
        if unpacked.error is not None:
            name, place = printable(str(archive)), (unpacked.error.index or 0) + 1
            click.echo(
                f"{name}:{unpacked.match}:{place}: {unpacked.error.code}: {printable(unpacked.error.message)}", err=True
            )
        return unpacked.error is not None

    with Archive(archive) as packed, Spool() as spool:
        with progress("reading", packed.manifest.events) as bar:
            for item in lay_aside(packed, spool):
                if isinstance(item, Unpacked):
                    problems += refused(item)
                else:
                    bar.update(item)
        with to_record_in(path) as ledger, progress("storing", packed.manifest.events) as bar:
            for unpacked in store(spool, ledger):
                bar.update(unpacked.events)
                problems += refused(unpacked)
                if unpacked.match != STREAM:
                    matches += unpacked.new > 0
                    stored_already += unpacked.new == 0 and unpacked.error is None
                events += unpacked.new
    already = f", {stored_already} stored already" if stored_already else ""
    sentence = f"{archive}: {count_of(matches, 'match')}, {count_of(events, 'event')} stored{already}"
    tell(as_json, sentence, file=str(archive), matches=matches, events=events, stored_already=stored_already)
    if problems:
        sys.exit(2)

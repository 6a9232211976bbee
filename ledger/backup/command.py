"""The commands `cardledger backup` and `cardledger restore`."""

from __future__ import annotations

import signal
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import click

from ledger.backup.following import follow
from ledger.backup.making import Source, back_up
from ledger.backup.manifest import Manifest, utc_now
from ledger.backup.restoring import Cut, Restored
from ledger.backup.restoring import restore as restored_from
from ledger.cli import db_option
from ledger.ledger import Ledger
from ledger.matchfile import printable
from ledger.progress import progress
from ledger.store.where import Where, opened, where


@click.command()
@click.argument("target", metavar="TO", type=click.Path(path_type=Path))
@db_option
@click.option(
    "--with-key", is_flag=True, help="Copy the key that signs checkpoints, too: keep that backup as secret as the key."
)
@click.option(
    "--every", type=click.FloatRange(min=0.1), metavar="SECONDS",
    help="Do not end: bring what is new that often, until Ctrl+C or SIGTERM.",
)  # fmt: skip
def backup(target: Path, path: Where, with_key: bool, every: float | None) -> None:
    """Back a ledger up to the file TO (or into a folder) while others write.

    Checkpoints and tokens are copied beside it; what follows from the events is not, it is made anew. The copy is read
    again, every hash and every checkpoint in it is computed, and only then does it take the place of an older backup.
    Anything else that is in its place is left alone. With --every the backup is gone on with: what was
    recorded is there, on disk, within so many seconds and the time of one pass.

    \b
    Examples:
      cardledger backup club-backup.db --db club.db
      cardledger backup club-backup.db --with-key --db club.db
    """
    with closing(opened(path, create=False)) as store:
        source = Source.of(path, store)
        if target.is_dir():
            target /= source.side.ledger.name
        if every is not None:
            _follow(source, target, every, with_key)
            return
        with progress("backing up", 1000) as bar:
            made = back_up(
                source, target, utc_now(), with_key=with_key, done=lambda share: bar.update(1000 * share - bar.pos)
            )
        click.echo(f"{printable(str(target))}: {_told(made)}")


def _told(made: Manifest) -> str:
    sealed = f", {made.sealed:,} of them held to a checkpoint" if made.sealed else ""
    return f"{made.events:,} events{sealed}, digest {made.digest}"


def _follow(source: Source, target: Path, every: float, with_key: bool) -> None:
    """Follow until told to end; then what is there is whole."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    first = True
    try:
        for one in follow(source, target, every, with_key=with_key):
            if one.error is not None:
                click.echo(f"cardledger: {printable(str(one.error))}; trying again", err=True)
            elif one.new or first:
                click.echo(
                    f"{printable(str(target))}: {one.events:,} events, {one.new:,} of them new, {one.seconds:.2f} s"
                )
                first = False
    except KeyboardInterrupt:
        click.echo("ended; what is there is whole")


def _time(_context: click.Context, _parameter: click.Parameter, text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        raise click.BadParameter(f"{text!r} is no time; it is 2026-11-21, or 2026-11-21T22:30:00Z") from None
    return time if time.tzinfo else time.replace(tzinfo=UTC)


@click.command()
@click.argument("source", metavar="FROM", type=click.Path(path_type=Path, dir_okay=False))
@click.argument("target", metavar="TO", type=where)
@click.option("--to-position", type=click.IntRange(min=0), metavar="N", help="Only the first N events of the ledger.")
@click.option(
    "--to-time",
    callback=_time,
    metavar="TIME",
    help="Only what was there before the first event recorded after TIME (UTC).",
)
@click.option(
    "--key",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="The key file, if it is not beside FROM.",
)
def restore(source: Path, target: Where, to_position: int | None, to_time: datetime | None, key: Path | None) -> None:
    """Restore a ledger from a backup, or from any ledger's file, to TO, where there must not be one.

    Every hash is computed again, and where there is a key every checkpoint that what is restored covers is checked; the first
    event that does not fit is named, and nothing is restored. FROM is only read. The read models are made anew.

    \b
    Examples:
      cardledger backup club-backup.db --db club.db
      cardledger restore club-backup.db again.db
      cardledger restore club-backup.db before.db --to-position 3
    """
    found = restored_from(source, target, Cut(to_position, to_time), key)
    with Ledger(target, create=False) as ledger:
        for _ in ledger.rebuild():
            pass
    click.echo(f"{target}: {_restored(found)}")


def _restored(found: Restored) -> str:
    """Return what there is to say of what was restored."""
    last = f", the last is {found.course.last}" if found.course.last else ""
    said = f"{found.course.events:,} events{last}"
    if found.sealed:
        said += f"; {found.sealed:,} of them are as they were sealed"
    if found.keyless:
        said += "; without a key not held to its checkpoints: give --key FILE, or put it beside what was restored and verify"
    if found.left_sealed:
        said += f"; {found.left_sealed:,} sealed ones are left out, so that a new log begins, under another key"
    return said

"""The commands `cardledger copy`, `cardledger backup` and `cardledger restore`."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterable
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from pathlib import Path

import click

from cardledger.cli.copy_places import CopyPlace, objects_at, secret_option
from cardledger.cli.crews import crew_for
from cardledger.cli.options import db_option
from cardledger.cli.output import json_option, tell
from cardledger.count_of import count_of
from cardledger.errors import StoreError
from cardledger.progress import progress
from cardledger.record.backup.copying import compare, transfer
from cardledger.record.backup.following import FollowPass, follow, passes
from cardledger.record.backup.making import BackupSource, back_up
from cardledger.record.backup.manifest import Manifest, utc_now
from cardledger.record.backup.objects.fetching import fetch
from cardledger.record.backup.objects.places import ObjectAddress
from cardledger.record.backup.objects.uploading import ObjectFollower
from cardledger.record.backup.restoring import Cut, Restored
from cardledger.record.backup.restoring import restore as restored_from
from cardledger.record.matches.matchfile import printable
from cardledger.record.readmodels.filling import filling
from cardledger.record.recording.ledger import Ledger
from cardledger.record.store.address import Where, where
from cardledger.record.store.opening import opened
from cardledger.record.store.temporary import TemporaryFolder
from cardledger.sentence import advising


@click.command()
@click.argument("source", metavar="FROM", type=where)
@click.argument("target", metavar="TO", type=where)
@json_option("The numbers of matches and events, of new events, and of other matches in TO.")
def copy(source: Where, target: Where, as_json: bool) -> None:
    """Copy all events of a ledger to another one: FROM and TO are files, or postgresql://USER@HOST/DATABASE.

    Ids, lines, hashes and order are kept, and so are the names of people; TO is created if it does not exist. Events
    that TO already has are compared by their hashes and not copied again, so the same command continues an
    interrupted copy, or adds new events later. At the end every hash is computed again from TO.

    \b
    Examples:
      cardledger copy club.db copy.db
      cardledger copy club.db postgresql://club@db.example.org/ledger
    """
    with closing(opened(source, create=False)) as here, closing(opened(target)) as there:
        if here.same(there):
            raise StoreError("store.same", advising(f"{source} and {target} are the same ledger: choose another TO"))
        upto = here.last_position()
        with progress("copying", upto) as bar:
            new = transfer(here, there, upto, bar.update)
        with progress("verifying", upto) as bar:
            copied = compare(here, there, upto, bar.update)
    others = f"; {count_of(copied.others, 'other match')} there" if copied.others else ""
    sentence = (
        f"{count_of(copied.matches, 'match')}, {count_of(copied.events, 'event')}, "
        f"{new} of them new there: every hash fits{others}"
    )
    tell(as_json, sentence, matches=copied.matches, events=copied.events, new=new, others=copied.others)


@click.command()
@click.argument("target", metavar="TO", type=CopyPlace())
@db_option
@secret_option
@click.option(
    "--with-key", is_flag=True, help="Copy the signing key of checkpoints too; keep that backup as secret as the key."
)
@click.option(
    "--every", type=click.FloatRange(min=0.1), metavar="SECONDS",
    help="Keep running: copy new events this often, until Ctrl+C or SIGTERM.",
)  # fmt: skip
@json_option("The file, the numbers of events and of those held to a checkpoint, and the digest.")
def backup(
    target: Path | ObjectAddress,
    path: Where,
    secret: Path | None,
    with_key: bool,
    every: float | None,
    as_json: bool,
) -> None:
    """Back a ledger up to the file TO (or into a folder) while others write.

    Checkpoints and tokens are copied beside it; read models are not, for they can be rebuilt. The copy is read back
    and every hash and checkpoint in it is checked; only then does it replace an older backup. Any other file of that
    name is left alone. With --every the backup continues: each event is in it, on disk, within that many seconds plus
    the time of one pass.

    TO can be a place for objects too, s3://BUCKET/NAME or file:///FOLDER. Each pass then adds one object with the new
    events, which is never changed again; names of people are apart, so that an erased one leaves the place.

    \b
    Examples:
      cardledger backup club-backup.db --db club.db
      cardledger backup club-backup.db --with-key --db club.db
    """
    with closing(opened(path, create=False)) as store:
        source = BackupSource.of(path, store)
        if isinstance(target, ObjectAddress):
            objects = objects_at(target, secret)
            make = partial(ObjectFollower, source, target, objects, with_key=with_key)
            with closing(passes(make, every or 0)) as results:
                _tell_passes(islice(results, None if every is not None else 1), target, as_json)
            return
        _expect_no_secret(secret)
        if target.is_dir():
            target /= source.side.ledger.name
        if every is not None:
            _tell_passes(follow(source, target, every, with_key=with_key), target, as_json)
            return
        with progress("backing up", 1000) as bar:
            manifest = back_up(
                source, target, utc_now(), with_key=with_key, done=lambda share: bar.update(1000 * share - bar.pos)
            )
        tell(
            as_json, f"{target}: {_summary(manifest)}",
            file=str(target), events=manifest.events, sealed=manifest.sealed, digest=manifest.digest,
        )  # fmt: skip
        if manifest.missing_names:
            click.echo(
                f"cardledger: store.name: {manifest.missing_names:,} names that events use are missing, though no event"
                " erased a person. They are missing from this backup too. "
                "An older backup may have them: cardledger copy OLDER LEDGER",
                err=True,
            )
            sys.exit(1)


def _summary(manifest: Manifest) -> str:
    sealed = f", {manifest.sealed:,} of them held to a checkpoint" if manifest.sealed else ""
    return f"{count_of(manifest.events, 'event')}{sealed}, digest {manifest.digest}"


def _expect_no_secret(secret: Path | None) -> None:
    """Refuse a secret for a file, which is not encrypted: whoever gives one relies on it."""
    if secret is not None:
        raise click.UsageError("--secret is for copies in a place for objects, such as s3://BUCKET/NAME")


def _tell_passes(results: Iterable[FollowPass], target: Path | ObjectAddress, as_json: bool) -> None:
    """Tell the results of passes until a signal ends them; the backup is then complete."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    first, said = True, None
    try:
        for one in results:
            if one.error is not None:
                click.echo(f"cardledger: {printable(str(one.error))}; trying again", err=True)
            elif one.new or first:
                tell(
                    as_json, f"{target}: {count_of(one.events, 'event')}, {one.new:,} of them new, {one.seconds:.2f} s",
                    file=str(target), events=one.events, new=one.new, seconds=one.seconds,
                )  # fmt: skip
                first = False
            if one.missing_names is not None and str(one.missing_names) != said:
                click.echo(
                    f"cardledger: {printable(str(one.missing_names))}; "
                    "names that were copied before stay in the backup",
                    err=True,
                )
            said = str(one.missing_names)
    except KeyboardInterrupt:
        click.echo("ended; the backup is complete", err=as_json)


def _time(_context: click.Context, _parameter: click.Parameter, text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        raise click.BadParameter(f"{text!r} is not a time; write 2026-11-21 or 2026-11-21T22:30:00Z") from None
    return time if time.tzinfo else time.replace(tzinfo=UTC)


@click.command()
@click.argument("source", metavar="FROM", type=CopyPlace(dir_okay=False))
@click.argument("target", metavar="TO", type=where)
@secret_option
@click.option("--to-position", type=click.IntRange(min=0), metavar="N", help="Only the first N events of the ledger.")
@click.option(
    "--to-time",
    callback=_time,
    metavar="TIME",
    help="Only the events recorded up to TIME (UTC).",
)
@click.option(
    "--key",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="The key file, if it does not lie beside FROM.",
)
@json_option("The ledger, and the numbers of events and of those that match their checkpoints.")
def restore(
    source: Path | ObjectAddress,
    target: Where,
    secret: Path | None,
    to_position: int | None,
    to_time: datetime | None,
    key: Path | None,
    as_json: bool,
) -> None:
    """Restore a ledger from a backup, from s3://BUCKET/NAME, or from any ledger's file, to TO, which must not exist.

    Every hash is computed again, and with a key every checkpoint over the restored events is checked. If an event
    does not fit, the first one is named and nothing is restored. FROM is only read. The read models are rebuilt.

    \b
    Examples:
      cardledger backup club-backup.db --db club.db
      cardledger restore club-backup.db again.db
      cardledger restore club-backup.db before.db --to-position 3
    """
    cut = Cut(to_position, to_time)
    if isinstance(source, ObjectAddress):
        with TemporaryFolder(target.absolute().parent if isinstance(target, Path) else None) as temporary:
            fetched = fetch(objects_at(source, secret), source, temporary.path / "fetched.db")
            restored = restored_from(fetched, target, cut, key)
    else:
        _expect_no_secret(secret)
        restored = restored_from(source, target, cut, key)
    with Ledger(target, create=False) as ledger, crew_for(filling, ledger) as crew:
        for _ in ledger.rebuild(crew):
            pass
    tell(
        as_json, f"{target}: {_restored(restored)}",
        ledger=str(target), events=restored.course.events, sealed=restored.sealed,
    )  # fmt: skip
    if restored.missing is not None:
        click.echo(
            f"cardledger: {printable(str(restored.missing))}: they are missing from {printable(str(source))} too",
            err=True,
        )


def _restored(restored: Restored) -> str:
    """Describe what was restored."""
    last = f", the last is {restored.course.last}" if restored.course.last else ""
    text = f"{count_of(restored.course.events, 'event')}{last}"
    if restored.sealed:
        text += f"; {restored.sealed:,} of them match their checkpoints"
    if restored.keyless:
        text += (
            "; not checked against its checkpoints, as there is no key: "
            "give --key FILE, or put the key beside the restored ledger and run verify"
        )
    if restored.left_sealed:
        text += f"; {restored.left_sealed:,} sealed events are left out, so a new log begins, under another key"
    return text

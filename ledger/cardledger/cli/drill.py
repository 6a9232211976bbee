"""The command `cardledger drill`: proves that the last copy of a ledger can be restored."""

from __future__ import annotations

import signal
import sys
from contextlib import closing
from functools import partial
from pathlib import Path

import click

from cardledger.cli.copy_places import CopyPlace, secret_option
from cardledger.cli.crews import crew_for
from cardledger.cli.options import db_option
from cardledger.cli.output import json_option, tell
from cardledger.count_of import count_of
from cardledger.record.backup.making import BackupSource
from cardledger.record.backup.manifest import utc_now
from cardledger.record.backup.objects.envelope import read_secret
from cardledger.record.backup.objects.places import ObjectAddress
from cardledger.record.doctor.drill import drill
from cardledger.record.matches.matchfile import printable
from cardledger.record.readmodels.filling import filling
from cardledger.record.store.address import Where
from cardledger.record.store.opening import opened


@click.command("drill")
@db_option
@click.option(
    "--from", "copy", type=CopyPlace(dir_okay=False), metavar="BACKUP",
    help="The copy to restore, a file or s3://BUCKET/NAME.  [default: the last one that was made]",
)  # fmt: skip
@secret_option
@click.option(
    "--in", "folder", type=click.Path(path_type=Path, exists=True, file_okay=False), metavar="FOLDER",
    help="Where the temporary folder is made.  [default: the system's place for such]",
)  # fmt: skip
@json_option("The copy, its digest, the numbers of events, matches and sealed events, the seconds, `code` and `error`.")
def drill_command(
    path: Where, copy: Path | ObjectAddress | None, secret: Path | None, folder: Path | None, as_json: bool
) -> None:
    """Prove that a copy of a ledger can be restored; exit status 1 if it cannot.

    The copy is restored in a temporary folder, with its read models. Every hash and every checkpoint that it claims is
    checked, and every event must be the ledger's own. The result and the seconds are listed beside the ledger, where
    the doctor, the server and its metrics find them; what was restored is deleted. The copy is only read.

    \b
    Examples:
      cardledger drill --db club.db
      cardledger drill --from /mnt/nas/club.db --in /var/tmp --db club.db
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # what was restored is deleted then, too
    with closing(opened(path, create=False)) as store:
        source, opens = BackupSource.of(path, store), read_secret(secret) if secret else None
        tried = drill(source, utc_now(), copy, folder, partial(crew_for, filling), secret=opens)
    facts = {name: getattr(tried, name) for name in tried.__struct_fields__ if name != "said"}
    if tried.code is not None:
        if as_json:
            tell(as_json, "", **facts)
        click.echo(f"cardledger: {printable(f'{tried.code}: {tried.error}')}", err=True)
        sys.exit(1)
    sealed = f", {tried.sealed:,} of them held to a checkpoint" if tried.sealed else ""
    sentence = (
        f"{tried.copy}: restored in {tried.seconds:.1f} s: {count_of(tried.matches, 'match')}, "
        f"{count_of(tried.events, 'event')}{sealed}, digest {tried.digest}"
    )
    tell(as_json, sentence, **facts)

"""The command `cardledger publish-data`."""

from __future__ import annotations

from pathlib import Path

import click

from cardledger.cli.options import db_option
from cardledger.cli.output import json_option, tell
from cardledger.count_of import count_of
from cardledger.record.recording.ledger import Ledger
from cardledger.record.store.address import Where
from cardledger.study.open_data.anonymous_edition import LICENCES, EditionTerms, publish
from cardledger.study.open_data.attendance import DAYS, Days


@click.command("publish-data")
@click.argument("folder", metavar="FOLDER", type=click.Path(path_type=Path))
@db_option
@click.option("--title", required=True, metavar="TEXT", help="What the edition is called.")
@click.option("--publisher", required=True, metavar="NAME", help="Who publishes it: others cite this name.")
@click.option("--license", "licence", required=True, type=click.Choice([*LICENCES]), help="The licence for others.")
@click.option(
    "--k",
    type=click.IntRange(2),
    required=True,
    metavar="N",
    help="Refuse if fewer than N players share what is published of their attendance.",
)
@click.option("--days", type=click.Choice(DAYS), default="none", show_default=True, help="How exact days are.")
@click.option(
    "--regular",
    type=click.IntRange(1),
    default=3,
    show_default=True,
    metavar="N",
    help="Players with fewer than N matches get no number.",
)
@click.option(
    "--salt",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    metavar="FILE",
    help="A secret file that makes the same numbers again.  [default: a key that is thrown away]",
)
@click.option(
    "--checkpoint", is_flag=True, help="Seal the record and add the signed checkpoint, which names the ledger."
)
@json_option(
    "Rows by table, matches left out, players with and without a number, k, and how many events a checkpoint seals."
)
def publish_data(
    folder: Path,
    path: Where,
    title: str,
    publisher: str,
    licence: str,
    k: int,
    days: Days,
    regular: int,
    salt: Path | None,
    checkpoint: bool,
    as_json: bool,
) -> None:
    """Publish an anonymous edition of a ledger for others in a new FOLDER.

    Matches and players get new numbers. Names, places, evenings, recorders, times, remarks and options stay out, and
    so do matches that are open, void or secret. REPORT.md says what others can still find out: read it first.

    \b
    Example:
      cardledger publish-data open-data --db club.db --title "A season of cards" \\
        --publisher "Harbour Card Club" --license CC-BY-4.0 --k 5
    """  # fmt: skip
    terms = EditionTerms(
        title=title, publisher=publisher, licence=licence, k=k, days=days, regular=regular,
        salt=None if salt is None else salt.read_bytes(), checkpoint=checkpoint,
    )  # fmt: skip
    with Ledger(path, create=False) as ledger:
        done = publish(ledger, folder, terms)
    sentence = (
        f"{folder}: {count_of(done.rows['matches'], 'match')}, "
        f"{count_of(done.anonymity.numbered, 'player')} with a number; "
        f"k by attendance is {done.anonymity.days}, by attendance and number of matches {done.anonymity.matches}; "
        f"read {folder / 'REPORT.md'} before you give it away"
    )
    tell(
        as_json, sentence, folder=str(folder), rows=dict(done.rows), left_out=done.left_out,
        numbered=done.anonymity.numbered, without_number=done.without_number, k=done.anonymity.days,
        k_by_matches=done.anonymity.matches, heads=done.heads, sealed=done.sealed,
    )  # fmt: skip

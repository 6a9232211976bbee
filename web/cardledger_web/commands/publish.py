"""The command `cardledger publish`."""

from __future__ import annotations

import time
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click

from cardledger.cli.options import db_option
from cardledger.cli.output import json_option, tell
from cardledger.count_of import count_of
from cardledger.progress import progress
from cardledger.record.recording.ledger import Ledger
from cardledger.record.store.temporary import TemporaryFolder
from cardledger_web.languages import LANGUAGES
from cardledger_web.publishing.folder import PublishedFolder, Written
from cardledger_web.publishing.freezer import SiteEdition
from cardledger_web.publishing.made_before import MadeBefore, record_of
from cardledger_web.publishing.names import CALLED, Called, Naming, renamed
from cardledger_web.publishing.site import Site
from cardledger_web.publishing.trial import publish_trial

if TYPE_CHECKING:
    from cardledger.record.store.address import Where


def _address(_context: click.Context, _option: click.Parameter, given: str | None) -> str | None:
    parts = urlsplit(given or "")
    if given is None or parts.scheme in ("http", "https") and parts.netloc and not parts.query and not parts.fragment:
        return given and given.rstrip("/") + "/"
    raise click.BadParameter(f"{given!r} is not the address of a site: write it as https://club.example/cards/")


def _persons(_context: click.Context, _option: click.Parameter, given: tuple[str, ...]) -> dict[str, Called]:
    chosen = {}
    for text in given:
        player, _, called = text.rpartition("=")
        if not player or called not in CALLED:
            raise click.BadParameter(f"{text!r} says of nobody how to call them: write it as ana={'|'.join(CALLED)}")
        chosen[player] = called
    return chosen


@click.command()
@click.argument("folder", metavar="FOLDER", type=click.Path(path_type=Path, file_okay=False))
@db_option
@click.option(
    "--names", "rule", type=click.Choice(CALLED), default="full", show_default=True,
    help="What people are called: by the whole name, by the first, or by a word that says nothing.",
)  # fmt: skip
@click.option(
    "--person", "persons", multiple=True, metavar="PLAYER=HOW", callback=_persons,
    help="What one person is called, as ana=first, whatever --names says; repeat it.",
)  # fmt: skip
@click.option(
    "--lang", "language", type=click.Choice([*LANGUAGES]), default="en", show_default=True, help="The language."
)
@click.option(
    "--address", "site", metavar="URL", callback=_address,
    help="Where the folder will be read, as https://club.example/cards/: with it there are feeds and a calendar.",
)  # fmt: skip
@click.option(
    "--workers", type=click.IntRange(0), metavar="N", default=0, help="Processes.  [default: one for each core]"
)
@click.option(
    "--try", "trial", is_flag=True,
    help="Write a page where anybody tries a file of matches instead, in every language; it takes no ledger.",
)  # fmt: skip
@json_option("How many files there are, and how many were written and removed.")
def publish(
    folder: Path,
    path: Where,
    rule: Called,
    persons: dict[str, Called],
    language: str,
    site: str | None,
    workers: int,
    trial: bool,
    as_json: bool,
) -> None:
    """Write the club's pages to FOLDER as plain files, for any web space or a USB stick.

    What anonymous readers of a server with open reading see is published: evenings, rankings, matches, hands with their
    replayers, players, statistics, rulebooks. What needs a server is left out: forms, sign-in, filters, what-if,
    quizzes, the check of a receipt.

    Publish again into the same folder after the next evening: only what changed is written, and what is no longer
    made is removed, so that an erased person is gone from it. Other files in FOLDER are left alone. Copies elsewhere
    are yours to replace.

    With --try it is a page where anybody drops a match file, or a PBN, LIN or USEBIO file: the rules judge it in the
    browser, and nothing is sent anywhere. It needs a web space; the rulebooks beside it can be read from a disk too.

    \b
    Examples:
      cardledger publish site --db club.db
      cardledger publish site --db club.db --names first --person ana=none --lang de
      cardledger publish site --db club.db --address https://club.example/cards/
      cardledger publish --try try-it
    """
    if trial:
        _publish_trial(folder, as_json)
        return
    begun, naming, own = time.monotonic(), Naming(rule, persons), path
    with Ledger(path, create=False) as ledger:
        ledger.views.catch_up()
    with ExitStack() as stack:
        target = stack.enter_context(PublishedFolder(folder))
        before = None
        if not naming.shows_all:
            path = renamed(path, stack.enter_context(TemporaryFolder()).path, naming, language)
        elif isinstance(path, Path):
            before = stack.enter_context(closing(MadeBefore(folder, path, language, site)))
        with progress("publishing", 1000) as bar:
            Site(SiteEdition(path, language, site), target, before).publish(
                workers, lambda made, known: bar.update(max(1000 * made // known - bar.pos, 0))
            )
        written = target.finish()
        if before is not None:
            before.write()
        elif isinstance(own, Path):
            record_of(folder, own).unlink(missing_ok=True)  # it is of pages that are no longer there
    _tell(folder, written, f" in {time.monotonic() - begun:.0f} s: open {folder / 'index.html'}", as_json)


def _publish_trial(folder: Path, as_json: bool) -> None:
    with PublishedFolder(folder) as target:
        publish_trial(target)
        written = target.finish()
    _tell(folder, written, " for a web space", as_json)


def _tell(folder: Path, written: Written, rest: str, as_json: bool) -> None:
    files = count_of(written.files, "file")
    sentence = f"{folder}: {files}, {written.written:,} of them written, {written.removed:,} removed,{rest}"
    tell(as_json, sentence, files=written.files, written=written.written, removed=written.removed)

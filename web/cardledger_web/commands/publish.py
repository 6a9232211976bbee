"""The command `cardledger publish`."""

from __future__ import annotations

import time
from collections import Counter
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import click

from cardledger.cli.options import db_option
from cardledger.cli.output import json_option, tell
from cardledger.count_of import count_of
from cardledger.progress import progress
from cardledger.record.matches.matchfile import printable
from cardledger.record.people.shown import ALL, HOW_SHOWN, HowShown, least
from cardledger.record.recording.ledger import Ledger
from cardledger.record.store.temporary import TemporaryFolder
from cardledger_web.languages import LANGUAGES
from cardledger_web.naming.names import Naming, renamed
from cardledger_web.publishing.folder import PublishedFolder, Written
from cardledger_web.publishing.freezer import SiteEdition
from cardledger_web.publishing.made_before import MadeBefore, record_of
from cardledger_web.publishing.site import Site
from cardledger_web.publishing.trial import publish_trial

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardledger.record.store.address import Where


def _address(_context: click.Context, _option: click.Parameter, given: str | None) -> str | None:
    parts = urlsplit(given or "")
    if given is None or parts.scheme in ("http", "https") and parts.netloc and not parts.query and not parts.fragment:
        return given and given.rstrip("/") + "/"
    raise click.BadParameter(f"{given!r} is not the address of a site: write it as https://club.example/cards/")


def _persons(_context: click.Context, _option: click.Parameter, given: tuple[str, ...]) -> dict[str, HowShown]:
    chosen = {}
    for text in given:
        player, _, called = text.rpartition("=")
        if not player or called not in HOW_SHOWN:
            raise click.BadParameter(f"{text!r} says of nobody how to call them: write it as ana={'|'.join(HOW_SHOWN)}")
        chosen[player] = called
    return chosen


@click.command()
@click.argument("folder", metavar="FOLDER", type=click.Path(path_type=Path, file_okay=False))
@db_option
@click.option(
    "--names", "rule", type=click.Choice(HOW_SHOWN), default=ALL, show_default=True,
    help="What people are called at most: by the whole name, by the first, or by a word that says nothing.",
)  # fmt: skip
@click.option(
    "--person", "persons", multiple=True, metavar="PLAYER=HOW", callback=_persons,
    help="What one person is called at most, as ana=first, whatever --names says; repeat it.",
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
@json_option(
    "How many files there are, how many were written and removed, and how many people are `shown` by less than the whole name."
)
def publish(
    folder: Path,
    path: Where,
    rule: HowShown,
    persons: dict[str, HowShown],
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

    People are called as the ledger decides of each (cardledger people shown): by the whole name unless it says less.
    --names and --person show less of a name than that, never more.

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
        people = ledger.people()
    with ExitStack() as stack:
        target = stack.enter_context(PublishedFolder(folder))
        before: MadeBefore | None = None
        shown: Mapping[str, HowShown] = {}
        if not naming.shows_all(people):
            path, shown = renamed(path, stack.enter_context(TemporaryFolder()).path, naming, language)
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
    for player, called in persons.items():
        if least((called, people.shown(player))) != called:
            click.echo(f"cardledger: {printable(player)} stays {people.shown(player)}, as the ledger decides", err=True)
    _tell(
        folder,
        written,
        f" in {time.monotonic() - begun:.0f} s: open {folder / 'index.html'}",
        as_json,
        Counter(shown.values()),
        people.rule,
    )


def _publish_trial(folder: Path, as_json: bool) -> None:
    with PublishedFolder(folder) as target:
        publish_trial(target)
        written = target.finish()
    _tell(folder, written, " for a web space", as_json)


def _tell(
    folder: Path,
    written: Written,
    rest: str,
    as_json: bool,
    shown: Counter[HowShown] | None = None,
    rule: HowShown | None = None,
) -> None:
    files = count_of(written.files, "file")
    sentence = f"{folder}: {files}, {written.written:,} of them written, {written.removed:,} removed,{rest}"
    counted: dict[str, Any] = {"files": written.files, "written": written.written, "removed": written.removed}
    if shown is not None:
        sentence = f"{sentence}. {_in_words(shown, rule)}"
        counted["shown"] = {how: shown.get(how, 0) for how in HOW_SHOWN[1:]}
    tell(as_json, sentence, **counted)


def _in_words(shown: Counter[HowShown], rule: HowShown | None) -> str:
    """Return how many people are called by what."""
    if {*shown} - {ALL}:
        first, none = (f"{shown.get(how, 0):,}" for how in HOW_SHOWN[1:])
        return (
            f"Called by the first name: {first} of {shown.total():,} people; by a word that says nothing: {none};"
            " all others by the whole name."
        )
    why = "as the ledger decides" if rule else "as the ledger has no rule: see cardledger people shown"
    return f"Everybody is called by the whole name, {why}."

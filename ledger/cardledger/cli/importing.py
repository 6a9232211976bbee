"""The command `cardledger import`: store match files in a ledger, and decide about corrected matches."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO

import click

from cardledger.cli.matches import written
from cardledger.cli.notices import begin_anew, known_names, tell_if_similar, to_record_in
from cardledger.cli.options import db_option, format_option, new_option, strict_option
from cardledger.cli.output import json_option, tell
from cardledger.codes import OF_RESULTS
from cardledger.count_of import count_of
from cardledger.errors import LostError, SimilarError, UnusableError
from cardledger.formats.bridge_files.reading import Format, format_of, problems_of_boards, read_file_of_matches
from cardledger.formats.bridge_files.text import read_twice
from cardledger.formats.bridge_files.usebio_evening import UsebioEvening, evenings_in
from cardledger.formats.bridge_files.usebio_sessions import noted, take_in_usebio
from cardledger.progress import progress
from cardledger.record.matches.matchfile import FirstOnes, MatchInFile, Problem, Warned, printable
from cardledger.record.matches.missing_days import MissingDays
from cardledger.record.recording.evening_files import StoredEvening
from cardledger.record.recording.ledger import Ledger
from cardledger.record.recording.results import Imported
from cardledger.record.recording.similar import Answer, Ask, Similar
from cardledger.record.store.address import Where
from cardledger.rules.engine.days import UNKNOWN

ANSWERS: dict[str, Answer] = {"replace": "replace", "both": "anyway", "leave": "leave"}
"""The possible answers about a similar match."""


@click.command("import")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.File("rb"))
@db_option
@new_option
@click.option("--keep-going", is_flag=True, help="After a problem, continue with the next match.")
@format_option
@strict_option
@click.option(
    "--by", metavar="NAME", default="import", show_default=True, help="Name of the scorer for events that name none."
)
@click.option(
    "--replace", "wanted", multiple=True, metavar="MATCH",
    help="A stored match to replace by the corrected one; the old events stay in the record. May be repeated.",
)  # fmt: skip
@click.option(
    "--date", "day", metavar="DAY", default=UNKNOWN, callback=written,
    help="The day of the matches for which a file has none: 2026-01-31, or only 2026-01 or 2026.",
)  # fmt: skip
@click.option("--anyway", is_flag=True, help="Also store matches that are similar to stored ones.")
@json_option("An object for each file: the numbers of matches, events and problems.")
def import_command(
    files: tuple[BinaryIO, ...], path: Where, new: bool, keep_going: bool, format: Format | None, strict: bool, by: str,
    wanted: tuple[str, ...], day: str, anyway: bool, as_json: bool,
) -> None:  # fmt: skip
    """Store the matches in match files, or the boards in PBN, LIN and USEBIO files, each whole or not at all.

    Events that are already stored are skipped, so a file may be imported any number of times. If a match will
    continue in a later file, give its open event an "id" (a UUID). Impossible points of a score sheet are reported
    (score.sum) and stored all the same: the sheet counts.

    If a board of a PBN or LIN file is wrong, nothing of the file is stored; with --keep-going the other boards are
    stored. `replay` shows what was noticed in them.

    A USEBIO file of an evening of pairs also makes the evening: club, session, pairs, tables, results and rulings.
    Points in it that do not follow from the results are reported (usebio.points).

    A match without a day in the file is of an unknown day: it was not played on the day that you import it. A year in
    the title of its event is proposed. Give the day as --date, with the file or when you import it once more.

    A match that is similar to a stored one (the same beginning, or the same game, players, event, table and date) is
    most likely a corrected version of it. In a terminal you are asked what to do. Otherwise the match is refused: add
    --replace or --anyway.

    \b
    Examples:
      cardledger import samples/diversity-club-night.jsonl --db club.db
      cardledger import --keep-going samples/diversity-club-night.jsonl --db club.db
      cardledger import --replace 5 five.jsonl --db club.db
    """
    similar = problems = 0
    if new:
        begin_anew(path)
    with to_record_in(path) as ledger, ExitStack() as stack:
        names = known_names(ledger)
        replace = {ledger.resolve(match) for match in wanted}
        for place, given in enumerate(files, 1):
            name, file = name_of(given), stack.enter_context(read_twice(given))
            counts: Counter[str] = Counter()
            before = problems
            ended = False
            players: dict[int, Sequence[str]] = {}
            if not keep_going and (wrong := _refused_boards(file, name, format, strict)):
                number = len(wrong) + wrong.more
                problems += number
                # A file that is broken as a whole has none, and then the advice would not help.
                rest = "; --keep-going takes the boards without an error" if wrong.beside else ""
                tell(as_json, f"{_summary(name, counts)}{rest}", **_facts(name, counts, number))
                continue
            start = file.tell()
            matches: dict[int, str] = {}
            is_usebio = (format or format_of(file, name)) == "usebio"
            missing = MissingDays()
            items = _noted(_with_progress(file, name, keep_going, format, strict), players, counts, missing)
            answers = ledger.import_matches(items, by, _asking(files, anyway), replace, day=day)
            for item in noted(answers, matches):
                if isinstance(item, Imported):
                    tell_if_similar(f"{printable(item.file)}:{item.line}", players.pop(item.line, ()), names)
                    for warned in item.warnings:
                        click.echo(str(warned), err=True)
                    counts["replaced" if item.replaced else "stored" if item.new else "known"] += 1
                    counts["events"] += item.new
                    replace.discard(item.match)
                else:
                    click.echo(str(item), err=True)
                    problems += 1
                    similar += isinstance(item.error, SimilarError)
                    ended = ended or isinstance(item.error, UnusableError | LostError)
            if is_usebio and not ended:
                file.seek(start)
                problems += _evenings(ledger, evenings_in(file, day), name, matches, by, counts, as_json)
            for notice in missing.notices() if day == UNKNOWN else ():
                click.echo(str(notice), err=True)
                counts[notice.code] += 1
            tell(as_json, _summary(name, counts), **_facts(name, counts, problems - before))
            if ended:
                for left in files[place:]:
                    click.echo(f"{printable(name_of(left))}: not imported", err=True)
                break
    if similar:
        click.echo("use --replace MATCH to replace the stored match, or --anyway to store both", err=True)
    for match in sorted(replace) if not problems else ():
        click.echo(
            f"cardledger: store.similar: the files have no match, or several new ones, similar to {match}", err=True
        )
    if problems or replace:
        sys.exit(2)


def _refused_boards(file: BinaryIO, name: str, format: Format | None, strict: bool) -> FirstOnes:
    """Tell what is wrong with the boards of a file, and return it."""
    wrong = problems_of_boards(file, name, format, strict)
    for problem in wrong:
        click.echo(str(problem), err=True)
    if wrong.more:
        more = count_of(wrong.more, "more problem")
        click.echo(f"{printable(name)}: {more}; `cardledger replay` tells them all", err=True)
    return wrong


def _evenings(
    ledger: Ledger, evenings: Iterable[UsebioEvening], name: str, matches: dict[int, str], by: str,
    counts: Counter[str], as_json: bool,
) -> int:  # fmt: skip
    """Store the evenings of a USEBIO file around its matches; return the number of problems."""
    problems = 0
    for item in take_in_usebio(ledger, evenings, name, matches, by):
        if isinstance(item, StoredEvening):
            click.echo(f"{item.evening}: {item.new} of {count_of(item.events, 'event')} stored", err=as_json)
        else:
            click.echo(str(item), err=True)
            problems += isinstance(item, Problem)
            if isinstance(item, Warned):
                counts[item.code] += 1
    return problems


def _facts(name: str, counts: Counter[str], problems: int) -> dict[str, object]:
    """Return what happened to the matches of a file, ready for JSON."""
    numbers = {key: counts[key] for key in ("stored", "known", "replaced", "events")}
    noticed = {code: count for code, count in sorted(counts.items()) if "." in code}
    return {"file": name, **numbers, "noticed": noticed, "problems": problems}


def _summary(name: str, counts: Counter[str]) -> str:
    """Describe what happened to the matches of a file."""
    text = f"{printable(name)}: {count_of(counts['stored'], 'match')}, {count_of(counts['events'], 'event')} stored"
    text += f", {counts['known']} stored already" if counts["known"] else ""
    text += f", {counts['replaced']} replaced" if counts["replaced"] else ""
    codes = [code for code in counts if "." in code]
    codes.sort(key=lambda code: (code not in OF_RESULTS, counts[code], code))
    noticed = [f"{counts[code]} {code}" for code in codes]
    return text + (f" (noticed: {', '.join(noticed)})" if noticed else "")


def _asking(files: tuple[BinaryIO, ...], anyway: bool) -> Ask:
    """Return a function that decides about a similar match: by option, or by asking at the terminal."""
    if anyway:
        return lambda similar: "anyway"
    asks = at_terminal() and not any(file is sys.stdin.buffer for file in files)
    return _ask if asks else lambda similar: "leave"


def at_terminal() -> bool:
    """Tell whether there is a terminal to ask at."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def _ask(similar: Similar) -> Answer:
    place = f"{printable(similar.item.file)}:{similar.item.line}"
    click.echo(f"{place}: match {similar.match} of {similar.date or 'an unknown day'} has {similar.shared}.", err=True)
    choices = click.Choice([*ANSWERS])
    answer = click.prompt("Replace the stored match, store both, or skip this one?", "leave", type=choices, err=True)
    return ANSWERS[answer]


def name_of(file: BinaryIO) -> str:
    """Return the name of a file for messages."""
    return getattr(file, "name", "<stdin>")


def _noted(
    items: Iterator[MatchInFile | Problem | Warned], players: dict[int, Sequence[str]], counts: Counter[str],
    missing: MissingDays,
) -> Iterator[MatchInFile | Problem]:  # fmt: skip
    """Yield the matches of a file; note the players of each by its line, and count the codes of what was noticed."""
    for item in items:
        if isinstance(item, Warned):
            counts[item.code] += 1
            if item.code == "format.mended":
                click.echo(str(item), err=True)
            continue
        if isinstance(item, MatchInFile):
            players[item.line] = item.stream.table.players
            missing.take(item)
            if item.source is not None:
                counts.update(notice.code for notice in item.source.notices)
        yield item


def until_wrong(items: Iterator[MatchInFile | Problem | Warned]) -> Iterator[MatchInFile | Problem | Warned]:
    """Yield the matches of a file up to the first problem, and then all problems; boards each stand for themselves."""
    wrong = False
    for item in items:
        wrong = wrong or (isinstance(item, Problem) and item.game is None)
        if not wrong or isinstance(item, Problem):
            yield item


def _with_progress(
    file: BinaryIO, name: str, keep_going: bool, format: Format | None, strict: bool
) -> Iterator[MatchInFile | Problem | Warned]:
    """Yield the matches of a file while a bar on standard error shows the progress."""
    items = read_file_of_matches(file, name, keep_going=True, format=format, strict=strict)
    if not keep_going:
        items = until_wrong(items)
    if not Path(name).is_file():
        yield from items
        return
    with progress(printable(name), Path(name).stat().st_size) as bar:
        done = 0
        for item in items:
            bar.update(file.tell() - done)
            done = file.tell()
            yield item

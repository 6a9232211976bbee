"""The commands that show matches: `cardledger show` those of a ledger, `cardledger replay` those of files."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

import click
import msgspec

from cardledger.cli.importing import name_of, until_wrong
from cardledger.cli.options import db_option, format_option, strict_option
from cardledger.cli.output import json_option, print_json, print_match
from cardledger.errors import FormatError, LedgerError, RuleError
from cardledger.formats.bridge_files.reading import Format, problem_of_game, read_file_of_matches, source_of_game
from cardledger.record.matches.describe import account, position, trail
from cardledger.record.matches.known import in_json, known_lines
from cardledger.record.matches.matchfile import Problem, Warned, printable, sheet_warnings
from cardledger.record.matches.other_edition import under
from cardledger.record.matches.replay import KINDS, audit, of_kind, result
from cardledger.record.recording.ledger import Ledger
from cardledger.record.store.address import Where
from cardledger.rules.engine.events import Event
from cardledger.rules.knowledge import knowledge
from cardledger.rules.stream import Stream
from cardledger.sentence import as_text

_OPTIONS = [
    json_option("The replay result of each match; with --audit `seq` and `events`, as in the API."),
    click.option("--at", type=int, metavar="SEQ", help="The table after this event, with the legal choices."),
    click.option("--audit", "as_audit", is_flag=True, help="For every event, the rules that allowed or resolved it."),
    click.option("--only", type=click.Choice(KINDS[1:]), help="With --audit: only rules broken, or only corrections."),
    click.option("--known-to", type=int, metavar="SEAT", help="What this seat can know of the cards it has not seen, "
        "now or --at an event."),
    click.option("--rules", metavar="EDITION", help="Replay under another edition of the rulebook, "
        "and show where the results first differ."),
]  # fmt: skip


def viewing(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options for showing a match."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@dataclass(frozen=True, slots=True)
class View:
    """How a match is shown: the options of `viewing`."""

    as_json: bool
    at: int | None
    as_audit: bool
    only: str | None
    known_to: int | None
    rules: str | None

    def print(
        self,
        stream: Stream,
        events: Sequence[Event],
        source: dict[str, Any] | None = None,
        names: Sequence[str] | None = None,
        named: Callable[[str], str] = str,
    ) -> None:
        """Print a match; the difference to another edition goes to standard error.

        `names` are those of the seats for the audit trail (None: as recorded), `named` gives that of a recorded player.
        `source` is added to its JSON object. Raises FormatError `format.value`, RuleError `table.range`, and as
        folding does.
        """
        if self.only and not self.as_audit:
            raise FormatError("format.value", "--only is about the audit trail: give --audit too")
        if self.at is not None:
            if not 1 <= self.at <= len(events):
                raise RuleError("table.range", f"--at is {self.at}, but the match has events 1 to {len(events)}")
            events = events[: self.at]
            stream = Stream.of(events)
        if self.rules is not None:
            compared = under(events, self.rules)
            stream, events = compared.stream, compared.stream.events
            click.echo(printable(compared.words), err=True)
        if self.known_to is not None:
            self._print_known(stream, self.known_to)
        elif self.as_json:
            shown = self._trail(events, names or stream.table.players) if self.as_audit else result(stream.table)
            print_json(shown | (source or {}))
        else:
            names = names or stream.table.players
            by_seat = dict(zip(stream.table.players, names, strict=True))
            print_match(self._lines(stream, events, names, lambda player: by_seat.get(player) or named(player)), names)

    def _print_known(self, stream: Stream, seat: int) -> None:
        """Print what a seat can know; raises RuleError `table.range`, `deal.hidden`."""
        stream.table.expect_seat(seat)
        found = knowledge(stream, seat)
        if self.as_json:
            print_json(in_json(found, stream.seq))
        else:
            print_match(known_lines(stream.table, found), stream.table.players)

    def _lines(
        self, stream: Stream, events: Sequence[Event], names: Sequence[str], named: Callable[[str], str]
    ) -> Iterator[str]:
        if self.as_audit:
            return trail(of_kind(audit(events, self.rules), self.only), names, named)
        return account(stream.table) if self.at is None else position(stream.table)

    def _trail(self, events: Sequence[Event], names: Sequence[str]) -> dict[str, Any]:
        """Return the audit trail as the API gives it."""
        entries = of_kind(audit(events, self.rules), self.only)
        for entry in entries:
            entry.rulings[:] = [ruling.with_names(names) for ruling in entry.rulings]
        return {"seq": len(events), "events": msgspec.to_builtins(entries, enc_hook=as_text)}


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.File("rb"))
@viewing
@format_option
@strict_option
def replay(files: tuple[BinaryIO, ...], format: Format | None, strict: bool, **options: Any) -> None:
    """Replay the matches in match files (- for standard input), or in PBN and LIN files of bridge.

    All problems of a file are lines on standard error, FILE:LINE: CODE: message, with exit status 2; the matches before
    the first one are shown. Impossible points of a score sheet are reported there too (score.sum), and count all the
    same.

    \b
    Examples:
      cardledger replay samples/diversity-club-night.jsonl
      cardledger replay --json samples/diversity-club-night.jsonl
      cardledger replay --at 5 samples/diversity-club-night.jsonl
      cardledger replay --audit samples/diversity-club-night.jsonl
      cardledger replay --rules ruff/1 samples/ruff-debts.jsonl
      cardledger replay --json samples/bridge-evening.pbn
    """
    view = View(**options)
    failed = False
    first = True
    for file in files:
        items = read_file_of_matches(file, name_of(file), keep_going=True, format=format, strict=strict)
        for item in until_wrong(items):
            if isinstance(item, Problem):
                click.echo(str(item), err=True)
                if view.as_json and item.game is not None:
                    print_json(problem_of_game(item))
                failed = True
                continue
            if isinstance(item, Warned):
                click.echo(str(item), err=True)
                continue
            if not first and not view.as_json:
                click.echo("")
            first = False
            for warned in sheet_warnings(item, item.events):
                click.echo(str(warned), err=True)
            if item.source is not None and not view.as_json:
                for warned in item.source.notices:
                    click.echo(str(warned), err=True)
            try:
                view.print(item.stream, item.events, source_of_game(item))
            except LedgerError as error:
                click.echo(str(Problem(item.file, item.line, error)), err=True)
                failed = True
    if failed:
        sys.exit(2)


@click.command()
@click.argument("match")
@db_option
@viewing
def show(match: str, path: Where, **options: Any) -> None:
    """Show a match of a ledger. The beginning of its id is enough if it is unique.

    \b
    Examples:
      cardledger show 5 --db club.db
      cardledger show 5 --at 5 --db club.db
      cardledger show 5 --audit --only corrections --db club.db
      cardledger show 5 --at 40 --known-to 2 --db club.db
    """
    with Ledger(path, create=False) as ledger:
        id = ledger.resolve(match)
        events, people = ledger.events(id), ledger.people()
        stream = Stream.of(events)
        names = [people.name(player) for player in people.seated(id, stream.table.players)]
        View(**options).print(stream, events, names=names, named=people.name)

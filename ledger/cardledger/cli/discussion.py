"""The command `cardledger discussion`: what people say about a match, and the lines that they keep."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cardledger.cli.options import db_option
from cardledger.cli.output import json_option, print_json, print_match
from cardledger.record.matches.tried_lines import TriedLines
from cardledger.record.recording.discussions import comment, in_json, keep_line, told, withdraw
from cardledger.record.recording.ledger import Ledger
from cardledger.record.store.address import Where
from cardledger.rules.lessons.discussion_events import Line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from cardledger.record.recording.discussions import Contribution

_BY = "command line"


@click.command("discussion")
@click.argument("match")
@click.option("--event", type=click.IntRange(1), metavar="SEQ", help="Say something about this event of the match.")
@click.option("--author", metavar="NAME", help="Who says it.")
@click.option("--text", metavar="TEXT", help="What is said.")
@click.option("--line", metavar="MOVES", help="Keep moves that could have followed the event, with ~ between them.")
@click.option("--name", metavar="NAME", help="What the line is called.")
@click.option("--withdraw", "taken_back", type=click.IntRange(1), metavar="NUMBER", help="Take back what was said.")
@db_option
@json_option("An object for each comment and line.")
def discussion_command(
    match: str,
    event: int | None,
    author: str | None,
    text: str | None,
    line: str | None,
    name: str | None,
    taken_back: int | None,
    path: Where,
    as_json: bool,
) -> None:
    """Show what people say about MATCH and the lines that they keep, or say something.

    A move is written as in an address of the replayer: its type, the seat and the card, as in play.1.9S.

    \b
    Examples:
      cardledger discussion 5 --db club.db
      cardledger discussion 5 --event 12 --author ana --text "Why not the ten?" --db club.db
    """
    _expect_whole(event, author, text, line, name)
    with Ledger(path, create=False) as ledger:
        id = ledger.resolve(match)
        if taken_back is not None:
            withdraw(ledger, id, taken_back, _BY)
        if event is not None and author is not None:
            if line:
                keep_line(ledger, id, event, author, line.split("~"), _BY, name, text)
            else:
                comment(ledger, id, event, author, text or "", _BY)
        stream, said, called = ledger.stream(id), told(ledger, id), ledger.people().name
        tried = TriedLines(stream, ledger.events(id))
    if as_json:
        for one in said:
            print_json(in_json(tried, one))
    else:
        print_match(_listed(said, called), stream.table.players)


def _expect_whole(event: int | None, author: str | None, text: str | None, line: str | None, name: str | None) -> None:
    """Refuse options of which one alone says nothing."""
    if event is None and any(given is not None for given in (author, text, line, name)):
        raise click.UsageError("Name the event with --event.")
    if event is not None and (author is None or not (text or line)):
        raise click.UsageError("Name who says it with --author, and give --text or --line.")
    if name is not None and line is None:
        raise click.UsageError("--name is the name of a line: give the line with --line.")


def _listed(said: Sequence[Contribution], called: Callable[[str], str]) -> Iterator[str]:
    if not said:
        yield "Nobody has said anything about this match yet."
    for one in said:
        entry = one.entry
        line = f" {entry.name or 'a line'}: {' '.join(entry.moves)}" if isinstance(entry, Line) else ""
        yield f"{one.number}: hand {one.hand}, event {entry.event}, {called(entry.author)}{line}"
        yield from (f"   {words}" for words in (entry.text or "").splitlines())

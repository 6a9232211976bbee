"""The commands of a director: `cardledger evening ruling`, `not-played`, `penalty`, `take-back` and `rulings`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import click
import msgspec

from cardledger.cli.notices import caught_up, evening_meant
from cardledger.cli.options import by_option, db_option
from cardledger.cli.output import json_option, print_json, print_table
from cardledger.count_of import count_of
from cardledger.errors import LedgerError
from cardledger.listed import listed
from cardledger.record.matches.describe import evening_event_in_words
from cardledger.record.matches.matchfile import printable
from cardledger.record.people.recorders import Recorder
from cardledger.record.recording.directing import (
    Directed,
    Meant,
    Ruled,
    decisions,
    not_played,
    penalty,
    penalty_points,
    percentages_that_count,
    ruling,
    taking_back,
)
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.engine.events import bare
from cardledger.rules.evenings import evening_events as ev
from cardledger.rules.evenings.wording import award_of_side, own_percentage

if TYPE_CHECKING:
    from cardledger.record.matches.describe import TableNames
    from cardledger.record.people.people import People
    from cardledger.record.store.address import Where

    Percentages = Mapping[tuple[int, int, int], tuple[str | None, str | None]]
_yes = click.option("--yes", is_flag=True, help="Record it; without this, only what it would change is shown.")
_AS_JSON = "What it changes, its events, and whether they are recorded."


def _meant(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say which boards are meant."""
    for option, about in (
        ("--board", "The board; without --table, at all tables of the rounds that have begun."),
        ("--table", "Only this table."),
        ("--round", "Only this round; with --table and without --board, all boards of the table in it."),
    ):
        command = click.option(option, type=click.IntRange(1), metavar="N", help=about)(command)
    return command


def _grounds(law: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return the options that say why something is decided, with a law as an example."""

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        command = click.option(
            "--reason", default="", metavar="TEXT", help="The reason, for people who read the record later."
        )(command)
        return click.option("--law", default="", metavar="LAW", help=f"The law, such as {law}.")(command)

    return add


@click.command("ruling")
@click.argument("evening")
@_meant
@click.option("--ns", default="", metavar="AWARD", help="What north-south get; left out: as it is.")
@click.option("--ew", default="", metavar="AWARD", help="What east-west get; left out: as it is.")
@_grounds("12C2")
@_yes
@by_option
@json_option(_AS_JSON)
@db_option
def ruling_command(
    evening: str, round: int | None, table: int | None, board: int | None, ns: str, ew: str, law: str, reason: str,
    yes: bool, by: str, as_json: bool, path: Where,
) -> None:  # fmt: skip
    """Rule on boards of an evening: at one table, on all boards of a table in a round, or on a board at all tables.

    AWARD is A+, A or A- (60, 50 or 40 %), a percentage (65%), a contract with its result (4S N =), a score for
    north-south (-50), or parts of these (60% 4S N =, 40% -50). A+/A- or 60/40 as --ns is for both sides. A board that is
    ruled on already gets the new ruling.

    \b
    Examples:
      cardledger evening ruling Howell --board 9 --table 2 --ns A+ --ew A- --law 12C2 --db club.db
      cardledger evening ruling Howell --board 9 --table 2 --ns "4S N =" --reason "revoke" --yes --db club.db
    """
    with Ledger(path, create=False) as ledger:
        id = _evening(ledger, evening)
        directed = ruling(ledger, id, Meant(round, table, board), Ruled(ns, ew, law, reason))
        _end(ledger, id, directed, yes, by, as_json)


@click.command("not-played")
@click.argument("evening")
@_meant
@click.option(
    "--why", type=click.Choice(["not-played", "average", "bye"]), default="not-played", show_default=True,
    help="It does not count, both sides get the average, or somebody sat out.",
)  # fmt: skip
@_yes
@by_option
@json_option(_AS_JSON)
@db_option
def not_played_command(
    evening: str, round: int | None, table: int | None, board: int | None, why: Any, yes: bool, by: str, as_json: bool,
    path: Where,
) -> None:  # fmt: skip
    """Say that boards were not played: at one table, all of a table in a round, or a board at all tables.

    Boards that have a result stay as they are. One that is played after all counts.

    \b
    Examples:
      cardledger evening not-played Howell --board 10 --table 2 --db club.db
      cardledger evening not-played Howell --table 2 --round 1 --yes --db club.db
    """
    with Ledger(path, create=False) as ledger:
        id = _evening(ledger, evening)
        _end(ledger, id, not_played(ledger, id, Meant(round, table, board), why), yes, by, as_json)


@click.command("penalty")
@click.argument("evening")
@click.argument("entry", type=click.IntRange(1), metavar="NUMBER")
@click.argument("points")
@_grounds("90B")
@_yes
@by_option
@json_option(_AS_JSON)
@db_option
def penalty_command(
    evening: str, entry: int, points: str, law: str, reason: str, yes: bool, by: str, as_json: bool, path: Where
) -> None:  # fmt: skip
    """Take POINTS off the total of the pair or team with a NUMBER, in the unit of the scoring.

    \b
    Examples:
      cardledger evening penalty Howell 3 2 --law 90B --reason "late again" --db club.db
    """
    with Ledger(path, create=False) as ledger:
        id = _evening(ledger, evening)
        _end(ledger, id, penalty(ledger, id, entry, penalty_points(points), law, reason), yes, by, as_json)


@click.command("take-back")
@click.argument("evening")
@click.argument("seq", type=click.IntRange(1), metavar="EVENT")
@click.option("--reason", default="", metavar="TEXT", help="The reason, for people who read the record later.")
@_yes
@by_option
@json_option(_AS_JSON)
@db_option
def take_back_command(
    evening: str, seq: int, reason: str, yes: bool, by: str, as_json: bool, path: Where
) -> None:  # fmt: skip
    """Take a ruling, a penalty or an absence back: event number EVENT, as `evening rulings` lists it. What came later stays.

    \b
    Examples:
      cardledger evening take-back Howell 10 --reason "appeal" --yes --db club.db
    """
    with Ledger(path, create=False) as ledger:
        id = _evening(ledger, evening)
        _end(ledger, id, taking_back(ledger, id, seq, reason), yes, by, as_json)


@click.command("rulings")
@click.argument("evening")
@json_option("A line for each: its number and its event.")
@db_option
def rulings_command(evening: str, as_json: bool, path: Where) -> None:
    """List the rulings, penalties and absences of an evening that count, each with its number.

    Where a side gets another percentage than the ruling gave, the list says which one, and by which law.

    \b
    Examples:
      cardledger evening rulings Howell --db club.db
    """
    with Ledger(path, create=False) as ledger:
        id, people = _evening(ledger, evening), ledger.people()
        found, at = decisions(ledger.evenings.stream(id)), ledger.evenings.table_names(id)
        if not as_json:
            counts = _percentages(ledger, id)
            rows = [
                (seq, printable(evening_event_in_words(event, people.name, at=at)), "; ".join(_lifted(event, counts)))
                for seq, event in found
            ]
            print_table(("event", "decision", "what counts"), rows)
        for seq, event in found if as_json else ():
            print_json({"seq": seq, "event": msgspec.to_builtins(bare(event))})


def _percentages(ledger: Ledger, session: str) -> Percentages:
    """Return the percentages that count; none for an evening that cannot be ranked yet."""
    with suppress(LedgerError):
        return percentages_that_count(ledger.evenings.rankings.travellers(session))
    return {}


def _lifted(event: ev.EveningAdjust | ev.Absent, counts: Percentages) -> Iterator[str]:
    """Yield the percentages that count in place of those that a ruling gave."""
    if not isinstance(event, ev.EveningAdjust):
        return
    got = counts.get((event.round or 0, event.table or 0, event.board or 0), (None, None))
    for line, award, count in (("NS", event.ns, got[0]), ("EW", event.ew, got[1])):
        given = {} if award is None or isinstance(award, tuple) else {"percent": f"{award:g}"}
        if own_percentage(given, count) is not None:
            yield f"{line} {award_of_side(given, count)}"


def _evening(ledger: Ledger, said: str) -> str:
    caught_up(ledger)
    return evening_meant(ledger, said, "session")


def _end(ledger: Ledger, session: str, directed: Directed, yes: bool, by: str, as_json: bool) -> None:
    """Record what was decided, if it is said, and say what it changes."""
    if yes:
        ledger.evenings.record(session, directed.events, directed.seq, Recorder(by), as_written=False)
    if as_json:
        print_json(_as_json(session, directed, yes))
        return
    for line in _in_words(directed, ledger.people(), yes, ledger.evenings.table_names(session)):
        click.echo(printable(line))


def _as_json(session: str, directed: Directed, recorded: bool) -> dict[str, Any]:
    return {
        "evening": session,
        "recorded": recorded,
        "boards": [{"round": one.round, "table": one.table, "board": one.board} for one in directed.boards],
        "events": [msgspec.to_builtins(bare(event)) for event in directed.events],
        "changes": [
            {
                "entry": row.entry,
                "players": row.players,
                "place": {"then": row.place_then, "now": row.place_now},
                "total": {"then": row.total_then, "now": row.total_now},
            }
            for row in directed.changes
        ],
    }


def _in_words(directed: Directed, people: People, recorded: bool, at: TableNames) -> Iterator[str]:
    """Yield the boards, what changes in the ranking, and what is still to be done."""
    for one in directed.boards:
        table = at(one.round, one.table)
        yield f"round {one.round}, table {table}, board {one.board}: {listed([*map(str, one.seats)])}"
    yield "in the ranking:" if directed.changes else "nothing changes in the ranking"
    for row in directed.changes:
        place = f"place {row.place_now or 'none'}"
        was = f" (was {row.place_then or 'none'})" if row.place_then != row.place_now else ""
        total = f"{row.total_then or 'none'} -> {row.total_now or 'none'}"
        yield f"  {listed([*map(people.name, row.players)])}: {total}, {place}{was}"
    number = count_of(len(directed.events), "event")
    yield f"{number} recorded" if recorded else f"nothing is recorded yet: say it again with --yes to record {number}"

"""The commands `cardledger evening …`: clubs, sessions and leagues, and their rankings."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from cardledger.cli.evening_boards import boards_command, card_command
from cardledger.cli.evening_director import (
    not_played_command,
    penalty_command,
    ruling_command,
    rulings_command,
    take_back_command,
)
from cardledger.cli.evening_drive import drive_command, prizes_command, tricks_command
from cardledger.cli.evening_guide import guide_command
from cardledger.cli.evening_handicap import handicap_command
from cardledger.cli.evening_masterpoints import masterpoints_command
from cardledger.cli.evening_movement import movement_command
from cardledger.cli.evening_result import result_command
from cardledger.cli.evening_round import late_command, new, round_command
from cardledger.cli.evening_said import said_command
from cardledger.cli.importing import name_of
from cardledger.cli.notices import caught_up, evening_meant, known_names, tell_if_similar, tell_unfinished, to_record_in
from cardledger.cli.options import by_option, db_option
from cardledger.cli.output import json_option, print_json, print_table, tell
from cardledger.cli.spreadsheets import import_command, layouts_command
from cardledger.count_of import count_of
from cardledger.errors import FormatError
from cardledger.formats.bridge_files.text import read_twice
from cardledger.formats.recognition import recognised_file
from cardledger.pseudonyms import left
from cardledger.record.matches.matchfile import Problem, printable
from cardledger.record.readmodels.questions.evening_list import all_evenings, evenings_with, spellings
from cardledger.record.recording.evening_files import read_evenings, take_in
from cardledger.record.recording.full_ranking import full_ranking
from cardledger.record.recording.ledger import Ledger
from cardledger.record.recording.moment import position_of
from cardledger.rules.engine.events import type_of
from cardledger.rules.evenings.evening_events import Publish
from cardledger.rules.evenings.session import SessionState
from cardledger.study.stats.table_results import table_results

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardledger.record.matches.describe import TableNames
    from cardledger.record.people.people import People
    from cardledger.record.recording.comparison import ChangedRow
    from cardledger.record.recording.full_ranking import FullRanking
    from cardledger.record.store.address import Where
    from cardledger.study.stats.table_results import PlayerResults


_MAY_HOLD_EVENINGS = ("evenings", "events", "text", "empty")
"""Kinds of files whose lines are read as events of evenings, so that what is wrong is said with its line."""


@click.group()
def evening() -> None:
    """Record a club's evenings and leagues, and show their rankings: as published, and as corrected now.

    EVENING is a club, a session or a league: its name, its id, or the beginning of one. If several have that name,
    the newest is meant.

    \b
    Examples:
      cardledger evening open samples/evenings/tuesday.jsonl --db club.db
      cardledger evening list --db club.db
      cardledger evening show session-7c1d --db club.db
    """


evening.add_command(import_command)
evening.add_command(layouts_command)


@evening.command("open")
@click.argument("files", nargs=-1, required=True, type=click.File("rb"), metavar="FILE...")
@click.option(
    "--as-written", is_flag=True, help="Also store points of tables that no number of hands of the game can give."
)
@by_option
@json_option("An object for each evening.")
@db_option
def open_command(files: tuple[BinaryIO, ...], by: str, as_json: bool, path: Where, as_written: bool) -> None:
    """Store the clubs, sessions and leagues of FILE: a line of JSON for each event, each stream from its opening on.

    The same file again stores nothing new; a file that has grown adds its new events. A new name that looks like a
    known one is reported.

    \b
    Examples:
      cardledger evening open samples/evenings/tuesday.jsonl --by ana --db club.db
    """
    problems = 0
    with to_record_in(path) as ledger, ExitStack() as stack:
        caught_up(ledger)
        known = known_names(ledger)
        for given in files:
            name, file = name_of(given), stack.enter_context(read_twice(given))
            found = recognised_file(file, name)
            if found.kind not in _MAY_HOLD_EVENINGS:
                click.echo(str(Problem(name, 1, FormatError("file.kind", found.words))), err=True)
                problems += 1
                continue
            for item in take_in(ledger, read_evenings(file, name), by, as_written=as_written):
                if isinstance(item, Problem):
                    click.echo(str(item), err=True)
                    problems += 1
                else:
                    tell_if_similar(f"{printable(item.file)}:{item.line}", item.players, known)
                    sentence = f"{item.evening}: {item.new} of {count_of(item.events, 'event')} stored"
                    tell(as_json, sentence, evening=item.evening, new=item.new, events=item.events)
    if problems:
        sys.exit(2)


evening.add_command(new)
evening.add_command(round_command)
evening.add_command(late_command)
evening.add_command(movement_command)
evening.add_command(boards_command)
evening.add_command(card_command)
for directed in (ruling_command, not_played_command, penalty_command, take_back_command, rulings_command):
    evening.add_command(directed)
evening.add_command(drive_command)
evening.add_command(tricks_command)
evening.add_command(said_command)
evening.add_command(result_command)
evening.add_command(handicap_command)
evening.add_command(masterpoints_command)
evening.add_command(guide_command)
evening.add_command(prizes_command)


@evening.command("list")
@click.option("--player", metavar="PLAYER", help="Only the evenings of a player, given by any id.")
@click.option("--game", "other_game", metavar="NAME", help="Only the evenings of a game without rules here.")
@json_option("An object for each, with all columns.")
@db_option
def list_command(player: str | None, other_game: str | None, as_json: bool, path: Where) -> None:
    """List clubs, sessions and leagues in the order of recording.

    \b
    Examples:
      cardledger evening list --db club.db
      cardledger evening list --player ana --db club.db
      cardledger evening list --json --db club.db
    """
    with Ledger(path, create=False) as ledger:
        caught_up(ledger)
        rows = all_evenings(ledger) if player is None else evenings_with(ledger, player)
        written = spellings(ledger, other_game) if other_game else []
    rows = [row for row in rows if other_game is None or row["other_game"] in written]
    for row in rows if as_json else ():
        print_json(row)
    if not as_json:
        print_table(
            ("evening", "day", "status", "published", "name"),
            [(row["evening"], row["since"], row["status"], row["published"] or "", left(row["name"])) for row in rows],
        )


@evening.command("results")
@click.argument("name")
@click.option("--club", metavar="CLUB", help="Only the evenings of this club.")
@click.option("--since", metavar="DAY", help="Only evenings from this day on.")
@click.option("--until", metavar="DAY", help="Only evenings up to this day.")
@click.option("--player", metavar="PLAYER", help="Tell whom this player met, and who was ahead.")
@json_option("The answer of GET /sessions/results.")
@db_option
def results_command(
    name: str, club: str | None, since: str | None, until: str | None, player: str | None, as_json: bool, path: Where
) -> None:
    """Compare the players of NAME, a game without rules here, by their places at the tables.

    "ahead" is the share of the others at a table that a player was ahead of; 50% is chance. An evening is one
    observation, and "better" and "worse" mark what is more than chance, with all players considered.

    \b
    Examples:
      cardledger evening results Canasta --db club.db
      cardledger evening results Canasta --player ana --since 2026-01-01 --db club.db
    """
    with Ledger(path, create=False) as ledger:
        caught_up(ledger)
        id = evening_meant(ledger, club, "club") if club else None
        found = table_results(ledger, name, player, club=id, since=since, until=until)
        called = ledger.people().name
        rows = [(called(each.player), *each[1:4], *_in_percent(each), each.verdict or "") for each in found.players]
        met = [(called(each.other), *each[1:]) for each in found.met]
    if as_json:
        print_json(found.as_json())
        return
    click.echo(f"{count_of(found.evenings, 'evening')}, {count_of(found.tables, 'table')}")
    print_table(("player", "evenings", "tables", "first", "ahead", "95%", "verdict"), rows)
    if met:
        click.echo()
        print_table(("met", "ahead", "level", "behind", "partners"), met)


def _in_percent(row: PlayerResults) -> tuple[str, str]:
    """Return the share of others that a player was ahead of, and its interval."""
    span = "" if row.low is None or row.high is None else f"{row.low:.0%} to {row.high:.0%}"
    return f"{row.ahead:.0%}", span


@evening.command()
@click.argument("evening")
@click.option(
    "--as-of", "said", metavar="POSITION|TIME", help="As of a position of the ledger, or the last one before a time."
)
@json_option("The answer of GET /sessions/SESSION/ranking, or of that of a league.")
@db_option
def show(evening: str, said: str | None, as_json: bool, path: Where) -> None:
    """Show the ranking of a session, or the table of a league: as corrected now, and what differs from the published one.

    \b
    Examples:
      cardledger evening show session-7c1d --db club.db
      cardledger evening show session-7c1d --as-of 14 --db club.db
      cardledger evening show league-9e3a --json --db club.db
    """
    with Ledger(path, create=False) as ledger:
        id = evening_meant(ledger, evening, "session", "league")
        full = full_ranking(ledger.evenings, id, None if said is None else position_of(ledger.store, said))
        if as_json:
            print_json(full.as_json())
        else:
            for line in _in_words(full, ledger.people(), ledger.evenings.table_names(full.ranking.evening)):
                click.echo(printable(line))


@evening.command()
@click.argument("evening")
@click.option("--text", help="Words to stand beside the ranking.")
@by_option
@json_option("The evening, the position and the hash.")
@db_option
def publish(evening: str, text: str | None, by: str, as_json: bool, path: Where) -> None:
    """Publish the ranking of a session or a league as it is now; what is published is never altered.

    \b
    Examples:
      cardledger evening publish session-7c1d --text "well played" --db club.db
    """
    with Ledger(path, create=False) as ledger:
        id = evening_meant(ledger, evening, "session", "league")
        if isinstance(ledger.evenings.stream(id).state, SessionState):
            tell_unfinished(ledger, id)
        seq = ledger.evenings.record(id, [Publish(text=text)], ledger.evenings.stream(id).seq, by, as_written=False).seq
        event = ledger.evenings.events(id)[seq - 1]
        assert isinstance(event, Publish)
        sentence = f"{id}: published as of position {event.at_position}, hash {event.hash}"
        tell(as_json, sentence, evening=id, position=event.at_position, hash=event.hash)


def _in_words(full: FullRanking, people: People, at: TableNames) -> Iterator[str]:
    """Yield the lines of a ranking, each with what was published if that differs."""
    ranking = full.ranking
    yield f"{left(full.name)} ({ranking.evening}), position {ranking.position}"
    if full.published:
        last = full.published[-1]
        fits = "" if last.fits else ", but its hash does not fit the record"
        yield f"published {str(last.event.at)[:16]} as of position {last.ranking.position}{fits}"
    differing = {(row.entry, *row.players) if row.entry is None else row.entry: row for row in full.changed}
    section = None
    for line in ranking.rows:
        if line.get("section") != section:
            section = line["section"]
            yield f"section {section}"
        row = differing.pop(line["entry"] if "entry" in line else (None, *line["players"]), None)
        yield _line(line["place"], line["total"], line.get("percent"), line["players"], people) + _then(row)
        yield from _reasons(row, at)
    for row in differing.values():
        yield _line("", "", None, row.players, people) + _then(row)
        yield from _reasons(row, at)


def _line(place: str, total: str, percent: str | None, players: Any, people: People) -> str:
    names = " and ".join(map(people.name, players))
    return f"{place:>4} {total:>9}{f' {percent:>7} %' if percent else ''}  {names}"


def _then(row: ChangedRow | None) -> str:
    if row is None:
        return ""
    return f"  (published: {row.place_then or 'no place'}, {row.total_then or 'no points'})"


def _reasons(row: ChangedRow | None, at: TableNames) -> Iterator[str]:
    """Yield what differs for an entry, and why."""
    for change in row.changes if row else ():
        board = f" board {change.board}" if change.board else ""
        yield (
            f"       round {change.round} table {at(change.round, change.table)}{board}: "
            f"{change.then or 'none'} -> {change.now or 'none'}"
        )
    for later in row.events if row else ():
        said = ", ".join(filter(None, (getattr(later.event, "law", None), getattr(later.event, "reason", None))))
        yield f"       event {later.seq} of {later.stream}: {type_of(later.event)}{f' ({said})' if said else ''}"

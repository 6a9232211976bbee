"""The command of what tables say: `cardledger evening said`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cardledger.cli.notices import caught_up, evening_meant
from cardledger.cli.options import by_option, db_option
from cardledger.cli.output import json_option, print_json
from cardledger.errors import FormatError
from cardledger.record.people.recorders import Recorder
from cardledger.record.recording.at_tables import differences_of, differences_shown, enter_at_table, settle
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.evenings.said import Numbers, round_at_table
from cardledger.rules.evenings.session import SessionState

if TYPE_CHECKING:
    from cardledger.record.store.address import Where


@click.command("said")
@click.argument("session", metavar="EVENING")
@click.argument("table", type=click.IntRange(1), required=False)
@click.argument("numbers", nargs=-1, type=int)
@click.option(
    "--round", type=click.IntRange(1), metavar="N", help="The round; the one that the table plays unless given."
)
@click.option("--places", is_flag=True, help="The numbers are places, not tricks or points.")
@click.option(
    "--as-written", is_flag=True, help="The points count, also if no number of hands of the game can give them."
)
@click.option("--settle", "settles", is_flag=True, help="Say as the director that this is right.")
@json_option("The answer of GET /sessions/SESSION/differences.")
@by_option
@db_option
def said_command(
    session: str, table: int | None, numbers: tuple[int, ...], round: int | None, places: bool, settles: bool,
    as_written: bool,    as_json: bool, by: str, path: Where,
) -> None:  # fmt: skip
    """Say the result of a TABLE that has no match, as a phone there does, and show what was said in several ways.

    NUMBERS are the tricks of north and south in a drive, else points by seat. The first result counts; another one
    stands beside it until --settle says which is right. Without a table, nothing is said.

    \b
    Examples:
      cardledger evening said Drive 1 8 --db club.db
      cardledger evening said Drive 1 9 --settle --db club.db
      cardledger evening said Drive --db club.db
    """
    with Ledger(path, create=False) as ledger:
        caught_up(ledger)
        id = evening_meant(ledger, session, "session")
        if table is not None:
            if not numbers:
                raise FormatError("format.value", f"say what table {table} scored: give its numbers")
            state = ledger.evenings.stream(id).state
            assert isinstance(state, SessionState)
            at = round or round_at_table(state, table) or 1
            form = "places" if places else "tricks" if state.drive(at) is not None else "points"
            say = settle if settles else enter_at_table
            say(ledger, id, Recorder(by), at, table, form, numbers, as_written=as_written)
        if as_json:
            print_json(differences_shown(ledger, id))
            return
        for each in differences_of(ledger, id):
            others = "; ".join(map(_in_words, each.said))
            click.echo(
                f"table {each.table}, round {each.round}: {_in_words(each.recorded)} is recorded, {others} was said"
            )


def _in_words(numbers: Numbers) -> str:
    return f"{numbers.form} {' '.join(map(str, numbers.values))}"

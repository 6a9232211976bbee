"""The command of guide cards: `cardledger evening guide`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cardledger.cli.notices import caught_up, evening_meant
from cardledger.cli.options import db_option
from cardledger.cli.output import json_option, print_json, print_table
from cardledger.errors import FormatError
from cardledger.listed import listed
from cardledger.record.matches.matchfile import printable
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.evenings.guide import described, guide_cards
from cardledger.rules.evenings.session import SessionState

if TYPE_CHECKING:
    from cardledger.record.store.address import Where


@click.command("guide")
@click.argument("session", metavar="EVENING")
@click.argument("entry", type=click.IntRange(1), required=False, metavar="[NUMBER]")
@json_option("The cards, by number: each round with its table, seat, opponents and boards.")
@db_option
def guide_command(session: str, entry: int | None, as_json: bool, path: Where) -> None:
    """Show the guide card of each pair, team or player of a movement: where to go in each round; with NUMBER, of one.

    \b
    Examples:
      cardledger evening guide Howell --db club.db
      cardledger evening guide Howell 3 --db club.db
    """
    with Ledger(path, create=False) as ledger:
        caught_up(ledger)
        id = evening_meant(ledger, session, "session")
        state, people = ledger.evenings.stream(id).state, ledger.people()
        assert isinstance(state, SessionState)
        cards = guide_cards(state)
        if entry is not None and entry not in cards:
            raise FormatError("format.value", f"nobody has the number {entry} this evening")
        cards = cards if entry is None else {entry: cards[entry]}
        if as_json:
            print_json({"session": id, "cards": described(cards)})
            return
        for number, stops in cards.items():
            click.echo(printable(f"{number}: {listed([*map(people.name, state.everybody(number))])}"))
            print_table(
                ("round", "table", "sits", "with", "against", "boards"),
                [
                    (stop.round, stop.table or "sits out", stop.sits, stop.partner,
                     ", ".join(map(str, stop.opponents)), ", ".join(map(str, stop.boards)))
                    for stop in stops
                ],
            )  # fmt: skip

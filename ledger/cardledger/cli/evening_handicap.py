"""The command of handicaps: `cardledger evening handicap`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cardledger.cli.notices import caught_up, evening_meant
from cardledger.cli.options import by_option, db_option
from cardledger.cli.output import json_option, print_json, print_table
from cardledger.errors import FormatError
from cardledger.listed import listed
from cardledger.record.people.recorders import Recorder
from cardledger.record.recording.handicaps import give_handicaps, handicap_ranking
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.evenings.handicaps import handicap_written

if TYPE_CHECKING:
    from cardledger.record.store.address import Where


@click.command("handicap")
@click.argument("session", metavar="EVENING")
@click.argument("given", nargs=-1, metavar="[NUMBER:HANDICAP]…")
@json_option("The answer of GET /sessions/SESSION/handicaps.")
@by_option
@db_option
def handicap_command(session: str, given: tuple[str, ...], as_json: bool, by: str, path: Where) -> None:
    """Give handicaps to pairs, teams or players of an evening by their numbers, and show the ranking with them.

    A handicap is in points of a percentage where results are compared with the field, else in points; it helps those
    who have it, and 0 takes it back. The ranking that is published is the one without.

    \b
    Examples:
      cardledger evening handicap Howell 3:4.5 5:-2 --db club.db
      cardledger evening handicap Howell --db club.db
    """
    with Ledger(path, create=False) as ledger:
        caught_up(ledger)
        id = evening_meant(ledger, session, "session")
        handicaps = {}
        for word in given:
            number, _, handicap = word.partition(":")
            if not (number.isascii() and number.isdecimal() and len(number) < 7):
                raise FormatError("format.value", f"{word!r} gives no handicap: write its number first, such as 3:4.5")
            handicaps[int(number)] = handicap_written(handicap)
        if handicaps:
            give_handicaps(ledger, id, Recorder(by), handicaps)
        found = handicap_ranking(ledger, id)
        if as_json:
            print_json(found)
            return
        name = ledger.people().name
        print_table(
            ("place", "number", "players", "without", "handicap", "with"),
            [
                (row["place"], str(row["entry"]), listed([*map(name, row["players"])]), row["value"], row["handicap"],
                 row["adjusted"])
                for row in found["ranking"]
            ],
        )  # fmt: skip

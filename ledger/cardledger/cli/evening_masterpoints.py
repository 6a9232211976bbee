"""The command of masterpoints: `cardledger evening masterpoints`."""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO

import click

from cardledger.cli.importing import name_of
from cardledger.cli.notices import caught_up, evening_meant
from cardledger.cli.options import by_option, db_option
from cardledger.cli.output import json_option, print_json, print_table
from cardledger.errors import FormatError
from cardledger.formats.spreadsheets.lines_in_file import lines_in_file
from cardledger.formats.spreadsheets.reading import MOST_BYTES
from cardledger.listed import listed
from cardledger.record.people.recorders import Recorder
from cardledger.record.recording.ledger import Ledger
from cardledger.record.recording.masterpoints import added_up, described, forget_table, give_table, totals_as_json
from cardledger.rules.evenings.rounding import printed

if TYPE_CHECKING:
    from cardledger.record.store.address import Where


@click.command("masterpoints")
@click.argument("session", required=False, metavar="[EVENING]")
@click.option(
    "--club", metavar="NAME|ID", help="Only the evenings of a club; the club whose table is kept or forgotten."
)
@click.option("--league", metavar="NAME|ID", help="Only the evenings that count for a league.")
@click.option(
    "--keep", type=click.File("rb"), metavar="FILE",
    help="Let the club give points by the table in a file, CSV, XLSX or lines such as 8: 0.30 0.20; - reads the input.",
)  # fmt: skip
@click.option("--table", "name", metavar="NAME", help="The name of the table to keep.")
@click.option("--forget", metavar="NAME", help="Let the club give a table no longer.")
@json_option("The answer of GET /masterpoints; with an evening that of GET /sessions/SESSION/masterpoints.")
@by_option
@db_option
def masterpoints_command(
    session: str | None, club: str | None, league: str | None, keep: BinaryIO | None, name: str | None, forget: str | None,
    as_json: bool, by: str, path: Where,
) -> None:  # fmt: skip
    """Show the masterpoints of an evening, or of all players; keep or forget a table by which a club gives them.

    An evening gives them once its ranking is published, by the table that it names (`evening new --masterpoints NAME`).

    \b
    Examples:
      cardledger evening masterpoints Howell --db club.db
      cardledger evening masterpoints --club "Tuesday Cards" --db club.db
      cardledger evening masterpoints --club "Tuesday Cards" --keep samples/masterpoints.csv --table Club --db club.db
    """
    if (keep is None) != (name is None) or ((keep or forget) and club is None):
        raise FormatError("format.value", "a table has its --club, --keep and --table; --forget needs the --club")
    with Ledger(path, create=False) as ledger:
        caught_up(ledger)
        of_club = evening_meant(ledger, club, "club") if club else None
        if of_club and keep and name:
            give_table(ledger, of_club, Recorder(by), name, lines_in_file(name_of(keep), keep.read(MOST_BYTES + 1)))
        if of_club and forget:
            forget_table(ledger, of_club, Recorder(by), forget)
        people = ledger.people().name
        if session is not None:
            found = described(ledger, evening_meant(ledger, session, "session"))
            if as_json:
                print_json(found)
                return
            rows = [(row["place"], listed([*map(people, row["players"])]), row["points"]) for row in found["awards"]]
            print_table(("place", "players", "masterpoints"), rows)
            return
        totals = added_up(ledger, club=of_club, league=evening_meant(ledger, league, "league") if league else None)
        if as_json:
            print_json({"players": totals_as_json(totals)})
            return
        print_table(
            ("player", "masterpoints", "evenings"),
            [(people(each.player), printed(each.points), str(each.evenings)) for each in totals],
        )

"""The command `cardledger clubs`: every club of a house at a glance."""

from __future__ import annotations

from pathlib import Path

import click

from cardledger.cli.output import json_option, print_json, print_table
from cardledger_web.clubs.overview import overview
from cardledger_web.clubs.places import places_at


@click.command()
@click.argument("clubs", metavar="FOLDER|LIST.toml", type=click.Path(path_type=Path))
@json_option("A list with the state of every club.")
def clubs_command(clubs: Path, as_json: bool) -> None:
    """List all clubs of a folder or a list, with the state of each ledger.

    Ledgers are not opened, and need no server: the last event and the sizes of files are read. "cardledger doctor"
    looks at one ledger as a whole.

    \b
    Examples:
      cardledger clubs /var/lib/cardledger/clubs
      cardledger clubs clubs.toml --json
    """
    states = overview(places_at(clubs))
    if as_json:
        print_json([state._asdict() for state in states])
        return
    print_table(
        ("club", "last event", "events", "MB", "last copy", "state"),
        [
            (
                state.name, state.last, state.events,
                None if state.bytes is None else f"{state.bytes / 1e6:,.1f}", (state.copied or "")[:10],
                f"{state.code}: {state.why}" if state.code else state.why or "opens",
            )
            for state in states
        ],
    )  # fmt: skip

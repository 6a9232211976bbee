"""The commands `cardledger clubs`: every club of a house at a glance, and new ones."""

from __future__ import annotations

from pathlib import Path

import click

from cardledger.cli.output import json_option, print_json, print_table, tell
from cardledger.count_of import count_of
from cardledger_api.acts.command import user_of_computer
from cardledger_web.clubs.making import ADMIN, DAYS, make_club
from cardledger_web.clubs.overview import overview
from cardledger_web.clubs.places import places_at

_folder = click.argument("clubs", metavar="FOLDER|LIST.toml", type=click.Path(path_type=Path))


@click.group("clubs")
def clubs_command() -> None:
    """See and make the clubs of a server of many clubs.

    \b
    Examples:
      cardledger clubs list /var/lib/cardledger/clubs
      cardledger clubs create /var/lib/cardledger/clubs ulm
    """


@clubs_command.command("list")
@_folder
@json_option("A list with the state of every club.")
def list_command(clubs: Path, as_json: bool) -> None:
    """List all clubs of a folder or a list, with the state of each ledger.

    Ledgers are not opened, and need no server: the last event and the sizes of files are read. "cardledger doctor"
    looks at one ledger as a whole.

    \b
    Examples:
      cardledger clubs list /var/lib/cardledger/clubs
      cardledger clubs list clubs.toml --json
    """
    states = overview(places_at(clubs))
    if as_json:
        print_json([state._asdict() for state in states])
        return
    print_table(
        ("club", "last event", "events", "MB", "last copy", "restore", "state"),
        [
            (
                state.name, state.last, state.events,
                None if state.bytes is None else f"{state.bytes / 1e6:,.1f}", (state.copied or "")[:10],
                (state.restored or "")[:10] if state.restore == "proven" else state.restore,
                f"{state.code}: {state.why}" if state.code else state.why or "opens",
            )
            for state in states
        ],
    )  # fmt: skip


@clubs_command.command()
@_folder
@click.argument("name")
@click.option("--admin", default=ADMIN, show_default=True, metavar="NAME", help="The name of its first admin.")
@click.option(
    "--days", type=click.IntRange(1, 3650), metavar="N", default=DAYS, show_default=True,
    help="Days until the token of that admin expires.",
)  # fmt: skip
@json_option("The club, its first admin, and the token.")
def create(clubs: Path, name: str, admin: str, days: int, as_json: bool) -> None:
    """Make a club NAME in a folder, and print the token of its first admin; it cannot be shown again.

    A server of the folder answers for it at once, at /c/NAME/. Names have small letters, digits and hyphens. Clubs of a
    list are made by who writes the list.

    \b
    Examples:
      cardledger clubs create . ulm
      cardledger clubs create /var/lib/cardledger/clubs card-club-kiel --admin "Samira Vogt" --days 30
    """
    new = make_club(clubs, name, user_of_computer(), "cardledger clubs create", admin=admin, days=days)
    click.echo(
        f"The token of {admin}, admin of {name} for {count_of(days, 'day')}. Keep it safe: only its hash is stored.",
        err=True,
    )
    tell(as_json, new.token, name=name, path=f"/c/{name}/", admin=admin, token=new.token, days=days)

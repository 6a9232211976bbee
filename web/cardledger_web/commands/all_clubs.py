"""The commands `cardledger clubs`: every club of a house at a glance, and new ones."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import click

from cardledger.cli.output import json_option, print_json, print_table, tell
from cardledger.count_of import count_of
from cardledger.errors import LedgerError
from cardledger.sentence import advising
from cardledger_api.acts.command import noted, user_of_computer
from cardledger_api.beside.house import house_at
from cardledger_web.clubs.forgetting import forget as forget_in
from cardledger_web.clubs.making import ADMIN, DAYS, make_club
from cardledger_web.clubs.managing import FederationAct, change_settings
from cardledger_web.clubs.overview import overview
from cardledger_web.clubs.places import places_at
from cardledger_web.clubs.settings import EVERY, HouseSettings, parsed

_folder = click.argument("clubs", metavar="FOLDER|LIST.toml", type=click.Path(path_type=Path))


@click.group("clubs")
def clubs_command() -> None:
    """See and make the clubs of a server of many clubs.

    \b
    Examples:
      cardledger clubs list /var/lib/cardledger/clubs
      cardledger clubs create /var/lib/cardledger/clubs ulm
      cardledger clubs set /var/lib/cardledger/clubs --club ulm events=1000000
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


@clubs_command.command("set")
@_folder
@click.argument("values", nargs=-1, metavar="KEY=VALUE…")
@click.option("--club", default=EVERY, metavar="NAME", help="One club.  [default: all for which nothing else is set]")
@json_option("The settings that count now.")
def set_command(clubs: Path, values: tuple[str, ...], club: str, as_json: bool) -> None:
    """Set what a club may have, and how it is called; without a value, show what counts.

    Keys are "events" and "bytes", the most that its ledger may hold, "streams" and "expensive", the live streams and
    expensive answers at once, "rate", the requests a second of each client, "title", "language", and "ask": whom to ask
    for more. An empty value forgets a setting. A server goes by new quotas for events and bytes at once, and by the others
    when it opens the ledger next.

    \b
    Examples:
      cardledger clubs set . events=1000000 bytes=500000000 ask="Samira Vogt, 0731 123456"
      cardledger clubs set . --club ulm title="Card Club Ulm" language=de streams=20
      cardledger clubs set . --club ulm events=
    """
    with closing(HouseSettings(house_at(clubs))) as settings:
        settings.known(club, places_at(clubs))
        changes = dict(map(_value, values))
        by = FederationAct(user_of_computer(), "cardledger clubs set")
        found = (change_settings(clubs, settings, club, changes, by) if changes else settings.of(club))._asdict()
    if as_json:
        print_json(found)
        return
    print_table(("setting", "value"), [(key, value) for key, value in found.items() if value is not None])


@clubs_command.command()
@_folder
@click.argument("words", nargs=-1, required=True, metavar="NAME…")
@json_option("In how many places the name was.")
def forget(clubs: Path, words: tuple[str, ...], as_json: bool) -> None:
    """Take a person's NAME, and other words that mean them, from what the house of a server keeps.

    That are the names of its tokens, its acts, and the settings of clubs. Tokens of that very name end. What clubs keep is
    theirs: "cardledger people erase".

    \b
    Examples:
      cardledger clubs forget . "Samira Vogt"
    """
    found = forget_in(house_at(clubs), words)
    noted(house_at(clubs), "cardledger clubs forget", "")
    tell(as_json, f"Taken from {count_of(found, 'place')}.", places=found)


def _value(text: str) -> tuple[str, Any]:
    """Return the key and the value of a setting as it was typed; raises LedgerError `house.setting`."""
    key, equals, value = text.partition("=")
    if not equals:
        raise LedgerError("house.setting", advising(f"{text} is no setting: write it as events=100000"))
    return key, parsed(key, value)

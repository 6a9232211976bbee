"""The command `cardledger acts`, and the noting of what commands do."""

from __future__ import annotations

from contextlib import closing
from getpass import getuser
from typing import TYPE_CHECKING

import click

from cardledger.cli.options import db_option
from cardledger.cli.output import json_option, print_json, print_table
from cardledger.record.matches.matchfile import printable
from cardledger_api.acts.acts import MOST, Acts
from cardledger_api.beside.house import clubs_option, house_or_ledger

if TYPE_CHECKING:
    from pathlib import Path

    from cardledger.record.store.address import Where


def user_of_computer() -> str:
    """Return who runs a command, as acts call them."""
    try:
        user = getuser()
    except (OSError, KeyError):  # a container may have no names
        user = "unknown"
    return f"{user} on the command line"


def noted(path: Where, command: str, about: str) -> None:
    """Note what a command did, by the user of the computer; raises LedgerError if it cannot be stored."""
    with closing(Acts(path)) as acts:
        acts.note(user_of_computer(), command, about)


@click.command("acts")
@click.option(
    "--limit", type=click.IntRange(1, MOST), metavar="N", default=100, show_default=True, help="How many at most."
)
@json_option("The answer of GET /acts.")
@db_option
@clubs_option
def acts_command(limit: int, as_json: bool, path: Where, clubs: Path | None) -> None:
    """List what admins did that is no event of the ledger, the latest first.

    Who made or ended tokens, invitations and webhooks, erased somebody on a server, or read a board that a table has yet
    to play. The same act on one day is one line.

    \b
    Examples:
      cardledger acts --db club.db
      cardledger acts --clubs .
    """
    with closing(Acts(house_or_ledger(path, clubs))) as acts:
        found = acts.all(most=limit)
    if as_json:
        print_json({"acts": [act._asdict() for act in found]})
        return
    rows = [(act.last[:19].replace("T", " "), act.times, act.who, act.what, act.about) for act in found]
    print_table(("last (UTC)", "times", "who", "what", "about"), [tuple(map(_shown, row)) for row in rows])


def _shown(cell: object) -> str:
    return printable(str(cell))

"""The command of the API part: `cardledger token`."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import click

from cardledger.cli.options import db_option
from cardledger.cli.output import json_option, print_json, print_table, tell
from cardledger.count_of import count_of
from cardledger.record.matches.matchfile import printable
from cardledger.record.people.spelling import similar_names
from cardledger_api.acts.command import noted
from cardledger_api.auth.tokens import Tokens
from cardledger_api.beside.house import clubs_option, house_or_ledger
from cardledger_api.http.operations import ROLES, Role

if TYPE_CHECKING:
    from pathlib import Path

    from cardledger.record.store.address import Where


@click.group()
def token() -> None:
    """Manage the tokens that give people access to a served ledger.

    A token is a text that programs send as the header "Authorization: Bearer TOKEN"; a browser signs in at any
    address of the server with ?token=TOKEN added. A reader reads, a scorer also records and sees hidden cards, an
    admin may do everything.

    \b
    Examples:
      cardledger token create ana --role scorer --db club.db
      cardledger token list --db club.db
      cardledger token revoke ana --db club.db
    """


@token.command()
@click.argument("name")
@click.option("--role", type=click.Choice(ROLES), default=ROLES[0], show_default=True, help="What the token allows.")
@click.option(
    "--days", type=click.IntRange(1, 3650), metavar="N", default=365, show_default=True, help="Days until it expires."
)
@json_option("The token, its name, role and days.")
@db_option
@clubs_option
def create(name: str, role: Role, days: int, as_json: bool, path: Where, clubs: Path | None) -> None:
    """Make a token and print it; it cannot be shown again.

    NAME is a person or a program; events recorded with the token carry that name.

    \b
    Examples:
      cardledger token create ana --role scorer --days 365 --db club.db
      cardledger token create scoreboard --db club.db
      cardledger token create federation --role admin --clubs .
    """
    with closing(Tokens(at := house_or_ledger(path, clubs))) as tokens:
        others = [issued.name for issued, state in tokens.all() if state == "valid"]
        text = tokens.create(name, role, days)
    noted(at, "cardledger token create", f"{role} {name}")
    if alike := similar_names(name, others):
        message = f"{name} looks like {', '.join(alike)}, who can record as well: people will not tell them apart"
        click.echo(printable(f"cardledger: people.similar: {message}"), err=True)
    click.echo(
        f"The token of {name}, {role} for {count_of(days, 'day')}. Keep it safe: only its hash is stored.", err=True
    )
    tell(as_json, text, token=text, name=name, role=role, days=days)


@token.command("list")
@json_option("A list of the tokens, without their texts.")
@db_option
@clubs_option
def list_command(as_json: bool, path: Where, clubs: Path | None) -> None:
    """List all tokens, revoked and expired ones too, without their texts.

    \b
    Examples:
      cardledger token list --db club.db
    """
    with closing(Tokens(house_or_ledger(path, clubs))) as tokens:
        listed = [(one, state) for one, state in tokens.all()]
    if as_json:
        print_json([
            {"name": one.name, "role": one.role, "state": state, "created": one.created, "expires": one.expires, "scope": one.scope}
            for one, state in listed
        ])  # fmt: skip
        return
    print_table(
        ("name", "role", "state", "from", "until", "scorer of"),
        [(one.name, one.role, state, one.created[:10], (one.expires or "")[:10], one.scope) for one, state in listed],
    )


@token.command()
@click.argument("name")
@json_option("The name.")
@db_option
@clubs_option
def revoke(name: str, as_json: bool, path: Where, clubs: Path | None) -> None:
    """Revoke the token of NAME at once, also on running servers.

    \b
    Examples:
      cardledger token revoke ana --db club.db
    """
    with closing(Tokens(at := house_or_ledger(path, clubs))) as tokens:
        tokens.revoke(name)
    noted(at, "cardledger token revoke", name)
    tell(as_json, f"The token of {name} is revoked.", revoked=name)

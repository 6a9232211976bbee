"""The command of the API part: `cardledger token`."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import click

from api.operations import ROLES, Role
from api.tokens import Tokens
from ledger.cli import db_option
from ledger.store.where import opened

if TYPE_CHECKING:
    from ledger.store.where import Where


@click.group()
def token() -> None:
    """Say who may do what with a ledger that is served.

    A token is a text that programs send as the header "Authorization: Bearer TOKEN"; a browser signs in with the
    address of the server and ?token=TOKEN behind it. A reader reads, a scorer also records and sees hidden cards, an
    admin may do everything.

    \b
    Examples:
      cardledger token create ana --role scorer --db club.db
      cardledger token list --db club.db
      cardledger token revoke ana --db club.db
    """


@token.command()
@click.argument("name")
@click.option("--role", type=click.Choice(ROLES), default=ROLES[0], show_default=True, help="What it is good for.")
@click.option("--days", type=click.IntRange(1, 3650), default=365, show_default=True, help="How long it is valid.")
@db_option
def create(name: str, role: Role, days: int, path: Where) -> None:
    """Make a token and print it; it cannot be shown again.

    NAME is a person or a program; what is recorded with the token is recorded by that name.

    \b
    Examples:
      cardledger token create ana --role scorer --days 365 --db club.db
      cardledger token create scoreboard --db club.db
    """
    with closing(_tokens(path)) as tokens:
        text = tokens.create(name, role, days)
    click.echo(f"The token of {name}, {role} for {days} days. Keep it: only its hash is stored.", err=True)
    click.echo(text)


@token.command("list")
@db_option
def list_command(path: Where) -> None:
    """List all tokens there ever were, without their texts.

    \b
    Examples:
      cardledger token list --db club.db
    """
    with closing(_tokens(path)) as tokens:
        for found, state in tokens.all():
            until = (found.expires or "")[:10]
            click.echo(f"{found.name:<24} {found.role:<7} {state:<8} from {found.created[:10]} until {until}")


@token.command()
@click.argument("name")
@db_option
def revoke(name: str, path: Where) -> None:
    """End the token of NAME at once, also for servers that are running.

    \b
    Examples:
      cardledger token revoke ana --db club.db
    """
    with closing(_tokens(path)) as tokens:
        tokens.revoke(name)
    click.echo(f"The token of {name} is revoked.")


def _tokens(path: Where) -> Tokens:
    opened(path, create=False).close()  # a token of a ledger that is not there is a slip
    return Tokens(path)

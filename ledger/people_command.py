"""The commands `cardledger people …`: who is who in a ledger, and how to say so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ledger.cli import db_option
from ledger.erasing import erase as run_erasure
from ledger.erasing import examine
from ledger.ledger import Ledger
from ledger.matchfile import printable
from ledger.people import Merge, Name, Sat, Split

if TYPE_CHECKING:
    from ledger.events import Event
    from ledger.store.where import Where

_reason = click.option("--reason", metavar="TEXT", help="Why, for whoever reads it later.")


@click.group()
def people() -> None:
    """Say which player ids mean one person, and what each is called.

    Each change is an event in the ledger and can be reversed. Matches keep the ids they were recorded with; lists,
    results and statistics follow at once.

    \b
    Examples:
      cardledger people list --db club.db
      cardledger people name ana "Ana Lima" --db club.db
    """


@people.command("list")
@db_option
def list_command(path: Where) -> None:
    """List everybody who has a name or more than one id.

    \b
    Examples:
      cardledger people list --db club.db
    """
    with Ledger(path, create=False) as ledger:
        known = ledger.people()
    for person in sorted({*known.named(), *map(known.person, known.merged())}):
        own, *others = known.ids(person)
        also = f", also {', '.join(others)}" if others else ""
        click.echo(f"{own:<24} {known.name(person)}{also}")


@people.command()
@click.argument("player")
@click.argument("name", required=False)
@db_option
def name(player: str, name: str | None, path: Where) -> None:
    """Call PLAYER by NAME from now on; without NAME, by the id again.

    \b
    Examples:
      cardledger people name ana "Ana Lima" --db club.db
      cardledger people name ana --db club.db
    """
    _record(path, Name(player=player, name=name), f"{player} is called {name or player}.")


@people.command()
@click.argument("player")
@click.argument("into")
@_reason
@db_option
def merge(player: str, into: str, reason: str | None, path: Where) -> None:
    """Say that PLAYER is another id of INTO, in all matches, past and to come.

    \b
    Examples:
      cardledger people merge hana ana --reason "misspelt" --db club.db
    """
    _record(path, Merge(player=player, into=into, reason=reason), f"{player} is {into}.")


@people.command()
@click.argument("player")
@_reason
@db_option
def split(player: str, reason: str | None, path: Where) -> None:
    """Say that PLAYER, merged before, is a person of their own after all.

    \b
    Examples:
      cardledger people split hana --db club.db
    """
    _record(path, Split(player=player, reason=reason), f"{player} is a person of their own.")


@people.command()
@click.argument("match")
@click.argument("seat", type=click.IntRange(0))
@click.argument("player", required=False)
@_reason
@db_option
def sat(match: str, seat: int, player: str | None, reason: str | None, path: Where) -> None:
    """Say that PLAYER sat at SEAT (from 0) of MATCH; without PLAYER, that the opening is right after all.

    \b
    Examples:
      cardledger people sat 9f6 2 "ana of Porto" --reason "another Ana" --db club.db
    """
    with Ledger(path, create=False) as ledger:
        match = ledger.resolve(match)
    said = f"At seat {seat} of {match} sat {player or 'whoever its opening says'}."
    _record(path, Sat(match=match, seat=seat, player=player, reason=reason), said)


@people.command()
@click.argument("player")
@click.option("--yes", is_flag=True, help="Do not ask.")
@db_option
def erase(player: str, yes: bool, path: Where) -> None:
    """Erase who PLAYER is: all their ids, what they were called, and the notes and reasons that name them.

    Matches, results and proofs stay, with a pseudonym for the name; that somebody was erased, when and by whom, is an event
    in the ledger. It cannot be reversed. Backups, exports, archives and receipts of before have the name still.

    \b
    Examples:
      cardledger people erase ana --db club.db
    """
    with Ledger(path, create=False) as ledger:
        found = examine(ledger, player)
        if not yes:
            click.echo(f"This erases for good {printable(found.told)}.")
            click.confirm("Nothing brings that back. Erase?", abort=True)
        left = run_erasure(ledger, found, "cardledger")
        click.echo(f"Erased. The matches stay, played by {left}, {ledger.people().name(left)}.")


def _record(path: Where, event: Event, said: str) -> None:
    with Ledger(path, create=False) as ledger:
        ledger.register.record([event], ledger.people().seq, "cardledger", ledger.views)
    click.echo(said)

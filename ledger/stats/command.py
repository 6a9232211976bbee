"""The commands `cardledger stats …`: players of a game, one player, measures, ratings."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from ledger.cli import db_option
from ledger.ledger import Ledger
from ledger.people import People
from ledger.stats.export import as_csv, as_json, as_lines, write_parquet
from ledger.stats.query import DIMENSIONS, Query
from ledger.stats.tables import Statistics, Table
from ledger.store.where import Where

_FILTERS = (
    click.option("--since", metavar="DAY", help="From this day on, as 2026-01-31."),
    click.option("--until", metavar="DAY", help="Up to this day."),
    click.option("--event", help="Of this club night or tournament."),
    click.option("--against", metavar="NAME,…", help="Where all of these sat at the table too."),
    click.option("--seat", metavar="SEAT", help="At this seat, from 0."),
    click.option("--turn", metavar="PLACE", help="At this place from the dealer: 1 is left of the dealer."),
    click.option("--size", metavar="N", help="At tables of so many players."),
    click.option("--option", metavar="NAME:VALUE,…", help="With these options of the match."),
    click.option("--policy", type=click.Choice(("strict", "record")), help="Of matches under this policy."),
    click.option("--by", metavar="DIMENSION", help=f"Split by {', '.join(DIMENSIONS)}, or a count of the game."),
)
_FORMS = (
    db_option,
    click.option("--json", "form", flag_value="json", help="As JSON, with what it was computed from."),
    click.option("--csv", "form", flag_value="csv", help="As CSV."),
    click.option("--parquet", "file", type=click.Path(path_type=Path, dir_okay=False), help="Into a Parquet file."),
)


def _with(*options: Callable[..., Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return what adds options to a command, in their order."""

    def add(command: Callable[..., None]) -> Callable[..., None]:
        for option in reversed(options):
            command = option(command)
        return command

    return add


@click.group()
def stats() -> None:
    """Statistics of players: measures with intervals, honest comparison, ratings.

    Every table says below it which events it was computed from and what was left out. The filters are the same
    everywhere, in the API and on the pages too.

    \b
    Examples:
      cardledger stats players diversity --db club.db
      cardledger stats player ana --by month --db club.db
      cardledger stats measures diamonds-bid
    """


@stats.command()
@click.argument("game", required=False)
@_with(*_FORMS)
def measures(game: str | None, path: Where, form: str | None, file: Path | None) -> None:
    """List the measures, with the formula of each; with GAME, those that its players have.

    \b
    Examples:
      cardledger stats measures
      cardledger stats measures ruff --json
    """
    _print(Statistics.measures(game), form, file)


@stats.command()
@click.argument("game")
@click.option("--measure", metavar="ID", help="By this measure instead of points. [see: stats measures]")
@_with(*_FILTERS, *_FORMS)
def players(game: str, measure: str | None, path: Where, form: str | None, file: Path | None, **query: str) -> None:
    """Compare the players of GAME.

    Points a hand as they were; adjusted for the opponents met; what to believe of them, shrunk towards the field as
    few hands demand; how likely each is the best. Who has too few hands is not ranked. "better" and "worse" are
    those who differ from the field beyond chance, all players considered.

    \b
    Examples:
      cardledger stats players diversity --since 2026-01-01 --db club.db
      cardledger stats players diamonds-bid --measure made --by bid --csv --db club.db
    """
    _answer(path, form, file, lambda found: found.players(game, Query.parse(query), measure))


@stats.command()
@click.argument("player")
@click.option("--game", metavar="GAME", help="In this game alone.")
@_with(*_FILTERS, *_FORMS)
def player(player: str, game: str | None, path: Where, form: str | None, file: Path | None, **query: str) -> None:
    """Tell every measure of PLAYER, beside that of the others.

    \b
    Examples:
      cardledger stats player ana --db club.db
      cardledger stats player ana --game diamonds-bid --by bid --db club.db
      cardledger stats player ana --against ben --db club.db
    """
    _answer(path, form, file, lambda found: found.player(player, Query.parse(query), game))


@stats.command()
@click.argument("game")
@click.option("--player", metavar="PLAYER", help="How the rating of this player came about, match by match.")
@_with(*_FORMS)
def ratings(game: str, player: str | None, path: Where, form: str | None, file: Path | None) -> None:
    """List the ratings of GAME (Weng and Lin's Plackett-Luce).

    \b
    Examples:
      cardledger stats ratings ruff --db club.db
      cardledger stats ratings ruff --player ana --db club.db
    """
    _answer(path, form, file, lambda found: found.ratings(game, player))


def _answer(path: Where, form: str | None, file: Path | None, ask: Callable[[Statistics], Table]) -> None:
    """Ask a ledger and print the answer."""
    with Ledger(path, create=False) as ledger:
        ledger.views.catch_up()
        table = ask(Statistics.of(ledger.views))
        if form is None and file is None:
            table = _by_name(table, ledger.people())
    _print(table, form, file)


def _by_name(table: Table, people: People) -> Table:
    """Return a table for people to read: who has a name is called by it, with the id to ask for behind."""
    names = people.named()
    rows = [
        row | {"player": f"{names[row['player']]} ({row['player']})"} if row.get("player") in names else row
        for row in table.rows
    ]
    return replace(table, rows=rows)


def _print(table: Table, form: str | None, file: Path | None) -> None:
    """Print a table as lines, JSON or CSV, or write it to a Parquet file."""
    if file is not None:
        write_parquet(table, file)
        click.echo(f"{len(table.rows)} rows written to {file}", err=True)
    elif form == "json":
        click.echo(json.dumps(as_json(table), ensure_ascii=False))
    elif form == "csv":
        sys.stdout.write(as_csv(table))
    else:
        for line in as_lines(table):
            click.echo(line)

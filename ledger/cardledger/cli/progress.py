"""The command `cardledger stats progress`: what a player answered to questions about hands, and what the choices cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cardledger.cli.options import db_option
from cardledger.cli.output import json_option, print_json, print_table, print_text
from cardledger.record.matches.matchfile import printable
from cardledger.record.recording.ledger import Ledger
from cardledger.record.store.address import Where
from cardledger.rules.games import game
from cardledger.study.stats.review.progress import progress

if TYPE_CHECKING:
    from collections.abc import Mapping


@click.command("progress")
@click.argument("player")
@click.option("--game", "game_id", metavar="GAME", help="Only answers about hands of this game.")
@db_option
@json_option("The figures by game and month, and the latest answers.")
def progress_command(player: str, game_id: str | None, path: Where, as_json: bool) -> None:
    """Show how often the answers of PLAYER were best, and what they cost on average, by game and month.

    Answers are recorded by `cardledger quiz --as PLAYER`, on the pages and in the API. Those that were not weighed yet
    are weighed first, which takes a second or so for each. Intervals are of 95%.

    \b
    Examples:
      cardledger stats progress ana --db club.db
      cardledger stats progress ana --game ruff --json --db club.db
    """
    with Ledger(path, create=False) as ledger:
        found = progress(ledger, player, game_id and game(game_id).id, at_once=True)
        name = ledger.people().name(player)
    if as_json:
        print_json(found)
        return
    if not found["games"]:
        print_text(f"{printable(name)} has answered nothing yet.")
        return
    rows = [
        (each["game"], when, str(row["answers"]), _share(row["best"]), _cost(row["cost"]))
        for each in found["games"]
        for when, row in (("in all", each), *((month["month"], month) for month in each["months"]))
    ]
    print_table(("game", "when", "answers", "best", "costs"), rows)


def _share(best: Mapping[str, Any] | None) -> str:
    return "" if best is None else f"{best['value']:.0%} ({best['low']:.0%} to {best['high']:.0%})"


def _cost(cost: Mapping[str, Any] | None) -> str:
    if cost is None:
        return ""
    interval = "" if cost["low"] is None else f" ({cost['low']:.2f} to {cost['high']:.2f})"
    return f"{cost['value']:.2f}{interval}"

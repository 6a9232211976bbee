"""The command `cardledger double-dummy`.

What a deal of bridge is worth with all cards open, and what each card gave up.
"""

from __future__ import annotations

import json

import click

from cardledger.cli.options import db_option
from cardledger.cli.output import json_option
from cardledger.record.matches.matchfile import printable
from cardledger.record.recording.ledger import Ledger
from cardledger.record.store.address import Where
from cardledger.study.stats.double_dummy import solver
from cardledger.study.stats.double_dummy.analysis import in_words, solve
from cardledger.study.stats.luck.luck_store import LuckStore


@click.command("double-dummy")
@click.argument("match")
@db_option
@click.option("--hand", "number", type=click.IntRange(1), metavar="N", help="Only this hand.")
@json_option("An object for each hand.")
def double_dummy_command(match: str, path: Where, number: int | None, as_json: bool) -> None:
    """Analyse MATCH, a match of bridge, with all cards open.

    For each finished hand whose cards are known: the tricks of every declarer in every strain, the par score, and the
    tricks that each card gave up. It needs the extra cardledger[bridge]. Results are saved beside the ledger.

    \b
    Examples:
      cardledger double-dummy 5 --hand 1 --db club.db
    """
    if not solver.installed():
        raise click.ClickException(f'the solver is not installed: pip install "{solver.EXTRA}"')
    with Ledger(path, create=False) as ledger, LuckStore(ledger) as store:
        shown = 0
        for found in solve(ledger, store, ledger.resolve(match)):
            if number in (None, found.deal.hand):
                shown += 1
                for line in [json.dumps(found.json())] if as_json else in_words(found):
                    click.echo(printable(line))
    if not shown:
        which = (
            "No finished hand of this match has"
            if number is None
            else f"Hand {number} of this match is not finished, or has not"
        )
        click.echo(f"{which} all its cards known: there is nothing to solve.", err=True)

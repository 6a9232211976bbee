"""The command `cardledger what-if`."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import click

from cardledger.cli.analyse import source_of
from cardledger.cli.options import db_option
from cardledger.cli.output import json_option
from cardledger.crew import Alone, Crew, Processes, cores
from cardledger.record.matches.matchfile import printable
from cardledger.record.store.address import Where
from cardledger.study.analyse.what_if import as_json as in_json
from cardledger.study.analyse.what_if import game_of, judge_share, lines, what_if


@click.command("what-if")
@click.argument("paths", nargs=-1, metavar="[FILE]...", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@db_option
@click.option("--rules", required=True, metavar="EDITION", help="The edition that judges, as ruff/2.")
@click.option("--game", metavar="GAME", help="Judge the hands of this game. [default: the game of the edition]")
@click.option("--most", type=click.IntRange(0), metavar="N", default=10, show_default=True, help="Hands to list.")
@click.option(
    "--workers", type=click.IntRange(1), metavar="N", help="Number of worker processes. [default: one for each core]"
)
@json_option("With every hand that is judged otherwise.")
def what_if_command(
    paths: tuple[Path, ...], path: Where, rules: str, game: str | None, most: int, workers: int | None, as_json: bool
) -> None:
    """Judge every hand again under another edition of its rulebook, or under a variant, and say what differs.

    The cards stay as they were played: where a trick falls to somebody else, the hand stops, because nobody knows how
    it would have gone on. Each hand is judged alone, as if the hands before it had scored nothing. Hands that were not
    played out, or whose deal is not known, are left out. Give packed archives or match files; without FILE the ledger
    is read.

    \b
    Examples:
      cardledger what-if --rules ruff-2/2 --game ruff --db club.db
      cardledger what-if season.parquet --rules diversity/2
    """
    chosen = game or game_of(rules)
    count = workers or cores()
    crew: Crew = Alone(judge_share) if count == 1 else Processes(judge_share, count)
    with closing(crew):
        found = what_if(source_of(paths, path, chosen), crew, chosen, rules)
    for line in [in_json(found, chosen, rules)] if as_json else lines(found, chosen, rules, most):
        click.echo(printable(line))

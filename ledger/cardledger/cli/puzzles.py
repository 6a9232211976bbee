"""The command `cardledger puzzles`: decisions of the club's own hands with one best choice, which the player missed."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from cardledger.cli.luck import compute_missing
from cardledger.cli.options import db_option
from cardledger.cli.output import json_option, print_json, print_text
from cardledger.count_of import count_of
from cardledger.record.matches.matchfile import printable
from cardledger.record.recording.ledger import Ledger
from cardledger.record.store.address import Where
from cardledger.rules.games import game, games
from cardledger.study.stats.luck import accounts
from cardledger.study.stats.luck.luck_store import LuckStore
from cardledger.study.stats.review.puzzles import find_puzzles
from cardledger.study.stats.review.review import USUAL

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date


@click.command("puzzles")
@click.argument("game_ids", nargs=-1, metavar="[GAME]...")
@click.option(
    "--limit",
    type=click.IntRange(1, 100),
    default=20,
    metavar="N",
    show_default=True,
    help="So many of each game at most.",
)
@click.option(
    "--day",
    type=click.DateTime(["%Y-%m-%d"]),
    metavar="DAY",
    help="Only the puzzle of this day, of each game: it is the same for everybody.",
)
@db_option
@json_option("An object for each puzzle, without its answer.")
def puzzles_command(game_ids: tuple[str, ...], limit: int, day: datetime | None, path: Where, as_json: bool) -> None:
    """Find decisions in which one choice is better than all others, and the player made another.

    Each other choice costs at least three standard errors against the best one. Hands without a review are reviewed
    first, which takes seconds for each; all is saved beside the ledger. The answer is not shown: `cardledger quiz` asks.
    Those come first that people missed most often, who played the hand or answered (`cardledger quiz --as`). Hands of
    players who left theirs out (`cardledger people pose`) and of an evening that is not over are no puzzles.

    \b
    Examples:
      cardledger puzzles ruff --db club.db
      cardledger puzzles --limit 3 --json --db club.db
      cardledger puzzles ruff --day 2026-11-28 --db club.db
    """
    chosen = [game(id).id for id in game_ids] or [*games()]
    with Ledger(path, create=False) as ledger, LuckStore(ledger) as store:
        store.catch_up()
        for id in chosen:
            account = puzzles_of(id, ledger, store, limit, (day or datetime.now().astimezone()).date())
            if account is None:
                continue
            if day is not None:
                account["puzzles"] = [one for one in (account["today"],) if one is not None]
            if as_json:
                for one in account["puzzles"]:
                    print_json(asdict(one))
            else:
                print_text(*_listed(id, account, ledger))


def puzzles_of(id: str, ledger: Ledger, store: LuckStore, limit: int, day: date) -> dict[str, Any] | None:
    """Find the puzzles of a game, and return at most so many and the one of a day; None where it has no hands."""
    hands = store.hands("game = ? AND why IS NULL", (id,))
    if not hands:
        return None
    compute_missing(id, hands, store, USUAL)
    for _ in find_puzzles(hands, store):
        pass
    return accounts.posable(accounts.puzzles(store, [id]), ledger, limit, day)


def _listed(id: str, account: dict[str, Any], ledger: Ledger) -> Iterator[str]:
    yield f"{id}: {count_of(len(account['puzzles']), 'puzzle')}"
    people = ledger.people()
    for one in account["puzzles"]:
        seated = people.seated(one.match, ledger.stream(one.match).table.players)
        player = printable(people.name(seated[one.seat]))
        asks = f"cardledger quiz {one.match[:8]} {one.hand} --seat {one.seat} --at {one.seq}"
        yield f"  {asks}  ({player}, {one.options} choices, missed by {one.missed} of {one.tries})"

"""The command `cardledger hands`: every hand in which something happened, as a table or as the API lists them."""

from __future__ import annotations

import re
from typing import Any

import click

from cardledger.cli.matches import ALL, DAY, day, length_of_ids
from cardledger.cli.notices import caught_up
from cardledger.cli.options import db_option
from cardledger.cli.output import json_option, print_json, print_table
from cardledger.record.readmodels.questions.card_in_hand import WAYS
from cardledger.record.readmodels.questions.hand_list import list_hands
from cardledger.record.readmodels.questions.match_list import ORDERS
from cardledger.record.recording.ledger import Ledger
from cardledger.record.store.address import Where
from cardledger.rules.games import game
from cardledger.study.stats.measures.hand_counts import hand_counts, situations_wanted

_CURSOR = re.compile("[0-9]{1,18}[.][0-9]{1,9}")
_LEFT_OUT = ("position",)
_FLAGS = ("hidden",)


def _place(_context: click.Context, _option: click.Parameter, given: str | None) -> tuple[int, int] | None:
    if given is None:
        return None
    if not _CURSOR.fullmatch(given):
        raise click.BadParameter("give the `next` of an answer")
    position, _, number = given.partition(".")
    return int(position), int(number)


@click.command("hands")
@click.argument("game_id", metavar="[GAME]", required=False)
@click.option(
    "--where",
    metavar="NAME:VALUE,…",
    help="Only where this happened to one player: a situation or a count, as moon:1, points:26.. or standing:behind.",
)
@click.option(
    "--card", metavar="CARD", help="Only where this card, as QS, came to one player; only hands that are over."
)
@click.option("--how", type=click.Choice([*WAYS]), help="How that card came to the player.  [default: dealt]")
@click.option("--player", metavar="NAME", help="Only hands of this person, and what happened to them.")
@click.option("--event", metavar="TEXT", help="Only this club night or tournament, as written.")
@click.option("--rule", metavar="RULE", help="Only where this rule decided something.")
@click.option("--violation", metavar="RULE", help="Only where this rule was broken.")
@click.option("--score-min", type=int, metavar="POINTS", help="Only where somebody scored at least this.")
@click.option("--score-max", type=int, metavar="POINTS", help="Only where somebody scored at most this.")
@click.option("--seat", type=click.IntRange(0), metavar="SEAT", help="Only what happened at this seat, from 0.")
@click.option(
    "--turn",
    type=click.IntRange(1),
    metavar="PLACE",
    help="Only at this place from the dealer: 1 is left of the dealer.",
)
@click.option("--seats", type=click.IntRange(1), metavar="N", help="Only at tables of this many players.")
@click.option("--since", type=DAY, metavar="DAY", callback=day, help="From this day on, as 2026-01-31.")
@click.option("--until", type=DAY, metavar="DAY", callback=day, help="Up to this day.")
@click.option("--ended-by", type=click.Choice(("play", "claim", "score")), help="Only hands that ended like this.")
@click.option("--doubtful", is_flag=True, help="Only with impossible points.")
@click.option(
    "--sort", type=click.Choice(ORDERS), default=ORDERS[0], show_default=True, help="Which matches come first."
)
@click.option("--limit", type=click.IntRange(1), default=ALL, metavar="N", help="Only the first N.  [default: all]")
@click.option("--after", callback=_place, metavar="NEXT", help="Go on after an answer: its `next`.")
@click.option("--names", is_flag=True, help="List what --where takes, with the meaning of each.")
@json_option("The answer of the API: `hands` and `next`.")
@db_option
def hands_command(
    game_id: str | None,
    where: str | None,
    doubtful: bool,
    sort: str,
    limit: int,
    after: tuple[int, int] | None,
    names: bool,
    as_json: bool,
    path: Where,
    **filters: Any,
) -> None:
    """List every hand in which something happened; with GAME, only hands of that game.

    All filters must hold. `cardledger show MATCH --at EVENT` shows the table at an event, and the page of a match
    replays it.

    \b
    Examples:
      cardledger hands hearts --where moon:1 --db club.db
      cardledger hands --player ana --where standing:behind,void_suits:2.. --db club.db
      cardledger hands hearts --card QS --how won --player ana --limit 1 --db club.db
      cardledger hands ruff --violation follow.suit --since 2026-01-01 --json --db club.db
      cardledger hands bridge --names
    """
    chosen = None if game_id is None else game(game_id).id
    if names:
        _print_names(chosen, as_json)
        return
    wanted = situations_wanted(where, chosen)
    with Ledger(path, create=False) as ledger:
        caught_up(ledger)
        listed = list_hands(
            ledger, limit, after, sort=sort, where=wanted, game=chosen, doubtful=doubtful or None, **filters
        )
        shown = length_of_ids({*ledger.matches()})
    if as_json:
        following = listed.next and "{}.{}".format(*listed.next)
        print_json({"hands": [_as_the_api(row) for row in listed.hands], "next": following})
        return
    if not listed.hands:
        click.echo("no hand fits: leave out a filter", err=True)
    print_table(
        ("match", "hand", "date", "game", "events", "points"),
        [
            (row["match"][:shown], row["hand"], row["date"], row["game"], _events(row), _points(row))
            for row in listed.hands
        ],
    )


def _print_names(game_id: str | None, as_json: bool) -> None:
    """Print the names of situations and counts with their meanings."""
    known = hand_counts(game_id)
    if as_json:
        print_json({"names": dict(known)})
    else:
        print_table(("name", "meaning"), known.items())


def _as_the_api(row: dict[str, Any]) -> dict[str, Any]:
    """Return a hand as the API lists it."""
    return {name: bool(value) if name in _FLAGS else value for name, value in row.items() if name not in _LEFT_OUT}


def _events(row: dict[str, Any]) -> str:
    return f"{row['first_seq']} to {row['last_seq']}" if row["last_seq"] else f"from {row['first_seq']}"


def _points(row: dict[str, Any]) -> str:
    return ", ".join(f"{seat['player']} {'–' if seat['score'] is None else seat['score']}" for seat in row["seats"])

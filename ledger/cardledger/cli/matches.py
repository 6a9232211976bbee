"""The command `cardledger matches`: the matches of a ledger, filtered, as a table or as the API lists them."""

from __future__ import annotations

import sys
from datetime import datetime
from typing import Any

import click

from cardledger.cli.notices import caught_up
from cardledger.cli.options import db_option
from cardledger.cli.output import json_option, print_json, print_table, width
from cardledger.cli.verification import expect_folded
from cardledger.errors import FormatError
from cardledger.record.matches.describe import points_of
from cardledger.record.matches.shape import written_day
from cardledger.record.readmodels.questions.match_list import DATES, list_matches
from cardledger.record.recording.ledger import Ledger
from cardledger.record.store.address import Where
from cardledger.rules.games import game

ALL = sys.maxsize - 1
"""The limit of a list that has none."""
_SHORTEST = 8
"""Characters of an id that are shown at least."""
_LEFT_OUT = ("match", "board", "position", "beginning", "seats", "corrections")


def day(_context: click.Context, _option: click.Parameter, given: datetime | None) -> str | None:
    """Return the day of an option as texts of days are written; a callback of click."""
    return None if given is None else given.date().isoformat()


def written(_context: click.Context, option: click.Parameter, said: str) -> str:
    """Return a day, a month or a year of an option as an opening has it; a callback of click."""
    try:
        return written_day(said)
    except FormatError:
        raise click.BadParameter(f"write 2026-01-31, 2026-01 or 2026, not {said!r}", param=option) from None


DAY = click.DateTime(["%Y-%m-%d"])


@click.command("matches")
@click.option("--game", "game_id", metavar="GAME", help="Only this game.")
@click.option("--player", metavar="NAME", help="Only where this person played.")
@click.option("--against", metavar="NAME", help="Only against this person.")
@click.option("--partner", metavar="NAME", help="Only with this person as partner.")
@click.option("--seats", type=click.IntRange(1), metavar="N", help="Only at tables of N players.")
@click.option("--seat", type=click.IntRange(0), metavar="N", help="Only with the player in this seat, from 0.")
@click.option("--rank", type=click.IntRange(0), metavar="N", help="Only with the player in this place of the result.")
@click.option("--event", metavar="TEXT", help="Only of this club night or tournament.")
@click.option("--table", "board", metavar="TEXT", help="Only at this table.")
@click.option("--place", metavar="TEXT", help="Only at this place.")
@click.option("--since", type=DAY, metavar="DAY", callback=day, help="From this day on, as 2026-01-31.")
@click.option("--until", type=DAY, metavar="DAY", callback=day, help="Up to this day.")
@click.option("--date", type=click.Choice(DATES), help="Only those whose day of play is known, or is not.")
@click.option("--status", type=click.Choice(["open", "complete", "ended", "void"]), help="Only of this status.")
@click.option("--policy", type=click.Choice(["strict", "record"]), help="Only under this policy.")
@click.option("--irregular", is_flag=True, help="Only with irregular play.")
@click.option("--limit", type=click.IntRange(1), default=ALL, metavar="N", help="Only the latest N.  [default: all]")
@click.option("--after", type=click.IntRange(1), metavar="NEXT", help="Go on after an answer: its `next`.")
@json_option("The answer of the API: `matches`, newest first, and `next`.")
@db_option
def matches_command(
    game_id: str | None,
    irregular: bool,
    limit: int,
    after: int | None,
    as_json: bool,
    path: Where,
    **filters: Any,
) -> None:
    """List the matches of a ledger in the order of recording; winners have a star.

    On a terminal, ids are cut to what is needed to tell them apart.

    \b
    Examples:
      cardledger matches --db club.db
      cardledger matches --game diversity --player ana --limit 20 --db club.db
      cardledger matches --since 2026-01-01 --status complete --json --db club.db
    """
    chosen = None if game_id is None else game(game_id).id
    with Ledger(path, create=False) as ledger:
        behind = caught_up(ledger)
        listed = list_matches(ledger, limit, after, game=chosen, violations=irregular or None, **filters)
        if as_json:
            print_json(
                {
                    "matches": [listed_match(row) for row in listed.matches],
                    "next": None if listed.next is None else str(listed.next),
                }
            )
        else:
            known = {match for (match,) in ledger.views.reader.execute("SELECT match FROM matches")}
            _print(listed.matches, known)
        missing = {*ledger.matches()} - {match for (match,) in ledger.views.reader.execute("SELECT match FROM matches")}
        if behind is not None and missing:
            click.echo(f"{len(missing)} more matches cannot be listed now", err=True)
            sys.exit(2)
        expect_folded(ledger, missing)


def listed_match(row: dict[str, Any]) -> dict[str, Any]:
    """Return a match as the API lists it."""
    return {"id": row["match"], "table": row["board"]} | {key: row[key] for key in row if key not in _LEFT_OUT}


def _print(rows: list[dict[str, Any]], known: set[str]) -> None:
    if not rows:
        text = (
            "no match fits: leave out a filter"
            if known
            else "there are no matches yet: cardledger import FILE stores some"
        )
        click.echo(text, err=True)
    shown = length_of_ids(known)
    print_table(
        ("match", "date", "game", "status", "hands", "points"),
        [
            (
                row["match"][:shown],
                row["date"] or row["period"] or "unknown",
                row["game"],
                row["status"],
                str(row["hands_complete"]),
                _points(row),
            )
            for row in reversed(rows)
        ],
    )


def _points(row: dict[str, Any]) -> str:
    irregular = f"; {row['violations']} irregular" if row["violations"] else ""
    return points_of(row["sides"], row["players"], row["totals"], row["winners"]) + irregular


def length_of_ids(ids: set[str]) -> int | None:
    """Return how many characters of ids to show: on a terminal what tells all of them apart, else all (None)."""
    if width() is None:
        return None
    length = _SHORTEST
    while len({id[:length] for id in ids}) < len(ids):
        length += 1
    return length

"""The commands `cardledger evening boards` and `evening card`: the travellers of an evening, and the card of a pair."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cardledger.cli.notices import caught_up, evening_meant
from cardledger.cli.options import db_option
from cardledger.cli.output import json_option, print_json
from cardledger.listed import listed
from cardledger.record.matches.matchfile import printable
from cardledger.record.recording.ledger import Ledger
from cardledger.record.recording.moment import position_of
from cardledger.rules.evenings.wording import SEATS, award_in_words, award_of_side

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardledger.record.people.people import People
    from cardledger.record.store.address import Where

_as_of = click.option(
    "--as-of", "said", metavar="POSITION|TIME", help="As of a position of the ledger, or the last one before a time."
)


@click.command("boards")
@click.argument("evening")
@click.option("--board", "only", type=click.IntRange(1), metavar="N", help="Only this board.")
@_as_of
@json_option("The answer of GET /sessions/SESSION/travellers.")
@db_option
def boards_command(evening: str, only: int | None, said: str | None, as_json: bool, path: Where) -> None:
    """Show the travellers of an evening: every result of each board, with its points for both lines.

    \b
    Examples:
      cardledger evening boards session-7c1d --db club.db
      cardledger evening boards session-7c1d --board 7 --json --db club.db
    """
    with Ledger(path, create=False) as ledger:
        caught_up(ledger)
        id = evening_meant(ledger, evening, "session")
        position = ledger.store.last_position() if said is None else position_of(ledger.store, said)
        boards = ledger.evenings.rankings.travellers(id, position)
        boards = [board for board in boards if only in (None, board["board"])]
        if as_json:
            print_json({"evening": id, "position": position, "boards": boards})
            return
        for board in boards:
            for line in _traveller(board):
                click.echo(printable(line))


@click.command("card")
@click.argument("evening")
@click.argument("entry", type=click.IntRange(1))
@_as_of
@json_option("The answer of GET /sessions/SESSION/cards/ENTRY.")
@db_option
def card_command(evening: str, entry: int, said: str | None, as_json: bool, path: Where) -> None:
    """Show the card of a pair, a team or a player: each board with opponents, result and points, and how ENTRY stood then.

    \b
    Examples:
      cardledger evening card session-7c1d 1 --db club.db
    """
    with Ledger(path, create=False) as ledger:
        caught_up(ledger)
        id = evening_meant(ledger, evening, "session")
        position = ledger.store.last_position() if said is None else position_of(ledger.store, said)
        card = ledger.evenings.rankings.card(id, entry, position)
        if as_json:
            print_json({"evening": id, "position": position, **card})
            return
        for line in _card(card, ledger.people()):
            click.echo(printable(line))


def _traveller(board: dict[str, Any]) -> Iterator[str]:
    yield f"board {board['board']}"
    yield f"{'NS':>6} {'EW':>6}  {'contract':<10} {'lead':<5} {'tricks':>6} {'score':>7} {'NS':>8} {'EW':>8}"
    for line in board["lines"]:
        score = award_in_words(line["ns_award"], line["ew_award"], (line["ns_percent"], line["ew_percent"]))
        yield (
            f"{_numbers(line['ns']):>6} {_numbers(line['ew']):>6}  {_contract(line):<10} {line['lead'] or '':<5}"
            f" {_or_blank(line['tricks']):>6} {score:>7} {line['ns_points'] or '':>8} {line['ew_points'] or '':>8}"
        )


def _card(card: dict[str, Any], people: People) -> Iterator[str]:
    yield f"{card['entry']}: {listed([*map(people.name, card['players'])])}, place {card['place'] or 'none'}"
    yield (
        f"{'board':>6} {'against':>8}  {'':<2} {'contract':<10} {'tricks':>6} {'score':>7} {'points':>8} {'running':>8}"
    )
    for line in card["lines"]:
        ruled = f" (ruled: {award_of_side(line['award'], line['percent'])})" if line.get("ruled") else ""
        yield (
            f"{_or_blank(line['board']):>6} {_numbers(line['opponents']):>8} "
            f" {line.get('line', ''):<2} {_contract(line):<10}"
            f" {_or_blank(line.get('tricks')):>6} {_or_blank(line.get('score')):>7} {line['points']:>8}"
            f" {line['running']:>8}{ruled}"
        )


def _contract(line: dict[str, Any]) -> str:
    if line.get("declarer") is None:
        return line.get("contract") or ""
    return f"{line['contract']} {SEATS[line['declarer']]}"


def _numbers(entries: Sequence[int]) -> str:
    return "-".join(map(str, entries))


def _or_blank(value: object) -> str:
    return "" if value is None else str(value)

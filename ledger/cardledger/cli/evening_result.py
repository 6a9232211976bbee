"""The command that records hands of a table: `cardledger evening result`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
import msgspec

from cardledger.cli.notices import caught_up, evening_meant
from cardledger.cli.options import by_option, db_option
from cardledger.cli.output import json_option, print_json
from cardledger.listed import listed
from cardledger.record.matches.matchfile import printable
from cardledger.record.recording.hand_lines import match_at_table, read_hands
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.engine.events import bare
from cardledger.rules.evenings.session import SessionState

if TYPE_CHECKING:
    from cardledger.record.store.address import Where


@click.command("result")
@click.argument("evening")
@click.argument("table", type=click.IntRange(1))
@click.argument("lines", nargs=-1, required=True, metavar="LINE...")
@click.option(
    "--board", type=click.IntRange(1), metavar="N", help="The board of the first line; else the one that is next."
)
@click.option("--round", type=click.IntRange(1), metavar="N", help="The round; the latest of the table unless given.")
@click.option(
    "--language", type=click.Choice(["de", "fr"]), help="Read the words of this language, too: 4P for spades."
)
@by_option
@json_option("The answer of GET /matches/MATCH/line for each line.")
@db_option
def result_command(
    evening: str, table: int, lines: tuple[str, ...], board: int | None, round: int | None, language: str | None,
    by: str, as_json: bool, path: Where,
) -> None:  # fmt: skip
    """Record boards of a TABLE with contract, declarer and tricks: a LINE for each, all of them or none.

    A LINE is `4S N 10`, `3NTx W -1`, `2H E =`, or `pass` for a board passed out.

    \b
    Examples:
      cardledger evening result Wednesday 1 "4S N 10" --db club.db
      cardledger evening result Wednesday 1 "3NTx W -1" --board 6 --db club.db
    """
    with Ledger(path, create=False) as ledger:
        caught_up(ledger)
        state = ledger.evenings.stream(evening_meant(ledger, evening, "session")).state
        assert isinstance(state, SessionState)
        match = match_at_table(state, table, round)
        before, people = ledger.stream(match), ledger.people()
        hands = read_hands(ledger, match, lines, board, language or "")
        ledger.record(match, [event for hand in hands for event in hand.events], before.seq, by)
        for hand in hands:
            if as_json:
                events = [msgspec.to_builtins(bare(event)) for event in hand.events]
                print_json({"match": match, "board": hand.board, "scores": [*hand.scores], "events": events})
                continue
            names = [people.name(player) for player in people.seated(match, before.table.players)]
            sides = " : ".join(listed(names[side::2]) for side in (0, 1))
            where = f"board {hand.board}" if hand.board else "recorded"
            click.echo(printable(f"{where}: {hand.scores[0]:+d} for {sides}"))

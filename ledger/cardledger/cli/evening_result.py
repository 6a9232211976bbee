"""The command that records hands of a table: `cardledger evening result`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
import msgspec

from cardledger.cli.notices import caught_up, evening_meant, tell_doubts
from cardledger.cli.options import by_option, db_option
from cardledger.cli.output import json_option, print_json
from cardledger.errors import FormatError
from cardledger.listed import listed
from cardledger.record.matches.matchfile import printable
from cardledger.record.matches.results_only import ENDED
from cardledger.record.people.recorders import Recorder
from cardledger.record.recording.hand_lines import hands_at_table
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.engine.events import End, bare
from cardledger.rules.engine.hand_line import LineWords
from cardledger.rules.evenings.contract import PASSED_OUT
from cardledger.rules.games.bridge.contract_line import outcome_of, write_contract

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardledger.record.recording.hand_lines import HandRead
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
@click.option("--end", "ends", is_flag=True, help="The match ends with these hands.")
@by_option
@json_option("The answer of GET /matches/MATCH/line for each line.")
@db_option
def result_command(
    evening: str, table: int, lines: tuple[str, ...], board: int | None, round: int | None, language: str | None,
    ends: bool, by: str, as_json: bool, path: Where,
) -> None:  # fmt: skip
    """Record hands of a TABLE whose round is open: a LINE for each, all of them or none.

    At bridge a LINE is `4S N 10`, `3NTx W -1`, `2H E =`, or `pass` for a board passed out. At a table whose
    results are entered without a match, they are results of the evening. At other games a LINE has the numbers of
    their score sheet as the players sit, bids first: `3 15 5 3`, and - for one that follows from the others. --end ends
    a match that its game would continue.

    \b
    Examples:
      cardledger evening result Friday 1 "0 13 8 -" "26 26 0 26" --end --db club.db
      cardledger evening result Howell 2 "4S N 10" pass --round 2 --db club.db
      cardledger evening result Howell 3 "3NTx W -1" --round 3 --board 4 --db club.db
    """
    with Ledger(path, create=False) as ledger:
        caught_up(ledger)
        session = evening_meant(ledger, evening, "session")
        said = hands_at_table(ledger, session, (round, table), lines, board, language or "")
        events = [event for hand in said.hands for event in hand.events]
        if said.match:
            ending = [End(reason=ENDED)] if ends else []
            tell_doubts(said.match, ledger.record(said.match, [*events, *ending], said.seq, by))
        elif ends:
            raise FormatError("format.value", f"table {table} has no match to end: leave --end out")
        else:
            ledger.evenings.record(session, events, said.seq, Recorder(by), as_written=False)
        by_contract = not said.match or ledger.stream(said.match).table.game.sheet.line is not None
        for hand, line in zip(said.hands, lines, strict=True):
            if as_json:
                shown = [msgspec.to_builtins(bare(event)) for event in hand.events]
                print_json({"match": said.match, "board": hand.board, "scores": [*hand.scores], "events": shown})
                continue
            where = f"board {hand.board}" if hand.board else "recorded"
            click.echo(printable(f"{where}: {_in_words(hand, line, said.names, language, by_contract=by_contract)}"))


def _in_words(hand: HandRead, line: str, names: Sequence[str], language: str | None, *, by_contract: bool) -> str:
    """Return what was recorded: of a hand with a contract that and what it is worth, else the points of each player."""
    if not by_contract:
        return ", ".join(f"{name} {points}" for name, points in zip(names, hand.scores, strict=True))
    sides = " : ".join(listed(names[side::2]) for side in (0, 1))
    return f"{_as_read(line, names, language)}, {hand.scores[0]:+d} for {sides}"


def _as_read(line: str, names: Sequence[str], language: str | None) -> str:
    """Return a line as it was read, so that the scorer sees what counts."""
    made = outcome_of(line, LineWords(names, language or ""))
    return write_contract(*made) if made else PASSED_OUT

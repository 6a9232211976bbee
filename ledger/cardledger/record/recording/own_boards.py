"""Own boards: the table of an evening records the boards of its round, and no others."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from cardledger.errors import LedgerError, RuleError
from cardledger.record.readmodels.questions.evening_list import boards_of_match, table_of
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.match import Match
from cardledger.sentence import Sentence, advising

if TYPE_CHECKING:
    from cardledger.record.readmodels.readable import ReadableLedger


def expect_own_boards(
    ledger: ReadableLedger, match: str, before: object, after: object, events: Sequence[ev.Event]
) -> None:
    """Refuse events that deal a board which the table of the match does not play in its round.

    `before` and `after` are the stream's table without and with the events; boards dealt before are let be. A match of
    no evening deals any board, and the stream of an evening none. A match file that is imported may
    bring other boards. Raises RuleError `session.board` with the index of the first deal among the events.
    """
    if not any(isinstance(event, ev.Deal | ev.Amend) for event in events):
        return  # the usual case
    if not isinstance(before, Match) or not isinstance(after, Match):
        return
    new = _boards_in(after) - _boards_in(before)
    if not new:
        return
    own: list[int] = []
    place = None
    # This is about slips: events can be recorded while the read models cannot be read.
    with suppress(sqlite3.Error, LedgerError):
        own, place = boards_of_match(ledger, match), table_of(ledger, match)
    if not own or place is None or new <= {*own}:
        return
    theirs, wrong = ", ".join(map(str, own)), min(new - {*own})
    error = RuleError(
        "session.board",
        advising(
            Sentence(
                "table {table} of {name} plays boards {theirs} in round {round}, not {wrong}: check the number "
                "of the board",
                table=place.table,
                name=place.name,
                theirs=theirs,
                round=place.round,
                wrong=wrong,
            )
        ),
    )
    error.index = next((index for index, event in enumerate(events) if isinstance(event, ev.Deal | ev.Amend)), 0)
    raise error


def _boards_in(table: Match[Any]) -> set[int]:
    """Return the numbers of the boards dealt in a match; empty for games without boards."""
    return {board for hand in table.hands if (board := getattr(hand, "board", 0))}

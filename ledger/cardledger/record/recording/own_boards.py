"""The own boards of a match's table, as the read models know them."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from cardledger.errors import LedgerError
from cardledger.record.matches.own_boards import OwnBoards, boards_in
from cardledger.record.readmodels.questions.evening_list import boards_decided, boards_of_match, table_of
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.match import Match

if TYPE_CHECKING:
    from cardledger.record.readmodels.readable import ReadableLedger


def own_boards(ledger: ReadableLedger, match: str, table: Match[Any]) -> OwnBoards:
    """Return the boards that the table of a match plays; none for a match of no evening, or of a game without boards."""
    if "board" not in table.game.deal.keys(table.options):
        return OwnBoards()
    boards = boards_of_match(ledger, match)
    place = table_of(ledger, match) if boards else None
    if place is None:
        return OwnBoards()
    decided = frozenset(boards_decided(ledger, match))
    return OwnBoards(tuple(boards), decided, str(place.table), place.name, place.round)


def expect_own_boards(
    ledger: ReadableLedger, match: str, before: object, after: object, events: Sequence[ev.Event]
) -> None:
    """Refuse events that deal a board which the table of the match does not play in its round.

    `before` and `after` are the stream's table without and with the events. The stream of an evening deals none. A match
    file that is imported may bring other boards. Raises RuleError `session.board`, see `OwnBoards.expect`.
    """
    if not any(isinstance(event, ev.Deal | ev.Amend) for event in events):
        return  # the usual case
    if not isinstance(before, Match) or not isinstance(after, Match) or boards_in(after) <= boards_in(before):
        return
    own = OwnBoards()
    # This is about slips: events can be recorded while the read models cannot be read.
    with suppress(sqlite3.Error, LedgerError):
        own = own_boards(ledger, match, after)
    own.expect(before, after, events)

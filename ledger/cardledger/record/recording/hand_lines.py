"""Hands that are written on one line, read for the match that they belong to."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cardledger.errors import FormatError, LedgerError, RuleError
from cardledger.record.matches.results_only import boards_left, record_line
from cardledger.record.readmodels.questions.evening_list import boards_decided, boards_of_match
from cardledger.record.recording.own_boards import expect_own_boards
from cardledger.rules.engine.hand_line import LineWords
from cardledger.sentence import Sentence, advising

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardledger.record.recording.ledger import Ledger
    from cardledger.rules.engine.events import Event
    from cardledger.rules.evenings.session import SessionState


class HandRead(NamedTuple):
    """A hand as its line tells it: the events to record, its board (0: none), and the points by seat."""

    events: tuple[Event, ...]
    board: int
    scores: tuple[int, ...]


def read_hands(
    ledger: Ledger, match: str, lines: Sequence[str], board: int | None = None, language: str = ""
) -> list[HandRead]:
    """Return the hands that come next in a match, each written on one line: `4S N 10`. Nothing is recorded.

    Arguments:
        ledger: the ledger, its read models caught up.
        match: the id of the match.
        lines: a line for each hand.
        board: the board of the first of them; that which comes next at the table without it.
        language: the language besides English whose words are read, `de` or `fr`.

    Raises FormatError `format.value` for a line that cannot be read or in two ways, RuleError `session.board` for a board
    that the table does not play or has played, and what recording the events raises; with the index of the line.
    """
    before = ledger.stream(match).table
    after, people = before.copy(), ledger.people()
    names = [people.name(player) for player in people.seated(match, before.players)]
    own = boards_of_match(ledger, match)
    decided = boards_decided(ledger, match)
    boards = [one for one in own if one not in decided]
    if board is not None:
        if not boards_left(before, [board]):
            raise RuleError(
                "session.board", advising(Sentence("board {board} was played here: correct its result", board=board))
            )
        boards = [board, *(one for one in boards if one != board)]
    hands: list[HandRead] = []
    for line in lines:
        try:
            events = record_line(after, line, LineWords(names, language), boards=boards)
        except LedgerError as error:
            error.index = len(hands)
            raise
        hand = after.hands[-1]
        hands.append(HandRead((*events,), getattr(hand, "board", 0), (*(hand.scores or ()),)))
    expect_own_boards(ledger, match, before, after, [event for hand in hands for event in hand.events])
    return hands


def match_at_table(state: SessionState, table: int, round: int | None = None) -> str:
    """Return the match that a table of an evening plays, in a round or in the latest in which it has one.

    Raises FormatError `format.value` for a table without a match.
    """
    found = {at: result.match for at, (_, result) in state.results.items() if result.match and at[1] == table}
    latest = max((at for at, _table, _board in found), default=None) if round is None else round
    match = next((match for at, match in found.items() if at[0] == latest), None)
    if match is None:
        raise FormatError(
            "format.value",
            advising(Sentence("table {table} has no match yet: open the round first", table=table)),
        )
    return match

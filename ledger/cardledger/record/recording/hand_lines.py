"""Hands that are written on one line, read for the match that they belong to."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cardledger.errors import FormatError, LedgerError, RuleError
from cardledger.record.matches.results_only import boards_left, record_line
from cardledger.record.readmodels.questions.evening_list import boards_decided, boards_of_match
from cardledger.record.recording.own_boards import expect_own_boards
from cardledger.rules.engine.hand_line import LineWords
from cardledger.rules.evenings.contract import PASSED_OUT, score
from cardledger.rules.evenings.evening_events import Result
from cardledger.rules.evenings.scoring import ON_BOARDS
from cardledger.rules.evenings.session import SessionState
from cardledger.rules.games.bridge.contract_line import outcome_of
from cardledger.sentence import Sentence, advising

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardledger.record.recording.ledger import Ledger
    from cardledger.rules.engine.events import Event


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


class TableHands(NamedTuple):
    """What lines record at a table of an evening.

    In its `match`, or in the evening if that is None; `seq` is the number of events there before, `names` are those of
    the players by seat.
    """

    match: str | None
    seq: int
    names: tuple[str, ...]
    hands: list[HandRead]


def hands_at_table(
    ledger: Ledger, session: str, at: tuple[int | None, int], lines: Sequence[str], board: int | None = None, language: str = ""
) -> TableHands:  # fmt: skip
    """Return the hands that come next at a table, each written on one line; nothing is recorded.

    Arguments:
        ledger: the ledger, its read models caught up.
        session: the id of the evening.
        at: a round (None: the latest of the table) and the table.
        lines: a line for each hand.
        board: the board of the first of them; that which comes next at the table without it.
        language: as in `read_hands`.

    Where the results of the table (before its first: of the evening) were entered without matches, the hands become such
    results. Raises like `read_hands`, and FormatError `format.value` for a table that has no match and wants one, or
    where no round has begun and none is asked for.
    """
    stream, (asked, table), people = ledger.evenings.stream(session), at, ledger.people()
    state = stream.state
    assert isinstance(state, SessionState)
    round = asked or max((one for one, where, _ in state.results if where == table), default=state.round)
    everywhere = [(where, bool(result.match)) for (_, where, _), (_, result) in state.results.items()]
    here = [played for where, played in everywhere if where == table]
    played = any(here or [played for _, played in everywhere])
    if state.opening.scoring.kind not in ON_BOARDS or played or not round:
        match = match_at_table(state, table, asked)
        before = ledger.stream(match)
        names = (*(people.name(player) for player in people.seated(match, before.table.players)),)
        return TableHands(match, before.seq, names, read_hands(ledger, match, lines, board, language))
    names = (*map(people.name, state.by_seat(round, state.seated(round, table))),)
    return TableHands(None, stream.seq, names, _typed(state, (round, table), lines, board, LineWords(names, language)))


def _typed(
    state: SessionState, at: tuple[int, int], lines: Sequence[str], board: int | None, words: LineWords
) -> list[HandRead]:
    """Return lines as results of an evening, on the boards of a table that have none yet."""
    round, table = at
    entered = {**state.results, **state.absences}
    ruled = {(one.round, one.table, one.board) for _, one in state.rulings}
    left = [
        one for one in state.seated(round, table).boards
        if (*at, one) not in entered and (*at, None) not in entered and (*at, one) not in ruled
    ]  # fmt: skip
    boards = left if board is None else [board, *(one for one in left if one != board)]
    if len(lines) > len(boards):
        raise RuleError(
            "session.board",
            advising(
                Sentence.counted(
                    "{num} board is open at table {table} in round {round}: write a line for it, or say which board",
                    "{num} boards are open at table {table} in round {round}: write a line for each, or say which board",
                    len(boards),
                    table=state.table_name(*at),
                    round=round,
                )
            ),
        )
    hands: list[HandRead] = []
    for number, line in zip(boards, lines, strict=False):
        try:
            made = outcome_of(line, words)
        except LedgerError as error:
            error.index = len(hands)
            raise
        contract, declarer, tricks = made or (PASSED_OUT, None, None)
        points = score(contract, declarer, tricks, number)
        result = Result(
            round=round, table=table, board=number, contract=contract, declarer=declarer, tricks=tricks
        )  # fmt: skip
        hands.append(HandRead((result,), number, (points, -points) * 2))
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
            advising(
                Sentence("table {table} has no match yet: open the round first, or say which round it is", table=table)
            ),
        )
    return match

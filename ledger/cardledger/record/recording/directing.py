"""A director's decisions on boards of an evening.

Rulings, boards not played, taking them back, and what they would change.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import msgspec

from cardledger.errors import FormatError, RuleError, StoreError
from cardledger.record.recording.moment import Moment, session_of
from cardledger.rules.engine.events import Event, Note, bare
from cardledger.rules.engine.hand_line import plain_line
from cardledger.rules.evenings import evening_events as ev
from cardledger.rules.evenings.award_words import NOT_PLAYED, award_of, decision_of
from cardledger.rules.evenings.scoring import ON_BOARDS
from cardledger.rules.evenings.session import SessionState
from cardledger.rules.stream import unroll
from cardledger.sentence import Sentence, advising, either

if TYPE_CHECKING:
    from cardledger.record.recording.comparison import ChangedRow
    from cardledger.record.recording.ledger import Ledger
    from cardledger.rules.evenings.stream import EveningStream

Why = Literal["bye", "not-played", "average"]
DECISIONS = (ev.EveningAdjust, ev.Absent)
"""What a director decides, and can take back."""


class BoardAtTable(NamedTuple):
    """A board at a table of a round that has begun: the entries of its lines, and what is known of it.

    `played` tells whether it has a result, `absent` and `ruled` are the numbers of the events that say it has none, or
    that rule on it; 0 for none.
    """

    round: int
    table: int
    board: int
    seats: tuple[int, ...]
    played: bool
    absent: int = 0
    ruled: int = 0

    @property
    def open(self) -> bool:
        """Whether nothing is known of it yet."""
        return not (self.played or self.absent or self.ruled)


class Meant(NamedTuple):
    """Which boards a decision is for: one at a table, all of a table in a round, or one at all tables; None for any."""

    round: int | None = None
    table: int | None = None
    board: int | None = None


_NUMBER = re.compile(r"[+-]?\d{1,6}(\.\d{1,6})?", re.ASCII)
MOST_PENALTY = 10_000
"""More than any evening gives."""


class Ruled(NamedTuple):
    """What a director rules, as written: an award for each side ("" as it is), the law, and the reason."""

    ns: str = ""
    ew: str = ""
    law: str = ""
    reason: str = ""


class Directed(NamedTuple):
    """What a decision records, and what it would change in the ranking, by the places then.

    `seq` is the stream's before it.
    """

    seq: int
    boards: tuple[BoardAtTable, ...]
    events: tuple[Event, ...]
    changes: tuple[ChangedRow, ...]


def boards_at_tables(ledger: Ledger, session: str) -> list[BoardAtTable]:
    """Return every board at every table of the rounds that have begun, by round and table.

    Raises StoreError `store.unknown`, and RuleError `session.board` for an evening without boards.
    """
    state = session_of(ledger.evenings.at().evening(session), session)
    if state.opening.scoring.kind not in ON_BOARDS:
        raise RuleError(
            "session.board",
            advising(Sentence("this evening is played without boards: correct its matches, or give a penalty")),
        )
    return [*_boards(state, ledger.evenings.at())]


def left_open(ledger: Ledger, state: SessionState, round: int, table: int) -> list[int]:
    """Return the boards of a table in a round of which nothing is known yet."""
    moment = ledger.evenings.at()
    return [one.board for one in _boards(state, moment, round) if one.table == table and one.open]


def unfinished_tables(ledger: Ledger, session: str) -> list[tuple[int, int, list[int]]]:
    """Return the tables of the rounds that have begun at which something has no result yet.

    Each with its round, its number, and the boards that are open there; none where the evening is played without boards.
    """
    state, moment = session_of(ledger.evenings.stream(session), session), ledger.evenings.at()
    if state.opening.scoring.kind in ON_BOARDS:
        found: dict[tuple[int, int], list[int]] = {}
        for one in _boards(state, moment):
            if one.open:
                found.setdefault((one.round, one.table), []).append(one.board)
        return [(round, table, boards) for (round, table), boards in found.items()]
    return [
        (round, table, [])
        for round in state.rounds if round <= state.round
        for table, seated in state.tables(round).items()
        if seated.plays and (round, table, None) not in state.absences and not has_result(state, moment, (round, table, None))
    ]  # fmt: skip


_NOBODY = {
    (False, False, True): Sentence(
        "nobody plays board {board} in the rounds that have begun: their boards are {known}"
    ),
    (False, True, True): Sentence(
        "nobody plays table {table} board {board} in the rounds that have begun: their boards are {known}"
    ),
    (True, False, True): Sentence(
        "nobody plays round {round} board {board} in the rounds that have begun: their boards are {known}"
    ),
    (True, True, False): Sentence(
        "nobody plays round {round} table {table} in the rounds that have begun: their boards are {known}"
    ),
    (True, True, True): Sentence(
        "nobody plays round {round} table {table} board {board} in the rounds that have begun: their boards are {known}"
    ),
}
"""What is said of a place where nobody plays, by whether its round, its table and its board are given."""


def meant_boards(boards: Sequence[BoardAtTable], meant: Meant) -> list[BoardAtTable]:
    """Return the boards that are meant.

    Raises RuleError `session.board` for none, or if a round or a table is missing.
    """
    round, table, board = meant
    if board is None and (table is None or round is None):
        raise RuleError(
            "session.board", Sentence("say which board is meant, or the table and the round of all its boards")
        )
    found = [
        one
        for one in boards
        if round in (None, one.round) and table in (None, one.table) and board in (None, one.board)
    ]
    if not found:
        known = ", ".join(map(str, sorted({one.board for one in boards}))) or Sentence("none yet")
        which = _NOBODY[bool(round), bool(table), bool(board)].template
        raise RuleError("session.board", Sentence(which, round=round, table=table, board=board, known=known))
    if table is not None and len({one.round for one in found}) > 1:
        rounds = either([one.round for one in found])
        raise RuleError(
            "session.board",
            advising(
                Sentence(
                    "table {table} has board {board} in round {rounds}: say which round",
                    table=table,
                    board=board,
                    rounds=rounds,
                )
            ),
        )
    return found


def ruling(ledger: Ledger, session: str, meant: Meant, ruled: Ruled, language: str = "") -> Directed:
    """Return the events of a ruling, and what they would change; a board that is ruled on already gets the new one.

    Arguments:
        ledger: the ledger.
        session: the id of the evening.
        meant: the boards that it is for.
        ruled: the awards as written, and why; `A+/A-` or `60/40` for north-south alone is for both.
        language: the language of the awards, as in `award_of`.

    Raises FormatError `format.value`, RuleError `session.*`, and what ranking the evening raises.
    """
    if not (ruled.ns or ruled.ew):
        raise FormatError("format.value", Sentence("say what north-south or east-west get"))
    both = decision_of(ruled.ns) if not ruled.ew and re.search("[/:]", ruled.ns) else None
    if NOT_PLAYED in (decision_of(ruled.ns), decision_of(ruled.ew)):
        raise FormatError(
            "format.value", advising(Sentence("a board that was not played gets no ruling: say that it was not played"))
        )
    if isinstance(both, tuple):
        ruled = ruled._replace(ns=both[0], ew=both[1])
    chosen = meant_boards(boards_at_tables(ledger, session), meant)
    stream = ledger.evenings.stream(session)
    counting = dict(unroll(stream.heads[-1]))
    events: list[Event] = []
    for one in chosen:
        ns, ew = (award_of(said, one.board, language) if said else None for said in (ruled.ns, ruled.ew))
        event = ev.EveningAdjust(
            round=one.round, table=one.table, board=one.board, ns=ns, ew=ew,
            law=ruled.law or None, reason=ruled.reason or None,
        )  # fmt: skip
        if not one.ruled:
            events.append(event)
            continue
        old = counting[one.ruled]
        event = msgspec.structs.replace(event, group=getattr(old, "group", None))
        if bare(old) != event:
            events.append(ev.EveningAmend(about=one.ruled, event=event, reason=ruled.reason or None))
    if not events:
        raise StoreError("store.empty", advising(Sentence("this is ruled already: there is nothing to record")))
    return _directed(ledger, session, stream, chosen, events)


def penalty(ledger: Ledger, session: str, entry: int, points: int | float, law: str = "", reason: str = "") -> Directed:
    """Return the event of a penalty, and what it would change.

    Arguments:
        ledger: the ledger.
        session: the id of the evening.
        entry: the number of the pair or team.
        points: what is taken off its total, in the unit of the scoring: matchpoints, IMPs or victory points.
        law: the law, as `90B`.
        reason: why, for people who read the record later.

    Raises FormatError `format.value` for a number that nobody has, and for no points.
    """
    stream = ledger.evenings.stream(session)
    state = session_of(stream, session)
    if entry not in state.entries:
        raise FormatError("format.value", Sentence("nobody has the number {entry} this evening", entry=entry))
    if not 0 < points < MOST_PENALTY:
        raise FormatError(
            "format.value", Sentence("a penalty takes off more than nothing and less than {most}", most=MOST_PENALTY)
        )
    event = ev.EveningAdjust(entry=entry, penalty=points, law=law or None, reason=reason or None)
    return _directed(ledger, session, stream, [], [event])


def penalty_points(text: str) -> int | float:
    """Return what a penalty takes off, as written.

    >>> penalty_points("2"), penalty_points("0,5")
    (2, 0.5)

    Raises FormatError `format.value`; a percentage may be of a top or of a total, so it is none.
    """
    said = plain_line(text).replace(",", ".")
    if said.endswith("%"):
        raise FormatError(
            "format.value",
            Sentence(
                "{text} may be a part of a top or of the total: write the number that is taken off, in the unit of the "
                "scoring",
                text=text,
            ),
        )
    if not _NUMBER.fullmatch(said):
        raise FormatError("format.value", Sentence("write how much is taken off, as a number: 2, or 0.5"))
    points = float(said)
    return int(points) if points.is_integer() else points


def not_played(ledger: Ledger, session: str, meant: Meant, why: Why = "not-played") -> Directed:
    """Return the events that say that boards were not played, and what they would change; those with a result stay.

    Raises RuleError `session.twice` if all of them have a result, or were said not to be played; else like `ruling`.
    """
    chosen = meant_boards(boards_at_tables(ledger, session), meant)
    missing = [one for one in chosen if not (one.played or one.absent)]
    if not missing:
        board = chosen[0].board
        if any(one.played for one in chosen):
            there = Sentence("board {board} has a result there already: give a ruling, or take that back", board=board)
        else:
            there = Sentence(
                "board {board} was said not to be played there already: give a ruling, or take that back", board=board
            )
        raise RuleError("session.twice", advising(there))
    events = [ev.Absent(round=one.round, table=one.table, board=one.board, why=why) for one in missing]
    return _directed(ledger, session, ledger.evenings.stream(session), missing, events)


def taking_back(ledger: Ledger, session: str, seq: int, reason: str = "") -> Directed:
    """Return the event that takes a ruling or an absence back, and what it would change; all that came later stays.

    Raises RuleError `table.range` for an event that is none of these, or counts no more; else like `ruling`.
    """
    stream = ledger.evenings.stream(session)
    counting = dict(unroll(stream.heads[-1]))
    old = counting.get(seq)
    if not isinstance(old, DECISIONS):
        known = tuple(str(number) for number, event in counting.items() if isinstance(event, DECISIONS))
        if known:
            none = Sentence(
                "event {seq} is no ruling and no absence that counts: choose one of {known}", seq=seq, known=known
            )
        else:
            none = Sentence("event {seq} is no ruling and no absence that counts: there is none yet", seq=seq)
        raise RuleError("table.range", advising(none))
    first = stream.events[seq - 1]
    # A result that was amended into an absence comes back; anything else leaves a note in its place.
    back: ev.Result | Note = Note(text=reason or "taken back")
    if isinstance(first, ev.Result):
        back = msgspec.structs.replace(first, seq=None, id=None, at=None, by=None, imported_at=None, imported_by=None)
    amend = ev.EveningAmend(about=seq, event=back, reason=reason or None)
    return _directed(ledger, session, stream, [], [amend])


def decisions(stream: EveningStream) -> list[tuple[int, ev.EveningAdjust | ev.Absent]]:
    """Return the rulings and absences that count, each with its number, in the order of recording."""
    return [(seq, event) for seq, event in unroll(stream.heads[-1]) if isinstance(event, DECISIONS)]


def percentages_that_count(travellers: Sequence[Mapping[str, Any]]) -> dict[tuple[int, int, int], tuple[str, str]]:
    """Return the percentages of both lines on each board of a table, by round, table and board, of an evening's travellers."""
    return {
        (line["round"], line["table"], board["board"]): (line["ns_percent"], line["ew_percent"])
        for board in travellers
        for line in board["lines"]
    }


def _directed(
    ledger: Ledger, session: str, stream: EveningStream, boards: Sequence[BoardAtTable], events: Sequence[Event]
) -> Directed:
    changes = ledger.evenings.rankings.supposing_events(session, events)
    return Directed(stream.seq, (*boards,), (*events,), (*changes,))


def _boards(state: SessionState, moment: Moment, only: int | None = None) -> Iterator[BoardAtTable]:
    ruled = {(one.round, one.table, one.board): seq for seq, one in state.rulings if (one.ns, one.ew) != (None, None)}
    for round in state.rounds:
        if round > state.round or only not in (None, round):
            continue
        for table, seated in state.tables(round).items():
            for board in sorted({*seated.boards}) if seated.plays else ():
                at = round, table, board
                absent, _ = state.absences.get(at) or state.absences.get((round, table, None)) or (0, None)
                yield BoardAtTable(*at, seated.seats, has_result(state, moment, at), absent, ruled.get(at, 0))


def has_result(state: SessionState, moment: Moment, at: tuple[int, int, int | None]) -> bool:
    """Tell whether a board of a table has been played; a result that names a match has none before the match has."""
    _, result = state.results.get(at, (0, None))
    if result is None or result.match is None:
        return result is not None
    try:
        outcome: Any = moment.result_of(result.match)
    except RuleError:  # a void match gave nothing
        return False
    return bool(outcome.hands) and (not any(outcome.boards) or at[2] is None or at[2] in outcome.boards)

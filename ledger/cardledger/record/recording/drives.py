"""The progressive drives of a ledger: how one begins, the tricks of a hand, the hidden table, the prizes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from cardledger.errors import FormatError, RuleError
from cardledger.record.recording.at_tables import record_until_taken
from cardledger.rules.engine.events import Note
from cardledger.rules.evenings.drive_rules import MOST_HANDS, USUAL_HANDS, has_cycle
from cardledger.rules.evenings.drive_sheet import (
    Moves,
    Trump,
    described_hand,
    drive_begun,
    driven_hand,
    last_hand,
    numbered,
    tricks_entered,
)
from cardledger.rules.evenings.other_game import game_of
from cardledger.rules.evenings.prizes import described, prizes
from cardledger.rules.evenings.said import settling
from cardledger.rules.evenings.session import SessionState
from cardledger.rules.evenings.stream import HIDDEN_TABLE
from cardledger.sentence import Sentence, advising

if TYPE_CHECKING:
    from cardledger.record.people.recorders import Recorder
    from cardledger.record.recording.ledger import Ledger
    from cardledger.rules.engine.events import Event
    from cardledger.rules.evenings.stream import EveningStream

__all__ = ["MOST_HANDS", "USUAL_HANDS", "Drives", "each_once"]


def each_once(given: Iterable[tuple[int, Sequence[int]]]) -> dict[int, Sequence[int]]:
    """Return the tricks of some tables by table; raises FormatError `format.value` for a table that is named twice.

    >>> each_once([(2, [8]), (1, [7])])
    {2: [8], 1: [7]}
    """
    tables: dict[int, Sequence[int]] = {}
    for table, tricks in given:
        if table in tables:
            raise FormatError(
                "format.value", Sentence("table {table} is named twice: give its tricks once", table=table)
            )
        tables[table] = tricks
    return tables


class Drives:
    """The drives among a ledger's sessions; safe to share between threads.

    A hand is seated by `Rounds.set`, like every round. All raise StoreError `store.unknown` for what is no session.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def begin(
        self,
        session: str,
        by: Recorder | str,
        *,
        hands: int = USUAL_HANDS,
        moves: Moves = "winners_up",
        trumps: Sequence[Trump] = (),
        plays_as: Mapping[str, Literal["lady", "gentleman"]] | None = None,
    ) -> None:
        """Begin a drive: everybody who is here gets a number, and the movement is recorded.

        `plays_as` says what players play as, by player. Raises RuleError `session.movement` for a game that is none of
        tricks for four, FormatError, ConflictError.
        """
        stream, state = self._of(session)
        self._record(session, drive_begun(state, hands, moves, trumps, plays_as), stream.seq, by)

    def say_kinds(self, session: str, by: Recorder | str, plays_as: Mapping[str, Literal["lady", "gentleman"]]) -> None:
        """Say what players play as from the next hand on.

        Who is here and has no number gets one. Raises ConflictError.
        """
        stream, state = self._of(session)
        self._record(session, numbered(state, plays_as), stream.seq, by)

    def here(self, session: str) -> list[str]:
        """Return who is here, in order of arrival."""
        return [*self._of(session)[1].here]

    def has_cycle(self, session: str) -> bool:
        """Tell whether the trumps of the game of a session can go round by the hand."""
        return has_cycle(game_of(self._of(session)[1].opening))

    def hand(self, session: str, round: int | None = None) -> dict[str, Any]:
        """Return a hand of a drive as JSON data, the last one with tables unless given, and the hidden table if it is drawn.

        Raises RuleError `session.movement` without a drive, `session.seats` for a round that nobody has sat down for.
        """
        stream, state = self._of(session)
        person = self._ledger.people().person
        hand = described_hand(state, driven_hand(state, round))
        for table in hand["tables"]:
            table["players"] = [*map(person, table["players"])]
        return hand | {"sitting_out": [*map(person, hand["sitting_out"])], "hidden_table": stream.hidden_table}

    def enter(self, session: str, by: Recorder | str, round: int, tricks: Mapping[int, Sequence[int]]) -> None:
        """Enter the tricks of some tables of a hand, by table, or correct them; the same again records nothing.

        One number is the tricks of north and south, two are those of both pairs, four are one for each seat. All are
        recorded or none. A correction leaves the hands after it seated as they were played. Raises RuleError
        `session.tricks`, `session.seats`, ConflictError.
        """
        self._of(session)

        def entered(stream: EveningStream) -> Sequence[Event]:
            assert isinstance(stream.state, SessionState)
            return settling(stream, tricks_entered(stream.state, round, tricks))

        record_until_taken(self._ledger, session, by, entered, as_written=False)

    def draw(self, session: str, by: Recorder | str, table: int) -> None:
        """Say which table is the hidden one.

        Said again, the last counts. Raises RuleError `session.seats`, ConflictError.
        """
        stream, state = self._of(session)
        if stream.hidden_table != table:
            self._record(session, hidden_table_drawn(state, table), stream.seq, by)

    def prizes(self, session: str) -> list[dict[str, Any]]:
        """Return the prizes of a drive as it stands, as JSON data: the winners of each, ties as ties.

        Raises RuleError `session.movement` without a drive, and like `Rankings.ranking`.
        """
        stream, state = self._of(session)
        if not last_hand(state):
            driven_hand(state)  # which refuses
        ranked = self._ledger.evenings.rankings.standings(session)
        players = {each.entry: each.players for each in ranked}
        return [described(prize, players) for prize in prizes(state, ranked, stream.hidden_table)]

    def _record(self, session: str, events: Sequence[Event], expected: int, by: Recorder | str) -> None:
        if events:
            self._ledger.evenings.record(session, events, expected, by, as_written=False)

    def _of(self, session: str) -> tuple[EveningStream, SessionState]:
        stream = self._ledger.evenings.stream(session)
        if not isinstance(stream.state, SessionState):
            raise RuleError(
                "session.movement", advising(Sentence("{session} is no evening: name one", session=session))
            )
        return stream, stream.state


def hidden_table_drawn(state: SessionState, table: int) -> list[Event]:
    """Return the event that says which table of a drive is the hidden one; raises RuleError `session.seats`."""
    tables = [each.number for each in driven_hand(state).tables]
    if tables and table not in tables:
        raise RuleError(
            "session.seats",
            advising(
                Sentence(
                    "there is no table {table}: draw one of {first} to {last}",
                    table=table,
                    first=tables[0],
                    last=tables[-1],
                )
            ),
        )
    return [Note(text=f"{HIDDEN_TABLE} {table}")]

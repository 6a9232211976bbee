"""A moment of a ledger: every stream as it stood at a position, and what its matches gave by then."""

from __future__ import annotations

import re
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

from cardledger.errors import FormatError, RuleError, StoreError
from cardledger.record.people import people
from cardledger.record.people.people import STREAM, People
from cardledger.record.recording.loaded_match import extended
from cardledger.record.store.recording_time import place, recorded_at
from cardledger.record.store.streams import is_evening, is_match
from cardledger.rules.engine.at_any_time import VOID
from cardledger.rules.evenings.places import places
from cardledger.rules.evenings.played_boards import boards_of
from cardledger.rules.evenings.session import SessionState
from cardledger.rules.evenings.stream import EveningStream
from cardledger.rules.evenings.travellers import Outcome
from cardledger.rules.games.bridge.auction import BridgeHand
from cardledger.sentence import Sentence, advising

if TYPE_CHECKING:
    from cardledger.record.recording.ledger import Ledger
    from cardledger.record.recording.match_cache import Memory
    from cardledger.record.store import EventStore
    from cardledger.rules.engine.match import Match
    from cardledger.rules.stream import Stream


MOMENT = r"([0-9]{1,18}|[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}(:[0-9]{2})?(Z|[+-][0-9]{2}:[0-9]{2})?)?)"
"""The form of a position or a time, as a regular expression."""


def outcome(match: str, table: Match[Any]) -> Outcome:
    """Return what a match gave at a table; raises RuleError `session.phase` for a void match."""
    if table.status == VOID:
        raise RuleError(
            "session.phase",
            advising(
                Sentence(
                    "match {match} is void and counts nowhere: amend the result, or bring the match back", match=match
                )
            ),
        )
    points = tuple(table.totals)
    hands = sum(hand.scores is not None for hand in table.hands)
    score = points[0] if table.game.scoring.opposed else None
    boards = boards_of(table) if isinstance(table.hand, BridgeHand) else {}
    return Outcome(points, places(points, table.game.scoring.fewest), hands, score, boards)


class Moment:
    """The streams of a ledger up to a position: later events, corrections too, do not exist.

    Without a position, now.
    """

    def __init__(self, ledger: Ledger, memory: Memory, position: int | None = None) -> None:
        self._ledger = ledger
        self._memory = memory
        self.position = position

    @cached_property
    def people(self) -> People:
        """The people as known then, without the names of those erased since."""
        now, store = self._ledger.people(), self._ledger.store
        rows = store.read(STREAM) if self.position is not None and now.events else []
        early = [row.line for row in rows if row.position <= (self.position or 0)]
        return People(map(people.decode, store.names.lines(early))) if len(early) < len(rows) else now

    def evening(self, id: str) -> EveningStream:
        """Return a club, a session or a league; do not change it; raises StoreError `store.unknown`."""
        stream = self._stream(id) if is_evening(id) else None
        if not isinstance(stream, EveningStream):
            raise unknown(id, self.position)
        return stream

    def result_of(self, match: str) -> Outcome:
        """Return what a match gave.

        Raises StoreError `store.unknown`, and RuleError `session.phase` for a void match.
        """
        stream = self._stream(match) if is_match(match) else None
        if stream is None:
            raise unknown_match(match, self.position)
        return outcome(match, stream.table)

    def _stream(self, id: str) -> Stream | None:
        """Return a stream as it was then, None if there was none."""
        self._ledger.people()  # first, so that erased names are not read from memory
        with self._memory.lock:
            live = self._memory.find(id)
        if live is None:
            return None
        if self.position is None:
            return live.folded.stream
        (latest,) = self._ledger.store.read(id, len(live.ids) - 1, 1)
        if latest.position <= self.position:
            return live.folded.stream
        rows = [row for row in self._memory.rows(id) if row.position <= self.position]
        return extended(id, None, rows, self._ledger.store.names).folded.stream if rows else None


def unknown(evening: str, position: int | None = None) -> StoreError:
    """Return the error for a club, session or league that is not in the ledger, or was not there at a position."""
    if position is None:
        return StoreError("store.unknown", Sentence("there is no club, session or league {evening}", evening=evening))
    return StoreError(
        "store.unknown",
        Sentence(
            "there is no club, session or league {evening} at position {position}", evening=evening, position=position
        ),
    )


def session_of(stream: EveningStream, id: str) -> SessionState:
    """Return the state of a session; raises StoreError `store.unknown` for a club and a league."""
    if not isinstance(stream.state, SessionState):
        raise StoreError("store.unknown", Sentence("there is no session {id}", id=id))
    return stream.state


def unknown_match(match: str, position: int | None = None) -> StoreError:
    """Return the error for a match that is not in the ledger, or was not there at a position."""
    if position is None:
        return StoreError("store.unknown", Sentence("there is no match {match}", match=match))
    return StoreError(
        "store.unknown", Sentence("there is no match {match} at position {position}", match=match, position=position)
    )


def position_of(store: EventStore, said: str) -> int:
    """Return the position that a text means: a position itself, or the last one recorded at or before a time (ISO).

    A time without a zone is local. Raises FormatError `format.value`, and RuleError `session.position` for a position
    that the ledger has not reached, or a time that no calendar has.
    """
    if said.isdecimal():
        position, last = int(said[:20]), store.last_position()
        if position > last:
            raise RuleError(
                "session.position",
                Sentence("there is no position {said}: the last one is {last}", said=said, last=last),
            )
        return position
    try:
        moment = datetime.fromisoformat(said).astimezone()
    except (ValueError, OverflowError):
        if re.fullmatch(MOMENT, said):
            raise RuleError(
                "session.position", advising(Sentence("there is no day or time {said}: correct it", said=said))
            ) from None
        raise FormatError(
            "format.value",
            Sentence("{said!r} is neither a position nor a time: give 812, or 2026-01-06T22:30", said=said),
        ) from None
    rows = [(row.position, recorded_at(row.line)) for row in store.read_all()]
    before = place((at for _, at in rows), moment.timestamp())
    return rows[before - 1][0] if before else 0

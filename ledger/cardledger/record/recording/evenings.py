"""The evenings of a ledger: clubs, sessions and leagues are recorded as matches are, and read as of any position."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import TYPE_CHECKING

from cardledger.errors import FormatError, LedgerError, RuleError, StoreError
from cardledger.record.people import recorders
from cardledger.record.people.spelling import expect_title
from cardledger.record.recording.directing import has_result
from cardledger.record.recording.drives import Drives
from cardledger.record.recording.entered_results import expect_possible
from cardledger.record.recording.moment import Moment, unknown
from cardledger.record.recording.one_seat_each import expect_one_seat_each
from cardledger.record.recording.rankings import Rankings
from cardledger.record.recording.rounds import Rounds
from cardledger.record.store.codec import decode
from cardledger.record.store.streams import KINDS, is_beside_id, is_evening
from cardledger.rules.engine.events import Amend, Event, type_of
from cardledger.rules.engine.keys import keys_of
from cardledger.rules.evenings import evening_events as ev
from cardledger.rules.evenings.club import ClubState
from cardledger.rules.evenings.session import SessionState
from cardledger.rules.evenings.stream import EveningStream
from cardledger.rules.games import games
from cardledger.rules.games.names import game_called
from cardledger.sentence import Sentence, advising, choosing

if TYPE_CHECKING:
    from cardledger.record.matches.describe import TableNames
    from cardledger.record.people.recorders import Recorder
    from cardledger.record.recording.ledger import Ledger
    from cardledger.record.recording.match_cache import Memory
    from cardledger.record.recording.results import Recorded


class Evenings:
    """The clubs, sessions and leagues of a ledger; safe to share between threads."""

    def __init__(self, ledger: Ledger, memory: Memory) -> None:
        self._ledger = ledger
        self._memory = memory
        self.rankings = Rankings(ledger, memory)
        self.rounds = Rounds(ledger)
        self.drives = Drives(ledger)

    # --- writing

    def record(
        self, evening: str | None, events: Sequence[Event], expected: int, by: Recorder | str = "ledger",
        *, as_written: bool,
    ) -> Recorded:  # fmt: skip
        """Judge events of a club, a session or a league and store them, all or nothing, as `Ledger.record` does.

        For a new one `evening` is None or its id (`session-` and a UUID), and the first event is its opening. What an
        event names must be there: a club, a league, a session, a match that is not void. A publication is recorded
        alone, and gets its position and its hash. Points of a table that no number of hands can give count
        if they are said to be `as_written`, and are refused otherwise: who records says whether somebody has looked. Raises also RuleError `session.*`, and `people.table` for two ids of
        one person in a round.
        """
        if not events:
            raise StoreError("store.empty", Sentence("there are no events to record"))
        id = evening_id(evening, events[0])
        with self._memory.lock:
            live = self._memory.find(id)
        stored = {*live.ids} if live else set()
        complete = []
        for index, event in enumerate(events):
            try:
                # One that is stored already is compared, and gets the first answer.
                new = event.id is None or event.id not in stored
                complete.append(self._completed(id, event, alone=len(events) == 1) if new else event)
            except LedgerError as error:
                error.index = index
                raise
        stream = live.folded.stream if live else None
        if stream is None or isinstance(stream, EveningStream):
            expect_one_seat_each(stream, complete, self._ledger.people())
            expect_possible(stream, complete, as_written=as_written)
        return self._ledger.take(id, complete, expected, recorders.by(by))

    def _completed(self, id: str, event: Event, *, alone: bool) -> Event:
        """Return a new event as it will be judged; raises like `_expect_known`, and RuleError `session.position`."""
        within = event.event if isinstance(event, Amend) else event
        self._expect_known(within)
        if event.at is None:  # one with its own time is an old one, and stays as it is
            _expect_titles(within)
            _expect_its_game(within)
            if isinstance(event, ev.Absent):
                self._expect_not_played(id, event)
        if not isinstance(within, ev.Publish):
            return event
        if within is not event:
            raise RuleError("session.position", Sentence("nothing published is altered: publish again"))
        if not alone:
            raise RuleError(
                "session.position",
                advising(Sentence("a publication cites the events before it: record it alone, after the others")),
            )
        return self.rankings.completed(id, within)

    def _expect_known(self, event: Event) -> None:
        """Refuse an event that names something unknown.

        Raises StoreError `store.unknown`, RuleError `session.phase`.
        """
        match event:
            case ev.Session(club=club, league=league):
                self._expect_there("club", club)
                self._expect_there("league", league)
                if event.masterpoints is not None:
                    self._expect_given(str(club), event.masterpoints)
            case ev.League(club=club):
                self._expect_there("club", club)
            case ev.Counts(session=session):
                self._expect_there("session", session)
            case ev.Result(match=str(match)):
                Moment(self._ledger, self._memory).result_of(match)

    def _expect_not_played(self, id: str, absent: ev.Absent) -> None:
        """Refuse to call a board absent that the match of its table has finished; raises RuleError `session.twice`."""
        moment, at = Moment(self._ledger, self._memory), (absent.round, absent.table, absent.board)
        state = moment.evening(id).state if self._ledger.store.lengths([id]) else None
        _, result = state.results.get(at, (0, None)) if isinstance(state, SessionState) else (0, None)
        if isinstance(state, SessionState) and result and result.match and has_result(state, moment, at):
            where = {"table": absent.table, "round": absent.round}
            if absent.board is None:
                there = Sentence("table {table} has played in round {round}: rule on it, or correct its match", **where)
            else:
                there = Sentence(
                    "table {table} has played board {board} in round {round}: rule on it, or correct its match",
                    board=absent.board,
                    **where,
                )
            raise RuleError("session.twice", advising(there))

    def _expect_given(self, club: str, table: str) -> None:
        state = self.stream(club).state
        known = state.masterpoints if isinstance(state, ClubState) else {}
        if table not in known:
            raise StoreError(
                "store.unknown",
                choosing(Sentence("the club gives no masterpoints {name!r}", name=table), table, known),
            )

    def _expect_there(self, kind: str, id: str | None) -> None:
        if id is not None and not (id.startswith(f"{kind}-") and self._ledger.store.lengths([id])):
            raise StoreError(
                "store.unknown",
                advising(Sentence(_NOT_THERE[kind].template, id=id)),
            )

    # --- reading

    def at(self, position: int | None = None) -> Moment:
        """Return the ledger as of a position (`position_of` makes one of a text), or as it is now."""
        return Moment(self._ledger, self._memory, position)

    def stream(self, evening: str) -> EveningStream:
        """Return a club, a session or a league now; do not change it; raises StoreError `store.unknown`."""
        return self.at().evening(evening)

    def table_names(self, evening: str) -> TableNames:
        """Return what gives the name of a table of a round: B1 in a section, its number elsewhere."""
        state = self.stream(evening).state
        return state.table_name if isinstance(state, SessionState) else lambda _round, table: str(table)

    def events(self, evening: str, after: int = 0) -> Sequence[Event]:
        """Return the events of a club, a session or a league after a seq, as recorded; none if it is not there."""
        rows = self._memory.rows(evening)[after:] if is_evening(evening) else ()
        return decode((row.line for row in self._ledger.cleared(rows)), stream=evening)

    def ids(self, kind: str | None = None) -> list[str]:
        """Return the ids of all clubs, sessions and leagues, or of one kind, in the order of recording."""
        beginning = f"{kind}-" if kind else ""
        return [id for id in self._ledger.store.matches() if is_evening(id) and id.startswith(beginning)]

    def resolve(self, prefix: str) -> str:
        """Return the club, session or league whose id, or UUID, begins with a prefix.

        Raises StoreError `store.unknown`, `store.ambiguous`.
        """
        prefix = prefix.lower()
        sought = [prefix] if prefix.partition("-")[0] in KINDS else [f"{kind}-{prefix}" for kind in KINDS]
        ids = [id for one in sought for id in self._ledger.store.ids(one, 3)]
        if len(ids) > 1:
            raise StoreError(
                "store.ambiguous",
                Sentence("several ids begin with {prefix}: {ids}, …", prefix=prefix, ids=", ".join(ids)),
            )
        if not ids:
            raise unknown(prefix)
        return ids[0]


_NOT_THERE = {
    "club": Sentence("there is no club {id}: record its opening first, or check the id"),
    "session": Sentence("there is no session {id}: record its opening first, or check the id"),
    "league": Sentence("there is no league {id}: record its opening first, or check the id"),
}


def _expect_titles(event: Event) -> None:
    """Refuse names of things that hide characters or turn the text around; raises RuleError `people.name`."""
    for key, held in keys_of(type(event)).items():
        text = getattr(event, key)
        if held.stored == "label" and isinstance(text, str):
            expect_title(text, Sentence("the {key} of a {kind}", key=key, kind=type_of(event)))


def _expect_its_game(event: Event) -> None:
    """Refuse a game that is unknown, and one without rules by the name of one that has rules.

    Raises FormatError `format.game`, `format.value`.
    """
    if isinstance(event, ev.Session | ev.Table) and event.game is not None and event.game not in games():
        raise FormatError(
            "format.game",
            Sentence(
                "there is no game {game!r} with rules here: an evening can have it as its 'other_game'", game=event.game
            )
            if isinstance(event, ev.Session)
            else Sentence(
                "there is no game {game!r} with rules here: open an evening of its own for it,"
                " and let both count in one league",
                game=event.game,
            ),
        )
    if isinstance(event, ev.Session) and event.other_game and (known := game_called(event.other_game)):
        raise FormatError(
            "format.value",
            Sentence("{other_game} has rules here: give it as the game {id}", other_game=event.other_game, id=known.id),
        )


def evening_id(evening: str | None, first: Event) -> str:
    """Return the id of a stream to record to: as given, as its opening says, or a new one.

    Raises FormatError `format.open`, `format.value`.
    """
    if not isinstance(first, ev.OPENINGS):
        if evening is None:
            raise FormatError(
                "format.open",
                Sentence("a stream starts with club, session or league, not with {kind}", kind=type_of(first)),
            )
        if not is_evening(evening):
            raise unknown(evening)
        return evening
    id = evening or first.id or f"{type_of(first)}-{uuid.uuid4()}"
    if not is_beside_id(id, first):
        raise FormatError(
            "format.value",
            Sentence("the id of a {kind} is {kind}- and a UUID in lower case, not {id!r}", kind=type_of(first), id=id),
        )
    if first.id not in (None, id):
        raise FormatError(
            "format.value", Sentence("the opening has the id {own}, but it is sent as {id}", own=first.id, id=id)
        )
    return id

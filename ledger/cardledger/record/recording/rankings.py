"""Rankings of sessions and leagues as of any position: as published, as corrected now, and what differs."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from typing import TYPE_CHECKING, Any, NamedTuple

from cardledger.errors import LedgerError, RuleError, StoreError
from cardledger.pseudonyms import is_pseudonym
from cardledger.record.people.people import STREAM
from cardledger.record.recording.comparison import ChangedRow, Later, differing_entries, differing_players
from cardledger.record.recording.moment import Moment, outcome, session_of
from cardledger.record.store.codec import decode_one
from cardledger.rules.engine.keys import PLAYER
from cardledger.rules.evenings import evening_events as ev
from cardledger.rules.evenings import season
from cardledger.rules.evenings.board_results import described_card, described_travellers
from cardledger.rules.evenings.league import LeagueState
from cardledger.rules.evenings.publication import completed, digest
from cardledger.rules.evenings.season import Night
from cardledger.rules.evenings.session import SessionState
from cardledger.rules.evenings.standings import Standing, as_printed, night, standings
from cardledger.rules.evenings.travellers import travellers
from cardledger.sentence import Sentence, advising

if TYPE_CHECKING:
    from cardledger.record.recording.ledger import Ledger
    from cardledger.record.recording.match_cache import Memory
    from cardledger.rules.engine.events import Event
    from cardledger.rules.engine.match import Match
    from cardledger.rules.evenings.stream import EveningStream
    from cardledger.rules.evenings.travellers import Outcome, ResultOf, TravellerLine

_SESSIONS = 256
"""The number of sessions whose standings are in memory."""
_MOMENTS = 4
"""The number of positions for which those of a session are in memory."""
_NEAR = 20_000
"""Positions to search for a change; beyond them, ranking the session again is as fast."""


class Ranking(NamedTuple):
    """The ranking of a session, or the table of a league: its rows as printed, and the hash that a publication cites.

    `position` is the last one of the ledger that counted.
    """

    evening: str
    position: int
    rows: list[dict[str, Any]]
    hash: str


class Published(NamedTuple):
    """A publication.

    Its number in the stream, the event as recorded, its ranking, and whether its hash still fits that.
    """

    seq: int
    event: ev.Publish
    ranking: Ranking
    fits: bool


class RankingComparison(NamedTuple):
    """A ranking then and now, and a row for each entry or player that differs."""

    then: Ranking
    now: Ranking
    rows: list[ChangedRow]


class _Known(NamedTuple):
    """Standings of a session in memory.

    The position and the names they are as of, what they follow from, and themselves.

    `lot` is the order drawn, `depends` are the streams that can change them, `hidden` are boards that do not count.
    """

    position: int
    generation: int
    session: SessionState
    lot: tuple[int, ...]
    depends: frozenset[str]
    standings: list[Standing]
    hidden: frozenset[int] = frozenset()


class Rankings:
    """The rankings of a ledger's sessions and leagues; safe to share between threads."""

    def __init__(self, ledger: Ledger, memory: Memory) -> None:
        self._ledger = ledger
        self._memory = memory
        self._hidden: Mapping[str, frozenset[int]] = {}
        self._lock = threading.Lock()
        self._known: OrderedDict[str, list[_Known]] = OrderedDict()

    def without(self, boards: Mapping[str, frozenset[int]]) -> Rankings:
        """Return rankings in which some boards of sessions do not count.

        Those published count as they were published.
        """
        other = copy(self)
        other._hidden = boards
        return other

    def ranking(self, evening: str, position: int | None = None) -> Ranking:
        """Return the ranking as of a position, or now; erased people show as erased.

        Raises StoreError `store.unknown` (for a match of it too), RuleError `session.phase` for a club or a void match.
        """
        position = self._ledger.store.last_position() if position is None else position
        if evening.startswith("session-"):
            known = self._standings(evening, position)
            rows = as_printed(known.standings, known.session.opening.scoring)
            return Ranking(evening, position, rows, digest(rows, self._pseudonym))
        state = Moment(self._ledger, self._memory, position).evening(evening).state
        if not isinstance(state, LeagueState):
            raise RuleError(
                "session.phase", advising(Sentence("a club has no ranking: ask for one of its sessions or leagues"))
            )
        # Equal players stay in the order of their pseudonyms, even if one of them is erased later.
        names: dict[str, str] = {}
        count = state.opening.count
        rows = season.as_printed(state.table(lambda session: self._night(session, count, position, names)), count)
        shown = [{**row, "players": [names[player] for player in row["players"]]} for row in rows]
        return Ranking(evening, position, shown, digest(rows))

    def nights(self, league: str, position: int | None = None) -> list[Night]:
        """Return the evenings that count for a league, by day, with the value of each player; raises like `ranking`."""
        position = self._ledger.store.last_position() if position is None else position
        state = Moment(self._ledger, self._memory, position).evening(league).state
        if not isinstance(state, LeagueState):
            raise RuleError("session.phase", advising(Sentence("only a league has nights that count: ask for one")))
        names: dict[str, str] = {}
        nights = state.nights(lambda session: self._night(session, state.opening.count, position, names))
        return [
            night._replace(
                values={names[player]: value for player, value in night.values.items()},
                won={names[player] for player in night.won},
            )
            for night in nights
        ]

    def standings(self, session: str, position: int | None = None) -> list[Standing]:
        """Return the standings of a session as of a position, or now, with persons for player ids.

        Raises like `ranking`.
        """
        return self._standings(session, self._ledger.store.last_position() if position is None else position).standings

    def supposing(self, session: str, match: str, table: Match[Any]) -> list[ChangedRow]:
        """Return what would differ in a session if a match stood at another table; raises like `ranking`."""
        position = self._ledger.store.last_position()
        known, moment = self._standings(session, position), Moment(self._ledger, self._memory, position)

        def result_of(id: str) -> Outcome:
            return outcome(id, table) if id == match else moment.result_of(id)

        return self._if_it_were(known, moment, known.session, result_of, known.lot)

    def supposing_events(self, session: str, events: Sequence[Event]) -> list[ChangedRow]:
        """Return what would differ in a session after more events.

        Raises like `ranking`, and what refuses the events.
        """
        position = self._ledger.store.last_position()
        known, moment = self._standings(session, position), Moment(self._ledger, self._memory, position)
        after = moment.evening(session).copy()
        after.extend(events)
        return self._if_it_were(known, moment, session_of(after, session), moment.result_of, after.lot)

    def _if_it_were(
        self, known: _Known, moment: Moment, state: SessionState, result_of: ResultOf, lot: Sequence[int]
    ) -> list[ChangedRow]:
        """Return what differs between known standings and those of another state."""
        person = moment.people.person
        rows = [
            each._replace(players=tuple(dict.fromkeys(map(person, each.players))))
            for each in standings(state.without(known.hidden), result_of, lot)
        ]
        return [*differing_entries(state, known.standings, rows, (), ())]

    def travellers(self, session: str, position: int | None = None) -> list[dict[str, Any]]:
        """Return the travellers of a session as JSON data, as of a position, or now; raises like `ranking`."""
        return described_travellers(*self._compared_boards(session, position))

    def boards(self, session: str) -> dict[int, list[TravellerLine]]:
        """Return the results of each board of a session as they are compared now; raises like `ranking`."""
        state, result_of, _ = self._compared_boards(session, None)
        return travellers(state, result_of)

    def card(self, session: str, entry: int, position: int | None = None) -> dict[str, Any]:
        """Return the card of an entry as JSON data, as of a position, or now.

        Raises like `ranking`, RuleError `session.seats`.
        """
        return described_card(*self._compared_boards(session, position), entry)

    def _compared_boards(self, session: str, position: int | None) -> tuple[SessionState, ResultOf, list[Standing]]:
        """Return a session as of a position, or now, what its matches gave, and its standings."""
        position = self._ledger.store.last_position() if position is None else position
        known = self._standings(session, position)
        result_of = Moment(self._ledger, self._memory, position).result_of
        return known.session.without(known.hidden), result_of, known.standings

    def _standings(self, session: str, position: int) -> _Known:
        """Return the standings of a session as of a position.

        From memory, unless something they follow from changed.
        """
        moment = Moment(self._ledger, self._memory, position)
        person, generation = moment.people.person, self._ledger.store.names.generation
        with self._lock:
            known = [each for each in self._known.get(session, ()) if each.generation == generation]
        hidden = self._hidden.get(session, frozenset())
        stream: EveningStream | None = None
        for each in sorted(known, key=lambda each: abs(each.position - position)):
            if each.hidden != hidden:
                continue
            changed = self._changed(each, position)
            if not changed:
                return each
            if changed == {session}:
                # A note, say, or somebody who comes late: no reason to rank again.
                stream = stream or moment.evening(session)
                if _follows_from(session_of(stream, session), stream.lot) == _follows_from(each.session, each.lot):
                    return self._keep(session, each._replace(position=position), known)
        stream = stream or moment.evening(session)
        state = session_of(stream, session)
        rows = [
            each._replace(players=tuple(dict.fromkeys(map(person, each.players))))
            for each in standings(state.without(hidden), moment.result_of, stream.lot)
        ]
        depends = frozenset({session, STREAM, *_matches(state)})
        return self._keep(session, _Known(position, generation, state, stream.lot, depends, rows, hidden), known)

    def _changed(self, known: _Known, position: int) -> frozenset[str]:
        """Return the streams that standings follow from and that changed since: an evening changes with its matches."""
        first, last = sorted((known.position, position))
        if first == last:
            return frozenset()
        if last - first > _NEAR:
            return known.depends
        return known.depends & self._ledger.store.between(first, last)

    def _keep(self, session: str, made: _Known, known: Sequence[_Known]) -> _Known:
        with self._lock:
            self._known[session] = [made, *known][:_MOMENTS]
            self._known.move_to_end(session)
            while len(self._known) > _SESSIONS:
                self._known.popitem(last=False)
        return made

    def _night(self, session: str, count: season.Count, position: int, names: dict[str, str]) -> Night:
        """Return a session as a league counts it, with pseudonyms for players; `names` gets their names."""
        known, standing_rows = self._standings(session, position), []
        for each in known.standings:
            by_pseudonym = {self._pseudonym(player): player for player in each.players}
            names |= by_pseudonym
            standing_rows.append(each._replace(players=tuple(by_pseudonym)))
        return night(known.session, session, standing_rows, count)

    def _pseudonym(self, player: str) -> str:
        """Return what the record holds of a player: the pseudonym, also of one who was erased."""
        return player if is_pseudonym(player) else self._ledger.store.names.shared(PLAYER, player).pseudonym

    # --- publications

    def completed(self, evening: str, event: ev.Publish) -> ev.Publish:
        """Return a publication with its position and hash; those given must agree.

        Raises RuleError `session.position`.
        """
        last = self._ledger.store.last_position()
        given = event.at_position
        position = given if given is not None and 0 < given <= last else last
        return completed(event, position, self.ranking(evening, position).hash)

    def published(self, evening: str, position: int | None = None) -> list[Published]:
        """Return the publications of a session or a league up to a position, in their order, with those taken back.

        Raises like `ranking`.
        """
        publications = []
        upto = Moment(self._ledger, self._memory, position).evening(evening).seq
        for seq, event in enumerate(self._ledger.evenings.events(evening)[:upto], 1):
            if isinstance(event, ev.Publish):
                ranking = self.without({}).ranking(evening, event.at_position)
                publications.append(Published(seq, event, ranking, ranking.hash == event.hash))
        return publications

    def check(self, evening: str) -> LedgerError | None:
        """Rank again all that was published of a session or a league, also what was taken back since.

        Return the error of the first publication that does not follow from the record, with its place as `index`:
        StoreError `store.published`, or what `ranking` raises.
        """
        events = Moment(self._ledger, self._memory).evening(evening).events
        for index, event in enumerate(events):
            if not isinstance(event, ev.Publish):
                continue
            try:
                fits = self.ranking(evening, event.at_position).hash == event.hash
            except LedgerError as error:
                error.index = index
                return error
            if not fits:
                message = Sentence(
                    "the ranking published as of position {position} does not follow from the record",
                    position=event.at_position,
                )
                return StoreError("store.published", message, index)
        return None

    def compared(self, evening: str, then: int, now: int | None = None) -> RankingComparison:
        """Return what differs between the rankings as of a position and as of a later one, or now.

        Raises like `ranking`.
        """
        before, after = self.ranking(evening, then), self.ranking(evening, now)
        if not evening.startswith("session-"):
            return RankingComparison(before, after, [*differing_players(before.rows, after.rows)])
        early, late = (self._standings(evening, each.position) for each in (before, after))
        between = self._between(evening, late.session, before.position, after.position)
        recorded = Moment(self._ledger, self._memory).evening(evening).events
        return RankingComparison(
            before, after, [*differing_entries(late.session, early.standings, late.standings, between, recorded)]
        )

    def _between(self, session: str, state: SessionState, after: int, upto: int) -> Iterator[Later]:
        """Yield the events of a session and its matches after one position up to another."""
        for id in sorted({session, *_matches(state)} & self._ledger.store.between(after, upto)):
            for row in self._ledger.cleared(self._memory.rows(id)):
                if after < row.position <= upto:
                    yield Later(id, row.seq, row.position, decode_one(row.line, stream=id))


def _follows_from(session: SessionState, lot: tuple[int, ...]) -> tuple[Any, ...]:
    """Return all of a session that its standings follow from."""
    return (
        session.opening, session.entries, session.movements, session.planned, session.by_hand, session.results,
        session.absences, session.rulings, lot,
    )  # fmt: skip


def _matches(session: SessionState) -> Sequence[str]:
    return [result.match for _, result in session.results.values() if result.match is not None]

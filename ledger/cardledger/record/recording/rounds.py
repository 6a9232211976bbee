"""The next round of an evening: its tables are proposed from what the season has seen, and opened with one call."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from cardledger.errors import ConflictError, FormatError, RuleError
from cardledger.record.recording.moment import session_of
from cardledger.record.recording.one_seat_each import expect_one_seat_each
from cardledger.record.recording.proposed_round import OpenTable, Proposal, ProposedTable
from cardledger.rules.engine import events as match_events
from cardledger.rules.engine.events import Event
from cardledger.rules.evenings import evening_events as ev
from cardledger.rules.evenings.drawing import (
    boards_of_round,
    drive_round,
    pairs_meet,
    remember,
    swiss_round,
    table_events,
    who_comes,
)
from cardledger.rules.evenings.drive_rules import AT_TABLE
from cardledger.rules.evenings.match_of_table import Policy, match_id, match_opening
from cardledger.rules.evenings.other_game import OtherGame, id_of, other_game
from cardledger.rules.evenings.said import expect_settled
from cardledger.rules.evenings.scoring import ON_BOARDS
from cardledger.rules.evenings.seating import History
from cardledger.rules.evenings.session import SessionState
from cardledger.rules.evenings.table_sizes import sizes_asked_for
from cardledger.rules.games import games
from cardledger.rules.stream import unroll
from cardledger.sentence import Sentence, advising, choosing

if TYPE_CHECKING:
    from cardledger.record.people.recorders import Recorder
    from cardledger.record.recording.ledger import Ledger
    from cardledger.rules.engine.game import Game
    from cardledger.rules.evenings.other_game import Played

SEASON = timedelta(days=365)
"""Without a league, the season of an evening is the club's year before it."""
_MOST_VOID = 100  # times that a table can be opened again because its match was declared void


def taken_back(counting: Sequence[tuple[int, Event]], own: Collection[int], reason: str) -> list[Event]:
    """Return the events that take some events of an evening back, by their numbers, and say again what came after them.

    Publications after them are taken back too.
    """
    later = [
        match_events.bare(event)
        for seq, event in counting
        if seq > min(own) and seq not in own and not isinstance(event, ev.Publish)
    ]
    return [match_events.Retract(to=min(own) - 1, reason=reason), *later]


def pairs_can_meet(game: Played) -> bool:
    """Tell whether fixed pairs can meet at tables without boards: at a game of two pairs, or one without rules."""
    if isinstance(game, OtherGame):
        return True
    return game is not None and game.has_sides and AT_TABLE in game.sizes and not matches_have_boards(game)


def matches_have_boards(game: Game[Any] | None) -> bool:
    """Tell whether a match of a game plays the boards of a table, so that each board has its result there."""
    return game is not None and any(option.name == "boards" for option in game.options)


class Rounds:
    """The rounds of a ledger's sessions; safe to share between threads."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    # --- proposing

    def propose(
        self, session: str, game: str | None = None, smallest: int | None = None, largest: int | None = None
    ) -> Proposal:
        """Return the next round of a session.

        As its movement plans or draws it, else a seating of the players who are here.

        `game` is for this round, that of the session unless given; `smallest` and `largest` are numbers of players at
        a table. Raises RuleError `session.seats` for too few players, `session.phase`, `session.movement`, FormatError
        `format.value` for an unknown game, and StoreError `store.unknown`.
        """
        state = self._session(session)
        round, chosen = state.round + 1, self._played(state, game)
        decided: tuple[ev.Table, ...] = ()
        kind = state.movements[-1].kind if state.movements else "who_comes"
        if state.tables(round):
            return self._planned(state, round, chosen, ())
        if kind == "swiss":
            ranked = self._ledger.evenings.rankings.standings(session)
            decided = (*swiss_round(state, ranked, round, boards_of_round(state, round)),)
            return self._planned(_after(state, decided), round, chosen, decided)
        if kind == "drive":
            return self._driven(session, state, round, chosen)
        if kind != "who_comes":
            raise RuleError(
                "session.phase",
                advising(
                    Sentence(
                        "the movement has no round {round}: close the evening, or record another movement", round=round
                    )
                ),
            )
        if state.opening.unit == "pair" and state.opening.scoring.kind not in ON_BOARDS and pairs_can_meet(chosen):
            decided, why = pairs_meet(state, round, self._ledger.people().name)
            return self._planned(_after(state, decided), round, chosen, decided)._replace(reasons=why)
        if state.opening.unit != "player":
            raise RuleError(
                "session.movement",
                advising(
                    Sentence("pairs need a movement: record one, or set the tables by hand")
                    if state.opening.unit == "pair"
                    else Sentence("teams need a movement: record one, or set the tables by hand")
                ),
            )
        partners = chosen is not None and chosen.has_sides
        sizes = sizes_asked_for(chosen, smallest, largest)
        names = {player: self._ledger.people().name(player) for player in state.here}
        seating = who_comes(state, self.history(session, partners), sizes=sizes, partners=partners, names=names)
        tables = tuple(ProposedTable(number, players) for number, players in enumerate(seating.tables, 1))
        decided = (*table_events(seating.tables, round, _named(chosen, state)),)
        return Proposal(round, id_of(chosen), tables, seating.sitting_out, seating.reasons, decided)

    def _driven(self, session: str, state: SessionState, round: int, chosen: Played) -> Proposal:
        """Return the next round of a drive, from the results of the round before it."""
        expect_settled(self._ledger.evenings.stream(session), round - 1)
        decided = (*drive_round(state, self._ledger.evenings.rankings.standings(session), round),)
        return self._planned(_after(state, decided), round, chosen, decided)

    def history(self, session: str, partners: bool = False) -> History:
        """Return what the season has seen before now.

        The rounds of its league, or of the club's year, and of the evening.
        """
        history = History()
        for earlier in self._season(session):
            remember(earlier, history, partners)
        return history

    def _season(self, session: str) -> Iterator[SessionState]:
        """Yield the sessions of the season up to one, by day."""
        opening = self._session(session).opening
        last = date.fromisoformat(opening.date)
        sessions = []
        for order, id in enumerate(self._ledger.evenings.ids("session")):
            state = self._session(id)
            other = state.opening
            same = id == session or (
                state.opening.unit == "player"
                and (other.league == opening.league if opening.league else other.club == opening.club)
                and last - SEASON <= date.fromisoformat(other.date) <= last
            )
            if same and opening.unit == "player":
                sessions.append(((other.date, id == session, order), state))
        return (state for _, state in sorted(sessions, key=lambda each: each[0]))

    def _planned(self, state: SessionState, round: int, game: Played, decided: tuple[ev.Table, ...]) -> Proposal:
        """Return the round that a movement has planned, or that was drawn."""
        tables, sitting_out = [], []
        for number, seated in state.tables(round).items():
            if seated.plays:
                tables.append(ProposedTable(number, state.by_seat(round, seated), seated.boards))
                game = self._game(seated.game) or game
            else:
                sitting_out += [player for entry in seated.seats if entry for player in state.players(entry, round)]
        return Proposal(round, id_of(game), (*tables,), (*sitting_out,), (), decided)

    # --- opening

    def open(
        self,
        session: str,
        by: Recorder,
        *,
        round: int | None = None,
        game: str | None = None,
        smallest: int | None = None,
        largest: int | None = None,
        tables: Sequence[Sequence[str]] | None = None,
        policy: Policy = "record",
    ) -> list[OpenTable]:
        """Open the tables of a round: set them, open a match for each, and name each match as its table's result.

        Without `tables` they are as `propose` has them; `tables` are players by seat, where single players compete. The
        same call again, also after a crash between, gives the same matches. `round` refuses a call for another round
        than the next one. Where boards are compared, the tables are set, and each board gets its result later. Raises
        like `propose`, FormatError and RuleError for what the game refuses, ConflictError.
        """
        stream = self._ledger.evenings.stream(session)
        state = self._session(session)
        if round is not None and round == state.round and (open := self._open(state, round, tables)):
            return open
        if round not in (None, state.round + 1):
            raise RuleError(
                "session.phase",
                advising(
                    Sentence(
                        "round {next} comes next, not round {round}: look again", next=state.round + 1, round=round
                    )
                ),
            )
        if state.drive(state.round + 1) is not None or isinstance(self._played(state, game), OtherGame):
            # A hand each, or a game without rules: results are entered, not scored card by card.
            self.set(session, by, round=round, game=game, tables=tables)
            return self._open(self._session(session), state.round + 1, None) or []
        proposal = (
            self._given(state, game, tables) if tables is not None else self.propose(session, game, smallest, largest)
        )
        opened = [OpenTable(table.number, None) for table in proposal.tables]
        on_boards = state.opening.scoring.kind in ON_BOARDS
        if not on_boards and proposal.game is None:
            raise FormatError("format.value", Sentence("a round needs a game: choose one"))
        if not on_boards or matches_have_boards(self._game(proposal.game)):
            _after(state, proposal.decided)  # refused before a match is opened
            expect_one_seat_each(stream, proposal.decided, self._ledger.people())
            opened = [
                OpenTable(
                    table.number,
                    self._match(session, state, proposal, table, policy, by) if table.boards or not on_boards else None,
                )
                for table in proposal.tables
            ]
        boards: dict[int, tuple[int | None, ...]] = {table.number: table.boards for table in proposal.tables}
        results = [
            ev.Result(round=proposal.round, table=each.number, board=board, match=each.match)
            for each in opened
            if each.match
            for board in (boards[each.number] if on_boards else (None,))
        ]
        events: list[Event] = [*proposal.decided, *results]
        if events:
            self._ledger.evenings.record(session, events, stream.seq, by, as_written=False)
        return opened

    def set(
        self,
        session: str,
        by: Recorder,
        *,
        round: int | None = None,
        game: str | None = None,
        tables: Sequence[Sequence[str]] | None = None,
    ) -> None:
        """Set the tables of a round without matches: each gets its result later, from a sheet of paper say.

        Without `tables` they are as proposed. The same call again records nothing. Raises like `propose`, RuleError for
        tables that cannot be, ConflictError.
        """
        stream = self._ledger.evenings.stream(session)
        state = self._session(session)
        next = state.round + 1
        at = next if round is None else round
        if at in (state.round, next) and self._open(state, at, tables):
            return
        if at != next:
            raise RuleError(
                "session.phase",
                advising(Sentence("round {next} comes next, not round {round}: look again", next=next, round=at)),
            )
        proposal = self._given(state, game, tables) if tables is not None else self.propose(session, game)
        if proposal.decided:
            self._ledger.evenings.record(session, [*proposal.decided], stream.seq, by, as_written=False)

    def take_back(self, session: str, by: Recorder, round: int) -> None:
        """Take a round back before anything is played in it, to set its tables again; its matches become void.

        Players who came or left since then stay so. The same call again changes nothing. Raises RuleError
        `session.phase` for a round that has begun, or that others follow, ConflictError.
        """
        stream = self._ledger.evenings.stream(session)
        state, counting = self._session(session), [*unroll(stream.heads[-1])]
        of_round = ev.Table | ev.Result | ev.Absent | ev.EveningAdjust
        own = {seq for seq, event in counting if isinstance(event, of_round) and event.round == round}
        if not own:
            return
        if round != state.rounds[-1]:
            raise RuleError(
                "session.phase",
                advising(
                    Sentence(
                        "round {last} follows round {round}: take that back first", last=state.rounds[-1], round=round
                    )
                ),
            )
        results = {table: result.match for (at, table, _), (_, result) in state.results.items() if at == round}
        for table, match in results.items():
            if match is None or self._ledger.stream(match).table.hands:
                raise RuleError(
                    "session.phase",
                    advising(Sentence("table {table} has begun: correct it there, or let it be", table=table)),
                )
        reason = f"round {round} is set again"
        self._ledger.evenings.record(session, taken_back(counting, own, reason), stream.seq, by, as_written=False)
        for match in filter(None, results.values()):
            with suppress(ConflictError):  # somebody dealt meanwhile: the match stays, outside the evening
                self._ledger.record(match, [match_events.Void(reason=reason)], 1, by)

    def _given(self, state: SessionState, game: str | None, tables: Sequence[Sequence[str]]) -> Proposal:
        """Return a round with the tables that somebody chose."""
        round, chosen = state.round + 1, self._played(state, game)
        if self._open(state, round, tables):
            return self._planned(state, round, chosen, ())
        events = (*table_events(tables, round, _named(chosen, state)),)
        if state.drive(round) is not None:
            seated = {player for table in tables for player in table}
            alone = enumerate((player for player in state.here if player not in seated), len(tables) + 1)
            events += tuple(ev.Table(round=round, table=number, seats=(player,)) for number, player in alone)
        rows = tuple(ProposedTable(number, (*players,)) for number, players in enumerate(tables, 1))
        return Proposal(round, id_of(chosen), rows, (), (), events)

    def _open(self, state: SessionState, round: int, tables: Sequence[Sequence[str]] | None) -> list[OpenTable] | None:
        """Return the tables of a round that is open already with these players; None if they are others."""
        seated = {number: state.by_seat(round, table) for number, table in state.tables(round).items() if table.plays}
        if tables is not None and [*map(tuple, tables)] != [*seated.values()]:
            return None
        results = {table: result.match for (at, table, _), (_, result) in state.results.items() if at == round}
        return [OpenTable(number, results.get(number)) for number in seated]

    def _match(
        self, session: str, state: SessionState, proposal: Proposal, table: ProposedTable, policy: Policy, by: Recorder
    ) -> str:
        """Open the match of a table and return its id."""
        boards = len(table.boards) if matches_have_boards(self._game(proposal.game)) else 0
        name = state.table_name(proposal.round, table.number)
        first = match_opening(state.opening, str(proposal.game), name, table.players, policy, boards)
        id = self.match_id(session, proposal.round, first)
        return id if self._ledger.store.lengths([id]) else self._ledger.record(id, [first], 0, by).match

    def match_id(self, session: str, round: int, first: match_events.Open) -> str:
        """Return the id of the match of a table, which follows from session, round, table and players.

        A match that was declared void makes room for another one. Raises RuleError `session.phase`.
        """
        for again in range(_MOST_VOID):
            id = match_id(session, round, first, again)
            if not self._ledger.store.lengths([id]) or not self._ledger.stream(id).void:
                return id
        raise RuleError(
            "session.phase",
            advising(Sentence("table {table} was declared void too often: set other tables", table=first.table)),
        )

    # --- reading

    def _session(self, session: str) -> SessionState:
        return session_of(self._ledger.evenings.stream(session), session)

    def _played(self, state: SessionState, game: str | None) -> Played:
        """Return the game of a round: as asked for, else that of the evening, perhaps one without rules."""
        return self._game(game or state.opening.game) or other_game(state.opening)

    def _game(self, id: str | None) -> Game[Any] | None:
        if id is None:
            return None
        known = games()
        if id not in known:
            raise FormatError("format.value", choosing(Sentence("there is no game {id!r}", id=id), id, known))
        return known[id]


def _after(state: SessionState, events: Sequence[Event]) -> SessionState:
    """Return an evening after some more events; raises what refuses one."""
    after = state.copy()
    for event in events:
        after.apply(event, 0)
    return after


def _named(game: Played, state: SessionState) -> str | None:
    """Return the game that tables name: only one that is not that of the evening."""
    return None if id_of(game) == state.opening.game else id_of(game)

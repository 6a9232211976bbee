"""A session: one evening, from who is here to what was published, folded from its events."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Self

from cardledger.errors import RuleError
from cardledger.rules.engine.events import Event, Note, type_of
from cardledger.rules.evenings import entering
from cardledger.rules.evenings import evening_events as ev
from cardledger.rules.evenings.drive_rules import expect_drive
from cardledger.rules.evenings.lineup import Lineup, Seated
from cardledger.rules.evenings.movement import PlannedTable, Round, check, refusal
from cardledger.rules.evenings.plan import plan
from cardledger.rules.evenings.sections import section_of_entry, table_name
from cardledger.rules.evenings.shape import refuse_shape
from cardledger.rules.evenings.stationary import expect_seats_asked_for
from cardledger.sentence import Sentence, advising

Key = tuple[int, int, int | None]
"""Where a result belongs: round, table, and board or None."""
AFTER_CLOSE = (ev.EveningAdjust, ev.Publish)
"""What may still come when the evening is over, beside notes and corrections."""


class SessionState:
    """An evening after the events so far.

    `here` is who is here, in order of arrival, each with whether as a guest; `entries` the lineups of each number;
    `results`, `absences`, `rulings` and `published` hold events with their numbers in the stream.
    """

    totals = ()

    def __init__(self, opening: ev.Session) -> None:
        self.opening = opening
        self.status = "open"
        self.here: dict[str, bool] = {}
        self.present: dict[int, tuple[str, ...]] = {}
        self.entries: dict[int, tuple[Lineup, ...]] = {}
        self.movements: list[ev.Movement] = []
        self.planned: dict[tuple[int, int], Seated] = {}
        self.by_hand: dict[tuple[int, int], Seated] = {}
        self.results: dict[Key, tuple[int, ev.Result]] = {}
        self.absences: dict[Key, tuple[int, ev.Absent]] = {}
        self.rulings: list[tuple[int, ev.EveningAdjust]] = []
        self.published: list[tuple[int, ev.Publish]] = []

    def copy(self) -> Self:
        """Return a copy that can change by itself."""
        other = type(self)(self.opening)
        for name, value in vars(self).items():
            setattr(other, name, value.copy() if isinstance(value, dict | list) else value)
        return other

    def without(self, boards: Collection[int]) -> Self:
        """Return the evening without the results, rulings and absences of some boards."""
        if not boards:
            return self
        other = self.copy()
        other.results = {at: result for at, result in self.results.items() if at[2] not in boards}
        other.absences = {at: absent for at, absent in self.absences.items() if at[2] not in boards}
        other.rulings = [(seq, ruling) for seq, ruling in self.rulings if ruling.board not in boards]
        return other

    def renumbered(self, numbers: Mapping[int, int]) -> Self:
        """Return the evening with other numbers for some entries, by the number before."""
        other = self.copy()
        other.entries = {numbers.get(number, number): lineups for number, lineups in self.entries.items()}
        return other

    # --- reading

    def movement(self, round: int) -> ev.Movement | None:
        """Return the movement of a round, None before any."""
        return next((each for each in reversed(self.movements) if each.start <= round), None)

    def drive(self, round: int) -> ev.Movement | None:
        """Return the movement of a round if it is a progressive drive, else None."""
        movement = self.movement(round)
        return movement if movement is not None and movement.kind == "drive" else None

    def table_name(self, round: int, table: int) -> str:
        """Return what a table of a round is called: its number, or B1 in a section."""
        return table_name(self.movement(round), table)

    def section(self, entry: int) -> str | None:
        """Return the letter of the section of an entry, None without sections."""
        return section_of_entry(self.movements[-1] if self.movements else None, entry)

    def plays_as(self, entry: int) -> str | None:
        """Return what an entry plays as in a drive, `lady` or `gentleman`, None if nobody said."""
        return self.entries[entry][-1].plays_as

    @property
    def round(self) -> int:
        """The last round with a result, 0 before any."""
        return max((round for round, _, _ in (*self.results, *self.absences)), default=0)

    @property
    def rounds(self) -> list[int]:
        """The rounds with tables, in order."""
        return sorted({round for round, _ in (*self.planned, *self.by_hand)})

    def tables(self, round: int) -> dict[int, Seated]:
        """Return the tables of a round by number: those set by hand, and of the movement what these leave.

        Entries that are not here, or that sit elsewhere by hand, leave their seats of the movement empty.
        """
        set_by_hand = {table: seated for (at, table), seated in self.by_hand.items() if at == round}
        gone = {entry for seated in set_by_hand.values() for entry in seated.seats}
        able = {entry for entry in self.entries if self.players(entry, round)} - gone
        planned = {
            table: seated._replace(seats=tuple(entry if entry in able else 0 for entry in seated.seats))
            for (at, table), seated in self.planned.items()
            if at == round
        }
        return dict(sorted((planned | set_by_hand).items()))

    def players(self, entry: int, round: int) -> tuple[str, ...]:
        """Return the players of an entry in a round, none before it begins."""
        lineups = [lineup for lineup in self.entries[entry] if lineup.start <= round]
        return lineups[-1].players if lineups else ()

    def everybody(self, entry: int) -> tuple[str, ...]:
        """Return all who played for an entry, substitutes too."""
        return tuple(dict.fromkeys(player for lineup in self.entries[entry] for player in lineup.players))

    def seated(self, round: int, table: int) -> Seated:
        """Return a table of a round; raises RuleError `session.seats`."""
        tables = self.tables(round)
        if table not in tables:
            hint = f"tables are {', '.join(map(str, tables))}" if tables else "record a movement or its tables first"
            raise RuleError(
                "session.seats",
                Sentence("there is no table {table} in round {round}: {hint}", table=table, round=round, hint=hint),
            )
        return tables[table]

    def at_table(self, round: int, seated: Seated) -> list[tuple[str, ...]]:
        """Return the players of each seat of a table, none for an empty one.

        Of a team, the first two sit north-south, and the next two (or the same, if there are no others) east-west.
        """
        seats = [self.players(entry, round) if entry else () for entry in seated.seats]
        if self.opening.unit == "team":
            return [players[2:4] if way and len(players) > 3 else players[:2] for way, players in enumerate(seats)]
        return seats

    def by_seat(self, round: int, seated: Seated) -> tuple[str, ...]:
        """Return the players at a table as they sit: the first of each pair, then their partners opposite them."""
        return tuple(player for each in zip(*self.at_table(round, seated), strict=False) for player in each)

    def table_of_each(self, round: int) -> dict[str, int]:
        """Return the table of each player who plays in a round."""
        return {
            player: number
            for number, seated in self.tables(round).items()
            if seated.plays
            for player in self.by_seat(round, seated)
        }

    def at_once(self, some: Collection[str], others: Collection[str]) -> tuple[int, int, int] | None:
        """Return the first round in which players of two groups sit somewhere, with the tables of both.

        None if there is none.
        """
        for round in self.rounds:
            at = self.table_of_each(round)
            first, second = (next((at[player] for player in group if player in at), None) for group in (some, others))
            if first is not None and second is not None:
                return round, first, second
        return None

    # --- the fold

    def apply(self, event: Event, seq: int) -> None:
        """Take in an event, or refuse it and change nothing; raises RuleError `session.*`, FormatError."""
        refuse_shape(event)
        if isinstance(event, Note):  # it stands where a ruling or an absence was taken back
            return
        if self.status == "closed" and not isinstance(event, AFTER_CLOSE):
            raise _phase(
                Sentence("the evening is closed: retract event close before you record a {kind}", kind=type_of(event))
            )
        match event:
            case ev.Arrive(player=player):
                if player in self.here:
                    raise RuleError("session.player", Sentence("{player} is here already", player=player))
                self.here[player] = event.guest
            case ev.Leave(player=player):
                if player not in self.here:
                    raise RuleError(
                        "session.player",
                        advising(
                            Sentence("{player} is not here: record the arrival first, or check the name", player=player)
                        ),
                    )
                del self.here[player]
            case ev.Entry():
                self._enter(event, seq)
            case ev.Movement():
                self._move(event, seq)
            case ev.Table():
                self._set(event, seq)
            case ev.Result():
                entering.expect_result(self, event)
                self.results[event.round, event.table, event.board] = seq, event
            case ev.Absent():
                entering.expect_absent(self, event)
                self.absences[event.round, event.table, event.board] = seq, event
            case ev.EveningAdjust():
                entering.expect_ruling(self, event)
                self.rulings.append((seq, event))
            case ev.Publish():
                self.published.append((seq, event))
            case ev.EveningClose():
                self.status = "closed"
            case _:
                raise _phase(Sentence("the evening is open already: it takes no {kind}", kind=type_of(event)))

    def _enter(self, entry: ev.Entry, seq: int) -> None:
        """Take in an entry from the current round on, or its new players from the next round on."""
        number, players = entry.number, entry.players
        least, most = {"player": (1, 1), "pair": (2, 2), "team": (2, 20)}[self.opening.unit]
        if not least <= len({*players}) == len(players) <= most:
            wanted = {"player": "one player", "pair": "two different players", "team": "two players or more, each once"}
            raise RuleError(
                "session.player",
                advising(
                    Sentence(
                        "entry {number} is a {unit}: give it {wanted}",
                        number=number,
                        unit=self.opening.unit,
                        wanted=wanted[self.opening.unit],
                    )
                ),
            )
        if self.movements:
            expect_seats_asked_for(self.movements[-1], {number: (entry.stays, entry.line)})
        start = self.round + 1
        if other := self._playing(players, number, start):
            player, entry_now = other
            raise RuleError(
                "session.player",
                advising(
                    Sentence(
                        "{player} plays for entry {entry} already: change that entry first",
                        player=player,
                        entry=entry_now,
                    )
                ),
            )
        if number not in self.entries and self.round and not self._playing(players, number, self.round):
            start = self.round
        before = tuple(lineup for lineup in self.entries.get(number, ()) if lineup.start < start)
        self.entries[number] = (*before, Lineup(start, players, entry.line, seq, entry.plays_as, entry.stays))

    def _playing(self, players: tuple[str, ...], number: int, round: int) -> tuple[str, int] | None:
        """Return the first of some players who plays for another entry in a round, and that entry."""
        for other in self.entries:
            for player in self.players(other, round) if other != number else ():
                if player in players:
                    return player, other
        return None

    def _move(self, event: ev.Movement, seq: int) -> None:
        """A movement begins with a round; the rounds before stay as they were."""
        if event.start <= self.round:
            raise _phase(
                Sentence(
                    "round {round} has results already: let the movement begin with round {next} ('from')",
                    round=self.round,
                    next=self.round + 1,
                )
            )
        asked = {number: (lineup.stays, lineup.line) for number, (*_, lineup) in self.entries.items()}
        expect_seats_asked_for(event, asked)
        expect_drive(event, self.opening)
        teams = self.opening.unit == "team"
        movement = plan(event, teams)
        for rounds in movement.by_section():
            check(rounds, again=event.again, shared=movement.shared or event.shared, teams=teams)
        earlier = {at: seated for at, seated in self.planned.items() if at[0] < event.start}
        added = {
            (round, number): Seated(table.seats, table.boards, seq=seq)
            for round, tables in enumerate(movement.rounds, event.start)
            for number, table in enumerate(tables, 1)
        }
        set_before = {at: seated for at, seated in self.by_hand.items() if at[0] < event.start}
        self._expect_new_boards(earlier | set_before, added)
        self.planned = earlier | added
        self.movements.append(event)

    def _set(self, event: ev.Table, seq: int) -> None:
        """A table is set by hand; it goes before the movement."""
        round, number = event.round, event.table
        if any(at[:2] == (round, number) for at in (*self.results, *self.absences)):
            raise _phase(
                Sentence(
                    "table {number} of round {round} has a result already: amend the result, or retract to before it",
                    number=number,
                    round=round,
                )
            )
        seats, entries = entering.entries_of(self, event, seq)
        others = {at: seated for at, seated in self.by_hand.items() if at[0] == round and at[1] != number}
        tables: Round = tuple(PlannedTable(seated.seats) for seated in (*others.values(), Seated(seats)))
        check([tables], again=10**6, shared=True, teams=self.opening.unit == "team")
        seated = Seated(seats, event.boards, event.game, seq)
        earlier = {at: table for at, table in (self.planned | self.by_hand).items() if at[0] < round}
        self._expect_new_boards(earlier, {(round, number): seated})
        self.entries |= entries
        self.by_hand[round, number] = seated
        self.present[round] = tuple(self.here)

    def _expect_new_boards(self, earlier: dict[tuple[int, int], Seated], added: dict[tuple[int, int], Seated]) -> None:
        """Refuse tables at which an entry would play a board that it has played at other tables before."""
        if not any(seated.boards for seated in added.values()):
            return
        played = {(entry, board) for seated in earlier.values() for entry in seated.seats for board in seated.boards}
        for (round, number), seated in added.items():
            for entry in seated.seats:
                if twice := [board for board in seated.boards if (entry, board) in played]:
                    raise refusal(
                        "at table {number} of round {round}, entry {entry} plays board {board} again: give other boards",
                        number=number,
                        round=round,
                        entry=entry,
                        board=twice[0],
                    )


def _phase(message: Sentence) -> RuleError:
    return RuleError("session.phase", message)

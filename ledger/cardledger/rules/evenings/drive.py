"""A progressive drive: who sits where in the next hand, from the results of the hand before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from cardledger.errors import RuleError
from cardledger.rules.evenings import evening_events as ev
from cardledger.rules.evenings.drive_rules import AT_TABLE, in_pairs, last_round
from cardledger.rules.evenings.movement import partners, refusal
from cardledger.sentence import Sentence, advising

if TYPE_CHECKING:
    from cardledger.rules.evenings.session import SessionState

LADY, GENTLEMAN = "lady", "gentleman"
_WAYS = (((0, 1), (2, 3)), ((0, 2), (1, 3)), ((0, 3), (1, 2)))
"""The ways to make two pairs of four, the first two together first."""


def seat_everybody(
    session: SessionState, round: int, points: Mapping[int, Fraction], low: bool = False
) -> list[ev.Table]:
    """Return the tables of a round of a drive, players who sit out alone at the tables after them.

    Losers stay. Of the winners both go up a table (from the last to the first), or the lady up and the gentleman down.
    Nobody stays with the same partner; of the ways left, that with the fewest partners again is taken, and the first
    of equal ones. Who sat out comes in for one who did so least, from the last table on. `points` are those of the
    round before, by entry; `low`: the fewest win.

    Raises RuleError `session.phase` while a table has no result, and after the last hand; `session.seats` for too few
    players, `session.movement` if ladies and gentlemen do not fit.
    """
    movement = session.drive(round)
    assert movement is not None
    if round > last_round(movement):
        raise RuleError(
            "session.phase",
            advising(
                Sentence(
                    "all {rounds} hands of the drive are played: close the evening, or add a drive",
                    rounds=movement.rounds,
                )
            ),
        )
    if missing := waiting(session, round - 1):
        raise RuleError(
            "session.phase",
            advising(
                Sentence(
                    "table {table} has no tricks for hand {before} yet: enter them, then seat hand {round}",
                    table=missing[0],
                    before=round - 1,
                    round=round,
                )
            ),
        )
    field = _Field.of(session, movement)
    hall = _Hall(field, [[] for _ in range(field.tables)])
    hall.come(_moved(session, round - 1, points, movement, low))
    hall.fill()
    joined, last = _partners_so_far(session, round)
    rows = [_paired(table, field.plays_as, joined, last) for table in hall.tables]
    seats = [*rows, *((entry,) for entry in hall.resting)]
    return [
        ev.Table(round=round, table=number, seats=tuple(field.named.get(entry, entry) for entry in row))
        for number, row in enumerate(seats, 1)
    ]


def waiting(session: SessionState, round: int) -> list[int]:
    """Return the tables of a round that play and have neither a result nor a reason for none."""
    entered = {at[1] for at in (*session.results, *session.absences) if at[0] == round}
    return [number for number, seated in session.tables(round).items() if seated.plays and number not in entered]


def winners(seats: Sequence[int], points: Mapping[int, Fraction], paired: bool, low: bool = False) -> list[int]:
    """Return the two entries of a table that win: a pair, or the best two where everybody plays alone.

    Equal ones: those who sit first, N E S W, win.
    """
    sign = 1 if low else -1
    if paired:
        return [*min(partners(seats), key=lambda pair: sign * points.get(pair[0], Fraction(0)))]
    return sorted(seats, key=lambda entry: sign * points.get(entry, Fraction(0)))[:2]


@dataclass
class _Field:
    """Who plays the next hand: entries in order, what each plays as, when each sat out, how many tables there are.

    `named` are players who have no number yet: they get one when they sit down.
    """

    entries: list[int]
    plays_as: dict[int, str | None]
    sat_out: dict[int, tuple[int, int]]
    tables: int
    named: dict[int, str] = field(default_factory=dict)

    @classmethod
    def of(cls, session: SessionState, movement: ev.Movement) -> _Field:
        """Return the players who are here; raises RuleError `session.seats`, `session.movement`."""
        numbers = {lineups[-1].players[0]: entry for entry, lineups in session.entries.items()}
        fresh = max(session.entries, default=0)
        named: dict[int, str] = {}
        for player in session.here:
            if player not in numbers:
                fresh += 1
                numbers[player], named[fresh] = fresh, player
        entries = sorted(numbers[player] for player in session.here)
        by_kind = movement.moves == "ladies_up"
        plays_as = {entry: session.plays_as(entry) if by_kind and entry not in named else None for entry in entries}
        tables = _tables_by_kind(session, plays_as, named) if by_kind else len(entries) // AT_TABLE
        if not tables:
            raise RuleError(
                "session.seats",
                advising(
                    Sentence(
                        "{here} are here, and a table needs {needed}: wait for more players",
                        here=len(entries),
                        needed=AT_TABLE,
                    )
                ),
            )
        return cls(entries, plays_as, _sat_out(session), tables, named)

    def turn(self, entry: int) -> tuple[int, int]:
        """Return how often an entry sat out, and in which round the last time."""
        return self.sat_out.get(entry, (0, 0))


def _tables_by_kind(session: SessionState, plays_as: Mapping[int, str | None], named: Mapping[int, str]) -> int:
    """Return how many tables of two ladies and two gentlemen there are; raises RuleError `session.movement`."""
    for entry, kind in plays_as.items():
        if kind is None:
            who = named.get(entry) or session.everybody(entry)[-1]
            raise refusal("{who} plays as neither lady nor gentleman: say which, or let winners move up", who=who)
    count = Counter(plays_as.values())
    tables = min(count[LADY], count[GENTLEMAN]) // 2
    if tables and len(plays_as) - AT_TABLE * tables >= AT_TABLE:
        raise refusal(
            "{ladies} play as ladies and {gentlemen} as gentlemen, so a whole table would sit out:"
            " let some play as the other, or let winners move up",
            ladies=count[LADY],
            gentlemen=count[GENTLEMAN],
        )
    return tables


def _sat_out(session: SessionState) -> dict[int, tuple[int, int]]:
    """Return how often each entry sat out, and in which round the last time."""
    found: dict[int, tuple[int, int]] = {}
    for round in session.rounds:
        for seated in session.tables(round).values():
            if seated.bye:
                found[seated.bye] = found.get(seated.bye, (0, 0))[0] + 1, round
    return found


def _moved(
    session: SessionState, round: int, points: Mapping[int, Fraction], movement: ev.Movement, low: bool
) -> list[list[int]]:
    """Return who comes to each table after a round: those who stay first."""
    if round < movement.start:
        return []
    played = [seated.seats for seated in session.tables(round).values() if seated.plays]
    stay: list[list[int]] = [[] for _ in played]
    come: list[list[int]] = [[] for _ in played]
    for at, seats in enumerate(played):
        won = winners(seats, points, in_pairs(movement, session.opening), low) if len(seats) == AT_TABLE else []
        stay[at] += [entry for entry in seats if entry not in won]
        for entry in won:
            down = movement.moves == "ladies_up" and session.plays_as(entry) == GENTLEMAN
            come[(at + (-1 if down else 1)) % len(played)].append(entry)
    return [[*staying, *coming] for staying, coming in zip(stay, come, strict=True)]


@dataclass
class _Hall:
    """The tables of the next hand while they fill, and who waits to sit down or sits out."""

    people: _Field
    tables: list[list[int]]
    resting: list[int] = field(default_factory=list)

    def come(self, moved: Sequence[Sequence[int]]) -> None:
        """Seat the players who moved; one who has left, or finds no place, does not sit down."""
        here = {*self.people.entries}
        for table, entries in zip(self.tables, moved, strict=False):
            for entry in entries:
                if entry in here and self._has_place(table, entry):
                    table.append(entry)
        seated = {entry for table in self.tables for entry in table}
        rest = [entry for entry in self.people.entries if entry not in seated]
        # Who sat out most often, and then most recently, comes in first.
        self.resting = sorted(rest, key=lambda entry: tuple(-part for part in self.people.turn(entry)))

    def fill(self) -> None:
        """Fill empty places with those who wait, then let everybody else come in for one who sat out less."""
        for table in self.tables:
            while len(table) < AT_TABLE:
                entry = next(entry for entry in self.resting if self._has_place(table, entry))
                self.resting.remove(entry)
                table.append(entry)
        back: list[int] = []
        for entry in self.resting:
            turn, at, place = min(self._exchangeable(entry, back), default=(self.people.turn(entry), 0, 0))
            if turn < self.people.turn(entry):
                table = self.tables[-at]
                back.append(table[-place])
                table[-place] = entry
            else:
                back.append(entry)
        self.resting = sorted(back)

    def _exchangeable(self, entry: int, back: Sequence[int]) -> Iterator[tuple[tuple[int, int], int, int]]:
        """Yield those for whom somebody can come in: how often they sat out, and their places, counted from the end."""
        kind = self.people.plays_as[entry]
        for at, table in enumerate(reversed(self.tables), 1):
            for place, other in enumerate(reversed(table), 1):
                if self.people.plays_as[other] == kind and other not in back:
                    yield self.people.turn(other), at, place

    def _has_place(self, table: Sequence[int], entry: int) -> bool:
        kind = self.people.plays_as[entry]
        most = AT_TABLE if kind is None else AT_TABLE // 2
        return sum(self.people.plays_as[other] == kind for other in table) < most


def _partners_so_far(session: SessionState, round: int) -> tuple[Counter[frozenset[int]], set[frozenset[int]]]:
    """Return how often each two were partners before a round, and who were so in the round before it."""
    joined: Counter[frozenset[int]] = Counter()
    last: set[frozenset[int]] = set()
    for earlier in range(1, round):
        last = {
            frozenset(pair)
            for seated in session.tables(earlier).values()
            if seated.plays
            for pair in partners(seated.seats)
        }
        joined.update(last)
    return joined, last


def _paired(
    table: Sequence[int],
    plays_as: Mapping[int, str | None],
    joined: Mapping[frozenset[int], int],
    last: set[frozenset[int]],
) -> tuple[int, ...]:
    """Return a table by seat, N E S W: partners changed, with as few partners again as can be."""

    def cost(way: tuple[tuple[int, int], ...]) -> tuple[int, int, int]:
        pairs = [(table[one], table[other]) for one, other in way]
        alike = sum(plays_as[one] is not None and plays_as[one] == plays_as[other] for one, other in pairs)
        again = [frozenset(pair) for pair in pairs]
        return alike, sum(pair in last for pair in again), sum(2 * joined.get(pair, 0) + 1 for pair in again)

    (north, south), (east, west) = min(_WAYS, key=cost)
    return table[north], table[east], table[south], table[west]

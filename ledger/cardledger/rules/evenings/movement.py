"""A movement: which entries sit at which table with which boards, round by round, and the checks on it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import accumulate, combinations
from typing import Any, NamedTuple

from cardledger.errors import RuleError
from cardledger.sentence import Sentence

_MEET = Sentence(
    "entries {one} and {other} meet {times} times, the last in round {round}: change the round, or allow it with 'again'"
)
_PARTNERS = Sentence(
    "entries {one} and {other} are partners {times} times, the last in round {round}:"
    " change the round, or allow it with 'again'"
)


class PlannedTable(NamedTuple):
    """A table in a round: entries by seat, and the numbers of its boards, both from 1.

    Two seats are the lines north-south and east-west, four are N E S W. A movement deals whole sets of boards: there
    the number is that of the set, until `deal` replaces it by the boards of the set.
    """

    seats: tuple[int, ...]
    boards: tuple[int, ...] = ()


Round = tuple[PlannedTable, ...]
"""The tables of a round; the first is table 1."""


class Schedule(NamedTuple):
    """The rounds of a movement.

    Entries have the numbers from 1 to `entries`; one that is missing tonight leaves its seat empty, and its opponent
    sits out. With `shared`, a set of boards is at several tables in one round. `sections` are the tables of each, in
    order; none without sections.
    """

    entries: int
    rounds: tuple[Round, ...]
    shared: bool = False
    sections: tuple[int, ...] = ()

    def by_section(self) -> list[tuple[Round, ...]]:
        """Return the rounds of each section, or all rounds in a list of one."""
        ends = [*accumulate(self.sections)] or [max(map(len, self.rounds), default=0)]
        return [
            tuple(tables[first:end] for tables in self.rounds) for first, end in zip([0, *ends], ends, strict=False)
        ]

    def shortened(self, rounds: int | None) -> Schedule:
        """Return the movement stopped after some rounds, None for all; raises RuleError `session.movement`."""
        if rounds is None:
            return self
        if not 1 <= rounds <= len(self.rounds):
            raise refusal(
                "this movement has 1 to {most} rounds, not {rounds}: choose one of these numbers",
                most=len(self.rounds),
                rounds=rounds,
            )
        return self._replace(rounds=self.rounds[:rounds])


def refusal(template: str, /, **values: Any) -> RuleError:
    """Return the error for a movement that cannot be played, `session.movement`: a whole sentence with its values."""
    return RuleError("session.movement", Sentence(template, **values))


def on_paper(number: int, n: int) -> int:
    """Return a number counted modulo n as it is printed: 0 is printed as n."""
    return number % n or n


def deal(movement: Schedule, size: int, first: int = 1) -> Schedule:
    """Return a movement with the boards of each set: `size` of them, the first set from board `first` on.

    >>> deal(Movement(2, ((Table((1, 2), (2,)),),)), 3).rounds[0][0].boards
    (4, 5, 6)
    """

    def of(number: int) -> range:
        return range(first + (number - 1) * size, first + number * size)

    rounds = tuple(
        tuple(table._replace(boards=tuple(board for number in table.boards for board in of(number))) for table in each)
        for each in movement.rounds
    )
    return movement._replace(rounds=rounds)


def partners(seats: Sequence[int]) -> list[tuple[int, int]]:
    """Return who plays with whom: at a table of four entries N with S and E with W, else nobody."""
    return [(seats[0], seats[2]), (seats[1], seats[3])] if len(seats) == 4 else []


def opponents(seats: Sequence[int]) -> list[tuple[int, int]]:
    """Return the couples of entries that play against each other at a table."""
    together = partners(seats)
    return [couple for couple in combinations(seats, 2) if couple not in together]


def check(rounds: Sequence[Round], *, again: int = 0, shared: bool = False, teams: bool = False) -> None:
    """Refuse rounds that cannot be played; raises RuleError `session.movement`.

    Nobody sits twice in a round; no two entries meet more than once (`again` times more, if given), as partners and as
    opponents; four single players at a table may meet twice as opponents, as in an individual movement. Nobody plays a
    board twice, and a board is at two tables of a round only if it is `shared`. A match of `teams` is two tables with
    the same boards, each team once in each line.
    """
    met: Counter[frozenset[int]] = Counter()
    joined: Counter[frozenset[int]] = Counter()
    played: dict[int, set[int]] = {}
    for number, tables in enumerate(rounds, 1):
        _expect_one_seat(tables, number, teams)
        if not shared and not teams:
            _expect_own_boards(tables, number)
        matches = {frozenset(table.seats): table for table in tables} if teams else dict(enumerate(tables))
        for table in matches.values():
            most = 2 if len(table.seats) == 4 else 1
            _count(met, opponents(table.seats), most * (1 + again), _MEET, number)
            _count(joined, partners(table.seats), 1 + again, _PARTNERS, number)
            for entry in table.seats:
                boards = played.setdefault(entry, set())
                if twice := boards.intersection(table.boards):
                    raise refusal(
                        "in round {round}, entry {entry} plays board {board} again: give the table other boards",
                        round=number,
                        entry=entry,
                        board=min(twice),
                    )
                boards.update(table.boards)


def _expect_one_seat(tables: Iterable[PlannedTable], round: int, teams: bool) -> None:
    """Refuse an entry with two seats in a round; a team has one in each line."""
    seats = [(seat if teams else 0, entry) for table in tables for seat, entry in enumerate(table.seats)]
    (_, entry), times = Counter(seats).most_common(1)[0] if seats else ((0, 0), 0)
    if times > 1:
        raise refusal(
            "in round {round}, entry {entry} sits at {times} places: give it one place",
            round=round,
            entry=entry,
            times=times,
        )


def _expect_own_boards(tables: Iterable[PlannedTable], round: int) -> None:
    at = Counter(board for table in tables for board in set(table.boards))
    board, times = at.most_common(1)[0] if at else (0, 0)
    if times > 1:
        raise refusal(
            "in round {round}, board {board} is at {times} tables: say that boards are shared, or deal others",
            round=round,
            board=board,
            times=times,
        )


def _count(
    seen: Counter[frozenset[int]], couples: Iterable[tuple[int, int]], most: int, template: str, round: int
) -> None:
    for couple in couples:
        seen[frozenset(couple)] += 1
        times = seen[frozenset(couple)]
        if times > most:
            one, other = sorted(couple)
            raise refusal(template, one=one, other=other, times=times, round=round)


def imbalance(rounds: Sequence[Round]) -> int:
    """Return how unequally pairs compete: 0 is perfect.

    For two pairs: the boards on which they sit the same way at different tables, minus those on which they sit
    opposite ways; of these differences the largest, without sign.
    """
    ways: dict[int, dict[int, int]] = {}
    for tables in rounds:
        for table in tables:
            for way, entry in enumerate(table.seats):
                ways.setdefault(entry, {}).update(dict.fromkeys(table.boards, way))
    met = {(frozenset(table.seats), board) for tables in rounds for table in tables for board in table.boards}
    differences = [
        sum(
            1 if ways[one][board] == ways[other][board] else -1
            for board in ways[one].keys() & ways[other].keys()
            if (frozenset((one, other)), board) not in met
        )
        for one, other in combinations(ways, 2)
    ]
    return max(map(abs, differences), default=0)

"""A seating for the players who are here: it balances who met whom, and gives its reasons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import NamedTuple

from cardledger.errors import RuleError
from cardledger.rules.evenings.table_sizes import FOUR, table_sizes
from cardledger.sentence import Sentence, advising

SeatRow = tuple[str, ...]
"""Players at a table by seat, or in a row that is cut into tables."""
Cost = tuple[int, int, int]
"""What a seating repeats: partners, then meetings, then seats; lower is better."""
MOST_REASONS = 5
"""The most reasons of one kind that are given one by one."""


@dataclass
class History:
    """What players did so far, over a season: who met whom, as partners too, who had which seat, who sat out when.

    Keys of `met` and `joined` are couples of players; seats count from 0. `sat_out` are the numbers of the rounds.
    """

    met: Counter[frozenset[str]] = field(default_factory=Counter)
    joined: Counter[frozenset[str]] = field(default_factory=Counter)
    seats: Counter[tuple[str, int]] = field(default_factory=Counter)
    sat_out: dict[str, list[int]] = field(default_factory=dict)
    rounds: int = 0

    def add(self, tables: Iterable[Sequence[str]], sitting_out: Iterable[str] = (), partners: bool = False) -> None:
        """Take in a round; `partners` if seats 0 and 2, 1 and 3 of its tables played together."""
        self.rounds += 1
        for table in tables:
            self.met.update(map(frozenset, combinations(table, 2)))
            if partners:
                self.joined.update(map(frozenset, _partners(table)))
            self.seats.update((player, seat) for seat, player in enumerate(table))
        for player in sitting_out:
            self.sat_out.setdefault(player, []).append(self.rounds)


class Seating(NamedTuple):
    """A proposed round: players by seat for each table, who sits out, and why, in English."""

    tables: tuple[SeatRow, ...]
    sitting_out: SeatRow
    reasons: tuple[str, ...]


def propose(
    players: Sequence[str],
    history: History | None = None,
    *,
    sizes: Collection[int] = FOUR,
    partners: bool = False,
    names: dict[str, str] | None = None,
) -> Seating:
    """Return a seating of the players who are here, in the order of their arrival.

    A table has one of `sizes`. Raises RuleError `session.seats` for too few players, `session.player` for one who is
    here twice. `names` are the names for the reasons, the players themselves unless given.
    """
    if len({*players}) < len(players):
        twice = Counter(players).most_common(1)[0][0]
        raise RuleError(
            "session.player", advising(Sentence("{twice} is here twice: name each player once", twice=twice))
        )
    past = history or History()
    tables = table_sizes(len(players), sizes)
    resting = _sitting_out(players, len(players) - sum(tables), past)
    row = _balanced([player for player in players if player not in resting], tables, past, partners)
    return Seating(row, resting, _reasons(row, resting, past, partners, names or {}))


def cost(table: Sequence[str], history: History, partners: bool) -> Cost:
    """Return what a table repeats.

    For each couple of partners, each couple and each seat, twice the times so far plus 1.
    """
    joined = sum(2 * history.joined[frozenset(couple)] + 1 for couple in _partners(table)) if partners else 0
    met = sum(2 * history.met[frozenset(couple)] + 1 for couple in combinations(table, 2))
    return joined, met, sum(2 * history.seats[player, seat] + 1 for seat, player in enumerate(table))


def _partners(table: Sequence[str]) -> list[tuple[str, str]]:
    return [(table[seat], table[seat + 2]) for seat in (0, 1) if seat + 2 < len(table)]


def _sitting_out(players: Sequence[str], number: int, history: History) -> SeatRow:
    """Return who sits out: who did so least, then longest ago or never, then who arrived last."""

    def turn(place: int) -> tuple[int, int, int]:
        rounds = history.sat_out.get(players[place], [])
        return len(rounds), rounds[-1] if rounds else 0, -place

    return tuple(players[place] for place in sorted(sorted(range(len(players)), key=turn)[:number]))


def _balanced(row: list[str], sizes: Sequence[int], history: History, partners: bool) -> tuple[SeatRow, ...]:
    """Return the tables cut from a row after the exchanges of two players that lower its cost, the best one first."""
    starts = [sum(sizes[:table]) for table in range(len(sizes))]
    at = [table for table, size in enumerate(sizes) for _ in range(size)]

    def cut(table: int) -> list[str]:
        return row[starts[table] : starts[table] + sizes[table]]

    costs = [cost(cut(table), history, partners) for table in range(len(sizes))]
    while True:
        best, exchange = (0, 0, 0), None
        for i, j in combinations(range(len(row)), 2):
            row[i], row[j] = row[j], row[i]
            changed = {at[i], at[j]}
            now = [cost(cut(table), history, partners) for table in changed]
            gain = _sum(now, -1, [costs[table] for table in changed])
            if gain < best:
                best, exchange = gain, (i, j)
            row[i], row[j] = row[j], row[i]
        if exchange is None:
            break
        i, j = exchange
        row[i], row[j] = row[j], row[i]
        for table in {at[i], at[j]}:
            costs[table] = cost(cut(table), history, partners)
    return tuple(tuple(cut(table)) for table in range(len(sizes)))


def _sum(now: Iterable[Cost], sign: int, before: Iterable[Cost]) -> Cost:
    """Return the sum of some costs plus, or with sign -1 minus, the sum of others."""
    parts = [*now, *((sign * a, sign * b, sign * c) for a, b, c in before)]
    return sum(a for a, _, _ in parts), sum(b for _, b, _ in parts), sum(c for _, _, c in parts)


def _reasons(
    tables: Sequence[SeatRow], resting: SeatRow, history: History, partners: bool, names: dict[str, str]
) -> tuple[str, ...]:
    """Return the reasons for a seating.

    Players who sit out, couples that meet for the first time or most often, partners again.
    """

    def called(player: str) -> str:
        return names.get(player, player)

    reasons = []
    for player in resting:
        times = len(history.sat_out.get(player, []))
        so_far = (
            Sentence.counted(
                "{player} sits out: has sat out once, and nobody here has sat out less",
                "{player} sits out: has sat out {num} times, and nobody here has sat out less",
                times,
                player=called(player),
            )
            if times
            else Sentence("{player} sits out: has not sat out yet", player=called(player))
        )
        reasons.append(so_far)
    couples = [couple for table in tables for couple in combinations(table, 2)]
    new = [
        Sentence("{one} and {other} have not met this season", one=called(a), other=called(b))
        for a, b in couples
        if not history.met[frozenset((a, b))]
    ]
    reasons += new[:MOST_REASONS]
    if len(new) > MOST_REASONS:
        more = len(new) - MOST_REASONS
        reasons.append(
            Sentence.counted(
                "{num} more couple at these tables has not met", "{num} more couples at these tables have not met", more
            )
        )
    if couples and len(new) < len(couples):
        a, b = max(couples, key=lambda couple: history.met[frozenset(couple)])
        times = history.met[frozenset((a, b))] + 1
        reasons.append(
            Sentence(
                "{one} and {other} will have met {times} times: no exchange of two players is better",
                one=called(a),
                other=called(b),
                times=times,
            )
        )
    if partners:
        together = [couple for table in tables for couple in _partners(table)]
        again = [(a, b) for a, b in together if history.joined[frozenset((a, b))]]
        reasons += [
            Sentence("{one} and {other} are partners again", one=called(a), other=called(b))
            for a, b in again[:MOST_REASONS]
        ]
        if not again and history.joined:
            reasons.append(Sentence("nobody has a partner for the second time"))
    return tuple(reasons)

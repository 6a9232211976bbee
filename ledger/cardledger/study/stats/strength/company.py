"""Company: who sat with whom, and what they scored; the matches from which strengths are estimated."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from cardledger.study.stats.measures.evening_of import evenings_of
from cardledger.study.stats.strength.places import without_places
from cardledger.study.stats.strength.sittings import sittings
from cardledger.study.stats.strength.units import partnerships, units

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from cardledger.study.stats.measures.tally import Tally
    from cardledger.study.stats.strength.sittings import Sittings

Sides = Callable[[int], tuple[int, ...]]
"""A function from the number of seats to the side of each seat."""
MOST_PLAYERS = 1000
"""Only this many players, those with the most hands, get a strength of their own; all others count as one."""
_FEWEST = 8
"""Least number of results beyond what has to be fitted; with fewer, a place is worth what is usual there."""
_ENOUGH = 60
"""With fewer degrees of freedom, hands with and without the luck of the deal count alike."""


@dataclass(frozen=True)
class Company:
    """Matches at tables with the same number of seats and the same sides.

    Where sides change, their hands with these sides.

    `who` is the player by match and seat. `sides` is the side of each seat; partners share one. `points` are the mean
    points a hand by match and side, less the mean of the table. `hands` is the number of hands that count, 0 for a side
    left out. `match` are the row numbers of the matches. `worth` is how many of the least noisy hands tell as much as
    the hands that count; without it all hands are equally noisy. `evening` is the evening of each match; without it
    every match is an evening of its own. `turns` is the share of the hands of each side in each kind of place from the
    dealer, less that of the table.
    """

    who: NDArray[Any]
    sides: tuple[int, ...]
    points: NDArray[Any]
    hands: NDArray[Any]
    match: NDArray[Any]
    worth: NDArray[Any] | None = None
    evening: NDArray[Any] | None = None
    turns: NDArray[Any] | None = None

    @property
    def evenings(self) -> NDArray[Any]:
        """The evening of each match, as a number that says no more."""
        return self.match if self.evening is None else self.evening

    @property
    def lengths(self) -> NDArray[Any]:
        """How many hands a side's points are worth as evidence, by match and side."""
        return self.hands if self.worth is None else self.worth

    @cached_property
    def mean(self) -> NDArray[Any]:
        """The matrix that averages seats to sides."""
        matrix: NDArray[Any] = (np.arange(max(self.sides) + 1)[:, None] == np.array(self.sides)).astype(float)
        matrix /= matrix.sum(1, keepdims=True)
        return matrix

    @cached_property
    def design(self) -> NDArray[Any]:
        """The matrix from strengths at the seats to expected points of sides: own side less the mean of the others."""
        sides = len(self.mean)
        matrix: NDArray[Any] = sides / (sides - 1) * (np.eye(sides) - 1 / sides) @ self.mean
        return matrix

    @property
    def single(self) -> bool:
        """Whether everybody plays alone and every seat counts."""
        return len(self.mean) == len(self.sides) and bool((self.hands > 0).all())

    def only(self, matches: NDArray[Any]) -> Company:
        """Return some of the matches."""
        columns: dict[str, Any] = {
            name: None if (column := getattr(self, name)) is None else column[matches]
            for name in ("who", "points", "hands", "match", "worth", "evening", "turns")
        }
        return replace(self, **columns)

    def expected(self, strength: NDArray[Any]) -> NDArray[Any]:
        """Return the points expected from the strengths of players, by match and side."""
        points: NDArray[Any] = strength[self.who] @ self.design.T
        return points

    def scattered(self, values: NDArray[Any], players: int) -> NDArray[Any]:
        """Sum values by match and side over players, weighted by the design."""
        sums: NDArray[Any] = np.bincount(self.who.ravel(), (values @ self.design).ravel(), players)
        return sums

    def information(self, weights: NDArray[Any], players: int) -> NDArray[Any]:
        """Return the matrix of the normal equations: the Laplacian of meetings."""
        squares = (self.design[:, :, None] * self.design[:, None, :]).reshape(len(self.mean), -1)
        return summed(self.who, weights @ squares, players)

    def by_seat(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return for each seat the value of its side."""
        at_seats: NDArray[Any] = values[:, list(self.sides)]
        return at_seats

    def of_players(self, values: NDArray[Any], players: int) -> NDArray[Any]:
        """Sum values by side over the players on it."""
        return np.bincount(self.who.ravel(), self.by_seat(values).ravel(), players)


@dataclass(frozen=True)
class LinkedPlayers:
    """Players who are linked, directly or through others, and their matches.

    `players` are codes of the sheet; the numbers in `Company.who` are positions in it. The last may be None: all other
    players. `within` is the variance of single hands inside a match. Partners who never sat apart are one player here;
    `units` has all their codes, and without it everybody stands alone. `placed` is what the places from the dealer, an
    estimate too, add to the covariance of strengths, for hands of variance 1; `unplaced` are directions in which
    strengths and places cannot be told apart.
    """

    players: tuple[int | None, ...]
    companies: tuple[Company, ...]
    within: float
    units: tuple[tuple[int, ...], ...] = ()
    placed: NDArray[Any] | None = None
    unplaced: NDArray[Any] | None = None

    def at(self, code: int | None) -> int | None:
        """Return the position of a player, given by the code: that of the unit of partners who never sat apart."""
        found = (at for at, one in enumerate(self.players) if code is not None and (one == code or code in self.of(at)))
        return next(found, None)

    def of(self, at: int) -> tuple[int, ...]:
        """Return the codes of the people at a position; none for all other players."""
        code = self.players[at]
        return self.units[at] if self.units else () if code is None else (code,)

    @cached_property
    def sizes(self) -> NDArray[Any]:
        """How many people each player stands for at a table."""
        return np.array([max(len(codes), 1) for codes in self.units] or [1] * len(self.players))

    @cached_property
    def hands(self) -> NDArray[Any]:
        """Number of counted hands by player."""
        return sum(one.of_players(one.hands, len(self.players)) for one in self.companies) / self.sizes

    @cached_property
    def share(self) -> NDArray[Any]:
        """The share of each player in all hands of all people."""
        weight = self.hands * self.sizes
        shares: NDArray[Any] = weight / weight.sum()
        return shares

    @cached_property
    def matches(self) -> NDArray[Any]:
        """Number of matches with a counted hand, by player."""
        return sum(one.of_players(one.hands > 0, len(self.players)) for one in self.companies) / self.sizes


def summed(at: NDArray[Any], values: NDArray[Any], size: int) -> NDArray[Any]:
    """Sum the values of pairs of seats into a square matrix, at the positions of the players who sit there."""
    pairs = at[:, :, None] * size + at[:, None, :]
    total: NDArray[Any] = np.bincount(pairs.ravel(), np.ascontiguousarray(values).ravel(), size * size)
    return total.reshape(size, size)


def components(linked: NDArray[Any]) -> NDArray[Any]:
    """Return the connected component of each node of a graph, given as a matrix of links."""
    part = np.full(len(linked), -1)
    for start in range(len(linked)):
        if part[start] >= 0:
            continue
        reached, edge = np.zeros(len(linked), dtype=bool), np.zeros(len(linked), dtype=bool)
        edge[start] = True
        while edge.any():
            reached |= edge
            edge = linked[edge].any(0) & ~reached
        part[reached] = part.max() + 1
    return part


def leagues(tally: Tally, sides: Sides, *, by_pair: bool = False) -> list[LinkedPlayers]:
    """Return the matches of a tally as leagues, most hands first; players of different leagues are not linked at all.

    `sides(n)` gives each of n seats its side. With `by_pair` those who play are the
    partnerships of each match.
    """
    seated = sittings(tally.sheet, sides)
    hand = _deviations(tally, seated)
    places = len(seated.of)
    hands = np.bincount(hand.place, hand.counted, places)
    chosen = np.flatnonzero(np.bincount(seated.of, hands, len(seated.match)) > 0)
    texts = tally.sheet.text("player")
    turns = _turns_of(hand, places)
    unit, people = partnerships(seated, texts) if by_pair else units(seated, chosen, texts)
    results = int((hands > 0).sum()) - len(chosen)
    few = results < len(np.unique(unit[hands > 0])) + turns.shape[1] + _FEWEST
    counts = PlaceCounts(
        hands, np.bincount(hand.place, hand.weight, places),
        np.bincount(hand.place, hand.weight * (hand.usual if few else hand.points), places),
        np.zeros_like(turns) if few else turns, evenings_of(tally.sheet),
    )  # fmt: skip
    order, number = _ordered(seated, unit, counts, chosen, [[texts[code] for code in codes] for codes in people])
    named = [people[at] if at is not None else () for at in order]
    companies = [
        _company(seated, number[unit], counts, chosen, int(pattern)) for pattern in np.unique(seated.pattern[chosen])
    ]
    return without_places([*_parted(named, companies, _within(tally, seated, hand))])


@dataclass(frozen=True, slots=True)
class Hands:
    """The seats of hands near a query: the place of each, its points, whether it counts, its weight, and its turn.

    `points` are less the mean of the sides in this hand, `usual` also less what is usual at this turn. A turn is a
    place from the dealer at a table of this size, with so many partners; turns are numbered.
    """

    place: NDArray[Any]
    points: NDArray[Any]
    usual: NDArray[Any]
    counted: NDArray[Any]
    weight: NDArray[Any]
    turn: NDArray[Any]
    hand: NDArray[Any]
    share: NDArray[Any]


@dataclass(frozen=True, slots=True)
class PlaceCounts:
    """By place: the hands that count, what they are worth, the sum of their points, and of their turns.

    Evenings by match.
    """

    hands: NDArray[Any]
    worth: NDArray[Any]
    sums: NDArray[Any]
    turns: NDArray[Any]
    evening: NDArray[Any]


def _deviations(tally: Tally, seated: Sittings) -> Hands:
    """Return each seat of each hand in a tally's matches.

    The luck of the deal is taken off points where it is known. The weight of a hand is in proportion to one over the
    variance of its points: 1 where the luck is taken off.
    """
    sheet = tally.sheet
    match = sheet.seats["row"]
    chosen = np.zeros(len(sheet.matches["size"]), dtype=bool)
    chosen[match[tally.rows]] = True
    near = chosen[match[sheet.hands["row"]]]
    row, points = sheet.hands["row"][near], sheet.hands["fair"][near]
    kind = (seated.role[near] * 16 + sheet.matches["size"][match[row]]) * 16 + sheet.hands["turn"][near]
    hand = np.cumsum(sheet.seats["seat"][row] == 0) - 1
    place, at_table = seated.place[near], seated.share[near]

    def centred(points: NDArray[Any], *, usual: bool) -> NDArray[Any]:
        if usual:
            points = points - (np.bincount(kind, points) / np.maximum(np.bincount(kind), 1))[kind]
        deviation: NDArray[Any] = points - np.bincount(hand, points * at_table)[hand]
        return deviation

    usual = centred(points, usual=True)
    counted, weight = tally.hands[near], tally.hands[near].astype(float)
    known = sheet.hands["valued"][near] > 0
    if known.any() and not known[counted].all():
        as_scored = centred(sheet.hands["points"][near], usual=True)
        weight[~known] *= _noise_left(place[known], usual[known], as_scored[known])
    turn = np.unique(kind, return_inverse=True)[1]
    return Hands(place, centred(points, usual=False), usual, counted, weight, turn, hand, at_table)


def _turns_of(of: Hands, places: int) -> NDArray[Any]:
    """Return by place the weighted sum of the turns of its hands, each less that of the table."""
    sums = np.zeros((places, int(of.turn.max(initial=-1)) + 1))
    for turn in range(sums.shape[1]):
        here = (of.turn == turn).astype(float)
        here -= np.bincount(of.hand, here * of.share)[of.hand]
        sums[:, turn] = np.bincount(of.place, of.weight * here, places)
    return sums


def _within(tally: Tally, seated: Sittings, of: Hands) -> float:
    """Return the variance of single hands inside a match."""
    places = len(seated.of)
    hands, worth = np.bincount(of.place, of.counted, places), np.bincount(of.place, of.weight, places)
    sums, squares = (np.bincount(of.place, of.weight * of.usual**power, places) for power in (1, 2))
    several = hands > 1
    size = tally.sheet.matches["size"][seated.match[seated.of]]
    freedom = float(((hands - 1) * (1 - 1 / size))[several].sum())
    return float((squares - sums**2 / np.where(hands, worth, 1))[several].sum()) / freedom if freedom else 0.0


def _noise_left(row: NDArray[Any], fair: NDArray[Any], points: NDArray[Any]) -> float:
    """Return the share of the variance of a hand's points that is left without luck, from the same hands; at most 1."""
    hands = np.bincount(row)
    if (np.maximum(hands - 1, 0)).sum() < _ENOUGH:
        return 1.0

    def within(values: NDArray[Any]) -> float:
        sums, squares = (np.bincount(row, values**power) for power in (1, 2))
        return float((squares - sums**2 / np.maximum(hands, 1)).sum())

    return min(within(fair) / max(within(points), 1e-9), 1.0)


def _ordered(
    seated: Sittings, unit: NDArray[Any], counts: PlaceCounts, chosen: NDArray[Any], names: list[list[str]]
) -> tuple[list[int | None], NDArray[Any]]:
    """Return the units in an order that does not depend on the order of recording, and each unit's position."""
    there = np.zeros(len(seated.match), dtype=bool)
    there[chosen] = True
    found = np.flatnonzero(np.bincount(unit[there[seated.of]]))
    sizes = np.array([len(of) for of in names])
    played = (np.bincount(unit, counts.hands, len(names)) / sizes)[found]
    scored = np.round((np.bincount(unit, counts.sums, len(names)) / sizes)[found], 6)
    by_name = np.array([at for at, _ in sorted(enumerate(found.tolist()), key=lambda one: names[one[1]])])
    found = found[np.lexsort((np.argsort(by_name), scored, -played))]
    number = np.full(len(names), min(len(found), MOST_PLAYERS))
    number[found[:MOST_PLAYERS]] = np.arange(len(found[:MOST_PLAYERS]))
    order: list[int | None] = found[:MOST_PLAYERS].tolist()
    return order + [None] * (len(found) > MOST_PLAYERS), number


def _company(
    seated: Sittings, number: NDArray[Any], counts: PlaceCounts, chosen: NDArray[Any], pattern: int
) -> Company:
    """Return the matches at tables with these sides, in an order that does not depend on the order of recording."""
    sides = seated.sides[pattern]
    these = chosen[seated.pattern[chosen] == pattern]
    table = seated.first[these][:, None] + np.arange(len(sides))
    match, who = seated.match[these], number[table]
    on = (np.array(sides)[:, None] == np.arange(max(sides) + 1)).astype(float)
    there = np.maximum((counts.hands[table] > 0) @ on, 1)
    counted, weighed = counts.hands[table] @ on / there, counts.worth[table] @ on
    points = counts.sums[table] @ on / np.where(weighed, weighed, 1)
    turns = np.einsum("jsp,sh->jhp", counts.turns[table], on) / np.where(weighed, weighed, 1)[:, :, None]
    order = np.lexsort((*np.round(points, 6).T, *counted.T, *who.T))
    return Company(
        who[order], sides, points[order], counted[order], match[order], (weighed / there)[order],
        counts.evening[match[order]], turns[order],
    )  # fmt: skip


def _parted(people: Sequence[tuple[int, ...]], companies: Sequence[Company], within: float) -> Iterator[LinkedPlayers]:
    """Yield the groups of linked players with their matches."""
    k = len(people)
    met = sum(
        (summed(one.who, np.ones((len(one.who), one.who.shape[1] ** 2)), k) for one in companies), np.zeros((k, k))
    )
    part = components(met > 0)
    for which in range(part.max(initial=-1) + 1):
        members = np.flatnonzero(part == which)
        place = np.full(k, -1)
        place[members] = np.arange(len(members))
        inside = [one.only(part[one.who[:, 0]] == which) for one in companies]
        yield LinkedPlayers(
            tuple(people[int(at)][0] if people[int(at)] else None for at in members),
            tuple(replace(one, who=place[one.who]) for one in inside if len(one.who)),
            within,
            tuple(people[int(at)] for at in members),
        )

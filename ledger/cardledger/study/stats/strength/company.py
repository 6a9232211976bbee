"""Company: who sat with whom, and what they scored; the matches from which strengths are estimated."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from cardledger.study.stats.strength.sittings import sittings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from cardledger.study.stats.measures.tally import Tally
    from cardledger.study.stats.strength.sittings import Sittings

Sides = Callable[[int], tuple[int, ...]]
"""A function from the number of seats to the side of each seat."""
MOST_PLAYERS = 1000
"""Only this many players, those with the most hands, get a strength of their own; all others count as one."""
_ENOUGH = 60
"""With fewer degrees of freedom, hands with and without the luck of the deal count alike."""


@dataclass(frozen=True)
class Company:
    """Matches at tables with the same number of seats and the same sides.

    Where sides change, their hands with these sides.

    `who` is the player by match and seat. `sides` is the side of each seat; partners share one. `points` are the mean
    points a hand by match and side, less the mean of the table. `hands` is the number of hands that count, 0 for a side
    left out. `match` are the row numbers of the matches. `worth` is how many of the least noisy hands tell as much as
    the hands that count; without it all hands are equally noisy.
    """

    who: NDArray[Any]
    sides: tuple[int, ...]
    points: NDArray[Any]
    hands: NDArray[Any]
    match: NDArray[Any]
    worth: NDArray[Any] | None = None

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
    players. `within` is the variance of single hands inside a match.
    """

    players: tuple[int | None, ...]
    companies: tuple[Company, ...]
    within: float

    @cached_property
    def hands(self) -> NDArray[Any]:
        """Number of counted hands by player."""
        return sum(one.of_players(one.hands, len(self.players)) for one in self.companies)  # type: ignore[return-value]

    @cached_property
    def matches(self) -> NDArray[Any]:
        """Number of matches with a counted hand, by player."""
        return sum(one.of_players(one.hands > 0, len(self.players)) for one in self.companies)  # type: ignore[return-value]


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


def leagues(tally: Tally, sides: Sides) -> list[LinkedPlayers]:
    """Return the matches of a tally as leagues, most hands first; players of different leagues are not linked at all.

    `sides(n)` gives each of n seats its side.
    """
    seated = sittings(tally.sheet, sides)
    place, deviation, counted, weight = _deviations(tally, seated)
    places = len(seated.of)
    hands, worth = np.bincount(place, counted, places), np.bincount(place, weight, places)
    sums, squares = (np.bincount(place, weight * deviation**power, places) for power in (1, 2))
    size = tally.sheet.matches["size"][seated.match[seated.of]]
    several = hands > 1
    freedom = float(((hands - 1) * (1 - 1 / size))[several].sum())
    within = float((squares - sums**2 / np.where(hands, worth, 1))[several].sum()) / freedom if freedom else 0.0
    chosen = np.flatnonzero(np.bincount(seated.of, hands, len(seated.match)) > 0)
    order, number = _ordered(tally, seated, hands, sums, chosen)
    companies = [
        _company(seated, number, hands, worth, sums, chosen, int(pattern))
        for pattern in np.unique(seated.pattern[chosen])
    ]
    return [*_parted(order, companies, within)]


def _deviations(tally: Tally, seated: Sittings) -> tuple[NDArray[Any], ...]:
    """Return for each seat of each hand in a tally's matches: its place, its centred points, whether it counts, its weight.

    The luck of the deal is taken off points where it is known. Points are centred twice: on the mean at that place from
    the dealer (and with that number of partners, where that changes), and on the mean of the sides in this hand. The
    weight of a hand is in proportion to one over the variance of its points: 1 where the luck is taken off.
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

    def centred(points: NDArray[Any]) -> NDArray[Any]:
        usual = np.bincount(kind, points) / np.maximum(np.bincount(kind), 1)
        at_place = points - usual[kind]
        deviation: NDArray[Any] = at_place - np.bincount(hand, at_place * at_table)[hand]
        return deviation

    deviation, counted, weight = centred(points), tally.hands[near], tally.hands[near].astype(float)
    known = sheet.hands["valued"][near] > 0
    if known.any() and not known[counted].all():
        weight[~known] *= _noise_left(place[known], deviation[known], centred(sheet.hands["points"][near])[known])
    return place, deviation, counted, weight


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
    tally: Tally, seated: Sittings, hands: NDArray[Any], sums: NDArray[Any], chosen: NDArray[Any]
) -> tuple[list[int | None], NDArray[Any]]:
    """Return the players in an order that does not depend on the order of recording, and each player's position by code."""
    texts = tally.sheet.text("player")
    there = np.zeros(len(seated.match), dtype=bool)
    there[chosen] = True
    codes = np.flatnonzero(np.bincount(seated.player[there[seated.of]]))
    played = np.bincount(seated.player, hands, len(texts))[codes]
    scored = np.round(np.bincount(seated.player, sums, len(texts))[codes], 6)
    by_name = np.argsort(np.argsort([texts[code] for code in codes]))
    codes = codes[np.lexsort((by_name, scored, -played))]
    number = np.full(len(texts), min(len(codes), MOST_PLAYERS))
    number[codes[:MOST_PLAYERS]] = np.arange(len(codes[:MOST_PLAYERS]))
    order: list[int | None] = codes[:MOST_PLAYERS].tolist()
    return order + [None] * (len(codes) > MOST_PLAYERS), number


def _company(
    seated: Sittings,
    number: NDArray[Any],
    hands: NDArray[Any],
    worth: NDArray[Any],
    sums: NDArray[Any],
    chosen: NDArray[Any],
    pattern: int,
) -> Company:
    """Return the matches at tables with these sides, in an order that does not depend on the order of recording."""
    sides = seated.sides[pattern]
    these = chosen[seated.pattern[chosen] == pattern]
    table = seated.first[these][:, None] + np.arange(len(sides))
    match, who = seated.match[these], number[seated.player[table]]
    on = (np.array(sides)[:, None] == np.arange(max(sides) + 1)).astype(float)
    there = np.maximum((hands[table] > 0) @ on, 1)
    counted, weighed = hands[table] @ on / there, worth[table] @ on
    points = sums[table] @ on / np.where(weighed, weighed, 1)
    order = np.lexsort((*np.round(points, 6).T, *counted.T, *who.T))
    return Company(who[order], sides, points[order], counted[order], match[order], (weighed / there)[order])


def _parted(players: Sequence[int | None], companies: Sequence[Company], within: float) -> Iterator[LinkedPlayers]:
    """Yield the groups of linked players with their matches."""
    k = len(players)
    met = sum(
        (summed(one.who, np.ones((len(one.who), one.who.shape[1] ** 2)), k) for one in companies), np.zeros((k, k))
    )
    part = components(met > 0)
    for which in range(part.max(initial=-1) + 1):
        members = np.flatnonzero(part == which)
        place = np.full(k, -1)
        place[members] = np.arange(len(members))
        inside = [(one, part[one.who[:, 0]] == which) for one in companies]
        yield LinkedPlayers(
            tuple(players[int(at)] for at in members),
            tuple(
                replace(
                    one,
                    who=place[one.who[here]],
                    points=one.points[here],
                    hands=one.hands[here],
                    match=one.match[here],
                    worth=one.lengths[here],
                )
                for one, here in inside
                if here.any()
            ),
            within,
        )

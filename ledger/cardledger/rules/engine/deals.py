"""Deals: every way to put unseen cards into the places that may hold them, counted exactly and drawn evenly.

Places that may hold the same cards are one party. The parties get their cards one after the other, those that may hold
the fewest first; cards that all later parties treat alike are one group. So a party takes x[0], x[1], … cards of the
groups in C(n[0], x[0]) · C(n[1], x[1]) · … ways (its places then share them in any way), and the state is how many
cards of each group are left. A draw walks the table of these counts; `cardledger.rules.kernel.worlds` walks the same
table.
"""

from __future__ import annotations

from functools import cached_property
from math import comb, factorial, prod
from typing import TYPE_CHECKING, Final, NamedTuple

from cardledger.rules.engine.cards import cards_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardledger.rules.engine.chance import Chance

Left = tuple[int, ...]
"""How many cards of each group are left."""
State = tuple[int, list[tuple[int, Left, list[int]]]]
DEALT: Final[State] = 1, []
NO_DEALS: Final[State] = 0, []
LIMIT, NEXT, TAKEN = 0, 1, 2
"""The columns of a table of counts."""
TOP: Final = 2**63 - 1
"""The limit of the last row of a state."""


class ImpossibleError(ValueError):
    """No deal fits what is known."""


class Group(NamedTuple):
    """Cards that a party and all later ones treat alike.

    `may` tells whether the party may hold them, `wanted` whether a later one may; `later` is their group there.
    """

    cards: int
    may: bool
    wanted: bool
    later: int


class DealCounts(NamedTuple):
    """Counts of deals as numbers of 64 bits, to draw from: what `PossibleDeals.draw` and kernels walk.

    The first party begins in row 0. It is dealt by the first row whose LIMIT is not below a random number from 0 to
    TOP, takes so many cards of each group (from TAKEN on), and the following party begins in row NEXT. `groups` are the
    cards of each group by party, `sizes` how many cards each place needs, by party. A row's chance is exact to 1 in
    2⁶³, which is as much as the chance of a rollout can tell apart.
    """

    rows: list[list[int]]
    groups: list[list[int]]
    sizes: list[list[int]]


class PossibleDeals:
    """The deals of unseen cards, given as a set of bits, to places that need so many each and cannot hold those `barred` there."""

    def __init__(self, cards: int, needs: Sequence[int], barred: Sequence[int]) -> None:
        """Begin; raises ImpossibleError if there are more or fewer cards than places need."""
        if cards.bit_count() != sum(needs):
            raise ImpossibleError(f"{cards.bit_count()} unseen cards do not fill {sum(needs)} places")
        self.cards, self.needs, self.barred = cards, tuple(needs), tuple(barred)
        by_bar: dict[int, list[int]] = {}
        for place, need in enumerate(needs):
            if need:
                by_bar.setdefault(barred[place] & cards, []).append(place)
        self._parties = sorted(by_bar.items(), key=lambda party: (-party[0].bit_count(), party[0]))
        self._sizes = [sum(needs[place] for place in places) for _, places in self._parties]
        self._groups = self._grouped()
        self._states: dict[tuple[int, Left], State] = {}

    def _grouped(self) -> list[list[Group]]:
        """Return the groups by party: from the last party to the first, each splits those of the one after it."""
        found: list[list[Group]] = []
        behind = [(self.cards, False)]
        for barred, _ in reversed(self._parties):
            groups = [
                Group(some, may, wanted, later)
                for later, (cards, wanted) in enumerate(behind)
                for some, may in ((cards & ~barred, True), (cards & barred, False))
                if some
            ]
            found.append(groups)
            behind = [(group.cards, group.may or group.wanted) for group in groups]
        return found[::-1]

    @cached_property
    def number(self) -> int:
        """How many deals there are, cards of one face told apart."""
        inside = (
            factorial(size) // prod(factorial(self.needs[place]) for place in places)
            for size, (_, places) in zip(self._sizes, self._parties, strict=True)
        )
        return self._state(0, self._begin)[0] * prod(inside)

    @property
    def fits(self) -> bool:
        """Whether there is any."""
        return self._state(0, self._begin)[0] > 0

    @property
    def _begin(self) -> Left:
        return tuple(group.cards.bit_count() for group in self._groups[0]) if self._groups else ()

    def shares(self) -> dict[int, dict[int, float]]:
        """Return for each card the share of all deals in which it is at each place.

        Places that cannot hold it are left out.

        Raises ImpossibleError if no deal fits.
        """
        self._must_fit()
        found: dict[int, dict[int, float]] = {}
        for at, group in enumerate(self._groups[0] if self._groups else ()):
            share = {
                place: number * self.needs[place] / (size * self._whole)
                for number, size, (_, places) in zip(self._by_party(at), self._sizes, self._parties, strict=False)
                for place in places
                if number
            }
            found |= {card: dict(sorted(share.items())) for card in cards_in(group.cards)}
        return found

    @property
    def _whole(self) -> int:
        """How many deals to parties there are."""
        return self._state(0, self._begin)[0]

    def _by_party(self, at: int) -> Iterator[int]:
        """Yield for each party the number of deals in which it has a card of a group; it ends with the last that may.

        The states are gone through once, each with the number of ways to reach it with the card still left: of the ways
        to take t of n cards, a card is among those taken in t/n.
        """
        reached = {self._begin: 1}
        for k, groups in enumerate(self._groups):
            having, following = 0, dict[Left, int]()
            for left, ways in reached.items():
                before = 0
                for sum_of_deals, behind, taken in self._state(k, left)[1]:
                    deals, before = sum_of_deals - before, sum_of_deals
                    having += ways * deals * taken[at] // left[at]
                    if taken[at] < left[at]:
                        steps = deals // self._state(k + 1, behind)[0]
                        still = ways * steps * (left[at] - taken[at]) // left[at]
                        following[behind] = following.get(behind, 0) + still
            yield having
            if not following:
                return
            reached, at = following, groups[at].later

    @cached_property
    def table(self) -> DealCounts:
        """The counts to draw from; raises ImpossibleError if no deal fits."""
        self._must_fit()
        width = max((len(groups) for groups in self._groups), default=0)
        rows: list[list[int]] = []
        following: list[tuple[int, Left]] = []
        begun: dict[tuple[int, Left], int] = {}
        waiting = [(0, self._begin)] if self._parties else []
        for state in waiting:  # it grows as it is gone through
            if state in begun or state[0] == len(self._parties):
                continue
            begun[state] = len(rows)
            whole, steps = self._state(*state)
            for sum_of_deals, left, taken in steps:
                rows.append([(sum_of_deals << 63) // whole - 1, 0, *taken, *[0] * (width - len(taken))])
                following.append((state[0] + 1, left))
            waiting += following[begun[state] :]
        for row, state in zip(rows, following, strict=True):
            row[NEXT] = begun.get(state, 0)
        groups = [[*(group.cards for group in some), *[0] * (width - len(some))] for some in self._groups]
        sizes = []
        for _, places in self._parties:
            needs = [0] * len(self.needs)
            for place in places:
                needs[place] = self.needs[place]
            sizes.append(needs)
        return DealCounts(rows, groups, sizes)

    def draw(self, chance: Chance) -> list[int]:
        """Return a deal, each as likely as any other: the cards of each place.

        Raises ImpossibleError if no deal fits.
        """
        rows, groups, sizes = self.table
        dealt, left, row = [0] * len(self.needs), self.cards, 0
        for some, needs in zip(groups, sizes, strict=True):
            if rows[row][LIMIT] < TOP:
                pick = chance.bits() >> 1
                while rows[row][LIMIT] < pick:
                    row += 1
            cards: list[int] = []
            for group, number in zip(some, rows[row][TAKEN:], strict=True):
                chosen = chance.cards(left & group, number)
                left &= ~chosen
                cards += cards_in(chosen)
            chance.shuffle(cards)
            rest = iter(cards)
            for place, need in enumerate(needs):
                for _ in range(need):
                    dealt[place] |= 1 << next(rest)
            row = rows[row][NEXT]
        return dealt

    def _must_fit(self) -> None:
        if not self.fits:
            raise ImpossibleError("no deal fits what is known")

    def _state(self, k: int, left: Left) -> State:
        """Return the number of deals to the parties from k on, and the steps of party k, each with the sum up to it."""
        if k == len(self._parties):
            return DEALT
        known = self._states.get((k, left))
        if known is None:
            known = self._states[k, left] = self._counted(k, left)
        return known

    def _counted(self, k: int, left: Left) -> State:
        """Count the deals of a state.

        A party takes what no later one may hold, and of the other cards it may hold any.
        """
        groups, rest, free = self._groups[k], self._sizes[k], []
        taken, after = [0] * len(groups), [0] * len(self._groups[k + 1] if k + 1 < len(self._groups) else ())
        for at, (group, some) in enumerate(zip(groups, left, strict=True)):
            if group.wanted:
                after[group.later] += some
                if group.may:
                    free.append(at)
            elif group.may:
                taken[at] = some
                rest -= some
            elif some:
                return NO_DEALS
        whole, steps = 0, []
        for split in _splits(rest, [left[at] for at in free]):
            ways, takes, leaves = 1, taken.copy(), after.copy()
            for at, some in zip(free, split, strict=True):
                ways *= comb(left[at], some)
                takes[at] = some
                leaves[groups[at].later] -= some
            behind = tuple(leaves)
            more = ways * self._state(k + 1, behind)[0]
            if more:
                whole += more
                steps.append((whole, behind, takes))
        return whole, steps


def _splits(cards: int, most: Sequence[int]) -> Iterator[Left]:
    """Yield the ways to take so many cards of some groups."""
    if not most:
        if not cards:
            yield ()
        return
    for some in range(max(0, cards - sum(most[1:])), min(most[0], cards) + 1):
        for others in _splits(cards - some, most[1:]):
            yield (some, *others)

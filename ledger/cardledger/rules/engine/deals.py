"""Deals: every way to put unseen cards into the places that may hold them, counted exactly and drawn evenly.

Places that may hold the same cards are one party. The parties get their cards one after the other, those that may hold
the fewest first; cards that all later parties treat alike are one group. So a party takes x[0], x[1], … cards of the
groups in C(n[0], x[0]) · C(n[1], x[1]) · … ways (its places then share them in any way), and the state is how many cards of each group are left. A draw walks
the table of these counts; `cardledger.rules.kernel.worlds` walks the same table.
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


class Table(NamedTuple):
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
        self._counts: dict[tuple[int, Left], int] = {}

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
        return self._count(0, self._begin) * prod(inside)

    @property
    def _begin(self) -> Left:
        return tuple(group.cards.bit_count() for group in self._groups[0]) if self._groups else ()

    def shares(self) -> dict[int, dict[int, float]]:
        """Return for each card the share of all deals in which it is at each place; places that cannot hold it are left out.

        Raises ImpossibleError if no deal fits.
        """
        self._must_fit()
        found = {}
        for group in self._groups[0] if self._groups else ():
            card = group.cards & -group.cards
            share = {}
            for barred, places in self._parties:
                if barred & card:
                    continue
                needs = [need - (place == places[0]) for place, need in enumerate(self.needs)]
                some = PossibleDeals(self.cards ^ card, needs, self.barred).number
                if some:
                    share |= {
                        place: some * self.needs[place] / (self.needs[places[0]] * self.number) for place in places
                    }
            found |= {of_group: dict(sorted(share.items())) for of_group in cards_in(group.cards)}
        return found

    @cached_property
    def table(self) -> Table:
        """The counts to draw from; raises ImpossibleError if no deal fits."""
        self._must_fit()
        width = max((len(groups) for groups in self._groups), default=0)
        rows: list[list[int]] = []
        following: list[tuple[int, Left]] = []
        begun: dict[tuple[int, Left], int] = {}
        waiting = [(0, self._begin)]
        for k, left in waiting:  # it grows as it is gone through
            if (k, left) in begun or k == len(self._parties):
                continue
            begun[k, left] = len(rows)
            whole, before = self._count(k, left), 0
            for ways, after, taken in self._steps(k, left):
                behind = self._count(k + 1, after)
                if behind:
                    before += ways * behind
                    rows.append([(before << 63) // whole - 1, 0, *taken, *[0] * (width - len(taken))])
                    following.append((k + 1, after))
            waiting += following[begun[k, left] :]
        for row, state in zip(rows, following, strict=True):
            row[NEXT] = begun.get(state, 0)
        groups = [[*(group.cards for group in some), *[0] * (width - len(some))] for some in self._groups]
        sizes = [[self.needs[at] if at in of else 0 for at in range(len(self.needs))] for _, of in self._parties]
        return Table(rows, groups, sizes)

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
        if not self.number:
            raise ImpossibleError("no deal fits what is known")

    def _count(self, k: int, left: Left) -> int:
        """Return the number of deals to the parties from k on."""
        if k == len(self._parties):
            return 1
        known = self._counts.get((k, left))
        if known is None:
            known = sum(ways * self._count(k + 1, after) for ways, after, _ in self._steps(k, left))
            self._counts[k, left] = known
        return known

    def _steps(self, k: int, left: Left) -> Iterator[tuple[int, Left, Left]]:
        """Yield every way in which a party can take cards of the groups: how many there are of it, what is left, and what it takes."""
        groups, size = self._groups[k], self._sizes[k]
        if any(some and not (group.may or group.wanted) for group, some in zip(groups, left, strict=True)):
            return
        most = [some if group.may else 0 for group, some in zip(groups, left, strict=True)]
        least = [some if group.may and not group.wanted else 0 for group, some in zip(groups, left, strict=True)]
        following = max((group.later for group in groups), default=0) + 1
        for taken in _splits(size, least, most):
            after = [0] * following
            for group, some, gone in zip(groups, left, taken, strict=True):
                after[group.later] += some - gone
            yield prod(map(comb, left, taken)), tuple(after), taken


def _splits(cards: int, least: Sequence[int], most: Sequence[int]) -> Iterator[Left]:
    """Yield the ways to take so many cards of some groups, of each no fewer and no more than may be."""
    if not most:
        if not cards:
            yield ()
        return
    for some in range(max(least[0], cards - sum(most[1:])), min(most[0], cards - sum(least[1:])) + 1):
        for others in _splits(cards - some, least[1:], most[1:]):
            yield (some, *others)

"""Deals: every way to put unseen cards into the places that may hold them, counted exactly and drawn evenly.

Places that may hold the same cards are one party. The parties get their cards one after the other, those that may hold
the fewest first; cards that all later parties treat alike are one group. So a party takes x[0], x[1], … cards of the
groups in C(n[0], x[0]) · C(n[1], x[1]) · … ways (its places then share them in any way), and the state is how many
cards of each group are left: one whole number with a field of `FIELD` bits a group, as are the cards that a party takes.
A draw walks the table of these counts; `cardledger.rules.kernel.worlds` walks the same table.
"""

from __future__ import annotations

from functools import cache, cached_property
from math import comb, factorial, prod
from typing import TYPE_CHECKING, Final, NamedTuple

from cardledger.rules.engine.cards import cards_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardledger.rules.engine.chance import Chance

FIELD: Final = 16
"""The bits of a number of cards, among those of other groups."""
ALL: Final = (1 << FIELD) - 1
Fields = int
"""A number of cards of each group, the first one in the lowest bits."""
Step = tuple[int, Fields, Fields, int]
"""The sum of deals up to a step, the cards that it leaves, those that the party takes, and the ways to take them."""
State = tuple[int, list[Step]]
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
        self._states: list[dict[Fields, State]] = [{} for _ in self._parties]

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
    def _begin(self) -> Fields:
        groups = self._groups[0] if self._groups else ()
        return sum(group.cards.bit_count() << FIELD * at for at, group in enumerate(groups))

    def shares(self) -> dict[int, dict[int, float]]:
        """Return for each card the share of all deals in which it is at each place.

        Places that cannot hold it are left out.

        Raises ImpossibleError if no deal fits.
        """
        self._must_fit()
        found: dict[int, dict[int, float]] = {}
        by_party = self._by_party()
        for group, numbers in zip(self._groups[0] if self._groups else (), by_party, strict=True):
            share = {
                place: number * self.needs[place] / (size * self._whole)
                for number, size, (_, places) in zip(numbers, self._sizes, self._parties, strict=True)
                for place in places
                if number
            }
            found |= {card: dict(sorted(share.items())) for card in cards_in(group.cards)}
        return found

    @property
    def _whole(self) -> int:
        """How many deals to parties there are."""
        return self._state(0, self._begin)[0]

    def _by_party(self) -> list[list[int]]:
        """Return for each first group the number of deals in which each party has one of its cards.

        The states are gone through once. With each goes, for every group that is left, the number of ways to reach it
        with a card of each first group still left: the numbers of all first groups are the fields of one, so that they
        are multiplied together. Of the ways to take t of n cards, a card is among those taken in t/n.
        """
        if not self._parties:
            return []
        width = self._whole.bit_length() + 1
        one = (1 << width) - 1
        reached = {self._begin: [1 << width * at for at in range(len(self._groups[0]))]}
        found: list[list[int]] = [[] for _ in self._groups[0]]
        for k, groups in enumerate(self._groups):
            having, following = 0, dict[Fields, list[int]]()
            empty = [0] * (len(self._groups[k + 1]) if k + 1 < len(self._groups) else 0)
            for left, ways in reached.items():
                steps = self._state(k, left)[1]
                for at, group in enumerate(groups):
                    shift, still = FIELD * at, ways[at]
                    some = left >> shift & ALL
                    if not (some and still):
                        continue
                    if group.may:
                        before = sums = 0
                        for sum_of_deals, _, taken, _ in steps:
                            sums += (sum_of_deals - before) * (taken >> shift & ALL)
                            before = sum_of_deals
                        having += still * (sums // some)
                    if group.wanted:
                        later = group.later
                        for _, behind, taken, many in steps:
                            rest = some - (taken >> shift & ALL)
                            if rest:
                                if behind not in following:
                                    following[behind] = empty.copy()
                                following[behind][later] += still * (many * rest // some)
            for at, numbers in enumerate(found):
                numbers.append(having >> width * at & one)
            reached = following
        return found

    @cached_property
    def table(self) -> DealCounts:
        """The counts to draw from; raises ImpossibleError if no deal fits."""
        self._must_fit()
        width = max((len(groups) for groups in self._groups), default=0)
        rows: list[list[int]] = []
        following: list[tuple[int, Fields]] = []
        begun: dict[tuple[int, Fields], int] = {}
        waiting = [(0, self._begin)] if self._parties else []
        for state in waiting:  # it grows as it is gone through
            if state in begun or state[0] == len(self._parties):
                continue
            begun[state] = len(rows)
            whole, steps = self._state(*state)
            for sum_of_deals, left, taken, _ in steps:
                takes = [taken >> FIELD * at & ALL for at in range(width)]
                rows.append([(sum_of_deals << 63) // whole - 1, 0, *takes])
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

    def _state(self, k: int, left: Fields) -> State:
        """Return the number of deals to the parties from k on, and the steps of party k, each with the sum up to it."""
        if k == len(self._parties):
            return DEALT
        known = self._states[k].get(left)
        if known is None:
            known = self._states[k][left] = self._counted(k, left)
        return known

    def _counted(self, k: int, left: Fields) -> State:
        """Count the deals of a state.

        A party takes what no later one may hold, and of the other cards it may hold any.
        """
        rest, taken, after, free, room = self._sizes[k], 0, 0, [], 0
        for at, group in enumerate(self._groups[k]):
            some = left >> FIELD * at & ALL
            if group.wanted:
                after += some << FIELD * group.later
                if group.may and some:
                    free.append((some, 1 << FIELD * at, 1 << FIELD * group.later))
                    room += some
            elif group.may:
                taken += some << FIELD * at
                rest -= some
            elif some:
                return NO_DEALS
        if not 0 <= rest <= room:
            return NO_DEALS
        splits = [(rest, 1, after, taken)]
        for some, here, there in free:  # one group after the other: what was taken of those before is counted once
            room -= some
            ways_of = ways_to_take(some)
            splits = [
                (rest - more, ways * ways_of[more], after - more * there, taken + more * here)
                for rest, ways, after, taken in splits
                for more in range(max(0, rest - room), min(some, rest) + 1)
            ]
        whole, steps, later = 0, [], k + 1
        for _, ways, behind, taken in splits:
            deals = ways * self._state(later, behind)[0]
            if deals:
                whole += deals
                steps.append((whole, behind, taken, ways))
        return whole, steps


@cache
def ways_to_take(cards: int) -> list[int]:
    """Return the number of ways to take none, one, two, and so on, of some cards."""
    return [comb(cards, some) for some in range(cards + 1)]

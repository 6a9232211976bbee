"""Deals: every way to put unseen cards into the places that may hold them, counted exactly and drawn evenly.

Cards are grouped by the places that may hold them. The ways to split n cards of a group into hands of x[0], x[1], … are
the multinomial n! / (x[0]! x[1]! …); the groups are gone through one by one, with the numbers that the places still
need as state. Shares follow from the counts from the front and from the back; a draw walks the same table.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from math import factorial, prod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

Needs = tuple[int, ...]


class ImpossibleError(ValueError):
    """No deal fits what is known."""


class PossibleDeals:
    """The deals of unseen cards.

    `may` has the places that can hold each card, `needs` how many unseen cards each place has.
    """

    def __init__(self, may: Mapping[int, frozenset[int]], needs: Sequence[int]) -> None:
        """Begin; raises ImpossibleError if there are more or fewer cards than places need."""
        if len(may) != sum(needs):
            raise ImpossibleError(f"{len(may)} unseen cards do not fill {sum(needs)} places")
        cards: dict[frozenset[int], list[int]] = defaultdict(list)
        for card, places in sorted(may.items()):
            cards[places].append(card)
        # Groups with few places come first: that leaves few states.
        self._groups = sorted(cards.items(), key=lambda group: (len(group[0]), sorted(group[0])))
        self._needs = tuple(needs)
        self._counts: dict[tuple[int, Needs], int] = {}

    @cached_property
    def number(self) -> int:
        """How many deals there are, cards of one face told apart."""
        return self._count(0, self._needs)

    def shares(self) -> dict[int, dict[int, float]]:
        """Return for each card the share of all deals in which it is at each place.

        Places that cannot hold it are left out.

        Raises ImpossibleError if no deal fits.
        """
        if not self.number:
            raise ImpossibleError("no deal fits what is known")
        ahead: dict[Needs, int] = {self._needs: 1}
        found: dict[int, dict[int, float]] = {}
        for k, (_, cards) in enumerate(self._groups):
            following: dict[Needs, int] = defaultdict(int)
            expected: dict[int, int] = defaultdict(int)
            for needs, before in ahead.items():
                for ways, left, placed in self._steps(k, needs):
                    behind = self._count(k + 1, left)
                    if behind:
                        following[left] += before * ways
                        for place, some in placed:
                            expected[place] += before * ways * behind * some
            whole = len(cards) * self.number
            share = {place: some / whole for place, some in sorted(expected.items()) if some}
            found |= dict.fromkeys(cards, share)
            ahead = following
        return found

    def draw(self, below: Callable[[int], int]) -> dict[int, int]:
        """Return a deal, each as likely as any other.

        The place of each card. `below(n)` draws a number from 0 to n − 1.

        Raises ImpossibleError if no deal fits.
        """
        if not self.number:
            raise ImpossibleError("no deal fits what is known")
        needs, deal = self._needs, {}
        for k, (_, cards) in enumerate(self._groups):
            pick = below(self._count(k, needs))
            for ways, left, placed in self._steps(k, needs):  # noqa: B007 - the step that was picked
                pick -= ways * self._count(k + 1, left)
                if pick < 0:
                    break
            rest = [*cards]
            for place, some in placed:
                for _ in range(some):
                    deal[rest.pop(below(len(rest)))] = place
            needs = left
        return deal

    def _count(self, k: int, needs: Needs) -> int:
        """Return the number of deals of the groups from k on."""
        if k == len(self._groups):
            return int(not any(needs))
        known = self._counts.get((k, needs))
        if known is None:
            known = sum(ways * self._count(k + 1, left) for ways, left, _ in self._steps(k, needs))
            self._counts[k, needs] = known
        return known

    def _steps(self, k: int, needs: Needs) -> Iterator[tuple[int, Needs, tuple[tuple[int, int], ...]]]:
        """Yield every way to place a group.

        How many there are of it, what is then needed, and how many cards went where.
        """
        places, cards = self._groups[k]
        order = sorted(places)
        for split in _splits(len(cards), [needs[place] for place in order]):
            left = list(needs)
            for place, some in zip(order, split, strict=True):
                left[place] -= some
            ways = factorial(len(cards)) // prod(map(factorial, split))
            yield ways, tuple(left), tuple(zip(order, split, strict=True))


def _splits(cards: int, most: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield the ways to split cards over places, no more than each takes."""
    if not most:
        if not cards:
            yield ()
        return
    rest = sum(most[1:])
    for some in range(max(0, cards - rest), min(cards, most[0]) + 1):
        for others in _splits(cards - some, most[1:]):
            yield (some, *others)

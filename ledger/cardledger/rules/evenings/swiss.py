"""Swiss rounds: neighbours in the ranking play each other, and nobody meets twice if that can be avoided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from typing import NamedTuple

from cardledger.rules.evenings.movement import refusal


class SwissDraw(NamedTuple):
    """The pairings of a round, north-south first, in the order of the ranking.

    And the entry that has a bye, or None.
    """

    couples: tuple[tuple[int, int], ...]
    bye: int | None


def draw(
    ranked: Sequence[int],
    met: Mapping[frozenset[int], int],
    byes: Mapping[int, int] | None = None,
    ns: Mapping[int, int] | None = None,
) -> SwissDraw:
    """Draw a round from the entries in order of rank (before round 1: of number).

    The first entry not yet paired takes the highest it has not met; if the others cannot be paired then, the next, and
    so on: the first complete pairing counts. Of an odd number the lowest with the fewest byes gets the bye, before
    pairing. If somebody must meet again, the fewest such meetings are allowed. North-south is who was it less often,
    then the lower number. `met`, `byes` and `ns` say how often so far. Raises RuleError `session.movement`.
    """
    order, free = list(ranked), None
    if len(order) < 2 or len({*order}) < len(order):
        raise refusal(
            "a round needs two entries or more, each once, not {entries}: enter them first", entries=len(order)
        )
    if len(order) % 2:
        had = byes or {}
        free = min(reversed(order), key=lambda entry: had.get(entry, 0))
        order.remove(free)
    times = [[met.get(frozenset((one, other)), 0) for other in order] for one in order]
    pairings = (_Pairing(times, extra).first((1 << len(order)) - 1, extra) for extra in count())
    pairing = next(pairing for pairing in pairings if pairing is not None)
    were = ns or {}
    couples = [sorted((order[a], order[b]), key=lambda entry: (were.get(entry, 0), entry)) for a, b in pairing]
    return SwissDraw(tuple((a, b) for a, b in couples), free)


class _Pairing:
    """The search for the first complete pairing with a limited number of meetings again; entries are bits by rank."""

    def __init__(self, times: Sequence[Sequence[int]], extra: int) -> None:
        self._times = times
        self._near = [
            sum(1 << b for b, again in enumerate(row) if b != a and again <= extra) for a, row in enumerate(times)
        ]
        self._hopeless: set[tuple[int, int]] = set()

    def first(self, left: int, extra: int) -> tuple[tuple[int, int], ...] | None:
        """Return the first pairing of the entries that are left, None if there is none."""
        if not left:
            return ()
        if (left, extra) in self._hopeless or self._odd_group(left):
            return None
        a = (left & -left).bit_length() - 1
        unpaired = left & ~(1 << a)
        row = self._times[a]
        able = [b for b in range(a + 1, len(row)) if unpaired >> b & 1 and row[b] <= extra]
        for b in sorted(able, key=lambda b: row[b]):
            others = self.first(unpaired & ~(1 << b), extra - row[b])
            if others is not None:
                return ((a, b), *others)
        self._hopeless.add((left, extra))
        return None

    def _odd_group(self, left: int) -> bool:
        """Tell whether some of the entries left, an odd number, can only be paired with each other.

        Then there is no pairing.
        """
        while left:
            group, fresh = 0, left & -left
            while fresh:
                a = (fresh & -fresh).bit_length() - 1
                group |= 1 << a
                fresh = (fresh | self._near[a] & left) & ~group
            if group.bit_count() % 2:
                return True
            left &= ~group
        return False

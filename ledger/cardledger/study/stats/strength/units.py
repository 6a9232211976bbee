"""Units: partners who never sat apart in any counted match are one player of the fit, for nothing tells them apart."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cardledger.study.stats.strength.sittings import Sittings


People = list[tuple[int, ...]]
"""The codes of the people of each unit, by the names of the people."""


def units(seated: Sittings, chosen: NDArray[Any], texts: list[str]) -> tuple[NDArray[Any], People]:
    """Return the unit of each place of the sittings, by number, and the people of each unit.

    `chosen` are the sittings that count. Who did not sit with the same partners all the time stands alone.
    """
    leader = _leaders(seated, chosen, texts)
    people: dict[int, tuple[int, ...]] = {}
    for code in sorted(range(len(texts)), key=lambda code: texts[code]):
        people[int(leader[code])] = (*people.get(int(leader[code]), ()), code)
    number = {code: at for at, code in enumerate(people)}
    of = np.array([number[int(code)] for code in leader], dtype=np.int64)
    return of[seated.player] if len(of) else seated.player.astype(np.int64), [*people.values()]


def partnerships(seated: Sittings, texts: list[str]) -> tuple[NDArray[Any], People]:
    """Return the partnership of each place of the sittings, by number, and the people of each: every pair is a unit."""
    names = np.argsort(np.argsort(texts)) if texts else np.zeros(0, dtype=np.int64)
    code_of = np.argsort(names)
    key = np.zeros(len(seated.of), dtype=np.int64)
    tuples: dict[tuple[int, ...], int] = {}
    for pattern, sides in enumerate(seated.sides):
        these = np.flatnonzero(seated.pattern == pattern)
        if not len(these):
            continue
        table = seated.first[these][:, None] + np.arange(len(sides))
        for side in sorted({*sides}):
            seats = [seat for seat, of in enumerate(sides) if of == side]
            who, number = np.unique(np.sort(names[seated.player[table[:, seats]]], axis=1), axis=0, return_inverse=True)
            codes = [tuple(code_of[row].tolist()) for row in who]
            found = np.array([tuples.setdefault(one, len(tuples)) for one in codes], dtype=np.int64)
            key[table[:, seats]] = found[number.ravel()][:, None]
    return key, [*tuples]


def _leaders(seated: Sittings, chosen: NDArray[Any], texts: list[str]) -> NDArray[Any]:
    """Return for each code of a player the code of the first name of its unit."""
    leader = np.arange(len(texts))
    if not len(texts):
        return leader
    often = np.zeros(len(texts), dtype=np.int64)
    pairs: list[NDArray[Any]] = []
    for pattern in np.unique(seated.pattern[chosen]):
        sides = seated.sides[pattern]
        these = chosen[seated.pattern[chosen] == pattern]
        who = seated.player[seated.first[these][:, None] + np.arange(len(sides))]
        often += np.bincount(who.ravel(), minlength=len(often))
        for one, other in combinations(range(len(sides)), 2):
            if sides[one] == sides[other]:
                both = np.sort(who[:, [one, other]].astype(np.int64), axis=1)
                pairs.append(both[:, 0] * len(texts) + both[:, 1])
    keys, together = np.unique(np.concatenate(pairs or [np.zeros(0, dtype=np.int64)]), return_counts=True)
    left, right = keys // len(texts), keys % len(texts)
    inseparable = (together == often[left]) & (together == often[right]) & (left != right)
    for first, second in zip(left[inseparable].tolist(), right[inseparable].tolist(), strict=True):
        same = np.flatnonzero((leader == leader[first]) | (leader == leader[second]))
        leader[same] = min(same.tolist(), key=lambda code: texts[code])
    return leader

"""Units: partners who never sat apart in any counted match are one player of the fit, for nothing tells them apart."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cardledger.study.stats.strength.sittings import Sittings


def units(seated: Sittings, chosen: NDArray[Any], texts: list[str]) -> NDArray[Any]:
    """Return for each code of a player the code that stands for its unit: that of the first name of its people.

    `chosen` are the sittings that count. Who sat with nobody all the time stands alone.
    """
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

"""The scale of chance of a game: the one under which ratings would have foretold the winners of each day best.

It is fitted to the first 32 matches and again whenever their number has doubled, up to 1,024. A forecast knows nothing
of its day or of later ones, so its scale is that of the last fit before it.
"""

from __future__ import annotations

from math import fsum, log
from typing import TYPE_CHECKING, NamedTuple

from cardledger.record.readmodels.tables.rater import BETA, RatedDay, Rater

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

FEWEST, MOST = 32, 1024
"""The scale of chance is fitted from so many matches on, and to at most so many (with the whole last day)."""
_SCALES = (1.0, 1.5, 2.25, 3.5, 5.0, 7.5, 11.0)
"""The scales tried, as multiples of Weng and Lin's."""


class FittedScale(NamedTuple):
    """The scale of chance, the last day of the matches it is fitted to, and what was foretold up to that day.

    `foretold` has by match the chance of each side to win, under the scale that was known before the day.
    """

    upto: str
    beta: float
    foretold: Mapping[str, Mapping[int, float]]


def matches_to_fit(played: int) -> int:
    """Return to how many of the matches played the scale is fitted; none if they say nothing yet.

    >>> matches_to_fit(31), matches_to_fit(100), matches_to_fit(10_000)
    (0, 64, 1024)
    """
    return min(1 << (played.bit_length() - 1), MOST) if played >= FEWEST else 0


def fitted_scale(days: Iterable[RatedDay], matches: int) -> FittedScale:
    """Return the scale fitted to the first matches, `matches_to_fit` of them; Weng and Lin's for none."""
    if not matches:
        return FittedScale("", BETA, {})
    raters = {scale: Rater(BETA * scale) for scale in _SCALES}
    fits: dict[float, list[float]] = {scale: [] for scale in _SCALES}
    foretold: dict[str, Mapping[int, float]] = {}
    known, following, counted, upto = 1.0, FEWEST, 0, ""
    for one in days:
        chances = {scale: [told for told, _ in rater.rate(one)] for scale, rater in raters.items()}
        for at, (match, _, seated) in enumerate(one.matches):
            won = {each.side for each in seated if each.place == 1}
            for scale, told in chances.items():
                fits[scale].append(log(max(fsum(told[at][side] for side in sorted(won)), 1e-9)))
            foretold[match] = chances[known][at]
        counted, upto = counted + len(one.matches), one.date
        while following <= min(counted, matches):
            sums = {scale: fsum(fit) for scale, fit in fits.items()}
            known, following = max(_SCALES, key=lambda scale: (sums[scale], -scale)), 2 * following
        if counted >= matches:
            break
    return FittedScale(upto, BETA * known, foretold)

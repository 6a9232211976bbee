"""Accuracy: how carefully a player decides, on a scale of bots that take any legal card now and then.

100 is the careful bot of the reviews, 0 a player who takes any legal choice. In between, 90 means: decisions cost as much
as those of the careful bot if it takes any legal choice in 10 of 100 decisions. Between the two ends cost grows in
proportion, because each decision is either the bot's or random; only the ends are measured (tests/bench/accuracy.py).
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

from cardledger.stats.distributions import quantile

if TYPE_CHECKING:
    from collections.abc import Iterable

EDITION = "review-3"
"""The edition of the review for which the scale holds; measured with review-2, which differed in whist and euchre only, and for these two again."""


class Scale(NamedTuple):
    """The ends of a scale: the cost of a decision of the careful bot, how much `more` a random one costs, and how well both are known."""

    careful: float
    more: float
    of_careful: float
    of_more: float
    both: float

    def variance(self, share: float) -> float:
        """Return the variance of a share of random decisions that comes from the scale."""
        return (self.of_careful + 2 * share * self.both + share**2 * self.of_more) / self.more**2


SCALE: dict[tuple[str, int], Scale] = {
    ("ruff", 4): Scale(0.0394, 0.0805, 3.28e-05, 0.000157, -4.96e-05),
    ("diamonds-draw", 4): Scale(0.0135, 0.693, 0.000445, 0.00754, -0.0013),
    ("diamonds-bid", 4): Scale(0.228, 5, 0.0172, 0.231, -0.0411),
    ("euchre", 4): Scale(0.00635, 0.0713, 1.11e-05, 0.000139, -2.6e-05),
    ("whist", 4): Scale(0.0206, 0.0412, 6.12e-06, 4.44e-05, -9.87e-06),
    ("ruff-2", 4): Scale(0.0386, 0.0887, 3.21e-05, 0.000236, -6.17e-05),
    ("spades", 4): Scale(0.867, 9.89, 0.107, 1.16, -0.13),
    ("diversity", 4): Scale(0.0684, 0.139, 6.4e-06, 4.18e-05, -9.92e-06),
    ("hearts", 4): Scale(0.125, 0.838, 0.00022, 0.00202, -0.000392),
    ("poison-hearts", 4): Scale(0.236, 0.151, 0.000103, 0.000346, -0.000115),
    ("oh-hell", 4): Scale(0.297, 0.361, 0.000241, 0.000734, -0.000278),
    ("bridge", 4): Scale(60.4, 154, 5.89, 53.1, 1.11),
    ("hecto-diversity", 4): Scale(0.0304, 1.28, 0.00258, 0.0258, -0.00437),
}
"""The scale by game and number of players, the last ones from 400 hands each, `whist` and `euchre` from 150, `hecto-diversity` from 60."""
MIN_MATCHES = 4
"""Least number of matches for an accuracy."""
CLEAR = 5.0
"""The two ends of a scale must differ by this many standard errors."""


def accuracy(game: str, costs: Iterable[tuple[str, int, float]]) -> dict[str, Any] | None:
    """Return the accuracy of decisions with its 95% interval, from match, number of seats and cost of each.

    Matches are independent, decisions within one are not. None without a scale for the game, or with too few matches.
    """
    over: dict[str, float] = defaultdict(float)
    at_random: dict[str, float] = defaultdict(float)
    used: dict[Scale, float] = defaultdict(float)
    for match, seats, cost in costs:
        scale = SCALE.get((game, seats))
        if scale is None or scale.more < CLEAR * scale.of_more**0.5:
            continue
        over[match] += cost - scale.careful
        at_random[match] += scale.more
        used[scale] += scale.more
    matches = len(over)
    if matches < MIN_MATCHES:
        return None
    whole = sum(at_random.values())
    share = sum(over.values()) / whole
    squares = sum((over[match] - share * at_random[match]) ** 2 for match in over)
    of_scales = sum((part / whole) ** 2 * scale.variance(share) for scale, part in used.items())
    variance = squares * matches / (matches - 1) / whole**2 + of_scales
    half = quantile(matches - 1) * variance**0.5
    value, low, high = (100 * min(max(1 - one, 0.0), 1.0) for one in (share, share + half, share - half))
    number = sum(round(part / scale.more) for scale, part in used.items())
    return {"value": value, "low": low, "high": high, "decisions": number, "matches": matches}

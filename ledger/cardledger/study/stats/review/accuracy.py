"""Accuracy: how carefully a player decides, on a scale of bots that take any legal card now and then.

100 is the careful bot of the reviews, 0 a player who takes any legal choice. In between, 90 means: decisions cost as
much as those of the careful bot if it takes any legal choice in 10 of 100 decisions. Between the two ends cost grows in
proportion, because each decision is either the bot's or random; only the ends are measured (tests/bench/accuracy.py).
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from cardledger.rules.games import games
from cardledger.study.stats.distributions import quantile

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardledger.rules.engine.measured import Scale

EDITION = "review-4"
"""The edition of the review for which the scale holds: measured with it in every game."""
MIN_MATCHES = 4
"""Least number of matches for an accuracy."""
CLEAR = 5.0
"""The two ends of a scale must differ by this many standard errors."""


def scale_of(game: str, seats: int) -> Scale | None:
    """Return the scale of a game with a number of players, None if it was not measured."""
    known = games().get(game)
    return known.study.measured.accuracy.get(seats) if known and known.study.measured else None


def careful_mistakes(game: str) -> float | None:
    """Return the share of the careful bot's decisions that a review calls clear mistakes.

    None if it was not measured.
    """
    known = games().get(game)
    return known.study.measured.mistakes if known and known.study.measured else None


def accuracy(game: str, costs: Iterable[tuple[str, int, float]]) -> dict[str, Any] | None:
    """Return the accuracy of decisions with its 95% interval, from match, number of seats and cost of each.

    Matches are independent, decisions within one are not. None without a scale for the game, or with too few matches.
    """
    over: dict[str, float] = defaultdict(float)
    at_random: dict[str, float] = defaultdict(float)
    used: dict[Scale, float] = defaultdict(float)
    for match, seats, cost in costs:
        scale = scale_of(game, seats)
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

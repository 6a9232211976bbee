"""How many more hands a question needs: errors fall with the square root of the number of hands."""

from __future__ import annotations

from math import ceil

from cardledger.study.stats.distributions import normal_beyond

MOST = 1_000_000
"""A larger number of hands is no answer: nobody plays so many."""
_Z = normal_beyond(0.05)


def more_hands(error: float, hands: int, difference: float) -> int | None:
    """Return how many more hands are needed until the 95% interval reaches no further than `difference` either way.

    `error` is the standard error after `hands` hands, in the unit of `difference`. That evenings, company and the
    spread of results stay as they are is assumed. 0 means that the interval is narrow enough; None that the difference
    is 0, or that more than `MOST` hands would be needed.

    >>> more_hands(0.5, 100, 0.49), more_hands(0.1, 100, 0.5), more_hands(1.0, 100, 0.0)
    (300, 0, None)
    """
    if difference <= 0 or _Z * error / difference >= (MOST / max(hands, 1)) ** 0.5:
        return None
    return max(0, ceil(hands * (_Z * error / difference) ** 2 - hands))

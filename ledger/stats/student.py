"""Student's t and the few other distributions that intervals need, without a library for them."""

from __future__ import annotations

from functools import lru_cache
from math import exp, lgamma, log, sqrt
from statistics import NormalDist

LEVEL = 0.95
"""Share of intervals that are to hold what they estimate."""
_NORMAL = NormalDist()
_TOLERANCE = 1e-12
_MANY = 30
_LARGE = 100_000


def beyond(t: float, df: float) -> float:
    """Return the chance that Student's t is further from 0 than `t`, either way.

    >>> round(beyond(2.2281, 10), 4)
    0.05
    """
    if df >= _LARGE:
        return 2 * _NORMAL.cdf(-abs(t))
    return _incomplete_beta(df / 2, 0.5, df / (df + t * t))


@lru_cache(maxsize=4096)
def quantile(df: int, level: float = LEVEL) -> float:
    """Return the t that Student's t with `df` degrees of freedom (1 or more) stays within at a level.

    >>> round(quantile(10), 3), round(quantile(1), 2)
    (2.228, 12.71)
    """
    if df >= _MANY:  # Fisher's expansion, exact to six digits there
        z = _NORMAL.inv_cdf(0.5 + level / 2)
        terms = (z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96, (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
        return float(z + sum(term / df**power for power, term in enumerate(terms, 1)))
    low, high = 0.0, 1.0
    while beyond(high, df) > 1 - level:
        low, high = high, high * 2
    while high - low > 1e-9 * high:
        middle = (low + high) / 2
        if beyond(middle, df) > 1 - level:
            low = middle
        else:
            high = middle
    return high


def wilson(share: float, n: float, t: float) -> tuple[float, float]:
    """Return Wilson's interval of a share out of `n` cases, `t` standard errors wide.

    >>> [round(end, 3) for end in wilson(0, 10, 1.96)]
    [0.0, 0.278]
    """
    middle = (share + t * t / (2 * n)) / (1 + t * t / n)
    half = t / (1 + t * t / n) * sqrt(share * (1 - share) / n + t * t / (4 * n * n))
    return max(0.0, middle - half), min(1.0, middle + half)


def poisson(events: float, level: float = LEVEL) -> tuple[float, float]:
    """Return Garwood's interval of a mean of which `events` were seen, to two digits by Wilson and Hilferty's cube root.

    >>> [round(end, 1) for end in poisson(4)]
    [1.1, 10.2]
    """
    z = _NORMAL.inv_cdf(0.5 + level / 2)
    low = events * max(0.0, 1 - 1 / (9 * events) - z / (3 * sqrt(events))) ** 3 if events else 0.0
    more = events + 1
    return low, more * (1 - 1 / (9 * more) + z / (3 * sqrt(more))) ** 3


def _incomplete_beta(a: float, b: float, x: float) -> float:
    """Return the regularised incomplete beta function, by its continued fraction (Lentz)."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - _incomplete_beta(b, a, 1 - x)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(1 - x)) / a
    tiny = 1e-30
    c, d = 1.0, 1 / ((1 - (a + b) * x / (a + 1)) or tiny)
    value = d
    for m in range(1, 500):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / ((1 + term * d) or tiny)
            c = (1 + term / c) or tiny
            value *= c * d
        if abs(c * d - 1) < _TOLERANCE:
            break
    return front * value

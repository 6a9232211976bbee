"""Student's t and the few other distributions that intervals need.

They are exact to eleven digits. SciPy has them too, but it is larger than the rest of cardledger and takes half a
second to load.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import count
from math import erfc, exp, lgamma, log, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

LEVEL = 0.95
"""The share of intervals that should contain the true value."""
FALSE_DISCOVERIES = 0.04
"""The share of verdicts that may be due to chance; below 0.05, because p-values from few matches are a little low."""
_NORMAL = NormalDist()
_TOLERANCE = 1e-12
_SMALLEST = 1e-300
_MANY = 30
_LARGE = 100_000


def beyond(t: float, df: float) -> float:
    """Return the chance that Student's t is further from 0 than `t`, either way.

    >>> round(beyond(2.2281, 10), 4)
    0.05
    """
    if df >= _LARGE:
        return beyond_normal(t)
    return _incomplete_beta(df / 2, 0.5, df / (df + t * t))


def beyond_normal(z: float) -> float:
    """Return the chance that the standard normal is further from 0 than `z`, either way.

    >>> round(beyond_normal(1.96), 4)
    0.05
    """
    return erfc(abs(z) / sqrt(2))


def normal_beyond(chance: float) -> float:
    """Return the z beyond which, either way, the standard normal lies with such a chance.

    >>> round(normal_beyond(0.05), 2)
    1.96
    """
    return -_NORMAL.inv_cdf(min(max(chance, _SMALLEST), 1.0) / 2)


@lru_cache(maxsize=4096)
def quantile(df: int, level: float = LEVEL) -> float:
    """Return the t such that Student's t with `df` degrees of freedom (1 or more) lies within ±t with probability `level`.

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


def benjamini_hochberg(chances: Sequence[float]) -> list[float]:
    """Return corrected p-values: of those below a given level, at most that share are false discoveries.

    >>> [round(q, 3) for q in benjamini_hochberg([0.01, 0.04, 0.03, 0.5])]
    [0.04, 0.053, 0.053, 0.5]
    """
    n, corrected, least = len(chances), [0.0] * len(chances), 1.0
    for place, i in sorted(enumerate(sorted(range(n), key=lambda i: chances[i]), 1), reverse=True):
        least = min(least, chances[i] * n / place)
        corrected[i] = least
    return corrected


@lru_cache(maxsize=4096)
def garwood(events: float, level: float = LEVEL) -> tuple[float, float]:
    """Return Garwood's exact interval for the mean of a Poisson distribution after `events` events.

    At the upper end, seeing so few events has a probability of half of 1 − `level`; at the lower end, seeing so many.

    >>> [round(end, 4) for end in garwood(1)]
    [0.0253, 5.5716]
    >>> [round(end, 3) for end in garwood(0)]
    [0.0, 3.689]
    """
    tail = (1 - level) / 2
    return _gamma_quantile(events, tail) if events > 0 else 0.0, _gamma_quantile(events + 1, 1 - tail)


def _gamma_quantile(a: float, share: float) -> float:
    """Return the x with the given share of the gamma distribution of shape `a` below it, by bracketed Newton steps."""
    z = _NORMAL.inv_cdf(share)
    x = a * max(1 - 1 / (9 * a) + z / (3 * sqrt(a)), 0.01) ** 3  # starting value: Wilson and Hilferty
    low, high = 0.0, float("inf")
    for _ in range(200):
        excess = _incomplete_gamma(a, x) - share
        low, high = (low, x) if excess > 0 else (x, high)
        slope = exp((a - 1) * log(x) - x - lgamma(a))
        step = x - excess / slope if slope > 0 else low
        following = step if low < step < high else (low + high) / 2 if high < float("inf") else 2 * x
        if abs(following - x) <= _TOLERANCE * x:
            return following
        x = following
    return x


def _incomplete_gamma(a: float, x: float) -> float:
    """Return the regularised lower incomplete gamma function, by its series or its continued fraction (Lentz)."""
    front = exp(a * log(x) - x - lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        step = a
        while term > total * 1e-17:
            step += 1
            term *= x / step
            total += term
        return front * total
    tiny = 1e-300
    b = x + 1 - a
    c, d = 1 / tiny, 1 / b
    value = d
    for i in count(1):
        factor = -i * (i - a)
        b += 2
        d = 1 / ((factor * d + b) or tiny)
        c = (b + factor / c) or tiny
        value *= c * d
        if abs(c * d - 1) < _TOLERANCE / 100:
            break
    return 1 - front * value


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

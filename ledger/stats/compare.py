"""Comparison: points a hand adjusted for opponents, shrunk towards the field, and how sure an order of players is.

Sources: errors clustered by match as Liang and Zeger 1986; shrinkage and its flat prior for the variance of players as
Morris 1983; Benjamini and Hochberg 1995.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ledger.stats.student import beyond, quantile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from ledger.stats.tally import Tally

MIN_HANDS = 100
"""Hands from which on a player is ranked."""
MIN_MATCHES = 10
"""Matches from which on a player is ranked: errors are clustered by match, fewer do not tell how large they are."""
MOST_RANKED = 200
"""Players that are ranked at most, those with the most hands: all others count as one."""
FALSE_DISCOVERIES = 0.04
"""Share of those told apart from the field that may be so by chance; below 0.05 as p-values of few matches are a little low."""
_SPREADS = 200
_SAMPLES = 4000
_MANY = 1_000_000
_LEAST = 1e-12
"""Least variance of an error: points are whole numbers, so one that is smaller comes of arithmetic."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A player among those with enough hands.

    `adjusted` is the difference from the field in points a hand, opponents taken into account, `error` its standard
    error. `shrunk`, from `low` to `high`, is what to believe of it, given how players differ at all; `best` the
    probability of being the best of them, and `rank` (from `rank_low` to `rank_high`) the place by `shrunk`. `q` is the
    p-value of no difference, corrected for looking at many players; `verdict` is "better", "worse" or "".
    """

    player: str
    adjusted: float
    error: float
    shrunk: float
    low: float
    high: float
    best: float
    rank: int
    rank_low: int
    rank_high: int
    q: float
    verdict: str


@dataclass(frozen=True, slots=True)
class Strengths:
    """Differences from the field by player, with the covariance of their errors."""

    players: tuple[str, ...]
    hands: NDArray[Any]
    matches: NDArray[Any]
    difference: NDArray[Any]
    covariance: NDArray[Any]
    apart: bool
    """Whether the hands do not link all players: then groups that never met are taken to be equally strong."""


def compare(tally: Tally, *, fewest: bool) -> tuple[list[Compared], bool]:
    """Compare the players of a tally who have enough hands, best first; also tell whether some never met."""
    found = strengths(tally)
    if len(found.players) < 2:
        return [], found.apart
    return ranked(found, fewest=fewest), found.apart


def strengths(tally: Tally) -> Strengths:
    """Estimate how players differ in points a hand: y = place from the dealer + own strength − mean of the opponents'.

    By least squares over all hands; the errors of the hands of one match, of all its players, belong together.
    """
    sheet = tally.sheet
    hands = tally.of("hands")
    rows, hands = tally.rows[hands > 0], hands[hands > 0]
    player = sheet.seats["player"][rows]
    players = len(sheet.texts["player"])
    by_hands, by_matches = np.bincount(player, hands, players), np.bincount(player, minlength=players)
    enough = np.flatnonzero((by_hands >= MIN_HANDS) & (by_matches >= MIN_MATCHES))
    enough = np.sort(enough[np.argsort(-by_hands[enough], kind="stable")[:MOST_RANKED]])
    k = len(enough)
    texts = sheet.text("player")
    order = sorted(range(k), key=lambda i: texts[enough[i]])
    enough = enough[order]
    names = tuple(texts[code] for code in enough)
    if k < 2:
        return Strengths(names, by_hands[enough], by_matches[enough], np.zeros(k), np.zeros((k, k)), False)
    # All who are not ranked count as one more player.
    index = np.full(players, k)
    index[enough] = np.arange(k)
    blocks = [
        _block(tally, index, rows, hands, int(n)) for n in np.unique(sheet.matches["size"][sheet.seats["row"][rows]])
    ]
    left, right = np.zeros((k + 1, k + 1)), np.zeros(k + 1)
    for at, w, h, y in blocks:
        left += _summed(at, h @ (w[:, :, None] * w[:, None, :]).reshape(len(w), -1), k + 1)
        right += np.bincount(at.ravel(), (y @ w).ravel(), k + 1)
    inverse, apart = _inverse(left)
    strength = inverse @ right
    meat = np.zeros((k + 1, k + 1))
    for at, w, h, y in blocks:
        scores = (y - h * (strength[at] @ w.T)) @ w  # of a whole match, so that its hands belong together
        meat += _summed(at, scores[:, :, None] * scores[:, None, :], k + 1)
    few = np.sqrt(by_matches[enough] / (by_matches[enough] - 1))
    centre = np.eye(k) - 1 / k
    covariance = centre @ ((inverse @ meat @ inverse)[:k, :k] * few[:, None] * few) @ centre
    return Strengths(names, by_hands[enough], by_matches[enough], centre @ strength[:k], covariance, apart)


def _block(
    tally: Tally, index: NDArray[Any], rows: NDArray[Any], hands: NDArray[Any], n: int
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return the matches of n players, by match and seat: who sits there, what strengths do there, hands and points.

    A player's own strength counts, the mean of the opponents' is taken off; seats left out by the query have no hands.
    """
    seats = tally.sheet.seats
    chosen = tally.sheet.matches["size"][seats["row"][rows]] == n
    first = np.unique(rows[chosen] - seats["seat"][rows[chosen]])
    table = first[:, None] + np.arange(n)
    counted = np.zeros(len(seats["row"]))
    counted[rows] = hands
    weights = np.eye(n) * n / (n - 1) - 1 / (n - 1)
    return index[seats["player"][table]], weights, counted[table], _centred(tally)[table]


def ranked(found: Strengths, *, fewest: bool) -> list[Compared]:
    """Return the players of an estimate in the order of what to believe of them."""
    k = len(found.players)
    error = np.sqrt(np.maximum(np.diag(found.covariance), _LEAST))
    chance = [
        beyond(float(difference / own), int(matches) - 1)
        for difference, own, matches in zip(found.difference, error, found.matches, strict=True)
    ]
    q = benjamini_hochberg(chance)
    # Differences live in k − 1 dimensions; in those of their errors' axes each is shrunk on its own.
    basis = _contrasts(k)
    # Errors are themselves estimated, from as many matches as somebody played: Student's t says how well.
    doubtful = np.array([quantile(int(matches) - 1) / quantile(_MANY) for matches in found.matches])
    noise, axes = np.linalg.eigh(basis.T @ (found.covariance * doubtful[:, None] * doubtful) @ basis)
    noise = np.maximum(noise, _LEAST)
    axes = basis @ axes
    seen = axes.T @ found.difference
    # How far players differ at all: any variance is as likely as any other beforehand, up to far beyond what is seen.
    most = 4 * np.sqrt(np.max(seen**2 + noise))
    spread = ((np.arange(_SPREADS) + 0.5) / _SPREADS * most)[:, None] ** 2
    fit = -0.5 * np.sum(np.log(spread + noise) + seen**2 / (spread + noise), axis=1) + np.log(spread[:, 0]) / 2
    weight = np.exp(fit - fit.max())
    weight /= weight.sum()
    means, variances = spread / (spread + noise) * seen, spread * noise / (spread + noise)
    mean = weight @ means
    within = (axes**2) @ (weight @ variances)
    between = np.einsum("s,is->i", weight, (axes @ (means - mean).T) ** 2)
    believed, doubt = axes @ mean, np.sqrt(within + between)
    chosen, order = _sampled(found, weight, means, variances, axes, fewest)
    place = np.argsort(np.argsort(believed if fewest else -believed, kind="stable"), kind="stable") + 1
    compared = [
        Compared(
            player=found.players[i],
            adjusted=float(found.difference[i]),
            error=float(error[i]),
            shrunk=float(believed[i]),
            low=float(believed[i] - quantile(_MANY) * doubt[i]),
            high=float(believed[i] + quantile(_MANY) * doubt[i]),
            best=float(chosen[i]),
            rank=int(place[i]),
            rank_low=int(order[0, i]),
            rank_high=int(order[1, i]),
            q=q[i],
            verdict=_verdict(q[i], bool(found.difference[i] < 0), fewest=fewest),
        )
        for i in range(k)
    ]
    return sorted(compared, key=lambda one: one.rank)


def benjamini_hochberg(chances: Sequence[float]) -> list[float]:
    """Return p-values corrected so that those below a level hold at most that share of false ones.

    >>> [round(q, 3) for q in benjamini_hochberg([0.01, 0.04, 0.03, 0.5])]
    [0.04, 0.053, 0.053, 0.5]
    """
    n, corrected, least = len(chances), [0.0] * len(chances), 1.0
    for place, i in sorted(enumerate(sorted(range(n), key=lambda i: chances[i]), 1), reverse=True):
        least = min(least, chances[i] * n / place)
        corrected[i] = least
    return corrected


def _verdict(q: float, below: bool, *, fewest: bool) -> str:
    if q > FALSE_DISCOVERIES:
        return ""
    return "better" if below == fewest else "worse"


def _sampled(
    found: Strengths,
    weight: NDArray[Any],
    means: NDArray[Any],
    variances: NDArray[Any],
    axes: NDArray[Any],
    fewest: bool,
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return how often each is the best, and the ends of 95% of its ranks, in samples of what may be true.

    The seed follows from who played how much, so the same events give the same samples.
    """
    told = repr([found.players, found.hands.astype(int).tolist(), found.matches.tolist()])
    rng = np.random.default_rng(int.from_bytes(hashlib.sha256(told.encode()).digest()[:8], "big"))
    steps = np.searchsorted(np.cumsum(weight), (np.arange(_SAMPLES) + 0.5) / _SAMPLES).clip(max=len(weight) - 1)
    drawn = means[steps] + np.sqrt(variances[steps]) * rng.standard_normal((_SAMPLES, means.shape[1]))
    true = drawn @ axes.T * (1 if fewest else -1)
    best = np.bincount(true.argmin(axis=1), minlength=len(found.players)) / _SAMPLES
    ranks = np.sort(true.argsort(axis=1).argsort(axis=1), axis=0) + 1
    return best, ranks[[int(0.025 * _SAMPLES), int(0.975 * _SAMPLES) - 1]]


def _centred(tally: Tally) -> NDArray[Any]:
    """Return points by row, less what all players made on average at the same place from the dealer."""
    sheet, hands = tally.sheet, tally.hands
    row, points = sheet.hands["row"][hands], sheet.hands["points"][hands]
    kind = sheet.matches["size"][sheet.seats["row"][row]] * 16 + sheet.hands["turn"][hands]
    usual = np.bincount(kind, points) / np.maximum(np.bincount(kind), 1)
    centred: NDArray[Any] = np.bincount(row, points - usual[kind], len(sheet.seats["row"]))
    return centred


def _summed(at: NDArray[Any], values: NDArray[Any], size: int) -> NDArray[Any]:
    """Sum the values of pairs of seats into a square matrix, at the places of those who sit there."""
    pairs = at[:, :, None] * size + at[:, None, :]
    total: NDArray[Any] = np.bincount(pairs.ravel(), values.ravel(), size * size)
    return total.reshape(size, size)


def _contrasts(k: int) -> NDArray[Any]:
    """Return k − 1 directions at right angles to each other and to the one in which all are equally strong (Helmert)."""
    step, place = np.arange(1, k), np.arange(k)[:, None]
    basis: NDArray[Any] = np.where(place < step, 1, np.where(place == step, -step, 0)) / np.sqrt(step * (step + 1))
    return basis


def _inverse(left: NDArray[Any]) -> tuple[NDArray[Any], bool]:
    """Return the pseudo-inverse of normal equations; also whether they leave more open than how strong all are together."""
    values, vectors = np.linalg.eigh(left)
    told = values > 1e-9 * values.max()
    inverse = (vectors[:, told] / values[told]) @ vectors[:, told].T
    return inverse, bool(told.sum() < np.sum(np.diag(left) > 0) - 1)

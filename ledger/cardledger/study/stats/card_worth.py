"""What a card is worth: points with a card dealt, held, led, played or won, less what the same place expects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cardledger.study.stats.distributions import quantile
from cardledger.study.stats.measures.tally import numbered

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

FEWEST_EVENINGS = 8
"""Least number of evenings for an interval: with fewer, the spread between evenings is not known."""
_STEPS = 200
_NOTHING = 1e-9
"""A smaller standard error, in parts of the largest difference, is that of rounding."""


@dataclass(frozen=True, slots=True)
class CardWorth:
    """What a card is worth to the player to whom it came, in points a hand.

    `worth` is the mean of the points of these hands, less the expectation of the same place at such tables, with the
    ends of its 95% interval. `pooled` leans on the cards of the same rank and of the same suit, the
    more the fewer hands there are. All are None with too few evenings, and where nothing else is ever led or played, so that
    there is nothing to compare.
    """

    card: str
    hands: int
    evenings: int
    worth: float | None
    low: float | None
    high: float | None
    pooled: float | None
    pooled_low: float | None
    pooled_high: float | None


class Above:
    """Points above what the same place expects, by occasion: a hand dealt, a lead, a card played, a trick won.

    What each place expects is the mean of its occasions, so it has an error of its own, which every mean owes to the
    evenings (Cochran's ratio estimate, linearised).
    """

    def __init__(self, points: NDArray[Any], place: NDArray[Any], evening: NDArray[Any]) -> None:
        """Take points, a number for the place and one for the evening of each occasion."""
        nights, self._night = numbered(evening.astype(np.int64))
        _, self._place = numbered(place.astype(np.int64))
        self._nights = len(nights)
        self._in_place = np.bincount(self._place)
        self.points: NDArray[Any] = points - (np.bincount(self._place, points) / self._in_place)[self._place]
        # Few places are met in each evening: only those have a sum.
        cells, cell = numbered(self._place.astype(np.int64) * self._nights + self._night)
        self._cell_place, self._cell_night = np.divmod(cells, max(self._nights, 1))
        self._cell_sum = np.bincount(cell, self.points, len(cells))

    def evenings(self, own: NDArray[Any]) -> int:
        """Return the number of evenings of some occasions."""
        return int(np.count_nonzero(np.bincount(self._night[own], minlength=self._nights)))

    def mean(self, own: NDArray[Any]) -> tuple[float, NDArray[Any]]:
        """Return the mean of some occasions, one or more, and by evening how far it would move without that evening."""
        n, above = len(own), self.points[own]
        mean = float(above.mean())
        share = np.bincount(self._place[own], minlength=len(self._in_place)) / n / self._in_place
        owed = np.bincount(self._cell_night, self._cell_sum * share[self._cell_place], self._nights)
        moved: NDArray[Any] = np.bincount(self._night[own], above - mean, self._nights) / n - owed
        return mean, moved

    def compares(self, error: float) -> bool:
        """Tell whether a mean with such an error was compared with anything.

        Not if a place knows no other card: the card that must be led first is what all lead first, and worth 0.
        """
        return error > _NOTHING * (1 + float(np.abs(self.points).max(initial=0.0)))


def error_of(moved: NDArray[Any], evenings: int) -> float:
    """Return the standard error of a mean of so many evenings, from how far each evening moves it."""
    return float(np.sqrt((moved**2).sum() * evenings / (evenings - 1)))


def by_card(held: tuple[NDArray[Any], NDArray[Any]], cards: int) -> list[NDArray[Any]]:
    """Return the occasions of each card in order, each of them once, from pairs of occasion and card."""
    occasion, card = held
    order = np.argsort(card.astype(np.int16), kind="stable")
    ends = np.cumsum(np.bincount(card, minlength=cards))[:-1]
    return [distinct(own) for own in np.split(occasion[order], ends)] if cards else []


def distinct(values: NDArray[Any]) -> NDArray[Any]:
    """Return different numbers from 0 on, in order; `numpy.unique` takes ten times as long for millions."""
    ordered = np.sort(values)
    kept: NDArray[Any] = ordered[np.diff(ordered, prepend=-1) > 0]
    return kept


def worth_of_cards(
    cards: Sequence[tuple[str, str, str]],
    held: tuple[NDArray[Any], NDArray[Any]],
    points: NDArray[Any],
    place: NDArray[Any],
    evening: NDArray[Any],
    hand: NDArray[Any] | None = None,
) -> list[CardWorth]:
    """Return what each card is worth, in the order of `cards`.

    Args:
        cards: Face, rank and suit of each card.
        held: Two arrays of one length, a row for each card of an occasion: the position of the occasion (a hand dealt,
            a lead, a card played, a trick won), and of the card in `cards`. Two cards of one face count once.
        points: Points of the hand of each occasion.
        place: A number for each occasion. Those of one place share their expectation.
        evening: A number for each occasion. An evening is one observation (Student's t).
        hand: A number for the player's hand of each occasion; None if each is of a hand of its own.
    """
    above = Above(points, place, evening)
    of_card = by_card(held, len(cards))
    found: list[tuple[float, float] | None] = []
    evenings = [above.evenings(own) for own in of_card]
    for own, number in zip(of_card, evenings, strict=True):
        if number < FEWEST_EVENINGS:
            found.append(None)
            continue
        mean, moved = above.mean(own)
        error = error_of(moved, number)
        found.append((mean, error) if above.compares(error) else None)
    known = [at for at, one in enumerate(found) if one is not None]
    means, errors = (np.array([one[which] for one in found if one is not None]) for which in (0, 1))
    believed = dict(zip(known, pooled(means, errors, [cards[at][1:] for at in known]), strict=True))
    rows = []
    for at, ((face, _, _), own, number, one) in enumerate(zip(cards, of_card, evenings, found, strict=True)):
        hands = len(own) if hand is None else len(distinct(hand[own]))
        if one is None:
            rows.append(CardWorth(face, hands, number, None, None, None, None, None, None))
            continue
        (mean, error), (middle, spread), t = one, believed[at], quantile(number - 1)
        ends = mean - t * error, mean + t * error, middle, middle - t * spread, middle + t * spread
        rows.append(CardWorth(face, hands, number, mean, *ends))
    return rows


def pooled(means: NDArray[Any], errors: NDArray[Any], kinds: Sequence[tuple[str, str]]) -> list[tuple[float, float]]:
    """Return means drawn towards what rank and suit say, with their standard errors; `kinds` are both of each mean."""
    m = len(means)
    columns = [np.ones(m)]
    for which in (0, 1):
        words = [kind[which] for kind in kinds]
        columns += [np.array([float(word == one) for word in words]) for one in sorted({*words})]
    return leaning(means, errors, np.stack(columns, axis=1) if m else np.zeros((0, 1)))


def leaning(means: NDArray[Any], errors: NDArray[Any], design: NDArray[Any]) -> list[tuple[float, float]]:
    """Return means drawn towards a sum of the columns of `design` that fits them (Morris 1983); without columns, to 0.

    Each has its standard error. How far the means differ from that sum is not known: 200 spreads are weighed by how
    well they fit, all spreads alike before.
    """
    m = len(means)
    if not m or np.linalg.matrix_rank(design) >= m or not (errors > 0).all():
        return [*zip(means.tolist(), errors.tolist(), strict=True)]  # nothing to lean on
    most = 2 * float(np.sqrt((means**2 + errors**2).max()))
    logs, middles, spreads = [], [], []
    for tau in (np.arange(_STEPS) + 0.5) / _STEPS * most:
        variance = tau**2 + errors**2
        fit, sizes, leverage = _fitted(means, variance, design)
        rest = means - fit
        logs.append(-0.5 * (np.log(variance).sum() + 2 * np.log(sizes).sum() + (rest**2 / variance).sum()))
        lean = errors**2 / variance
        middles.append(means - lean * rest)
        spreads.append((1 - lean) * errors**2 + lean**2 * leverage)
    weight = np.exp(np.array(logs) - max(logs))
    weight /= weight.sum()
    centre = weight @ np.array(middles)
    spread = np.sqrt(weight @ (np.array(spreads) + (np.array(middles) - centre) ** 2))
    return [*zip(centre.tolist(), spread.tolist(), strict=True)]


def _fitted(
    means: NDArray[Any], variance: NDArray[Any], design: NDArray[Any]
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return the weighted fit of means, the sizes of the directions it has, and the variance of each fitted value."""
    if not design.shape[1]:
        return np.zeros(len(means)), np.ones(0), np.zeros(len(means))
    u, sizes, v = np.linalg.svd(design / np.sqrt(variance)[:, None], full_matrices=False)
    kept = sizes > sizes[0] * 1e-9
    fit = design @ (v[kept].T / sizes[kept]) @ u[:, kept].T @ (means / np.sqrt(variance))
    return fit, sizes[kept], (u[:, kept] ** 2).sum(axis=1) * variance

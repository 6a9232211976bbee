"""What a card is worth: points of hands dealt a card, less what the same place expects over all deals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cardledger.study.stats.distributions import quantile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

FEWEST_EVENINGS = 8
"""Least number of evenings for an interval: with fewer, the spread between evenings is not known."""
_STEPS = 200


@dataclass(frozen=True, slots=True)
class CardWorth:
    """What a card is worth to the player who was dealt it, in points a hand.

    `worth` is the mean of the points of these hands, less the expectation of the same place at such tables over all
    deals, with the ends of its 95% interval. `pooled` leans on the cards of the same rank and of the same suit, the
    more the fewer hands there are. All are None with too few evenings.
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


def worth_of_cards(
    cards: Sequence[tuple[str, str, str]],
    held: tuple[NDArray[Any], NDArray[Any]],
    points: NDArray[Any],
    place: NDArray[Any],
    evening: NDArray[Any],
) -> list[CardWorth]:
    """Return what each card is worth, in the order of `cards`.

    Args:
        cards: Face, rank and suit of each card.
        held: Two arrays of one length, a row for each card that was dealt to a hand: the position of the hand, and of
            the card in `cards`. A hand with two cards of one face counts once.
        points: Points of each hand.
        place: A number for each hand. Hands of one place share their expectation.
        evening: A number for each hand. An evening is one observation (Cochran's ratio estimate, linearised, with
            Student's t).
    """
    hands, card = np.unique(np.stack(held), axis=1) if len(held[0]) else held
    _, night = np.unique(evening, return_inverse=True)
    _, place = np.unique(place, return_inverse=True)
    nights, places = (int(codes.max(initial=-1)) + 1 for codes in (night, place))
    in_place = np.bincount(place, minlength=places)
    above = points - (np.bincount(place, points, places) / np.maximum(in_place, 1))[place]
    # What the expectation of each place owes to each evening: it is estimated from the same hands.
    owed = np.zeros((nights, places))
    np.add.at(owed, (night, place), above)
    owed /= np.maximum(in_place, 1)
    of_card = np.split(hands[np.argsort(card, kind="stable")], np.cumsum(np.bincount(card, minlength=len(cards)))[:-1])
    found = [_worth(own, above, place, night, owed) for own in of_card]
    known = [at for at, one in enumerate(found) if one[1] is not None]
    means, errors = (np.array([found[at][which] for at in known], dtype=float) for which in (2, 3))
    believed = dict(zip(known, pooled(means, errors, [cards[at][1:] for at in known]), strict=True))
    rows = []
    for at, (face, _, _) in enumerate(cards):
        number, t, mean, error = found[at]
        evenings = len(np.unique(night[of_card[at]]))
        if t is None:
            rows.append(CardWorth(face, number, evenings, None, None, None, None, None, None))
            continue
        middle, spread = believed[at]
        ends = mean - t * error, mean + t * error, middle, middle - t * spread, middle + t * spread
        rows.append(CardWorth(face, number, evenings, mean, *ends))
    return rows


def _worth(
    own: NDArray[Any], above: NDArray[Any], place: NDArray[Any], night: NDArray[Any], owed: NDArray[Any]
) -> tuple[int, float | None, float, float]:
    """Return the number of a card's hands, Student's t (None with too few evenings), the mean and its standard error."""
    n, nights = len(own), len(owed)
    played = len(np.unique(night[own]))
    if played < FEWEST_EVENINGS:
        return n, None, 0.0, 0.0
    mean = float(above[own].mean())
    share = np.bincount(place[own], minlength=owed.shape[1]) / n
    moved = np.bincount(night[own], above[own] - mean, nights) / n - owed @ share
    error = float(np.sqrt((moved**2).sum() * played / (played - 1)))
    return n, quantile(played - 1), mean, error


def pooled(means: NDArray[Any], errors: NDArray[Any], kinds: Sequence[tuple[str, str]]) -> list[tuple[float, float]]:
    """Return means drawn towards what rank and suit say, with their standard errors (Morris 1983).

    `kinds` are rank and suit of each mean. How far cards differ from rank + suit is not known: 200 spreads are weighed
    by how well they fit, all spreads alike before.
    """
    m = len(means)
    columns = [np.ones(m)]
    for which in (0, 1):
        words = [kind[which] for kind in kinds]
        columns += [np.array([float(word == one) for word in words]) for one in sorted({*words})]
    design = np.stack(columns, axis=1) if m else np.zeros((0, 1))
    if not m or np.linalg.matrix_rank(design) >= m or not (errors > 0).all():
        return [*zip(means.tolist(), errors.tolist(), strict=True)]  # nothing to lean on
    most = 2 * float(np.sqrt((means**2 + errors**2).max()))
    logs, middles, spreads = [], [], []
    for tau in (np.arange(_STEPS) + 0.5) / _STEPS * most:
        variance = tau**2 + errors**2
        scaled = design / np.sqrt(variance)[:, None]
        u, sizes, v = np.linalg.svd(scaled, full_matrices=False)
        kept = sizes > sizes[0] * 1e-9
        fit = design @ (v[kept].T / sizes[kept]) @ u[:, kept].T @ (means / np.sqrt(variance))
        leverage = (u[:, kept] ** 2).sum(axis=1) * variance
        rest = means - fit
        logs.append(-0.5 * (np.log(variance).sum() + 2 * np.log(sizes[kept]).sum() + (rest**2 / variance).sum()))
        lean = errors**2 / variance
        middles.append(means - lean * rest)
        spreads.append((1 - lean) * errors**2 + lean**2 * leverage)
    weight = np.exp(np.array(logs) - max(logs))
    weight /= weight.sum()
    centre = weight @ np.array(middles)
    spread = np.sqrt(weight @ (np.array(spreads) + (np.array(middles) - centre) ** 2))
    return [*zip(centre.tolist(), spread.tolist(), strict=True)]

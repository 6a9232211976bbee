"""A player's cards against the field: what the player makes of a card, and what the others make of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from cardledger.study.stats.card_worth import FEWEST_EVENINGS, Above, by_card, distinct, error_of, leaning
from cardledger.study.stats.distributions import FALSE_DISCOVERIES, benjamini_hochberg, beyond, quantile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class CardAgainstField:
    """What a player makes of a card beside the others, in points a hand.

    `worth` is the mean of the player's hands with the card, less what their places expect, `others` that of all other
    players, and `difference` the first less the second, with the ends of its 95% interval. `believed` leans on
    the player's difference over all cards, the more the less is known. `q` is the p-value of no difference, corrected for all
    cards shown; `verdict` is "better", "worse", or "" if chance explains it. All but the counts are None with too few
    evenings.
    """

    card: str
    hands: int
    evenings: int
    worth: float | None = None
    others_hands: int = 0
    others: float | None = None
    difference: float | None = None
    low: float | None = None
    high: float | None = None
    believed: float | None = None
    believed_low: float | None = None
    believed_high: float | None = None
    q: float | None = None
    verdict: str = ""


def cards_against_field(
    cards: Sequence[str],
    held: tuple[NDArray[Any], NDArray[Any]],
    points: NDArray[Any],
    place: NDArray[Any],
    evening: NDArray[Any],
    hand: NDArray[Any],
    own: NDArray[np.bool_],
    *,
    fewest: bool,
) -> list[CardAgainstField]:
    """Return what a player makes of each card beside the others, in the order of `cards`.

    Args:
        cards: Faces.
        held: Occasion and card of each card that came, as for `cardledger.study.stats.card_worth.worth_of_cards`.
        points: Points of the hand of each occasion.
        place: A number for each occasion. Those of one place share their expectation, which is that of all players.
        evening: A number for each occasion. An evening is one observation, of the player and of the others together.
        hand: A number for the player's hand of each occasion.
        own: Whether each occasion is the player's.
        fewest: Whether few points are good.
    """
    above = Above(points, place, evening)
    rows: list[CardAgainstField] = []
    found: dict[int, tuple[float, NDArray[Any], int]] = {}
    for at, (card, every) in enumerate(zip(cards, by_card(held, len(cards)), strict=True)):
        mine, others = every[own[every]], every[~own[every]]
        evenings = above.evenings(mine)
        row = CardAgainstField(card, len(distinct(hand[mine])), evenings, others_hands=len(distinct(hand[others])))
        if min(evenings, above.evenings(others)) >= FEWEST_EVENINGS:
            (worth, moved), (field, shifted) = above.mean(mine), above.mean(others)
            row = replace(row, worth=worth, others=field)
            if above.compares(error_of(moved - shifted, evenings)):
                found[at] = worth - field, moved - shifted, evenings
        rows.append(row)
    errors = [error_of(moved, evenings) for _, moved, evenings in found.values()]
    chances = [
        beyond(gap / error, evenings - 1) for (gap, _, evenings), error in zip(found.values(), errors, strict=True)
    ]
    for (at, (gap, _, evenings)), error, (middle, spread), q in zip(
        found.items(), errors, _believed([*found.values()]), benjamini_hochberg(chances), strict=True
    ):
        t = quantile(evenings - 1)
        rows[at] = replace(
            rows[at],
            difference=gap,
            low=gap - t * error,
            high=gap + t * error,
            believed=middle,
            believed_low=middle - t * spread,
            believed_high=middle + t * spread,
            q=q,
            verdict="" if q > FALSE_DISCOVERIES else "better" if (gap < 0) == fewest else "worse",
        )
    return rows


def _believed(found: list[tuple[float, NDArray[Any], int]]) -> list[tuple[float, float]]:
    """Return the differences of cards drawn towards that of all of them, with their standard errors.

    A player's good evening lifts all cards, so the errors of cards go together: what is left after the mean of all does
    not, and is drawn towards 0.
    """
    if not found:
        return []
    gaps, most = np.array([gap for gap, *_ in found]), max(evenings for *_, evenings in found)
    together = np.mean([moved for _, moved, _ in found], axis=0)
    level, error = float(gaps.mean()), error_of(together, most)
    rest = np.array([error_of(moved - together, evenings) for _, moved, evenings in found])
    drawn = leaning(gaps - level, rest, np.zeros((len(found), 0)))
    return [(level + middle, float(np.hypot(error, spread))) for middle, spread in drawn]

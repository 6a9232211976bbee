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
    players, and `difference` the first less the second, with the ends of its 95% interval. `believed` leans on the
    field, so towards no difference, the more the less is known. `q` is the p-value of no difference, corrected for all
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
    found: dict[int, tuple[float, float, int]] = {}
    for at, (card, every) in enumerate(zip(cards, by_card(held, len(cards)), strict=True)):
        mine, others = every[own[every]], every[~own[every]]
        evenings = above.evenings(mine)
        row = CardAgainstField(card, len(distinct(hand[mine])), evenings, others_hands=len(distinct(hand[others])))
        if min(evenings, above.evenings(others)) >= FEWEST_EVENINGS:
            (worth, moved), (field, shifted) = above.mean(mine), above.mean(others)
            error = error_of(moved - shifted, evenings)
            row = replace(row, worth=worth, others=field)
            if above.compares(error):
                found[at] = worth - field, error, evenings - 1
        rows.append(row)
    differences, errors = (np.array([one[which] for one in found.values()]) for which in (0, 1))
    believed = leaning(differences, errors, np.zeros((len(found), 0)))
    corrected = benjamini_hochberg([beyond(gap / error, freedom) for gap, error, freedom in found.values()])
    for (at, (difference, error, freedom)), (middle, spread), q in zip(found.items(), believed, corrected, strict=True):
        t = quantile(freedom)
        rows[at] = replace(
            rows[at],
            difference=difference,
            low=difference - t * error,
            high=difference + t * error,
            believed=middle,
            believed_low=middle - t * spread,
            believed_high=middle + t * spread,
            q=q,
            verdict="" if q > FALSE_DISCOVERIES else "better" if (difference < 0) == fewest else "worse",
        )
    return rows

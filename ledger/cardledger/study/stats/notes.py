"""Notes below tables of statistics: why somebody has no place, how pools are linked, how good forecasts were."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardledger.count_of import count_of
from cardledger.study.stats.compare import MIN_MATCHES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardledger.record.readmodels.tables import ratings
    from cardledger.study.stats.compare import Comparison, PlayerComparison

_MOST_APART = 3
"""How many pairs of pools that never met are named."""

CHANGES = (
    "a change needs at least 8 evenings, a break 17; current strength is a level that drifts, so it is less certain"
)
OF_AN_EVENING = (
    "points a hand in average company, corrected for everybody else's strength; "
    "the matches of an evening are one result"
)


def foretold(found: ratings.Calibration | None) -> Iterator[str]:
    """Say how good forecasts by ratings were."""
    if found is None:
        return
    slope = (
        "all chances were equal" if found.slope is None else f"slope {found.slope:.2f} (1 is right, less is too bold)"
    )
    yield (
        f"forecasts of the winners of {count_of(found.matches, 'match')}, a day ahead: {slope},"
        f" Brier score {found.brier:.3f}, with equal chances {found.equal:.3f} (less is better)"
    )


def not_placed(one: PlayerComparison) -> str:
    """Say why a player has no place."""
    if one.placeless:
        return "not known: nobody else sat in this place from the dealer"
    if one.believed is None:
        return "too few matches to compare"
    return "one match gives no place" if one.matches < MIN_MATCHES else "nobody else has a place here"


def seldom_met(comparison: Comparison) -> Iterator[str]:
    """Say how the pools of players are linked, if there is more than one."""
    if len(comparison.pools) > 1:
        yield f"there are {len(comparison.pools)} pools that seldom met: places and verdicts hold within a pool"
    apart = [one for one in comparison.between if not one.matches and one.difference is None]
    if len(apart) > _MOST_APART:
        yield f"{count_of(len(apart), 'pair')} of the largest pools never met, not even through other players"
    for one in comparison.between:
        if one in apart and len(apart) > _MOST_APART:
            continue
        pools = f"pools {one.pool} and {one.other}"
        if one.difference is None or one.low is None or one.high is None:
            yield (
                f"{pools} never met, not even through other players"
                if not one.matches
                else f"{pools} cannot be compared"
            )
            continue
        way = "more" if one.difference > 0 else "fewer"
        ends = f"{one.low:+.2f} to {one.high:+.2f}".replace("-", "−")
        matches = f"{one.matches} match{'' if one.matches == 1 else 'es'}"
        yield (
            f"pool {one.other} makes {abs(one.difference):.2f} points a hand {way} than pool {one.pool}"
            f" ({ends}), by {matches} with players of both"
        )

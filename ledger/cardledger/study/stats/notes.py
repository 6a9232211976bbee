"""Notes below tables of statistics: why somebody has no place, how pools are linked, how good forecasts were."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardledger.sentence import Sentence
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
        Sentence("all chances were equal")
        if found.slope is None
        else Sentence("slope {slope} (1 is right, less is too bold)", slope=f"{found.slope:.2f}")
    )
    yield Sentence.counted(
        "forecasts of the winners of {num} match, a day ahead: {slope}, Brier score {brier}, with equal chances {equal}"
        " (less is better)",
        "forecasts of the winners of {num} matches, a day ahead: {slope}, Brier score {brier}, with equal chances {equal}"
        " (less is better)",
        found.matches,
        slope=slope,
        brier=f"{found.brier:.3f}",
        equal=f"{found.equal:.3f}",
    )


def not_placed(one: PlayerComparison) -> Sentence:
    """Say why a player has no place."""
    if one.placeless:
        return Sentence("not known: nobody else sat in this place from the dealer")
    if one.believed is None:
        return Sentence("too few matches to compare")
    if one.matches < MIN_MATCHES:
        return Sentence("one match is too few for a place")
    return Sentence("nobody else has a place here")


def seldom_met(comparison: Comparison) -> Iterator[str]:
    """Say how the pools of players are linked, if there is more than one."""
    if len(comparison.pools) > 1:
        yield Sentence(
            "there are {pools} pools that seldom met: places and verdicts hold within a pool",
            pools=len(comparison.pools),
        )
    apart = [one for one in comparison.between if not one.matches and one.difference is None]
    if len(apart) > _MOST_APART:
        yield Sentence("{pairs} pairs of the largest pools never met, not even through other players", pairs=len(apart))
    for one in comparison.between:
        if one in apart and len(apart) > _MOST_APART:
            continue
        pools = {"pool": one.pool, "other": one.other}
        if one.difference is None or one.low is None or one.high is None:
            yield (
                Sentence("pools {pool} and {other} cannot be compared", **pools)
                if one.matches
                else Sentence("pools {pool} and {other} never met, not even through other players", **pools)
            )
            continue
        low, high = (f"{end:+.2f}".replace("-", "\u2212") for end in (one.low, one.high))
        more = Sentence("pool {other} makes {points} points a hand more than pool {pool} ({low} to {high})")
        fewer = Sentence("pool {other} makes {points} points a hand fewer than pool {pool} ({low} to {high})")
        size = {"points": f"{abs(one.difference):.2f}", "low": low, "high": high}
        yield Sentence.counted(
            "{difference}, by {num} match with players of both",
            "{difference}, by {num} matches with players of both",
            one.matches,
            difference=Sentence(more if one.difference > 0 else fewer, **pools, **size),
        )

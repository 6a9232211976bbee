"""With whom: what each partner and opponent does to a player's points, and pairs that stand out from all others."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from cardledger.study.stats.distributions import FALSE_DISCOVERIES, benjamini_hochberg, beyond, quantile
from cardledger.study.stats.strength.company import leagues
from cardledger.study.stats.strength.together import FEWEST_PAIRS, SIMULATIONS, effects, standing_out

if TYPE_CHECKING:
    from cardledger.study.stats.measures.tally import Tally
    from cardledger.study.stats.strength.company import Sides
    from cardledger.study.stats.strength.together import How, PairEffect

RATE = 0.01
"""A pair is named if chance makes some pair stand out as much in at most this share of leagues without any agreement."""


@dataclass(frozen=True, slots=True)
class WithWhom:
    """What another player does to a player's points: `how` they met is `with` (as partners) or `against` each other.

    `effect` is how many more points a hand the player's side makes in their matches than the strengths of all at the
    table say, with its 95% interval. `q` is the p-value of no effect, corrected for all others looked at; `verdict` is
    "better", "worse", or "" if chance explains the effect.
    """

    how: str
    player: str
    matches: int
    hands: int
    effect: float
    low: float
    high: float
    q: float
    verdict: str


@dataclass(frozen=True, slots=True)
class PairThatStandsOut:
    """Two players who both do better when they meet than their strengths and chance explain; that proves no reason.

    `effect` is in points a hand, for the side of partners or for each of two opponents, with its 95% interval; `odd`
    and `even` are the effects in every second match. In a share `rate` of leagues without any agreement, drawn with the
    same matches, chance makes some pair stand out as much.
    """

    first: str
    second: str
    matches: int
    hands: int
    effect: float
    low: float
    high: float
    odd: float
    even: float
    rate: float


def with_whom(tally: Tally, sides: Sides, player: str, *, fewest: bool) -> list[WithWhom]:
    """Return what partners and opponents do to a player's points, the most helpful first.

    Those met in too few matches are left out.
    """
    names = tally.sheet.text("player")
    code = tally.sheet.texts["player"].get(player)
    found: list[tuple[How, str, PairEffect]] = []
    for league in leagues(tally, sides):
        at = league.at(code)
        if at is None:
            continue
        kinds: tuple[How, ...] = ("with", "against")
        for how in kinds:
            for one in effects(league, how, at):
                found += [(how, names[other], one) for other in league.of(one.second)]
    corrected = benjamini_hochberg([beyond(one.effect / one.error, one.freedom) for *_, one in found])
    rows = []
    for (how, other_name, one), q in zip(found, corrected, strict=True):
        low, high = _ends(one)
        verdict = "" if q > FALSE_DISCOVERIES else "better" if (one.effect < 0) == fewest else "worse"
        rows.append(WithWhom(how, other_name, one.matches, one.hands, one.effect, low, high, q, verdict))
    better = 1 if fewest else -1
    return sorted(rows, key=lambda row: (row.how, better * round(row.effect, 9), row.player))


def pairs_standing_out(
    tally: Tally, sides: Sides, *, partners: bool, fewest: bool
) -> tuple[list[PairThatStandsOut], int]:
    """Return the pairs that stand out, partners or opponents, and the number of pairs looked at."""
    names, found, looked_at = tally.sheet.text("player"), [], 0
    for league in leagues(tally, sides):
        stand_out, number = standing_out(league, "with" if partners else "together", fewest=fewest)
        looked_at += number
        for one in stand_out:
            if one.rate > RATE:
                continue
            low, high = _ends(one.pair)
            for first, second in product(league.of(one.pair.first), league.of(one.pair.second)):
                pair = sorted((names[first], names[second]))
                found.append(
                    PairThatStandsOut(
                        pair[0],
                        pair[1],
                        one.pair.matches,
                        one.pair.hands,
                        one.pair.effect,
                        low,
                        high,
                        *one.halves,
                        one.rate,
                    )
                )
    return found, looked_at


def _ends(one: PairEffect) -> tuple[float, float]:
    half = quantile(max(int(one.freedom), 1)) * one.error
    return one.effect - half, one.effect + half


MEANING = (
    "effect: points a hand more than the strengths of all at the table say; from 8 matches together on",
    "better and worse: more than chance explains, corrected for all partners and opponents of the table",
)
SCREEN = (
    f"a pair is named if chance makes some pair stand out as much in at most {RATE:.0%} of leagues;"
    f" the rate is that of {SIMULATIONS} leagues without any agreement, drawn with the same matches",
    "friends who know each other's play, styles that fit, "
    "and chance look the same: this says nothing about anybody's conduct",
    f"at least {FEWEST_PAIRS} pairs with 8 matches together are needed",
)

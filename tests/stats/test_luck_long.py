"""Luck-adjusted points proven by simulation: bots of known strength, hand after hand, in every game.

See the table: THOROUGH=1 pytest -n 0 -m long -s tests/stats/test_luck_long.py
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from statistics import mean, stdev
from typing import NamedTuple

import pytest

from cardledger.rules.bots.rollouts import order_stock, play_out
from cardledger.rules.engine.chance import Chance
from cardledger.study.stats.luck import luck, values
from cardledger.study.stats.luck.luck import SeatLuck, adjusted, by_player
from cardledger.study.stats.luck.values import expected, random_deal, replays_of, value
from tests.bench.expected import situations
from tests.thorough import THOROUGH

HANDS = {
    "diversity": 320, "diamonds-bid": 1200, "poison-hearts": 280, "hecto-diversity": 800, "ruff": 1200, "ruff-2": 1200,
    "diamonds-draw": 1000, "whist": 1000, "hearts": 500, "spades": 500, "oh-hell": 500, "euchre": 1200,
}  # fmt: skip
IN_CI = ("diversity", "diamonds-draw", "spades", "euchre")
"""Games that are proven in every run of CI; the others in thorough runs."""
SKILLS = (0.1, 0.25, 0.25, 0.6)
"""How often each of four players takes any legal card instead of a sensible one: two are alike."""
LEAGUE = 20
"""Number of hands of a league for the check of intervals."""
LONGER = {"spades": 160}
"""The same in games of rare large losses: in spades, 95% intervals of 20 hands cover 84%, of 80 hands 92%, of 160 hands 94%."""
LEAGUES = 500
"""Leagues drawn from the hands of a season, which are all there is: so what players are worth is known."""


class Season(NamedTuple):
    """Hands of one game: by seat the player (index in SKILLS), points of two plays of the same deal, and luck."""

    seats: list[SeatLuck]
    players: list[str]
    again: list[int]


def season(game: str) -> Season:
    """Play a season; every hand is a match of its own, and seats change at random."""
    situation = next(one for one in situations() if one.game == game and one.n == 4)
    deals, sums = expected(situation)
    rng = Random(f"season/{game}")
    seats, players, again = [], [], []
    for number in range(HANDS[game]):
        dealt = random_deal(situation, rng)
        order = rng.sample(range(4), 4)
        start = dealt.table()
        plays = []
        for _ in range(2):
            table = start.copy()
            chance = Chance(rng.getrandbits(64))
            order_stock(table, dealt.stock, chance)
            plays.append(play_out(table, chance, [SKILLS[one] for one in order]))
        points = value(dealt)
        for place, one in enumerate(order):
            lucky = points[place] / replays_of(game) - sums[place] / deals
            assert plays[0] is not None
            assert plays[1] is not None
            seats.append(SeatLuck(f"{number}", 1, place, game, 4, number % luck.FOLDS, plays[0][place], lucky))
            players.append(f"player {one}")
            again.append(plays[1][place])
    return Season(seats, players, again)


@pytest.mark.long
@pytest.mark.parametrize("game", HANDS if THOROUGH else IN_CI)
def test_adjusting_for_luck_is_fair_and_narrows_intervals_as_stated(game: str) -> None:
    seats, players, again = season(game)
    better = adjusted(seats)
    names = sorted({*players})
    skill = {name: mean(one.score for one, who in zip(seats, players, strict=True) if who == name) for name in names}
    fair = {name: mean(a for a, who in zip(better, players, strict=True) if who == name) for name in names}

    # (a) For every strength, the mean of adjusted points is that of the raw ones.
    worst = 0.0
    for name in names:
        off = [a - one.score for a, one, who in zip(better, seats, players, strict=True) if who == name]
        worst = max(worst, abs(mean(off)) / (stdev(off) / len(off) ** 0.5))
    assert worst < 4  # of all games' means, chance alone takes one beyond 3 in every eighth set of seeds

    # (b) Intervals of short leagues cover what players are worth.
    covered = intervals = 0
    narrower = []
    rng = Random(f"leagues/{game}")
    for _ in range(LEAGUES):
        hands = enumerate(rng.choices(range(HANDS[game]), k=LONGER.get(game, LEAGUE)))
        rows = [
            (replace(seats[i], match=f"{n}"), players[i]) for n, hand in hands for i in range(4 * hand, 4 * hand + 4)
        ]
        for told in by_player(*zip(*rows, strict=True)):
            assert told.adjusted_low is not None
            assert told.adjusted_high is not None
            assert told.low is not None
            assert told.high is not None
            intervals += 1
            covered += told.adjusted_low <= fair[told.player] <= told.adjusted_high
            narrower.append((told.high - told.low) / (told.adjusted_high - told.adjusted_low))
    assert 0.92 < covered / intervals < 0.97

    # (c) Errors shrink as stated: by what the deal explains, nearly all of what it can explain.
    own = [one.score - skill[who] for one, who in zip(seats, players, strict=True)]
    rest = [a - fair[who] for a, who in zip(better, players, strict=True)]
    explained = 1 - stdev(rest) ** 2 / stdev(own) ** 2
    possible = shared(own, [a - skill[who] for a, who in zip(again, players, strict=True)])
    factor = stdev(own) / stdev(rest)
    assert explained > 0.6 * possible

    # (d) Players that are alike have equal adjusted means.
    a, b = ([x for x, who in zip(better, players, strict=True) if who == f"player {k}"] for k in (1, 2))
    apart = [x - y for x, y in zip(a, b, strict=True)]
    alike = mean(apart) / (stdev(apart) / len(apart) ** 0.5)
    assert abs(alike) < 3
    print(  # noqa: T201 - the table is what one runs this for
        f"\n| `{game}` | {HANDS[game]} | {worst:.1f} | {covered / intervals:.1%} | {alike:+.1f} | {possible:.2f} | "
        f"{explained:.2f} | {factor:.2f} | {1 / (1 - possible) ** 0.5:.2f} | {mean(narrower):.2f} |"
    )


def shared(a: list[float], b: list[float]) -> float:
    """Return the share of the variance of points that two plays of the same deal have in common."""
    return sum(x * y for x, y in zip(a, b, strict=True)) / (sum(x * x for x in a) + sum(y * y for y in b)) * 2


def test_noise_and_replays_are_those_the_figures_are_of() -> None:
    assert (values.NOISE, values.EDITION, values.USUAL) == (0.25, "cautious-3", "cautious-2")

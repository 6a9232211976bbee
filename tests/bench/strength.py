"""How much stronger the Monte Carlo bot is than the cautious one, game by game and against several bots, in points a hand.

Run: python -m tests.bench.strength [DEALS] [GAME]...
"""

from __future__ import annotations

import sys
import time
from random import Random
from statistics import mean, stdev
from typing import TYPE_CHECKING, Any

from cardledger.rules.bots import BOTS
from cardledger.rules.bots.monte_carlo import MonteCarlo
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.games import games
from cardledger.rules.kernel import kernels
from cardledger.rules.stream import Stream
from cardledger.study.stats.distributions import quantile
from tests.bench.timing import TINY
from tests.stats.leagues import mixed

if TYPE_CHECKING:
    from cardledger.rules.bots import Bot

PLAYERS = 4
OTHERS: dict[str, Bot] = {"cautious": BOTS["cautious"], "hasty": mixed(0.25), "random": BOTS["random"]}
"""The bots that sit at the other seats; the hasty one is cautious and takes any legal choice in a quarter of its turns."""


def lead(game: str, bot: Bot, others: Bot, deals: int) -> tuple[list[int], float]:
    """Return by how many points a bot does better than the cautious one with the same cards, by deal, and milliseconds a hand.

    The seats take turns; partners sit with their like.
    """
    found, spent = [], 0.0
    for number in range(deals):
        before = time.process_time()
        one = points(game, bot, others, number)
        spent += time.process_time() - before
        found.append(one - points(game, BOTS["cautious"], others, number))
    return found, 1000 * spent / deals


def points(game: str, bot: Bot, others: Bot, number: int) -> int:
    """Return the points of the first hand of a match at one seat; more is better."""
    rules = games()[game]
    seat, side = number % PLAYERS, rules.sides(PLAYERS)
    seated: list[Any] = [bot if side[one] == side[seat] else others for one in range(PLAYERS)]
    names = [f"p{one}" for one in range(PLAYERS)]
    events = simulate(game, PLAYERS, Random(f"strength/{game}/{number}"), seated, players=names, max_hands=1)
    scores = Stream.of(events).table.hands[0].scores
    assert scores is not None
    return -scores[seat] if rules.scoring.fewest else scores[seat]


def interval(found: list[int]) -> tuple[float, float]:
    """Return the mean, and half of its 95% interval."""
    return mean(found), quantile(len(found) - 1) * stdev(found) / len(found) ** 0.5


def main() -> None:
    """Print a table of the README; a tiny run says nothing and compiles nothing."""
    words = ["2", "ruff"] if TINY else sys.argv[1:] or ["400"]
    bot = MonteCarlo(2) if TINY else MonteCarlo()
    print(f"| game, {words[0]} deals | {' | '.join(f'beside {name}' for name in OTHERS)} | ms a hand |")
    print("|---|---|---|---|---|")
    for id in words[1:] or [
        id for id, game in games().items() if game.study.bot is not None and game.study.bot.card is not None
    ]:
        if not TINY and kernels.available():
            kernels.warm(games()[id])
        cells, times = [], []
        for others in OTHERS.values():
            found, spent = lead(id, bot, others, int(words[0]))
            middle, half = interval(found)
            cells.append(f"{middle:+.3g} ± {half:.2g}")
            times.append(spent)
        print(f"| `{id}` | {' | '.join(cells)} | {mean(times):.0f} |", flush=True)


if __name__ == "__main__":
    main()

"""What share of what plays of one deal have in common its luck takes off, for mixed company.

And what more replays would add, or replays by bots that are as careless as the players in those seats.

Run: python -m tests.bench.shared_luck [GAME]...
"""

from __future__ import annotations

import sys
import time
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardledger.rules.engine.chance import Chance
from cardledger.rules.games import game, games
from cardledger.rules.kernel import kernels
from cardledger.study.stats.luck.values import NOISE, random_deal, replays
from tests.bench.expected import situations
from tests.bench.timing import TINY, scaled

SKILLS = (0.1, 0.25, 0.25, 0.6)
"""How often each of four players takes any legal card instead of a sensible one; they change seats at random."""
DEALS = scaled(2_500, 5)
PLAYS = 6
MORE = 4
"""How many times as many replays the last column is of."""


def main() -> None:
    """Measure and print, as a table of the README."""
    print(
        "| game | possible | replays | ms a hand | explained, of it | four times the replays | the players' own habits |"
    )
    print("|---|---|---|---|---|---|---|")
    for id in sys.argv[1:] or (["ruff"] if TINY else games()):
        if kernels.available() and not TINY:
            kernels.warm(game(id))
        measure(id)


def measure(id: str) -> None:
    """Measure a game for four players."""
    situation = next(one for one in situations() if one.game == id and one.n == len(SKILLS))
    wanted = replays_of(id)
    rng = Random(f"shared luck/{id}")
    points: list[Any] = []
    players: list[list[int]] = []
    few: list[Any] = []
    many: list[Any] = []
    known: list[Any] = []
    spent = 0.0
    for _ in range(DEALS):
        dealt = random_deal(situation, rng)
        order = rng.sample(range(len(SKILLS)), len(SKILLS))
        start = dealt.table()

        def played(number: int, noise: tuple[float, ...], start: Any = start, stock: Any = dealt.stock) -> list[Any]:
            seeds = [Chance(rng.getrandbits(64)).state for _ in range(number)]
            return [scores for scores in replays(start, stock, seeds, noise) if scores is not None]

        skills = tuple(SKILLS[player] for player in order)
        plays = played(2 * PLAYS, skills)
        begun = time.process_time()
        worth = played(wanted, (NOISE,) * start.n)
        spent += time.process_time() - begun
        own_habits = played(wanted, skills)
        if len(plays) >= PLAYS and worth and own_habits:
            points.append(plays[:PLAYS])
            players.append(order)
            few.append(np.mean(worth, axis=0))
            known.append(np.mean(own_habits, axis=0))
            many.append(np.mean(worth + played((MORE - 1) * wanted, (NOISE,) * start.n), axis=0))
    own = np.array(points, float).transpose(0, 2, 1).reshape(-1, PLAYS)
    places = np.tile(np.arange(len(SKILLS)), len(points))
    own = centred(centred(own, np.array(players).reshape(-1)), places)
    covariances = np.cov(own.T)
    alone = np.trace(covariances) / PLAYS
    possible = (covariances.sum() - PLAYS * alone) / (PLAYS * (PLAYS - 1)) / alone
    worths = [np.array(worth, float).reshape(-1, 1) for worth in (few, many, known)]
    # Replays with the habits of the players have their skill too: it is taken off, as it is from the points.
    worths[2] = centred(worths[2], np.array(players).reshape(-1))
    shares = [explained(own, centred(worth, places)) / possible for worth in worths]
    print(
        f"| `{id}` | {possible:.2f} | {wanted} | {1000 * spent / DEALS:.2f} | {shares[0]:.0%} | {shares[1]:.0%} | {shares[2]:.0%} |"
    )


def replays_of(id: str) -> int:
    """Return how many times a deal of a game is replayed for its luck; a few in a tiny run."""
    bot = game(id).study.bot
    assert bot is not None
    return scaled(bot.replays, 2)


def centred(values: NDArray[np.float64], groups: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return values less the mean of their group, column by column."""
    centred = values.copy()
    for group in np.unique(groups):
        centred[groups == group] -= centred[groups == group].mean(axis=0)
    return centred


def explained(own: NDArray[np.float64], worth: NDArray[np.float64]) -> float:
    """Return the share of the variance of points that what a deal is worth explains, at the best slope."""
    return float(np.mean([np.corrcoef(worth[:, 0], own[:, play])[0, 1] ** 2 for play in range(PLAYS)]))


if __name__ == "__main__":
    main()

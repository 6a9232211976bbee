"""How well a review tells players apart by the cost of their decisions: the usual one, the thorough one, and points.

Run: python -m tests.bench.separation [HANDS] [GAME]...
"""

from __future__ import annotations

import sys
import time
from itertools import combinations
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from cardledger.rules.bots import BOTS
from cardledger.rules.bots.monte_carlo import MonteCarlo
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.games import games
from cardledger.rules.kernel import kernels
from cardledger.rules.stream import Stream
from cardledger.study.stats.luck.deals import hands_of
from cardledger.study.stats.review.review import THOROUGH, USUAL, Method, review
from tests.bench.timing import TINY
from tests.stats.leagues import mixed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardledger.rules.bots import Bot
    from cardledger.study.stats.luck.deals import PlayedHand

PLAYERS: dict[str, Bot] = {
    "100 worlds": MonteCarlo(2 if TINY else 100),
    "4 worlds": MonteCarlo(1 if TINY else 4),
    "cautious": BOTS["cautious"],
    "one in ten at random": mixed(0.1),
}
"""The four bots of a table, the best first; the seats take turns."""
METHODS = tuple(one._replace(choosing=2, judging=2) if TINY else one for one in (USUAL, THOROUGH))


def hands(game: str, number: int) -> Iterator[tuple[list[int], PlayedHand]]:
    """Yield hands that can be reviewed, with the seats of the four bots."""
    bots = [*PLAYERS.values()]
    for k in range(number):
        seats = [(bot - k) % 4 for bot in range(4)]
        seated = [bots[(seat + k) % 4] for seat in range(4)]
        events = simulate(game, 4, Random(f"sep/{game}/{k}"), seated, players=[*"abcd"], max_hands=1)
        for played in hands_of(Stream.of(events)):
            if played.why is None and played.dealt is not None:
                yield seats, played


def costs(played: PlayedHand, seats: list[int], method: Method) -> list[float]:
    """Return what each bot gave up in a hand."""
    assert played.dealt is not None
    found = review(played.dealt, played.hand.dealer, played.events, method)
    return [sum(one.cost for one in found if one.seat == seat) for seat in seats]


def apart(better: np.ndarray, worse: np.ndarray) -> float:
    """Return by how many standard deviations a hand separates two bots."""
    difference = better - worse
    return float(difference.mean() / (difference.std(ddof=1) or 1))


def main() -> None:
    """Print a table of pairs, and correlations of cost and points within a hand. Partners share their points: leave those games out."""
    words = ["3", "ruff"] if TINY else sys.argv[1:] or ["100"]
    print("| game, hands | pair | points | usual | thorough | gain, 95% |\n|---|---|---|---|---|---|")
    ends = []
    for id in words[1:] or ["diversity", "ruff", "poison-hearts"]:
        if not TINY and kernels.available():
            kernels.warm(games()[id])
        points, given_up, spent = [], [[] for _ in METHODS], [0.0 for _ in METHODS]  # type: ignore[var-annotated]
        for seats, played in hands(id, int(words[0])):
            scores = played.hand.scores
            assert scores is not None
            points.append([(-1 if games()[id].scoring.fewest else 1) * scores[seat] for seat in seats])
            for at, method in enumerate(METHODS):
                before = time.process_time()
                given_up[at].append(costs(played, seats, method))
                spent[at] += 1000 * (time.process_time() - before)
        measured = [np.array(points, float), *(-np.array(one) for one in given_up)]
        for a, b in combinations(range(4), 2):
            found = [apart(one[:, a], one[:, b]) for one in measured]
            low, high = gain([(one[:, a], one[:, b]) for one in measured[1:]])
            pair = " / ".join([*PLAYERS][i] for i in (a, b))
            print(
                f"| `{id}`, {len(points)} | {pair} | {' | '.join(f'{one:+.2f}' for one in found)} | {low:+.2f} to {high:+.2f} |",
                flush=True,
            )
        within = [(one - one.mean(1, keepdims=True)).ravel() for one in measured]
        related = (np.corrcoef(within[0], one)[0, 1] for one in within[1:])
        means = "; ".join(" ".join(f"{value:.2f}" for value in -one.mean(0)) for one in measured)
        ends.append(
            f"`{id}`: cost and points within a hand correlate {', '.join(f'{one:.2f}' for one in related)}; "
            f"{', '.join(f'{one / len(points):.0f}' for one in spent)} ms a hand; means {means}"
        )
    print("\n".join(ends))


def gain(of_methods: list[tuple[np.ndarray, np.ndarray]]) -> tuple[float, float]:
    """Return the 95% interval of what the thorough review separates more than the usual one, by resampling hands."""
    rng = np.random.default_rng(1)
    number = len(of_methods[0][0])
    found = []
    for _ in range(1000):
        chosen = rng.integers(0, number, number)
        usual, thorough = (apart(a[chosen], b[chosen]) for a, b in of_methods)
        found.append(thorough - usual)
    low, high = np.quantile(found, (0.025, 0.975))
    return float(low), float(high)


if __name__ == "__main__":
    main()

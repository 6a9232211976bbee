"""What decisions cost a careful bot that plays at random now and then: the scale of accuracy (`python -m tests.bench.accuracy`)."""

from __future__ import annotations

import sys
from random import Random
from typing import TYPE_CHECKING
from unittest.mock import patch

import numpy as np

from cardledger.rules.bots.simulation import simulate
from cardledger.rules.games import games
from cardledger.rules.stream import Stream
from cardledger.study.stats.luck.deals import hands_of
from cardledger.study.stats.review.review import review
from tests.bench.timing import TINY
from tests.stats.leagues import mixed

if TYPE_CHECKING:
    from collections.abc import Iterator

SHARES = (0.0, 0.1, 0.3, 1.0)
"""How often the bots of a table of four play at random."""
BOTS = {f"random-{share}": mixed(share) for share in (*SHARES, 0.2, 0.5)}


def costs(
    game: str, n: int, hands: int, seed: str, shares: tuple[float, ...] = SHARES
) -> Iterator[list[tuple[float, int, float]]]:
    """Yield for each hand the share, the number of decisions and their cost by seat; the seats take turns at the shares."""
    names = [f"random-{shares[seat % len(shares)]}" for seat in range(n)]
    for number in range(hands):
        rng = Random(f"{seed}/{game}/{n}/{number}")
        seated = names[number % n :] + names[: number % n]
        with patch("cardledger.rules.bots.BOTS", BOTS):
            events = simulate(game, n, rng, seated, players=[f"p{seat}" for seat in range(n)], max_hands=1)
        for played in hands_of(Stream.of(events)):
            if played.why is None and played.dealt is not None:
                found = review(played.dealt, played.hand.dealer, played.events)
                yield [
                    (
                        float(seated[seat].removeprefix("random-")),
                        sum(one.seat == seat for one in found),
                        sum(one.cost for one in found if one.seat == seat),
                    )
                    for seat in range(n)
                ]


def scale(rows: list[list[tuple[float, int, float]]]) -> tuple[float, ...]:
    """Return the cost of a decision without random play, how much more it is at random, their variances and covariance."""
    share, number, cost = (np.array([[seat[i] for seat in row] for row in rows]) for i in range(3))
    square = (number * share**2).sum(), (number * share).sum(), number.sum()
    normal = np.array([[square[2], square[1]], [square[1], square[0]]])
    floor, slope = np.linalg.solve(normal, [cost.sum(), (share * cost).sum()])
    left = cost - number * (floor + slope * share)
    scores = np.stack([left.sum(1), (left * share).sum(1)])
    covariance = np.linalg.inv(normal) @ (scores @ scores.T) @ np.linalg.inv(normal)
    return float(floor), float(slope), float(covariance[0, 0]), float(covariance[1, 1]), float(covariance[0, 1])


def main() -> None:
    """Print the scale of every game, or of those named; the first argument is the number of hands."""
    words = ["4", "ruff"] if TINY else sys.argv[1:]
    hands = int(words[0])
    for id in words[1:] or [id for id, game in games().items() if game.study.bot is not None]:
        n = 4 if 4 in games()[id].players else max(games()[id].players)
        numbers = ", ".join(f"{number:.3g}" for number in scale([*costs(id, n, hands, "accuracy-1")]))
        print(f"{id}: {n}: Scale({numbers}),", flush=True)


if __name__ == "__main__":
    main()

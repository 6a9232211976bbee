"""What luck and review cost, game by game: milliseconds of a core for a hand, live and with the kernel, in one run.

Run: python -m tests.bench.luck [GAME]...
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sized
from functools import partial
from random import Random
from statistics import median

from cardledger.rules.games import games
from cardledger.rules.kernel import kernels
from cardledger.study.stats.luck.deals import Dealt, PlayedHand
from cardledger.study.stats.luck.values import random_deal, value
from cardledger.study.stats.review.review import review
from tests.bench.expected import situations
from tests.bench.timing import TINY, scaled
from tests.stats.night import hands

PLAYERS = 4


def busy(work: Callable[[], Sized]) -> float:
    """Return the milliseconds that this process worked; on a shared machine the clock would say more."""
    start = time.process_time()
    work()
    return 1000 * (time.process_time() - start)


def main() -> None:
    """Measure and print, as a table of the README; a tiny run compiles nothing."""
    done: set[str] = set()
    print("| game | luck, ms a hand: live, kernel | ratio | review, ms a hand: live, kernel | ratio | decisions |")
    print("|---|---|---|---|---|---|")
    for situation in situations():
        id = situation.game
        if situation.n != PLAYERS or id in done or (sys.argv[1:] and id not in sys.argv[1:]):
            continue  # the first way to play a game is the one by default
        done.add(id)
        deals = [random_deal(situation, Random(number)) for number in range(scaled(6, 1))]
        played = hands(id, PLAYERS, matches=scaled(3, 1), hands=1)
        if not TINY and kernels.available():
            kernels.warm(games()[id])
        runs = [medians(deals, played, fast) for fast in ("0", "1")]
        (live_luck, live_review), (luck, reviewing) = runs
        decisions = sum(len(reviewed(hand)) for hand in played) / len(played)
        print(
            f"| `{id}` | {live_luck:.1f}, {luck:.2f} | {live_luck / luck:.0f} | {live_review:.0f}, {reviewing:.1f} | "
            f"{live_review / reviewing:.0f} | {decisions:.0f} |",
            flush=True,
        )


def medians(deals: list[Dealt], played: list[PlayedHand], fast: str) -> tuple[float, float]:
    """Return the medians of the milliseconds that luck and review of a hand take."""
    os.environ[kernels.SWITCH] = fast
    return (
        median(busy(partial(value, dealt)) for dealt in deals),
        median(busy(partial(reviewed, hand)) for hand in played),
    )


def reviewed(played: PlayedHand) -> Sized:
    """Review a hand."""
    return review(played.dealt, played.hand.dealer, played.events) if played.dealt else ()


if __name__ == "__main__":
    main()

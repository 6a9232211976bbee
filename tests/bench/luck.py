"""What luck and review cost, game by game: rollouts a second, and seconds of a core for a hand.

Run: python -m tests.bench.luck
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sized
from functools import partial
from random import Random
from typing import Any

from ledger.stats.deals import Dealt, Played
from ledger.stats.review import review
from ledger.stats.rollouts import play_out
from ledger.stats.values import NOISE, REPLAYS, random_deal, value
from tests.bench.expected import situations
from tests.stats.night import hands

PLAYERS = 4


def busy(work: Callable[[], Sized]) -> tuple[float, Sized]:
    """Return the seconds that this process worked, and what it did; on a shared machine the clock would say more."""
    start = time.process_time()
    done = work()
    return time.process_time() - start, done


def main() -> None:
    """Measure and print, as a table of the README."""
    print("| game | rollouts a second | luck, s a hand | review, s a hand | decisions a hand |\n|---|---|---|---|---|")
    for id in REPLAYS:
        situation = next(one for one in situations() if (one.game, one.n) == (id, PLAYERS))
        deals = [random_deal(situation, Random(number)) for number in range(6)]
        tables = [deals[0].table() for _ in range(300)]
        played = hands(id, PLAYERS, matches=2, hands=1)
        rolling, _ = busy(partial(rolled, tables))
        valuing, _ = busy(partial(valued, deals))
        reviewing, decisions = busy(partial(reviewed, played))
        print(
            f"| `{id}` | {len(tables) / rolling:,.0f} | {valuing / len(deals):.3f} | {reviewing / len(played):.2f} | "
            f"{len(decisions) / len(played):.0f} |",
            flush=True,
        )


def rolled(tables: list[Any]) -> Sized:
    """Play tables out."""
    rng = Random(1)
    return [play_out(table, rng, (NOISE,) * PLAYERS) for table in tables]


def valued(deals: list[Dealt]) -> Sized:
    """Compute the values of deals."""
    return [value(dealt) for dealt in deals]


def reviewed(played: list[Played]) -> Sized:
    """Review hands."""
    return [one for hand in played if hand.dealt for one in review(hand.dealt, hand.hand.dealer, hand.events)]


if __name__ == "__main__":
    main()

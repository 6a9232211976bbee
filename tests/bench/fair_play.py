"""How often the test of fair play names honest bots, and how often those who see hidden cards.

Run: python -m tests.bench.fair_play [HANDS] [GAME]...
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import numpy as np

from cardledger.rules.games import game
from cardledger.rules.kernel import kernels
from cardledger.rules.stream import Stream
from cardledger.study.stats.distributions import quantile
from cardledger.study.stats.fair_play import FALSE_ALARMS, MARGIN, evening_of
from cardledger.study.stats.luck.deals import hands_of
from cardledger.study.stats.review.foresight import USUAL, WorldsUsed, foresight
from tests.bench.timing import TINY
from tests.stats import card_readers as by

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from tests.stats.card_readers import Player

TABLES: dict[str, dict[str, Player]] = {
    "honest": {"strong": by.strong, "careful": by.careful, "reader": by.reader, "careless": by.careless},
    "signals": {
        "signaller": by.signaller, "opponent": by.careful, "partner": by.told(by.signaller, by.careful, by.signaller, by.careful),
        "other": by.careful,
    },
    "misled": {"signaller": by.signaller, "reader": by.reader, "another": by.signaller, "strong": by.strong},
    "odd": {"odd": by.odd, "told": by.told(by.odd, by.careful, by.odd, by.careful), "another": by.odd, "strong": by.strong},
    "expert": {"expert": by.expert, "b": by.careful, "c": by.careful, "d": by.careful},
    **{
        f"sees {100 * share:.0f}%": {"seer": by.seer(share), "b": by.careful, "c": by.careful, "d": by.careful}
        for share in (1.0, 0.5, 0.25, 0.1)
    },
    "partner's hand": {"seer": by.partners_seer, "b": by.careful, "c": by.careful, "d": by.careful},
}  # fmt: skip
"""Tables of four bots; those with one letter are not judged."""
HANDS_OF_EVENING, PLAYERS = 8, 12
EVENINGS = (10, 20, 40, 80)
TINIEST = 1e-9
LEAGUES = 20 if TINY else 1_000


def judged(id: str, table: str, hands: int, worlds: WorldsUsed) -> Iterator[tuple[str, tuple[float, float, float]]]:
    """Yield the style of each judged player in each hand, and the sums of gain, surplus and full sight."""
    players = TABLES[table]
    turns = table not in ("signals", "odd")  # there the seats matter: who is told must know who sits where
    for hand in range(hands):
        turned = hand % 4 if turns else 0
        events = by.one_hand(id, [*players.values()], f"fair/{id}/{table}/{hand}", turned)
        for played in hands_of(Stream.of(events)):
            if played.dealt is None or played.why is not None:
                continue
            found = foresight(played.dealt, played.hand.dealer, played.events, worlds)
            for place, name in enumerate(players):
                sums = evening_of([one for one in found if one.seat == (place + turned) % 4])
                if len(name) > 1:
                    yield name, (sums.gain, sums.surplus, sums.most)


def named(values: NDArray[np.float64], evenings: int, rng: np.random.Generator, again: bool) -> NDArray[np.bool_]:
    """Return who is named in leagues of a style, whose evenings are drawn from its hands: leagues by players.

    With `again` the hands themselves are drawn anew for each league, so that what few hands leave open counts.
    """
    limit = quantile(evenings - 1, 1 - 2 * FALSE_ALARMS / PLAYERS)  # the first step of Holm's correction
    counted = values[:, :2] - MARGIN * values[:, 2:]
    found = []
    for _ in range(LEAGUES):
        hands = counted[rng.integers(0, len(counted), len(counted))] if again else counted
        sums = hands[rng.integers(0, len(hands), (PLAYERS, evenings, HANDS_OF_EVENING))].sum(2)
        spread = np.maximum(sums.std(1, ddof=1) / evenings**0.5, TINIEST)
        found.append(((sums.mean(1) / spread) >= limit).all(1))
    return np.array(found)


def share(values: NDArray[np.float64], column: int, rng: np.random.Generator) -> str:
    """Return a sum as a share of full sight, with its 95% interval by resampling hands."""
    again = values[rng.integers(0, len(values), (500, len(values)))].sum(1)
    low, high = np.quantile(again[:, column] / np.maximum(again[:, 2], TINIEST), (0.025, 0.975))
    whole = values.sum(0)
    return f"{whole[column] / max(whole[2], TINIEST):+.2f} ({low:+.2f} to {high:+.2f})"


def main() -> None:
    """Print a row for each style: shares of full sight, leagues with an alarm, and how often one such player is named."""
    words = ["2", "euchre"] if TINY else sys.argv[1:] or ["200"]
    worlds = WorldsUsed("tiny", 8, 2, 2) if TINY else USUAL
    rng = np.random.default_rng(1)
    print(
        "| game, table, player | hands | gain | surplus | leagues with an alarm | the same, hands drawn anew | named |"
    )
    print("|---|---|---|---|---|---|---|")
    for id in words[1:] or ["hearts", "spades", "whist"]:
        if not TINY and kernels.available():
            kernels.warm(game(id))
        for table in ["sees 100%"] if TINY else TABLES:
            styles: dict[str, list[tuple[float, float, float]]] = {}
            for name, sums in judged(id, table, int(words[0]), worlds):
                styles.setdefault(name, []).append(sums)
            for name, rows in styles.items():
                values = np.array(rows)
                as_is, anew = (
                    [named(values, evenings, rng, again) for evenings in EVENINGS] for again in (False, True)
                )
                cells = (
                    f"`{id}`, {table}, {name}", len(values), share(values, 0, rng), share(values, 1, rng),
                    ", ".join(f"{100 * one.any(1).mean():.1f}" for one in as_is),
                    ", ".join(f"{100 * one.any(1).mean():.1f}" for one in anew),
                    ", ".join(f"{100 * one.mean():.0f}" for one in as_is),
                )  # fmt: skip
                print(f"| {' | '.join(map(str, cells))} |", flush=True)


if __name__ == "__main__":
    main()

"""The cautious bot against the random bot: better in every game at every size of table, and by how much."""

from __future__ import annotations

from itertools import chain
from math import sqrt
from statistics import mean, stdev

import pytest

from cardledger.rules.bots.simulation import league
from cardledger.rules.games import games
from cardledger.rules.stream import Stream

MATCHES = 120
HANDS = 3
MARGINS = {
    "diversity": 1.5,
    "diamonds-bid": 15.0,
    "poison-hearts": 0.5,
    "hecto-diversity": 12.0,
    "ruff": 0.5,
    "ruff-2": 0.4,
    "diamonds-draw": 1.0,
    "whist": 1.0,
    "hearts": 7.0,
    "spades": 150.0,
    "oh-hell": 1.0,
    "euchre": 1.0,
    "bridge": 4000.0,
}
"""Points a hand by which cautious is better at the least, whatever the number of players."""


@pytest.mark.long
@pytest.mark.parametrize(("game", "n"), [(game.id, n) for game in games().values() for n in game.players])
def test_cautious_beats_random(game: str, n: int) -> None:
    low, high = advantage(game, n)
    assert low > MARGINS[game], f"cautious is better by {low:.2f} to {high:.2f} points a hand"


def advantage(game: str, n: int) -> tuple[float, float]:
    """Return the 95% interval of cautious's advantage in points a hand; a match is one observation."""
    sign = -1 if games()[game].scoring.fewest else 1
    found = []
    # With an odd number of seats, each bot has the one seat more in half of the matches.
    pairs = (("cautious", "random"), ("random", "cautious"))
    leagues = (league(game, n, "strength", MATCHES // 2, pair, max_hands=HANDS) for pair in pairs)
    for events in chain.from_iterable(leagues):
        stream = Stream(events[0])
        for event in events[1:]:
            stream.append(event)
        table = stream.table
        points: dict[str, list[int]] = {"cautious": [], "random": []}
        for hand in table.hands:
            assert hand.scores is not None
            for player, score in zip(table.players, hand.scores, strict=True):
                points[player.split("-")[0]].append(score)
        found.append(sign * (mean(points["cautious"]) - mean(points["random"])))
    half = 1.98 * stdev(found) / sqrt(len(found))
    return mean(found) - half, mean(found) + half

"""What was measured of a game once, with its own bot: the worth of its deals, and the ends of the scale of accuracy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple


class Scale(NamedTuple):
    """The ends of a scale.

    The cost of a decision of the careful bot, how much `more` a random one costs, and how well both are known.
    """

    careful: float
    more: float
    of_careful: float
    of_more: float
    both: float

    def variance(self, share: float) -> float:
        """Return the variance of a share of random decisions that comes from the scale."""
        return (self.of_careful + 2 * share * self.both + share**2 * self.of_more) / self.more**2


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured of a game with its bot; a game can do without all of it."""

    expected: Mapping[str, tuple[int, ...]]
    """The worth of deals by situation (`Situation.text`): the points of each seat from the dealer on, summed over
    20,000 random deals, each replayed once (`python -m tests.bench.expected`)."""
    accuracy: Mapping[int, Scale]
    """The scale of decisions by number of players, from 400 hands unless a comment says otherwise
    (`python -m tests.bench.accuracy`)."""
    mistakes: float | None = None
    """The share of decisions of the careful bot that the review calls clear mistakes, at tables of four careful bots:
    a review finds fault with good decisions too. From 30 to 40 matches of six hands."""
    search_helps: bool = False
    """The Monte Carlo bot beats the cautious bot among cautious ones beyond chance (tests/bench/README.md)."""

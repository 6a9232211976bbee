"""The Monte Carlo bot.

Tries every option in possible worlds, lets cautious bots play them out, and takes the best mean.

In the literature: flat Monte Carlo over determinizations, with the cautious bot as rollout policy. Only what the seat
can know goes into the worlds. All hands open to the end (double dummy) would make it weaker: nobody sees them. In games
without tricks it plays like the cautious bot.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from random import Random
from typing import Any

from cardledger.rules.bots import cautious
from cardledger.rules.bots.trials import NOISE, Trials, options_of
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.match import Match
from cardledger.rules.knowledge.possible_worlds import Knowledge
from cardledger.rules.questions import MANY

WORLDS = 100
"""Number of possible worlds for each option."""
SCREENING = 6
"""Number of other worlds in which the most promising of very many options are found."""


@dataclass(frozen=True)
class MonteCarlo:
    """A bot with its number of worlds, the types of decisions left to the cautious bot, and what the seats have seen.

    Without `knowledge` it knows the cards in view, and none of what the play has shown of other hands.
    """

    worlds: int = WORLDS
    plainly: Container[str] = ()
    knowledge: Knowledge | None = None

    def __call__(self, match: Match[Any], rng: Random) -> ev.Event:
        """Return the option with the best mean; of equal ones, the choice of the cautious bot if it is among them."""
        first = cautious.choose(match, rng)
        if match.game.study.bot is None or match.game.study.bot.card is None:
            return first  # without tricks, worlds made it weaker (tests/bench/README.md)
        options = [] if ev.type_of(first) in self.plainly else options_of(match, first)
        if len(options) < 2:
            return first
        knowledge = Knowledge(match.n) if self.knowledge is None else self.knowledge
        seat = match.choices()[0].seat
        assert seat is not None
        trials = Trials(match, seat, knowledge, str(rng.getrandbits(64)), NOISE)
        if len(options) > MANY:
            options = [options[i] for i in trials.promising(options, range(-SCREENING, 0))]
        points = trials.points(options, range(self.worlds))
        return options[max(range(len(options)), key=lambda i: sum(points[i]))]

"""Fair play: who gains from cards that they cannot see, beyond chance and beyond what the others' choices may have told.

Nothing here is shown to anybody: no page, no command and no part of the API uses it, and the README says why. Even where it
names a player, it proves nothing about anybody.

Two sums are tested, and both must speak: what a player's choices gained in the true deal over the choices that were
best by what the seat could know (`gain`), and what they gained beyond what was to be expected of them (`surplus`). An
honest player of any strength is at 0 or below in the first, and at 0 in the second, if likely worlds know all that the
player can know. They do not: partners may have signals, and people read each other better than a program does. So each
sum is only counted beyond a share (`MARGIN`) of what the best choices in the true deal would have gained.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, NamedTuple

from cardledger.study.stats.distributions import beyond

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardledger.study.stats.review.foresight import Foresight

MIN_EVENINGS = 10
"""Least number of evenings with decisions: from fewer, the spread of evenings is not known well enough."""
MIN_DECISIONS = 400
"""Least number of decisions, some forty hands."""
MARGIN = 0.15
"""The share of full sight that is never counted: an honest reader of cards may know so much more than likely worlds."""
FALSE_ALARMS = 0.01
"""The chance that anybody among all players of all games is named, if nobody sees hidden cards."""


class EveningGain(NamedTuple):
    """What a player's decisions of an evening gained, in points: sums of `Foresight` over so many decisions."""

    decisions: int
    gain: float
    surplus: float
    most: float


class FairPlay(NamedTuple):
    """What is known of a player in a game.

    `sight` is the gain as a share of full sight: about 1 for a player who sees all cards, 0 or less for one who sees none.
    `chance` is how often an honest player would gain so much, and `corrected` the same for all players and games tested
    together (Holm). `stands_out` tells whether that is at most `FALSE_ALARMS`.
    """

    game: str
    player: str
    evenings: int
    decisions: int
    sight: float
    chance: float
    corrected: float

    @property
    def stands_out(self) -> bool:
        """Whether chance alone would hardly ever do this to any honest player of the club."""
        return self.corrected <= FALSE_ALARMS


def evening_of(decisions: Sequence[Foresight]) -> EveningGain:
    """Return the sums of a player's decisions of an evening."""
    return EveningGain(
        len(decisions),
        sum(one.gain for one in decisions),
        sum(one.surplus for one in decisions),
        sum(one.most for one in decisions),
    )


def fair_play(evenings: Mapping[tuple[str, str], Sequence[EveningGain]]) -> list[FairPlay]:
    """Return what is known of each player with enough decisions, by game and player; the most remarkable first.

    `evenings` are by game and player. Evenings are independent, decisions of one are not. Players with fewer than
    `MIN_EVENINGS` or `MIN_DECISIONS` are left out.
    """
    tested = []
    for (game, player), some in sorted(evenings.items()):
        played = [one for one in some if one.decisions]
        number = sum(one.decisions for one in played)
        if len(played) >= MIN_EVENINGS and number >= MIN_DECISIONS:
            whole = sum(one.most for one in played)
            sight = sum(one.gain for one in played) / whole if whole else 0.0
            tested.append(FairPlay(game, player, len(played), number, sight, chance_of(played), 1.0))
    tested.sort(key=lambda one: (one.chance, one.game, one.player))
    found, reached = [], 0.0
    for place, one in enumerate(tested):
        reached = max(reached, min(1.0, one.chance * (len(tested) - place)))
        found.append(one._replace(corrected=reached))
    return found


def chance_of(evenings: Sequence[EveningGain]) -> float:
    """Return how often an honest player would gain so much beyond the margin: the less remarkable of the two sums says."""
    return max(
        _one_sided([one.gain - MARGIN * one.most for one in evenings]),
        _one_sided([one.surplus - MARGIN * one.most for one in evenings]),
    )


def _one_sided(values: Sequence[float]) -> float:
    """Return the chance that a mean of 0 or less gives such values (Student's t)."""
    n = len(values)
    mean = sum(values) / n
    spread = sum((one - mean) ** 2 for one in values) / (n - 1)
    if not spread:
        return 1.0  # all alike: nobody can tell what chance does
    either_way = beyond(mean / sqrt(spread / n), n - 1)
    return either_way / 2 if mean > 0 else 1 - either_way / 2

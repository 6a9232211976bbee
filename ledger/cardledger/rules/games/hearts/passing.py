"""Where cards are passed in hearts, hand by hand."""

from __future__ import annotations

from typing import Any, Final

from cardledger.rules import Match
from cardledger.rules.games.hearts.scoring import HeartsHand

STEPS: Final = {"left": 1, "right": 3, "across": 2, "hold": 0}
"""By how many seats cards move, in the order of the cycle."""
WORDS: Final = (("left", "to the left"), ("right", "to the right"), ("across", "across"), ("hold", "nobody passes"))
"""What people say for each direction."""


def cycle(match: Match[Any]) -> int:
    """The number of hands after which the directions start over, 0 if there is only one."""
    agreed = match.options["pass"]
    return len(STEPS) if agreed == "cycle" else 0


def direction(match: Match[Any], hand: HeartsHand) -> str:
    """The direction of this hand."""
    agreed = match.options["pass"]
    return [*STEPS][(hand.number - 1) % 4] if agreed == "cycle" else agreed if agreed in STEPS else "hold"


def passes_to(match: Match[Any], hand: HeartsHand, seat: int) -> int:
    """The seat that gets the cards a seat passes."""
    return (seat + STEPS[direction(match, hand)]) % 4

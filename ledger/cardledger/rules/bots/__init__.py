"""The bots by name: programs that choose for a seat, from what that seat may know."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from types import MappingProxyType
from typing import Any

from cardledger.errors import FormatError
from cardledger.rules.bots import cautious, random_bot
from cardledger.rules.bots.monte_carlo import MonteCarlo
from cardledger.rules.engine.events import Event
from cardledger.rules.engine.match import Match
from cardledger.sentence import Sentence, choosing

Bot = Callable[[Match[Any], Random], Event]
"""Takes a match with known hands and returns the event of the seat whose turn it is.

A bot looks at its own hand and at open cards, never at other hands or the order of the stock. It leaves the cards of a
draw from the stock empty; the simulation fills them in.
"""

BOTS: Mapping[str, Bot] = MappingProxyType(
    {"random": random_bot.choose, "cautious": cautious.choose, "monte-carlo": MonteCarlo()}
)


def bot(name: str) -> Bot:
    """Return a bot; raises FormatError `format.bot` for an unknown name."""
    try:
        return BOTS[name]
    except KeyError:
        raise FormatError("format.bot", choosing(Sentence("there is no bot {name!r}", name=name), name, BOTS)) from None

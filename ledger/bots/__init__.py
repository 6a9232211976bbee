"""The bots by name: players that choose for one seat, from what that seat may know."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from types import MappingProxyType

from ledger.bots import cautious, random_bot
from ledger.errors import FormatError
from ledger.events import Event
from ledger.table import Table

Bot = Callable[[Table, Random], Event]
"""Asked with a table whose hands are known, returns what the seat to act does.

It looks at its own hand and at what lies open, never at other hands or the order of the stock. A draw from the stock
is chance: the bot leaves its cards empty, and the simulation supplies them.
"""

BOTS: Mapping[str, Bot] = MappingProxyType({"random": random_bot.choose, "cautious": cautious.choose})


def bot(name: str) -> Bot:
    """Return a bot; raises FormatError `format.bot` for a name nobody bears."""
    try:
        return BOTS[name]
    except KeyError:
        known = ", ".join(BOTS)
        raise FormatError("format.bot", f"there is no bot {name!r} (there are {known})") from None

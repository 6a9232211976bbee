"""Small evenings of bots for tests of luck and review: matches of every game, recorded as they were played or hidden."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.bots.simulation import league
from ledger.corrections import Stream
from ledger.ledger import Ledger
from ledger.matchfile import Match
from ledger.stats.deals import hands_of
from ledger.stats.values import REPLAYS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from ledger.events import Event
    from ledger.stats.deals import Played

GAMES = [*REPLAYS]


def evening(game: str, n: int = 4, matches: int = 1, hands: int = 2, **more: bool) -> list[list[Event]]:
    """Return matches between a cautious and a random bot and their likes."""
    return [*league(game, n, "evening", matches, max_hands=hands, **more)]


def hands(game: str, n: int = 4, matches: int = 1, hands: int = 2, **more: bool) -> list[Played]:
    """Return the hands of such matches."""
    return [one for events in evening(game, n, matches, hands, **more) for one in hands_of(Stream.of(events))]


def recorded(path: Path, matches: Iterable[Sequence[Event]]) -> Ledger:
    """Return a ledger with these matches."""
    ledger = Ledger(path)
    list(ledger.import_matches([Match("evening", 1, Stream.of(events), events) for events in matches]))
    return ledger

"""Small evenings of bots for tests of luck and review: matches of every game, recorded as they were played or hidden."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardledger.record.matches.matchfile import MatchInFile
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.bots.simulation import league
from cardledger.rules.games import games
from cardledger.rules.stream import Stream
from cardledger.study.stats.luck.deals import hands_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from cardledger.rules.engine.events import Event
    from cardledger.study.stats.luck.deals import PlayedHand

GAMES = [id for id, game in games().items() if game.study.bot is not None]


def evening(game: str, n: int = 4, matches: int = 1, hands: int = 2, **more: bool) -> list[list[Event]]:
    """Return matches between a cautious and a random bot and their likes."""
    return [*league(game, n, "evening", matches, max_hands=hands, **more)]


def hands(game: str, n: int = 4, matches: int = 1, hands: int = 2, **more: bool) -> list[PlayedHand]:
    """Return the hands of such matches."""
    return [one for events in evening(game, n, matches, hands, **more) for one in hands_of(Stream.of(events))]


def recorded(path: Path, matches: Iterable[Sequence[Event]]) -> Ledger:
    """Return a ledger with these matches."""
    ledger = Ledger(path)
    list(ledger.import_matches([MatchInFile("evening", 1, Stream.of(events), events) for events in matches]))
    return ledger

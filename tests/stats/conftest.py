"""A club whose statistics the tests look at."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ledger.bots.simulation import league
from ledger.corrections import Stream
from ledger.games import games
from ledger.ledger import Ledger
from ledger.matchfile import Match, read_file
from ledger.stats import Statistics
from tests.conftest import SAMPLES


@pytest.fixture(scope="session")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ledger]:
    """All samples, and five matches of bots in every game, recorded as they were played."""
    with Ledger(tmp_path_factory.mktemp("stats") / "club.db") as ledger:
        for path in sorted(SAMPLES.glob("*.jsonl")):
            list(ledger.import_matches(read_file(path)))
        for game in games():
            for events in league(game, 4, 3, 5, ("cautious", "random", "cautious", "random", "random"), max_hands=5):
                list(ledger.import_matches([Match("bots", 1, Stream.of(events), events)]))
        yield ledger


@pytest.fixture(scope="session")
def stats(club: Ledger) -> Statistics:
    return Statistics(club.views)

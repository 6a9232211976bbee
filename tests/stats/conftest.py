"""A club whose statistics the tests look at."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cardledger.bots.simulation import league
from cardledger.engine.stream import Stream
from cardledger.games import games
from cardledger.matches.matchfile import MatchInFile, read_file
from cardledger.recording.ledger import Ledger
from cardledger.stats import Statistics
from tests.conftest import SAMPLES


@pytest.fixture(scope="session")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ledger]:
    """All samples, and five matches of bots in every game, recorded as they were played."""
    with Ledger(tmp_path_factory.mktemp("stats") / "club.db") as ledger:
        for path in sorted(SAMPLES.glob("*.jsonl")):
            list(ledger.import_matches(read_file(path)))
        for game in games():
            for events in league(game, 4, 3, 5, ("cautious", "random", "cautious", "random", "random"), max_hands=5):
                list(ledger.import_matches([MatchInFile("bots", 1, Stream.of(events), events)]))
        yield ledger


@pytest.fixture(scope="session")
def stats(club: Ledger) -> Statistics:
    return Statistics(club.views)

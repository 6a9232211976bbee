"""A club whose statistics the tests look at."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cardledger.record.matches.matchfile import MatchInFile, read_file
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.bots.simulation import league
from cardledger.rules.games import games
from cardledger.rules.stream import Stream
from cardledger.study.stats import Statistics
from cardledger.study.stats.cache import Shelf
from cardledger.study.stats.luck import accountant
from cardledger.study.stats.luck.dealt_luck import dealt_luck
from cardledger.study.stats.measures import sheets
from tests.conftest import SAMPLES
from tests.waiting import LIMIT


@pytest.fixture(autouse=True)
def nobody_is_in_a_hurry() -> Iterator[None]:
    """Readers wait for their first answer as long as it takes: on a slow machine, too, none goes without luck."""
    with pytest.MonkeyPatch.context() as patch:
        for ask in (Shelf.get_stale, dealt_luck, accountant.luck, accountant.habits, accountant.sights):
            patch.setattr(ask, "__defaults__", (*(ask.__defaults__ or ())[:-1], float(LIMIT)))
        for module in (accountant, sheets):
            patch.setattr(module, "MOMENT", float(LIMIT))
        yield


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

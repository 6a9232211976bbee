"""A small season and its archive, made once."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from cardledger.record.matches.matchfile import MatchInFile, read_file
from cardledger.record.people.people import Merge, Name, Sat
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.bots.simulation import league
from cardledger.rules.engine import events as ev
from cardledger.rules.stream import Stream
from cardledger.study.archive import files
from tests.archive.streams import corrected
from tests.conftest import SAMPLES
from tests.tables import SIZES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardledger.record.recording.ledger import Ledger


@pytest.fixture(scope="session")
def season(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ledger]:
    """A ledger with the samples, corrected matches of every size, three of bots, a doubtful score sheet, and people who are one."""
    with Ledger(tmp_path_factory.mktemp("season") / "season.db") as ledger:
        for sample in sorted(SAMPLES.glob("*.jsonl")):
            assert all(item.events for item in ledger.import_matches(read_file(sample)))
        rng = Random(7)
        sheet = [
            ev.Open(game="ruff", players=("ana", "ben", "eva")),
            ev.Deal(dealer=0, hands=None),
            ev.Score(scores=(5, 5, 6)),
        ]
        played = [corrected(*size, rng) for size in SIZES] + list(league("diversity", 4, 3, 3)) + [sheet]
        for _ in ledger.import_matches(
            [MatchInFile("season", 1, Stream.of(events), events) for events in played], by="ana"
        ):
            pass
        (match, *_) = ledger.matches()
        about = [
            Merge(player="cautious-a", into="ben"),
            Name(player="ana", name="Ana Lima"),
            Sat(match=match, seat=0, player="zoe"),
        ]
        ledger.record_people(about, 0, "ana")
        yield ledger


@pytest.fixture(scope="session")
def archive(season: Ledger, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The season as a packed archive, in several pages."""
    path = tmp_path_factory.mktemp("archive") / "season.parquet"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "PAGE", 1_500)
        files.pack(files.with_names(season.store.recordings(), season.store.names), path, season.store.last_position())
    return path

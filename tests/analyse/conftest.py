"""The season of the archive's tests, analysed by one process: what every other way must come to."""

from __future__ import annotations

from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

import pytest

from cardledger.crew import Alone
from cardledger.study.analyse.analysis import analyse
from cardledger.study.analyse.share_results import find
from cardledger.study.analyse.sources import of_ledger
from cardledger.study.analyse.tables import Tables
from tests.archive.conftest import archive, season

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from cardledger.crew import Crew
    from cardledger.record.recording.ledger import Ledger
    from cardledger.study.analyse.analysis import AnalysisStep
    from cardledger.study.analyse.sources import AnalysisSource

__all__ = ["archive", "few_matches", "season", "tables"]


@pytest.fixture(autouse=True)
def few_matches() -> Iterator[None]:
    """Small shares, so that there are many of them."""
    with small_shares():
        yield


@contextmanager
def small_shares() -> Iterator[None]:
    """Make shares of two matches for a while."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cardledger.study.analyse.sources.MATCHES", 2)
        yield


def run(
    source: AnalysisSource, folder: Path, crew: Crew | None = None, audit: bool = False, csv: bool = False
) -> list[AnalysisStep]:
    """Analyse a source into a folder."""
    with closing(crew or Alone(find)) as workers, Tables(folder, audit, csv, source.position) as tables:
        return list(analyse(source, workers, tables, audit))


def contents(folder: Path) -> dict[str, bytes]:
    """Return the bytes of every file of a folder."""
    return {file.name: file.read_bytes() for file in folder.iterdir()}


@pytest.fixture(scope="session")
def tables(season: Ledger, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tables of the season."""
    folder = tmp_path_factory.mktemp("analysis") / "tables"
    with small_shares():
        run(of_ledger(season.store.file.path), folder)  # type: ignore[attr-defined]
    return folder

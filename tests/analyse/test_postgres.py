"""A ledger in PostgreSQL is packed and analysed like one in a file, by processes that each read their own share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from cardledger.cli.main import main
from cardledger.crew import Processes
from cardledger.record.store.address import where
from cardledger.study.analyse.share_results import find
from cardledger.study.analyse.sources import of_archives, of_ledger
from tests.analyse.conftest import contents, run
from tests.store.conftest import cache, cluster, fresh, url

if TYPE_CHECKING:
    from pathlib import Path

    from cardledger.record.recording.ledger import Ledger

__all__ = ["cache", "cluster", "fresh", "url"]


@pytest.mark.long
def test_a_database_gives_the_same_result_as_its_archive(
    season: Ledger, archive: Path, url: str, tmp_path: Path
) -> None:
    for words in (("unpack", archive), ("pack", tmp_path / "packed.parquet")):
        done = CliRunner().invoke(main, [*map(str, words), "--db", url])
        assert done.exit_code == 0, done.output
    exported = CliRunner().invoke(main, ["export", "--db", url]).stdout
    assert exported == "".join(season.export(season.matches()))
    run(of_ledger(where(url)), tmp_path / "one")
    run(of_ledger(where(url)), tmp_path / "two", Processes(find, 2))
    run(of_archives([tmp_path / "packed.parquet"]), tmp_path / "packed")
    assert contents(tmp_path / "one") == contents(tmp_path / "two") == contents(tmp_path / "packed")

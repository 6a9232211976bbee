"""Workers of a Dask cluster, in processes of their own: what they come to is the same, killed or not."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from cardledger.errors import LedgerError, StoreError
from cardledger.study.analyse import cluster
from cardledger.study.analyse.cluster import Cluster
from cardledger.study.analyse.share_results import find
from cardledger.study.analyse.sources import of_archives, of_ledger
from tests.analyse.conftest import contents, run
from tests.waiting import LIMIT, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from cardledger.record.recording.ledger import Ledger
    from cardledger.study.analyse.shares import Share


class Dask:
    """A scheduler, and workers that can be killed."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.folder = folder
        self.stack = stack
        self.file = folder / "scheduler.json"
        self.scheduler = self.start("dask_scheduler", "--host", "127.0.0.1", "--port", "0")
        wait_until(lambda: self.file.exists() and self.file.read_text().strip(), "a scheduler")
        self.address = str(json.loads(self.file.read_text())["address"])

    def start(self, what: str, *words: str) -> subprocess.Popen[bytes]:
        command = [
            sys.executable,
            "-m",
            f"distributed.cli.{what}",
            "--no-dashboard",
            "--scheduler-file",
            str(self.file),
        ]
        log = self.stack.enter_context((self.folder / f"{what}.log").open("ab"))
        started = subprocess.Popen([*command, *words], stdout=log, stderr=log, cwd=self.folder)
        self.stack.callback(started.wait)
        self.stack.callback(started.kill)
        return started

    def worker(self) -> subprocess.Popen[bytes]:
        return self.start("dask_worker", "--no-nanny", "--nthreads", "1", "--local-directory", str(self.folder))


@pytest.fixture
def dask(tmp_path: Path) -> Iterator[Dask]:
    folder = tmp_path / "dask"
    folder.mkdir()
    with ExitStack() as stack:
        yield Dask(folder, stack)


@pytest.mark.long
def test_a_cluster_gives_the_same_result_even_if_a_worker_is_killed(
    season: Ledger, archive: Path, tables: Path, dask: Dask, tmp_path: Path
) -> None:
    first, _ = dask.worker(), dask.worker()
    run(of_archives([archive]), tmp_path / "archive", Cluster(find, dask.address))
    assert contents(tmp_path / "archive") == contents(tables)
    whole = of_ledger(season.store.file.path)  # type: ignore[attr-defined]

    def shares() -> Iterator[Share]:
        for number, share in enumerate(whole.shares()):
            if number == 9:
                first.kill()
            yield share

    run(replace(whole, shares=shares), tmp_path / "ledger", Cluster(find, dask.address))
    assert first.wait(LIMIT) == -9
    assert contents(tmp_path / "ledger") == contents(tables)


@pytest.mark.long
def test_losing_all_servers_is_reported(
    season: Ledger, dask: Dask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = of_ledger(season.store.file.path)  # type: ignore[attr-defined]
    for lost in (dask.worker(), dask.scheduler):
        if lost is dask.scheduler:
            dask.worker()
        crew = Cluster(find, dask.address)
        monkeypatch.setattr(cluster, "PATIENCE", 2)

        def shares(lost: subprocess.Popen[bytes] = lost) -> Iterator[Share]:
            for number, share in enumerate(whole.shares()):
                if number == 6:
                    lost.kill()
                yield share

        with pytest.raises(LedgerError) as refused:
            run(replace(whole, shares=shares), tmp_path / "tables", crew)
        assert refused.value.code == "workers.lost"
        assert list((tmp_path / "tables").iterdir()) == []
        monkeypatch.undo()


@pytest.mark.long
def test_an_address_that_is_not_a_cluster_is_reported(dask: Dask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", 1)
    for address in ("tcp://127.0.0.1:9", dask.address, "nonsense://x"):
        with pytest.raises(LedgerError) as refused:
            Cluster(find, address)
        assert refused.value.code == "workers.reach"
    monkeypatch.undo()
    dask.worker()
    monkeypatch.setattr(cluster, "PROGRAM", "0.0.1")
    with pytest.raises(LedgerError) as refused:
        Cluster(find, dask.address)
    assert refused.value.code == "workers.version"


def test_without_dask_the_message_names_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(StoreError, match=r"store\.extra: .*cardledger\[cluster\]"):
        Cluster(find, "tcp://127.0.0.1:9")

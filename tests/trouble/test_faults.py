"""Whichever call fails, and however: a clear error, nothing acknowledged lost, nothing stored in part, and on it goes."""

from __future__ import annotations

import errno
import signal
import sqlite3
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from shutil import copytree, rmtree
from typing import Any

import pytest

from cardledger.errors import StoreError, UnusableError
from cardledger.record.backup.snapshot import drafted
from cardledger.record.readmodels import ReadModels
from cardledger.record.recording.ledger import Ledger
from cardledger.record.store.sqlite import SqliteStore
from cardledger_web.app import access_of, create_app, ledger_of
from tests.thorough import many
from tests.trouble.lives import LIVES
from tests.trouble.look import expect_fits
from tests.trouble.nursery import Nursery
from tests.trouble.said import Said
from tests.trouble.shim import Fault
from tests.trouble.works import DONE

FAULTS = {
    "the disk is full": Fault(errno.ENOSPC),
    "an I/O error, and killed": Fault(errno.EIO, abrupt=True),
    "a write cut short": Fault(errno.ENOSPC, short=True),
    "full from then on": Fault(errno.ENOSPC, onward=True),
    "broken from then on": Fault(errno.EIO, onward=True),
}
EVERY = {"full from then on": 4, "broken from then on": 5}
"""Of those that go on, not every call is tried as the first: where they end is the same for many."""
CODES = {"store.write", "store.open", "store.manifest", "proofs.write", "proofs.key", "proofs.note"}
"""The possible codes of a failure; the last three belong to certain files."""


class Trial:
    """Lives in which a call fails, each in a folder of its own."""

    def __init__(self, fragile: Nursery, folder: Path, begun: tuple[Path, int]) -> None:
        self._fragile = fragile
        self._folder = folder
        self._begun = begun
        self.tried = self.failed = 0

    def calls(self, name: str, fault: Fault) -> int:
        """Return how many calls there are in a life that a fault can befall."""
        said = self.run(name, 0, fault)
        assert said.struck[1] == "" and {outcome for _, outcome in said.steps} == {DONE}, said.steps
        return said.struck[0]

    def run(self, name: str, call: int, fault: Fault) -> Said:
        """Run a course of work in which a call fails, and check its reports and the files."""
        club, seq = self._folder / f"{name} {call}", 0
        if name == "recording":
            club.mkdir()
        else:
            copytree(self._begun[0], club)
            seq = self._begun[1]
        child = self._fragile.born("live", name, club, seq, call, asdict(fault))
        status, said = child.ended(), Said()
        said.take(child.lines())
        told = f"{name}, {fault}, {said.struck}: {said.steps}"
        failed = [number for number, (_, outcome) in enumerate(said.steps) if outcome != DONE]
        assert {said.steps[number][1] for number in failed} <= CODES, told
        if fault.abrupt and failed:
            assert status == -signal.SIGKILL, told
        else:
            assert status == 0, f"{told}\n{child.wrong.read_text()}"
        if not (fault.abrupt or fault.onward) and failed:
            step, _ = said.steps[failed[0]]
            assert len(failed) == 1 and said.steps[failed[0] + 1] == (step, DONE), f"it does not go on: {told}"
        assert "Traceback" not in child.wrong.read_text(), f"{told}\n{child.wrong.read_text()}"
        try:
            expect_fits(club / "club.db", said)
        except BaseException as error:
            error.add_note(told)
            raise
        rmtree(club)
        self.tried, self.failed = self.tried + bool(call), self.failed + bool(failed)
        return said


@pytest.fixture
def trial(fragile: Nursery, quick: Path, begun: tuple[Path, int]) -> Trial:
    return Trial(fragile, quick, begun)


@pytest.mark.long
def test_a_run_without_faults_reports_none(trial: Trial) -> None:
    assert [trial.calls(name, Fault(errno.EIO)) > 200 for name in LIVES] == [True] * len(LIVES)


@pytest.mark.long
@pytest.mark.parametrize("name", LIVES)
def test_a_failed_call_is_reported_and_nothing_is_lost(trial: Trial, name: str) -> None:
    """A sample of calls, each in the next of the ways."""
    ways = [*FAULTS.values()]
    for number, call in enumerate(range(3, trial.calls(name, ways[0]) + 1, 47)):
        trial.run(name, call, ways[number % len(ways)])
    assert trial.failed > trial.tried / 20, "hardly anything failed: the test shows nothing"


@pytest.mark.long
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("way", FAULTS)
@pytest.mark.parametrize("name", LIVES)
def test_nothing_is_lost_whichever_call_fails(trial: Trial, name: str, way: str) -> None:
    """Every call in turn; in CI every fifth, another fifth in each way."""
    step = EVERY.get(way, 1) * many(5, 1)
    for call in range(1 + [*FAULTS].index(way) % step, trial.calls(name, FAULTS[way]) + 1, step):
        trial.run(name, call, FAULTS[way])
    assert trial.failed > trial.tried / 20, "hardly anything failed: the test shows nothing"
    print(f"{name}, {way}: {trial.tried} faults, {trial.failed} of them told")  # noqa: T201 - figures for the README


def test_a_draft_whose_log_could_not_be_written_back_replaces_no_backup(tmp_path: Path) -> None:
    """SQLite reports nothing if a disk is full when it closes a file, and leaves the data in its log."""

    def restore() -> None:
        with drafted(tmp_path / "again.db") as draft:
            draft.write_bytes(b"less than all")
            Path(f"{draft}-wal").write_bytes(b"the rest")

    with pytest.raises(StoreError) as caught:
        restore()
    assert caught.value.code == "store.write"
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("address", ["/api/v1/matches", "/matches"])
def test_sqlite_errors_are_answered_with_a_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    app = create_app(tmp_path / "club.db")
    full = sqlite3.OperationalError("database or disk is full")
    full.sqlite_errorcode = sqlite3.SQLITE_FULL

    def broken(_self: object) -> None:
        raise full

    with monkeypatch.context() as patch:
        for name in ("reader", "current"):
            patch.setattr(ReadModels, name, property(broken))
        answer = app.test_client().get(address)
    ledger_of(app).close()
    access_of(app).close()
    assert answer.status_code == 503
    assert "store.open" in answer.text if answer.is_json else "cannot be reached" in answer.text


def test_a_file_that_is_read_only_for_now_is_opened_again_for_writing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite opens for reading what it cannot open for writing, and tells nobody before the first event is refused."""
    Ledger(tmp_path / "club.db").close()
    connect = sqlite3.connect

    def for_reading(path: Path | str, **how: Any) -> sqlite3.Connection:
        return connect(f"{path.as_uri()}?mode=ro" if isinstance(path, Path) else path, **how | {"uri": True})

    monkeypatch.setattr(sqlite3, "connect", for_reading)
    with pytest.raises(UnusableError) as caught:
        SqliteStore(tmp_path / "club.db")
    assert caught.value.code == "store.open"


def test_a_ledger_opens_while_another_program_writes_to_its_file(tmp_path: Path) -> None:
    Ledger(tmp_path / "club.db").close()
    with closing(sqlite3.connect(tmp_path / "club.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        SqliteStore(tmp_path / "club.db").close()  # the other still writes

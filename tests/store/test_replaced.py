"""A file put in the place of an open ledger, or written over it: nothing is recorded into the wrong one."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from flask import Flask

from cardledger.errors import UnusableError
from cardledger.record.recording.ledger import Ledger
from cardledger.record.store import readers
from cardledger.record.store.sqlite import SqliteStore
from cardledger.rules.engine import events as ev
from cardledger_api.auth.limits import Limits
from cardledger_web.app import access_of, create_app, ledger_of
from tests.backup.club import made
from tests.waiting import wait_until
from tests.web.club import sign_in


def record(ledger: Ledger) -> str:
    opening = ev.Open(game="diversity", players=("ana", "ben", "chloe", "dev"), options={"hands": 1})
    return ledger.record(None, [opening, ev.Deal(dealer=0, hands=None), ev.Claim(tricks=(1, 2, 3, 7))], 0).match


def moved(other: Path, path: Path) -> None:
    shutil.move(other, path)


def copied_over(other: Path, path: Path) -> None:
    subprocess.run(["cp", str(other), str(path)], check=True)


def deleted(_other: Path, path: Path) -> None:
    path.unlink()


def touched(_other: Path, path: Path) -> None:
    """Written to by a program that does not take the lock."""
    with path.open("r+b") as file:
        file.write(file.read(1))


WAYS = (moved, copied_over, deleted, touched)


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """Another ledger, made from a copy of the one that is served."""
    path = tmp_path / "other" / "club.db"
    path.parent.mkdir()
    made(tmp_path / "club.db", 1)
    shutil.copy(tmp_path / "club.db", path)
    with Ledger(path) as ledger:
        record(ledger)
    return path


@pytest.fixture
def app(other: Path, tmp_path: Path) -> Iterator[Flask]:
    app = create_app(tmp_path / "club.db", limits=Limits.of(0))
    sign_in(app)
    record(ledger_of(app))
    assert app.test_client().get("/health/ready").status_code == 200
    yield app
    access_of(app).close()
    ledger_of(app).close()


@pytest.mark.parametrize("way", WAYS)
def test_nothing_is_recorded_and_the_server_is_not_ready(
    app: Flask, other: Path, tmp_path: Path, way: Callable[[Path, Path], None]
) -> None:
    client = app.test_client()
    way(other, tmp_path / "club.db")
    new = [{"type": "open", "game": "diversity", "players": [*"abcd"]}]
    for _ in range(2):
        refused = client.post("/api/v1/matches", json={"events": new})
        assert (refused.status_code, refused.json["code"]) == (503, "store.replaced")
    told = wait_until(lambda: (said := client.get("/health/ready").json["checks"]["store"]) != {"ok": True} and said)
    assert told == {"ok": False, "code": "store.replaced"}


def test_readiness_notices_it_without_a_writer(app: Flask, other: Path, tmp_path: Path) -> None:
    copied_over(other, tmp_path / "club.db")
    wait_until(lambda: app.test_client().get("/health/ready").status_code == 503)


@pytest.mark.parametrize("way", [moved, copied_over])
def test_the_file_that_took_the_place_is_whole_after_the_server_ends(
    other: Path, tmp_path: Path, way: Callable[[Path, Path], None]
) -> None:
    """Its log must not be read into the other file, nor copied back into it."""
    path = tmp_path / "club.db"
    content = other.read_bytes()
    with closing(SqliteStore(path)) as store:
        with Ledger(path) as ledger:
            lost = record(ledger)
        assert store.last_position()
        way(other, path)
    assert path.read_bytes() == content
    assert len([*tmp_path.glob("club.db-wal.replaced-*")]) == 1, "the events that are not in it are kept"
    for file in tmp_path.glob("club.views*"):
        file.unlink()
    with Ledger(path) as ledger:
        assert [error for _, error in ledger.verify() if error] == []
        assert lost not in ledger.matches()


def renamed_and_copied(club: Path) -> None:
    """Rename the folder and put a copy in its place, taken with its log while the server ran."""
    club.rename(club.with_name("before"))
    club.with_name("copy").rename(club)


@pytest.mark.parametrize("relative", [False, True])
def test_a_copy_of_the_folder_in_its_place_keeps_its_own_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, relative: bool
) -> None:
    club = tmp_path / "club"
    club.mkdir()
    monkeypatch.chdir(club)
    path = Path("club.db") if relative else club / "club.db"
    ledger = Ledger(path)
    record(ledger)
    shutil.copytree(club, tmp_path / "copy")
    record(ledger)
    renamed_and_copied(club)
    with pytest.raises(UnusableError) as caught:
        record(ledger)
    assert caught.value.code == "store.replaced"
    ledger.close()
    for folder, matches in (club, 1), (tmp_path / "before", 2):
        with Ledger(folder / "club.db") as opened:
            assert len(opened.matches()) == matches
            assert [error for _, error in opened.verify() if error] == []


def test_two_programs_that_take_turns_are_no_replacement(tmp_path: Path) -> None:
    path = tmp_path / "club.db"
    with Ledger(path) as one, Ledger(path) as two:
        for _ in range(3):
            record(one)
            record(two)
            assert two.store.file.emptied()  # type: ignore[attr-defined]
        with Ledger(path) as three:
            record(three)
        record(one)
        one.store.file.expect_same()  # type: ignore[attr-defined]


def test_a_ledger_restored_between_two_runs_is_no_replacement(other: Path, tmp_path: Path) -> None:
    path = tmp_path / "club.db"
    moved(other, path)
    with Ledger(path) as ledger:
        record(ledger)


def test_no_connection_is_opened_to_a_file_that_took_the_place(
    app: Flask, other: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its log is another's: reading both together would show what neither holds."""
    monkeypatch.setattr(readers, "KEPT", 0)
    assert app.test_client().get("/api/v1/matches").status_code == 200  # the connections kept so far are gone
    moved(other, tmp_path / "club.db")
    answer = app.test_client().get("/api/v1/matches")
    assert (answer.status_code, answer.json["code"]) == (503, "store.replaced")

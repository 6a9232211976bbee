"""A missing ledger: nothing is made beside what belongs to it, unless somebody says so."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from cardledger.cli.main import main
from cardledger.errors import StoreError
from cardledger.record.proofs.log import Log
from cardledger.record.recording.ledger import Ledger
from cardledger.record.store.paths import Family
from cardledger_web.app import create_app
from tests.backup.club import made
from tests.waiting import ended
from tests.web.server import command


@pytest.fixture
def gone(tmp_path: Path) -> Path:
    """The place of a ledger that was sealed and is gone, with everything that belongs to it."""
    path = tmp_path / "club.db"
    made(path, 1)
    with Ledger(path) as ledger, Log(ledger) as log:
        log.seal()
    path.unlink()
    return path


def content(folder: Path) -> dict[str, bytes]:
    """Return the files in a folder that belong to a ledger."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file() and path.suffix != ".lock"}


@pytest.mark.parametrize(
    "left", ["checkpoints", "proofs.db", "views.db", "luck.db", "backups.json", "drills.json", "db-wal"]
)
def test_one_file_that_belongs_to_a_ledger_is_enough(tmp_path: Path, left: str) -> None:
    (tmp_path / f"club.{left}").write_bytes(b"anything")
    with pytest.raises(StoreError, match=f"club.{left}") as caught:
        Ledger(tmp_path / "club.db")
    assert caught.value.code == "store.siblings"
    assert [path.name for path in tmp_path.iterdir()] == [f"club.{left}"]


@pytest.mark.parametrize("other", ["key", "access.db", "csv"])
def test_other_files_are_in_nobodys_way(tmp_path: Path, other: str) -> None:
    (tmp_path / f"club.{other}").write_bytes(b"")
    Ledger(tmp_path / "club.db").close()


def test_no_way_in_makes_a_ledger_beside_what_is_left_of_one(gone: Path, tmp_path: Path) -> None:
    before = content(tmp_path)
    for ways in (lambda: create_app(gone), lambda: Ledger(gone)):
        with pytest.raises(StoreError) as caught:
            ways()
        assert caught.value.code == "store.siblings"
    file = tmp_path / "night.jsonl"
    file.write_text("")
    for words in (["import", str(file)], ["simulate", "ruff"], ["evening", "new", "x"]):
        done = CliRunner().invoke(main, [*words, "--db", str(gone)])
        assert done.exit_code == 2, words
        assert "--new" in done.stderr or words[0] == "evening", done.stderr
    file.unlink()
    assert content(tmp_path) == before
    done = CliRunner().invoke(main, ["doctor", "--db", str(gone)])
    assert done.exit_code == 1
    assert "store.siblings: club.checkpoints" in done.output


def test_new_moves_what_is_left_into_a_folder_and_leaves_a_ledger_alone(gone: Path, tmp_path: Path) -> None:
    before = content(tmp_path)
    file = tmp_path / "night.jsonl"
    file.write_text("")
    done = CliRunner().invoke(main, ["import", "--new", str(file), "--db", str(gone)])
    assert done.exit_code == 2, done.output
    assert "store.empty" in done.stderr
    (folder,) = (path for path in tmp_path.iterdir() if path.is_dir())
    assert folder.name.startswith("club.left-")
    assert str(folder) in done.stderr
    assert content(folder) == before
    with Ledger(gone) as ledger, Log(ledger) as log:
        assert ledger.store.last_position() == 0
        assert not Family(gone).manifest.exists()
        log.seal()
    again = CliRunner().invoke(main, ["import", "--new", str(file), "--db", str(gone)])
    assert again.exit_code == 2
    assert "store.exists" in again.stderr


def test_a_server_is_not_started_beside_what_is_left(gone: Path, tmp_path: Path) -> None:
    before = content(tmp_path)
    status, _, errors = ended(command("serve", "--db", str(gone), "--port", "0"))
    assert (status, "store.siblings" in errors, "Traceback" in errors) == (2, True, False)
    assert content(tmp_path) == before

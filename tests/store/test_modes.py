"""New files are their owner's alone, whatever the system's default is."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from cardledger.cli.main import main
from cardledger.record.proofs.log import Log
from cardledger.record.recording.ledger import Ledger
from cardledger.study.stats.luck.luck_store import LuckStore
from cardledger_api.auth.tokens import Tokens
from cardledger_api.hooks.hooks import Hooks
from tests.proofs.club import over

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no modes")


@pytest.fixture
def generous() -> Iterator[None]:
    """A system that lets everybody read and write new files."""
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.usefixtures("generous")
def test_every_new_file_of_a_ledger_and_of_its_backup_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "club.db"
    with Ledger(path) as ledger, LuckStore(ledger) as luck, Log(ledger) as log:
        over(ledger)
        luck.catch_up()
        log.seal()
        with closing(Tokens(path)) as tokens, closing(Hooks(path)) as hooks:
            tokens.create("ana", "scorer", 30)
            hooks.store.change(lambda execute: execute("SELECT 1"))
            modes = {file.name: file.stat().st_mode & 0o777 for file in tmp_path.iterdir()}
    done = CliRunner().invoke(main, ["backup", str(tmp_path / "backup.db"), "--db", str(path)])
    assert done.exit_code == 0, done.output
    modes |= {file.name: file.stat().st_mode & 0o777 for file in tmp_path.iterdir()}
    assert {
        "club.db",
        "club.db-wal",
        "club.db-shm",
        "club.db.lock",
        "club.views.db",
        "club.luck.db",
        "club.proofs.db",
    } <= modes.keys()
    assert {
        "club.key",
        "club.checkpoints",
        "club.access.db",
        "club.webhooks.db",
        "backup.db",
        "backup.backup.json",
    } <= modes.keys()
    assert {name: oct(mode) for name, mode in modes.items() if mode & 0o077} == {}


def test_a_file_that_others_may_read_stays_so(tmp_path: Path) -> None:
    path = tmp_path / "club.db"
    with Ledger(path) as ledger:
        over(ledger)
    path.chmod(0o640)
    with Ledger(path) as ledger:
        over(ledger, seed=2)
    assert path.stat().st_mode & 0o777 == 0o640

"""A ledger for backups, created once."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree

import pytest

from cardledger.record.proofs.log import Log
from cardledger.record.recording.ledger import Ledger
from tests.backup.club import made, record_some


@pytest.fixture(scope="session")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sealed") / "club.db"
    made(path)
    with Ledger(path) as ledger, Log(ledger) as log:
        log.seal()
        record_some(ledger, 1, seed=7)
    return path.parent


@pytest.fixture
def club(sealed: Path, tmp_path: Path) -> Path:
    """A ledger with a checkpoint over its first matches, and one match more."""
    copytree(sealed, tmp_path, dirs_exist_ok=True)
    return tmp_path / "club.db"

"""A file that was found sound is not read again when it is opened again, and is again after anybody wrote to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cardledger.errors import StoreError
from cardledger.record.recording.ledger import Ledger
from cardledger.record.store.readers import watched
from cardledger.rules.engine import events as ev

if TYPE_CHECKING:
    from pathlib import Path

CHECK = "PRAGMA integrity_check(1)"


class Heard:
    """Keeps the queries that it is told of."""

    def __init__(self) -> None:
        self.queries: list[str] = []

    def told(self, file: str, query: str, given: object, found: object) -> None:
        self.queries.append(query)

    def lost(self) -> None:
        pass


def checks(path: Path) -> int:
    """Open a ledger; return how often it was checked."""
    heard = Heard()
    with watched(heard):
        Ledger(path).close()
    return heard.queries.count(CHECK)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "club.db"
    with Ledger(path) as ledger:
        ledger.record(None, [ev.Open(game="diversity", players=("ana", "ben", "chloe", "dev"))], 0)
    return path


def test_a_file_is_checked_once_until_somebody_writes_to_it(path: Path) -> None:
    assert [checks(path), checks(path)] == [1, 0]
    with Ledger(path) as ledger:
        ledger.record(None, [ev.Open(game="diversity", players=("ana", "ben", "chloe", "dev"))], 0)
    assert [checks(path), checks(path)] == [1, 0]


def test_damage_since_is_found(path: Path) -> None:
    assert [checks(path), checks(path)] == [1, 0]
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\xff" * 4096 + whole[8192:])
    with pytest.raises(StoreError, match="damaged"):
        Ledger(path)

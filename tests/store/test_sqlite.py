"""The event store on SQLite: the contract, and what it promises as a file."""

from __future__ import annotations

import os
import socket
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from cardledger.errors import StoreError, UnusableError
from cardledger.record.store import Append
from cardledger.record.store.opening import opened
from cardledger.record.store.sqlite import SqliteStore
from tests.store.contract import StoreContract, lines
from tests.waiting import LIMIT


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    opened = SqliteStore(tmp_path / "club.db")
    yield opened
    opened.close()


class TestSqliteStore(StoreContract):
    """The contract on SQLite."""

    def fresh(self) -> SqliteStore:
        return SqliteStore(Path(tempfile.mkdtemp()) / "club.db")


def test_commits_are_synced_in_full_and_journaled_ahead(store: SqliteStore) -> None:
    writer = store.file.writer
    assert writer.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert writer.execute("PRAGMA synchronous").fetchone() == (2,)


@pytest.mark.parametrize("statement", ["DELETE FROM events", "UPDATE events SET line = '{}'"])
def test_events_are_never_changed_or_deleted(store: SqliteStore, statement: str) -> None:
    store.append([Append("a", 0, lines(2))])
    with pytest.raises(sqlite3.IntegrityError, match="events are never"):
        store.file.writer.execute(statement)
    assert len(store.read("a")) == 2


def test_recordings_are_those_of_one_moment(store: SqliteStore) -> None:
    """Each match is read by itself, but events recorded in between are in none of them."""
    store.append([Append(match, 0, lines(2)) for match in "abd"])
    found = store.recordings()
    first = next(found)
    store.append([Append("b", 2, lines(1)), Append("c", 0, lines(1))])
    assert [(each.match, len(each.lines)) for each in (first, *found)] == [("a", 2), ("b", 2), ("d", 2)]
    assert [(each.match, len(each.lines)) for each in store.recordings()][1:3] == [("b", 3), ("c", 1)]


def test_a_reader_cannot_write(store: SqliteStore) -> None:
    with pytest.raises(UnusableError, match="readonly"):
        store.file.reader.execute("INSERT INTO events (match, seq, line, hash) VALUES ('a', 1, '{}', x'00')")


@pytest.mark.parametrize("content", [b"this is no database at all, only text", b"SQLite format 3\x00garbage" * 50])
def test_a_foreign_file_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "letter.db"
    path.write_bytes(content)
    with pytest.raises(StoreError) as caught:
        SqliteStore(path)
    assert caught.value.code == "store.open"
    assert path.read_bytes() == content


def test_a_foreign_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "foreign.db"
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE events (position INTEGER)")
    other.commit()
    other.close()
    before = path.read_bytes()
    with pytest.raises(StoreError) as caught:
        SqliteStore(path)
    assert caught.value.code == "store.open"
    assert path.read_bytes() == before


def test_a_ledger_of_a_later_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "club.db"
    SqliteStore(path).close()
    later = sqlite3.connect(path)
    later.execute("PRAGMA user_version = 99")
    later.close()
    with pytest.raises(StoreError) as caught:
        SqliteStore(path)
    assert caught.value.code == "store.version"


def test_a_folder_that_cannot_be_written_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError) as caught:
        SqliteStore(tmp_path / "file" / "club.db")
    assert caught.value.code == "store.open"


def test_a_folder_is_no_ledger_and_nothing_is_left_in_it(tmp_path: Path) -> None:
    (tmp_path / "club").mkdir()
    with pytest.raises(StoreError, match=r"club is a folder: name a file in it, such as \S+club\.db"):
        SqliteStore(tmp_path / "club")
    assert [each.name for each in tmp_path.iterdir()] == ["club"]


@pytest.mark.parametrize("kind", ["pipe", "socket", "device"])
def test_what_is_no_file_is_refused_at_once(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "club"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "socket":
        (listener := socket.socket(socket.AF_UNIX)).bind(str(path))
        listener.close()
    else:
        path = Path(os.devnull)
    for create in (True, False):
        with pytest.raises(StoreError, match="is no file, but a pipe") as caught:
            opened(path, create=create)
        assert caught.value.code == "store.open"
    with pytest.raises(StoreError, match="is no file"):
        SqliteStore(path)
    assert not [each for each in tmp_path.iterdir() if each != path]


_APPEND = """
import sys
from pathlib import Path
from cardledger.errors import ConflictError
from cardledger.record.store import Append
from cardledger.record.store.opening import opened
from cardledger.record.store.sqlite import SqliteStore
store = SqliteStore(Path(sys.argv[1]))
won = 0
for seq in range(40):
    try:
        store.append([Append("shared", seq, [("{}", bytes(32))])])
        won += 1
    except ConflictError:
        pass
    store.append([Append(sys.argv[2], seq, [("{}", bytes(32))])])
print(won)
"""


@pytest.mark.long
def test_processes_take_turns_and_exactly_one_wins_each_seq(tmp_path: Path) -> None:
    path = tmp_path / "club.db"
    workers = [
        subprocess.Popen([sys.executable, "-c", _APPEND, str(path), f"own-{i}"], stdout=subprocess.PIPE, text=True)
        for i in range(4)
    ]
    won = [int(worker.communicate(timeout=LIMIT)[0]) for worker in workers]
    store = SqliteStore(path)
    assert sum(won) == len(store.read("shared"))
    assert [row.seq for row in store.read("shared")] == list(range(1, sum(won) + 1))
    assert all(len(store.read(f"own-{i}")) == 40 for i in range(4))
    store.close()

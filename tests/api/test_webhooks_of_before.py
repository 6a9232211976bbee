"""Webhooks of earlier versions: a file with their tables opens, goes on where it was, and ends with the tables of this version."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from cardledger.record.recording.ledger import Ledger
from cardledger_api.hooks.delivering import Deliveries
from cardledger_api.hooks.hook import Delivery, Withheld
from cardledger_api.hooks.hooks import Hooks
from cardledger_api.hooks.schema import FILE
from tests.api.test_shared_deals import deal, dealt
from tests.api.test_webhooks import Receiver, expected, look

if TYPE_CHECKING:
    from pathlib import Path

VERSION_1 = (
    """CREATE TABLE hooks (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    url TEXT NOT NULL,
    secret TEXT NOT NULL,
    role TEXT NOT NULL,
    filter TEXT NOT NULL,
    created TEXT NOT NULL,
    position INTEGER NOT NULL,
    pending INTEGER,
    failures INTEGER NOT NULL DEFAULT 0,
    failing_since REAL,
    due REAL NOT NULL DEFAULT 0,
    disabled TEXT
) WITHOUT ROWID""",
    """CREATE TABLE deliveries (
    number INTEGER PRIMARY KEY,
    hook TEXT NOT NULL,
    at TEXT NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    status INTEGER,
    ms INTEGER NOT NULL,
    error TEXT
)""",
    "CREATE INDEX deliveries_of ON deliveries (hook, number)",
    """INSERT INTO hooks (id, name, url, secret, role, filter, created, position)
    VALUES ('6f1c', 'board', 'https://example.org/', 'whsec_AAAA', 'reader', '[null, null, null]', '2026-01-01T00:00:00.000Z', 2)""",
    "INSERT INTO deliveries VALUES (1, '6f1c', '2026-01-01T00:00:01.000Z', 1, 2, 200, 12, NULL)",
)
VERSION_2 = (
    *VERSION_1,
    """CREATE TABLE withheld (
    hook TEXT NOT NULL,
    position INTEGER NOT NULL,
    stream TEXT NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (hook, position)
) WITHOUT ROWID""",
    "INSERT INTO withheld VALUES ('6f1c', 2, '{match}', 2)",
)
"""The tables as these versions made them, with a webhook that has come to position 2."""


def make(path: Path, version: int, statements: tuple[str, ...], match: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for statement in statements:
            db.execute(statement.replace("{match}", match))
        db.execute(f"PRAGMA application_id = {FILE.kind}")
        db.execute(f"PRAGMA user_version = {version}")


def schema(path: Path) -> list[tuple[str]]:
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (FILE.version,)
        return db.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name").fetchall()


@pytest.mark.parametrize(("version", "statements"), [(1, VERSION_1), (2, VERSION_2)])
def test_a_file_of_an_earlier_version_goes_on_where_it_was(
    version: int, statements: tuple[str, ...], tmp_path: Path
) -> None:
    events, receiver = dealt(), Receiver()
    with Ledger(tmp_path / "club.db") as ledger:
        match = ledger.record(None, events[: deal(events, 2)], 0).match
        make(tmp_path / "club.webhooks.db", version, statements, match)
        with closing(Hooks(tmp_path / "club.db")) as hooks:
            (hook,) = hooks.all()
            assert (hook.id, hook.name, hook.position, hook.disabled) == ("6f1c", "board", 2, None)
            assert hooks.log("board") == [Delivery("2026-01-01T00:00:01.000Z", 1, 2, 200, 12, None)]
            assert hooks.withheld(hook) == [Withheld(2, match, 2, False)][: version - 1]
            deliveries = Deliveries(ledger, hooks, send=receiver)
            while look(deliveries):
                pass
        whole = expected(ledger)
    positions = [event["position"] for event in receiver.taken]
    assert positions[-len(whole) + 2 :] == [event["position"] for event in whole][2:]
    assert positions[: version - 1] == [2][: version - 1], "what was withheld comes first"
    Ledger(tmp_path / "new.db").close()
    with closing(Hooks(tmp_path / "new.db")) as hooks:
        hooks.add("board", "https://example.org/", "reader", hook.filter, 0)
    assert schema(tmp_path / "club.webhooks.db") == schema(tmp_path / "new.webhooks.db")


def test_a_file_of_a_later_version_is_refused(tmp_path: Path) -> None:
    make(tmp_path / "club.webhooks.db", FILE.version + 1, VERSION_1, "")
    with closing(Hooks(tmp_path / "club.db")) as hooks, pytest.raises(Exception, match=r"store\.version"):
        hooks.all()

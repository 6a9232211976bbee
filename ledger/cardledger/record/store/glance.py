"""A glance at a ledger in a file, without opening it: it takes no lock for longer than two short questions."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from cardledger.errors import OtherProgramError, StoreError
from cardledger.record.store.paths import KIND
from cardledger.record.store.readers import read_only, resting
from cardledger.record.store.sqlite import VERSION, needs_in
from cardledger.record.store.sqlite_errors import UNREADABLE, refused

if TYPE_CHECKING:
    from pathlib import Path


class Glance(NamedTuple):
    """The number of events in a ledger, and the time at which the last one was recorded, None without one."""

    events: int
    last: str | None


class _LastEvent(msgspec.Struct):
    at: str


def glance(path: Path) -> Glance:
    """Return what a ledger's last event says.

    Whether all its pages and hashes fit is not looked at: that takes as long as reading it. Raises StoreError
    `store.open`, `store.damaged`, `store.version`.
    """
    try:
        with closing(read_only(path, still=resting(path))) as db:
            kind, version = (db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version"))
            if kind != KIND:
                raise OtherProgramError(path)
            if version > VERSION:
                raise StoreError("store.version", f"{path} has version {version}; this program uses {VERSION}")
            needs_in(db).expect_readable(path)
            row = db.execute("SELECT position, line FROM events ORDER BY position DESC LIMIT 1").fetchone()
        return Glance(0, None) if row is None else Glance(row[0], msgspec.json.decode(row[1], type=_LastEvent).at)
    except UNREADABLE as error:
        raise refused(path, error) from None
    except msgspec.DecodeError as error:
        raise StoreError("store.damaged", f"the last event of {path} cannot be read: {error}") from None

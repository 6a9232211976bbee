"""A moment in the order of recording: the place in a ledger up to which its events were there at a time."""

from __future__ import annotations

from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from cardledger.record.proofs.rows import UnreadableError, readable
from cardledger.record.store import Stored
from cardledger.record.store.readers import read_only, resting
from cardledger.record.store.recording_time import place, recorded_at
from cardledger.record.store.sqlite_errors import UNREADABLE, refused

if TYPE_CHECKING:
    from collections.abc import Generator
    from datetime import datetime
    from sqlite3 import Connection

_ROWS = "SELECT position, match, seq, line, hash FROM events NOT INDEXED ORDER BY position"


def position_at(path: Path, time: datetime) -> int:
    """Return how many events a ledger's file had at a time; raises StoreError for a file that is not a SQLite database.

    Events are in the order of recording, whatever their times say. So a time that does not fit the others is ignored: a
    wrong time neither cuts off later events nor brings any back.
    """
    try:
        with closing(read_only(path, still=resting(path))) as db:
            return place(_times(db), time.timestamp())
    except UNREADABLE as error:
        raise refused(path, error) from None


def _times(db: Connection) -> Generator[float | None]:
    """Yield when each event was recorded; it ends where the file is damaged, and a later reader reports that."""
    with suppress(UnreadableError):
        for row in readable(Stored(*row) for row in db.execute(_ROWS)):
            yield recorded_at(row.line)

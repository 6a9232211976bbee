"""A lost tail: what follows from the events of a ledger goes further than the events, so the last of them are gone.

That is how a ledger looks whose log (`-wal`) was taken away, or that an older copy was put in place of.
"""

from __future__ import annotations

import os
import re
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cardledger.errors import UnusableError
from cardledger.record.store.readers import read_only, resting

if TYPE_CHECKING:
    from cardledger.record.store import EventStore

CODE = "store.lost-tail"
POSITIONS = {
    "views": "SELECT max(position) FROM checkpoint", "luck": "SELECT max(position) FROM checkpoint",
    "proofs": "SELECT max(position) FROM state",
}  # fmt: skip
"""The query for the position that a derived database has reached."""
_SIZE = re.compile(rb"^cardledger/[^\n]*\n(\d{1,18})\n", re.M)
_TAIL = 65_536
"""Bytes at the end of the checkpoints that hold the last of them."""


class Reached(NamedTuple):
    """A file beside a ledger, and the position (for checkpoints: the number of events) that it goes up to."""

    path: Path
    position: int


def look(store: EventStore, checkpoints: Path, views: Path) -> None:
    """Let a store refuse what would be recorded, as long as files beside it go further than its events."""
    found = reached(checkpoints, views)  # before the end of the ledger, which others may append to
    if store.refusal is None or store.refusal.code == CODE:
        store.refusal = lost_tail(found, store.last_given())


def reached(checkpoints: Path, views: Path) -> list[Reached]:
    """Return how far the checkpoints, the read models and the files beside these go.

    Files that cannot be read now say nothing.
    """
    found = []
    for what, query in POSITIONS.items():
        path = beside(views, what)
        if path.exists():
            with suppress(sqlite3.Error, UnicodeDecodeError), closing(read_only(path, still=resting(path))) as db:
                (position,) = db.execute(query).fetchone()
                if isinstance(position, int):
                    found.append(Reached(path, position))
    with suppress(OSError), checkpoints.open("rb") as file:
        file.seek(max(0, file.seek(0, os.SEEK_END) - _TAIL))
        if sizes := _SIZE.findall(file.read()):
            found.append(Reached(checkpoints, int(sizes[-1])))
    return found


def beside(views: Path, what: str) -> Path:
    """Return the path of a derived database beside the read models, or of these."""
    return views if what == "views" else views.with_name(f"{views.stem.removesuffix('.views')}.{what}{views.suffix}")


def lost_tail(found: list[Reached], last: int) -> UnusableError | None:
    """Return StoreError `store.lost-tail` if a file goes further than the last position of a ledger."""
    ahead = [one for one in found if one.position > last]
    if not ahead:
        return None
    names = ", ".join(f"{one.path.name} ({one.position:,})" for one in ahead)
    return UnusableError(
        CODE,
        f"the ledger ends at position {last:,}, but other files go further: "
        f"{names}. The last events are gone: an older copy was"
        " put in place, or the ledger's log (-wal) was taken away. "
        "Put it back, or copy the events from a backup (cardledger"
        " copy); nothing is recorded until then, or until an admin "
        "agrees to the loss (cardledger rebuild --accept-loss)",
    )

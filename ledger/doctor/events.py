"""The events of a ledger: whether their file is whole, and all as it should be and as it was sealed; and what the clock says."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec

from ledger.backup.examine import Course, examine, examine_store, expect_ledger
from ledger.backup.making import sealed_by
from ledger.doctor.finding import Finding
from ledger.errors import LedgerError
from ledger.store import EventStore, Stored
from ledger.store.family import Family
from ledger.store.file import read_only, resting
from ledger.store.naming import Named, as_kept
from ledger.store.sqlite import SCHEMA, VERSION

_RESTORE = "keep the file as it is, and restore the last backup: cardledger restore BACKUP NEW.db"
_LONG_LOG = 64 << 20
_SLACK = timedelta(minutes=1)


class _Recorded(msgspec.Struct):
    at: datetime


_read = msgspec.json.Decoder(_Recorded)


@dataclass(slots=True)
class Events:
    """What is found in the events of a ledger: in its file, or as a database hands them out."""

    family: Family
    store: EventStore | None = None
    course: Course = field(default_factory=Course)
    latest: datetime | None = None
    """When the event was recorded that says the latest time."""

    def file(self) -> Iterator[Finding]:
        """Tell what the file is, how it is kept, and whether its guards are there."""
        path = self.family.ledger
        with path.open("rb") as opened:
            header = opened.read(20)
        wal = header[18:20] == b"\x02\x02"
        with closing(read_only(path, still=resting(path))) as db:
            expect_ledger(db, path)
            version = db.execute("PRAGMA user_version").fetchone()[0]
            there = {name for (name,) in db.execute("SELECT name FROM sqlite_master")}
            names = [*_names(db)] if "names" in there else []
        later = "" if version == VERSION else f", {VERSION} from the next opening on"
        kept = "written ahead (WAL), synced in full at every commit" if wal else "at rest, as backups are"
        yield Finding("file", "ok", f"{path}, version {version}{later}, {kept}")
        guards = {name for statement in SCHEMA if "TRIGGER" in statement for name in statement.split()[2:3]}
        if lacking := guards - there:
            yield Finding(
                "guards", "problem", f"{', '.join(sorted(lacking))}: what keeps events from being changed was taken away",
                "find out who did that; cardledger verify, and a receipt or checkpoint somebody kept, tell what was changed",
            )  # fmt: skip
        yield from names
        log = Path(f"{path}-wal")
        size = log.stat().st_size if log.exists() else 0
        if size > _LONG_LOG:
            yield Finding(
                "log", "warning", f"{size / 1e6:,.0f} MB wait in {log.name}: somebody has been reading for long",
                "end programs that hold the ledger open for reading",
            )  # fmt: skip

    def hashes(self) -> Iterator[Finding]:
        """Read everything; tell whether every event is as it was stored and as it was sealed."""
        try:
            sealed = sealed_by(self.family.checkpoints, self.family.key)
            if self.store is None:
                self.course = examine(self.family.ledger, sealed, self._look)
            else:
                self.course = examine_store(self.store, sealed, self._look)
            if sealed is not None:
                sealed.expect_all()
        except LedgerError as error:
            yield Finding("events", "problem", getattr(error, "told", str(error)), _RESTORE)
            return
        fits = "every hash fits" if self.store else "every hash and page fits"
        text = f"{self.course.events:,} events in {len(self.course.heads):,} matches, {fits}"
        if sealed is not None:
            text += f", {sealed.upto:,} of them as they were sealed"
        yield Finding("events", "ok", text)

    def _look(self, row: Stored, _: Course) -> bool:
        try:
            at = _read.decode(row.line).at
        except (msgspec.DecodeError, TypeError):
            return True
        if self.latest is None or at > self.latest:
            self.latest = at
        return True

    def clock(self, now: datetime) -> Iterator[Finding]:
        """Tell whether the clock and the events agree on what is past."""
        said = now.astimezone(UTC).isoformat(timespec="seconds")
        if self.latest is not None and self.latest > now + _SLACK:
            yield Finding(
                "clock", "warning", f"it is {said} here, but an event was recorded at {self.latest.isoformat()}",
                "set the clock; if it is right, it was ahead when that was recorded (order and hashes do not depend on it)",
            )  # fmt: skip
        else:
            yield Finding("clock", "ok", f"it is {said}, after all events")


def _names(db: sqlite3.Connection) -> Iterator[Finding]:
    """Tell which name is not the one that events were made with, and whether the file may still hold one that was erased."""
    due = 0
    for *named, left in db.execute("SELECT pseudonym, kind, text, salt, due FROM names"):
        due += left == 1
        try:
            as_kept(Named(*named))
        except LedgerError as error:
            yield Finding("names", "problem", str(error), _RESTORE)
    if due:
        yield Finding(
            "names", "warning", "somebody was erased whom the file may still hold: somebody has been reading for long",
            "end programs that hold the ledger open for reading; whoever records something next finishes it",
        )  # fmt: skip

"""The events of a ledger: whether their file is intact, and every event as stored and sealed; and the clock."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, nullcontext, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec

from cardledger.count_of import count_of
from cardledger.errors import LedgerError
from cardledger.record.backup.examine import CheckpointCheck, Examined, examine, examine_store, expect_ledger
from cardledger.record.backup.making import sealed_by
from cardledger.record.doctor.finding import CheckResult
from cardledger.record.doctor.publications import has_publication, published
from cardledger.record.doctor.sheets import doubtful, has_sheet, reading
from cardledger.record.people.names import Named, as_kept
from cardledger.record.store import EventStore, Stored
from cardledger.record.store.missing_names import MissingNames
from cardledger.record.store.paths import Family
from cardledger.record.store.readers import read_only, resting
from cardledger.record.store.sqlite import SCHEMA, VERSION, names_in, needs_in
from cardledger.record.store.streams import is_evening

_RESTORE = "keep the file unchanged, and restore the last backup: cardledger restore BACKUP NEW.db"
_BRING_BACK = "bring them back from a backup that has them: cardledger copy BACKUP LEDGER, then cardledger rebuild"
_LONG_LOG = 64 << 20
_SLACK = timedelta(minutes=1)


class _Recorded(msgspec.Struct):
    at: datetime


_read = msgspec.json.Decoder(_Recorded)


@dataclass(slots=True)
class EventChecks:
    """The findings in the events of a ledger, in its file or its database."""

    family: Family
    store: EventStore | None = None
    course: Examined = field(default_factory=Examined)
    latest: datetime | None = None
    """The latest time of recording in any event."""
    sheets: dict[str, None] = field(default_factory=dict)
    """Matches with a score sheet, in the order of the ledger."""
    publications: dict[str, None] = field(default_factory=dict)
    """Sessions and leagues with a published ranking, in the order of the ledger."""

    def file(self) -> Iterator[CheckResult]:
        """Report the file's version and mode, and whether its guards exist."""
        path = self.family.ledger
        with path.open("rb") as opened:
            header = opened.read(20)
        wal = header[18:20] == b"\x02\x02"
        with closing(read_only(path, still=resting(path))) as db:
            expect_ledger(db, path)
            version = db.execute("PRAGMA user_version").fetchone()[0]
            triggers = dict(db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"))
            has_names = db.execute("SELECT 1 FROM sqlite_master WHERE name = 'names'").fetchone()
            names = [*_names(db)] if has_names else []
            refusal = needs_in(db).refusal(path)
        later = "" if version == VERSION else f", {VERSION} from the next opening on"
        mode = "written ahead (WAL), synced in full at every commit" if wal else "at rest, as backups are"
        yield CheckResult("file", "ok", f"{path}, version {version}{later}, {mode}")
        if refusal is not None:
            yield CheckResult("program", "problem", str(refusal), "update the program that is to record in it")
        yield from _guards(triggers)
        yield from names
        log = Path(f"{path}-wal")
        size = log.stat().st_size if log.exists() else 0
        if size > _LONG_LOG:
            yield CheckResult(
                "log", "warning", f"{size / 1e6:,.0f} MB wait in {log.name}: "
                    "a program has been reading for a long time",
                "end programs that hold the ledger open for reading",
            )  # fmt: skip

    def hashes(self) -> Iterator[CheckResult]:
        """Read everything; check that every event is as stored and sealed, and that no name is missing."""
        try:
            sealed, names = self._read()
            if names.error() is not None:
                sealed, names = self._read()  # a person may have been erased after the first reading began
        except LedgerError as error:
            yield CheckResult("events", "problem", getattr(error, "as_line", str(error)), _RESTORE)
            return
        fits = "every hash fits" if self.store else "every hash and page fits"
        text = f"{count_of(self.course.events, 'event')} in {count_of(len(self.course.heads), 'match')}, {fits}"
        if sealed is not None:
            text += f", {sealed.upto:,} of them as they were sealed"
        yield CheckResult("events", "ok", text)
        if missing := names.error():
            yield CheckResult("names", "problem", missing.message, _BRING_BACK)
        elif names.left_out:
            text = f"events use {names.used:,}; {names.left_out:,} of them were left out when this ledger was made"
            yield CheckResult("names", "warning", text, _BRING_BACK)
        else:
            yield CheckResult("names", "ok", f"events use {names.used:,}, none is missing")

    def _read(self) -> tuple[CheckpointCheck | None, MissingNames]:
        """Read everything; raises LedgerError if an event is not as stored or sealed."""
        sealed = sealed_by(self.family.checkpoints, self.family.key)
        with names_in(self.family.ledger) if self.store is None else nullcontext(self.store.names) as stored_names:
            names = MissingNames(stored_names)

            def look(row: Stored, _: Examined) -> bool:
                names.take([row])
                self._note_time(row)
                if has_sheet(row.line):
                    self.sheets[row.match] = None
                if has_publication(row.line) and is_evening(row.match):
                    self.publications[row.match] = None
                return True

            if self.store is None:
                self.course = examine(self.family.ledger, sealed, look)
            else:
                self.course = examine_store(self.store, sealed, look)
            names.look_up()
        if sealed is not None:
            sealed.expect_all()
        return sealed, names

    def _note_time(self, row: Stored) -> None:
        with suppress(msgspec.DecodeError, TypeError):
            at = _read.decode(row.line).at
            self.latest = at if self.latest is None else max(at, self.latest)

    def doubtful(self) -> Iterator[CheckResult]:
        """Report hands with impossible points from a score sheet."""
        with reading(self.family, self.store) as lines:
            yield from doubtful(self.sheets, lines)

    def published(self) -> Iterator[CheckResult]:
        """Report published rankings that do not follow from the record."""
        yield from published(self.publications, self.family, self.store)

    def clock(self, now: datetime) -> Iterator[CheckResult]:
        """Check whether the clock agrees with the times of events."""
        time_here = now.astimezone(UTC).isoformat(timespec="seconds")
        if self.latest is not None and self.latest > now + _SLACK:
            yield CheckResult(
                "clock", "warning", f"it is {time_here} here, but an event was recorded at {self.latest.isoformat()}",
                "set the clock; if it is right, it was ahead at that recording (order and hashes do not depend on it)",
            )  # fmt: skip
        else:
            yield CheckResult("clock", "ok", f"it is {time_here}, after all events")


def _guards(triggers: dict[str, str]) -> Iterator[CheckResult]:
    """Report guards that are missing or changed, and triggers that somebody added: they can change what is recorded."""
    guards = {statement.split()[2]: statement for statement in SCHEMA if statement.startswith("CREATE TRIGGER")}
    if missing := [name for name, sql in guards.items() if triggers.get(name) != sql]:
        yield CheckResult(
            "guards", "problem", f"{', '.join(missing)}: the guards against changing events were removed or changed",
            "find out who did that; cardledger verify, with a receipt or checkpoint kept elsewhere, shows any change",
        )  # fmt: skip
    if more := sorted(triggers.keys() - guards.keys()):
        yield CheckResult(
            "triggers", "problem", f"{', '.join(more)}: not of this program; it can change or add what is recorded",
            "find out who made it and what it does; then remove it with DROP TRIGGER",
        )  # fmt: skip


def _names(db: sqlite3.Connection) -> Iterator[CheckResult]:
    """Check that names fit their pseudonyms, and whether the file may still hold an erased one."""
    due = 0
    for *named, left in db.execute("SELECT pseudonym, kind, text, salt, due FROM names"):
        due += left == 1
        try:
            as_kept(Named(*named))
        except LedgerError as error:
            yield CheckResult("names", "problem", str(error), _RESTORE)
    if due:
        yield CheckResult(
            "names", "warning", "the file may still hold an erased name, because "
                "a program has been reading for a long time",
            "end programs that hold the ledger open for reading; the next recording then overwrites it",
        )  # fmt: skip

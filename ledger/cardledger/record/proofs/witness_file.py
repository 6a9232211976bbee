"""The file `club.witness.db`: the logs that a ledger witnesses, what it found in them, and who witnesses the ledger.

It cannot be rebuilt: without it a witness would sign a past that contradicts what it signed before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from cardledger.errors import LedgerError
from cardledger.record.proofs.keys import written
from cardledger.record.store.sqlite_file import SqliteFile

if TYPE_CHECKING:
    import sqlite3
    from datetime import datetime
    from pathlib import Path

    from cardledger.record.proofs.notes import Checkpoint, VerifierKey

MOST = 1_000
"""Logs that a ledger witnesses, at most, and witnesses that it asks."""
MOST_FOUND = 100
"""Differences of one log that are kept: the first ones prove it."""
CHECKPOINTS_KEPT = 100
"""Checkpoints whose cosignatures are kept, the latest ones."""
_KIND = 0x7769746E  # the ASCII letters "witn"
_VERSION = 1
_SCHEMA = (
    """CREATE TABLE logs (
    origin TEXT PRIMARY KEY,
    active INTEGER NOT NULL,
    size INTEGER NOT NULL DEFAULT 0,
    signed INTEGER NOT NULL DEFAULT 0,
    note TEXT,
    heard TEXT
) WITHOUT ROWID""",
    "CREATE TABLE keys (origin TEXT NOT NULL, key TEXT NOT NULL, PRIMARY KEY (origin, key)) WITHOUT ROWID",
    """CREATE TABLE found (
    number INTEGER PRIMARY KEY,
    origin TEXT NOT NULL,
    code TEXT NOT NULL,
    at TEXT NOT NULL,
    before TEXT NOT NULL,
    given TEXT NOT NULL,
    size INTEGER NOT NULL,
    settled TEXT
)""",
    "CREATE UNIQUE INDEX found_once ON found (origin, code, before, given)",
    """CREATE TABLE witnesses (
    name TEXT PRIMARY KEY,
    key TEXT NOT NULL,
    url TEXT NOT NULL,
    signed INTEGER NOT NULL DEFAULT 0,
    asked TEXT,
    agreed TEXT,
    code TEXT,
    error TEXT
) WITHOUT ROWID""",
    """CREATE TABLE cosignatures (
    size INTEGER NOT NULL,
    text TEXT NOT NULL,
    witness TEXT NOT NULL,
    line TEXT NOT NULL,
    PRIMARY KEY (size, text, witness)
) WITHOUT ROWID""",
)


class WitnessedLog(NamedTuple):
    """A log that the ledger witnesses: the last checkpoint that it signed, and when it last heard of the log.

    `signed` is the latest time that the log itself stated, in seconds.
    """

    origin: str
    keys: list[str]
    size: int
    signed: int
    note: str | None
    heard: str | None


class Contradiction(NamedTuple):
    """A difference: the note that was signed before, and the one that contradicts it; both prove it to anybody."""

    origin: str
    code: str
    at: str
    before: str
    given: str
    size: int
    settled: str | None


class AskedWitness(NamedTuple):
    """A witness of the ledger: how far it has signed, when it was asked and agreed, and what it objected to."""

    name: str
    key: str
    url: str
    signed: int
    asked: str | None
    agreed: str | None
    code: str | None
    error: str | None


class WitnessFile:
    """The file; the first row creates it. Safe between threads and processes."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: SqliteFile | None = None

    # --- logs of others

    def logs(self) -> list[WitnessedLog]:
        """Return the logs that are witnessed."""
        rows = self._rows("SELECT origin, size, signed, note, heard FROM logs WHERE active = 1 ORDER BY origin")
        return [WitnessedLog(origin, self._keys(origin), *rest) for origin, *rest in rows]

    def log(self, origin: str) -> WitnessedLog | None:
        """Return a log that is witnessed, None for any other."""
        rows = self._rows("SELECT origin, size, signed, note, heard FROM logs WHERE active = 1 AND origin = ?", origin)
        return WitnessedLog(origin, self._keys(origin), *rows[0][1:]) if rows else None

    def know(self, key: VerifierKey) -> None:
        """Witness a log from now on, or let it sign with one more key; raises LedgerError `witness.many`.

        A log that was witnessed before goes on where it was: nothing is ever signed that contradicts an earlier
        signature.
        """
        with self._opened().writing() as db:
            _expect_room(db, "logs WHERE active = 1")
            again = "ON CONFLICT (origin) DO UPDATE SET active = 1"
            db.execute(f"INSERT INTO logs (origin, active) VALUES (?, 1) {again}", (key.name,))
            db.execute("INSERT INTO keys VALUES (?, ?) ON CONFLICT DO NOTHING", (key.name, str(key)))

    def drop(self, origin: str) -> None:
        """Witness a log no more; raises LedgerError `witness.unknown`."""
        with self._opened().writing() as db:
            changed = db.execute("UPDATE logs SET active = 0 WHERE origin = ? AND active = 1", (origin,)).rowcount
            db.execute("DELETE FROM keys WHERE origin = ?", (origin,))
        if not changed:
            raise LedgerError("witness.unknown", f"{origin} is not witnessed here")

    def advance(self, log: WitnessedLog, checkpoint: Checkpoint, signed: int, now: datetime) -> bool:
        """Take a checkpoint as the last one of a log, on disk on return; False if another one was taken meanwhile."""
        with self._opened().writing() as db:
            take = "UPDATE logs SET size = ?, signed = ?, note = ?, heard = ? WHERE origin = ? AND active = 1 AND note IS ?"
            values = (checkpoint.size, signed, checkpoint.note, written(now), log.origin, log.note)
            if db.execute(take, values).rowcount != 1:
                return False
            settle = "UPDATE found SET settled = ? WHERE origin = ? AND code = 'witness.unproven' AND settled IS NULL"
            db.execute(f"{settle} AND size <= ?", (written(now), log.origin, checkpoint.size))
        return True

    def tell(self, log: WitnessedLog, code: str, given: Checkpoint, now: datetime) -> None:
        """Keep what contradicts the last checkpoint of a log, once."""
        with self._opened().writing() as db:
            (kept,) = db.execute("SELECT count(*) FROM found WHERE origin = ?", (log.origin,)).fetchone()
            if kept < MOST_FOUND:
                add = "INSERT INTO found (origin, code, at, before, given, size) VALUES (?, ?, ?, ?, ?, ?)"
                row = (log.origin, code, written(now), log.note or "", given.note, given.size)
                db.execute(f"{add} ON CONFLICT DO NOTHING", row)

    def found(self, *, settled: bool = True) -> list[Contradiction]:
        """Return the differences in logs that are witnessed, the first one first; without `settled` those that are open."""
        columns = "f.origin, f.code, f.at, f.before, f.given, f.size, f.settled"
        only = "" if settled else " AND f.settled IS NULL"
        of = "found f JOIN logs l ON l.origin = f.origin AND l.active = 1"
        return [Contradiction(*row) for row in self._rows(f"SELECT {columns} FROM {of}{only} ORDER BY f.number")]

    # --- witnesses of the ledger

    def ask(self, key: VerifierKey, url: str) -> None:
        """Ask a witness from now on; raises LedgerError `witness.many`."""
        with self._opened().writing() as db:
            _expect_room(db, "witnesses")
            again = "ON CONFLICT (name) DO UPDATE SET key = excluded.key, url = excluded.url, signed = 0"
            db.execute(
                f"INSERT INTO witnesses (name, key, url) VALUES (?, ?, ?) {again}", (key.name, key.as_witness(), url)
            )

    def ask_no_more(self, name: str) -> None:
        """Ask a witness no more; raises LedgerError `witness.unknown`."""
        with self._opened().writing() as db:
            changed = db.execute("DELETE FROM witnesses WHERE name = ?", (name,)).rowcount
        if not changed:
            raise LedgerError("witness.unknown", f"{name} is no witness of this ledger")

    def witnesses(self) -> list[AskedWitness]:
        """Return the witnesses that are asked."""
        columns = ", ".join(AskedWitness._fields)
        return [AskedWitness(*row) for row in self._rows(f"SELECT {columns} FROM witnesses ORDER BY name")]

    def note(self, witness: AskedWitness, checkpoint: Checkpoint | None, line: str | None) -> None:
        """Store how a witness answered, and its cosignature of a checkpoint if it gave one."""
        with self._opened().writing() as db:
            names = ("signed", "asked", "agreed", "code", "error")
            changes = ", ".join(f"{name} = ?" for name in names)
            values = [getattr(witness, name) for name in names]
            db.execute(
                f"UPDATE witnesses SET {changes} WHERE name = ? AND key = ?", (*values, witness.name, witness.key)
            )
            if checkpoint is None or line is None:
                return
            row = (checkpoint.size, checkpoint.text, witness.name, line)
            db.execute("INSERT OR REPLACE INTO cosignatures VALUES (?, ?, ?, ?)", row)
            oldest = "SELECT size FROM cosignatures GROUP BY size ORDER BY size DESC LIMIT 1 OFFSET ?"
            db.execute(f"DELETE FROM cosignatures WHERE size <= ({oldest})", (CHECKPOINTS_KEPT,))

    def lines(self, checkpoint: Checkpoint) -> list[str]:
        """Return the cosignatures of a checkpoint."""
        query = "SELECT line FROM cosignatures WHERE size = ? AND text = ? ORDER BY witness"
        return [line for (line,) in self._rows(query, checkpoint.size, checkpoint.text)]

    def close(self) -> None:
        """Release the file."""
        if self._file is not None:
            self._file.close()

    def _keys(self, origin: str) -> list[str]:
        return [key for (key,) in self._rows("SELECT key FROM keys WHERE origin = ? ORDER BY key", origin)]

    def _rows(self, query: str, *given: object) -> list[tuple[Any, ...]]:
        if self._file is None and not self.path.exists():
            return []
        return self._opened().now(query, given)

    def _opened(self) -> SqliteFile:
        if self._file is None:
            self._file = SqliteFile(self.path, _KIND, _VERSION, _SCHEMA, "FULL")
        return self._file


def _expect_room(db: sqlite3.Connection, of: str) -> None:
    (there,) = db.execute(f"SELECT count(*) FROM {of}").fetchone()
    if there >= MOST:
        raise LedgerError("witness.many", f"there are {MOST} already, and no more are taken: remove one first")

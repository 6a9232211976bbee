"""Tokens in a SQLite file beside the ledger's."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from pathlib import Path

from cardledger.record.store import sums
from cardledger.record.store.sqlite_file import SqliteFile
from cardledger_api.auth.token import Token
from cardledger_api.http.operations import ROLES

KIND = 0x6B657973
"""Marks a SQLite file as a token file (the ASCII letters "keys")."""
VERSION = 3
_SCOPES = "CREATE TABLE scopes (digest BLOB PRIMARY KEY, scope TEXT NOT NULL) WITHOUT ROWID"
SCHEMA = (
    f"""CREATE TABLE tokens (
    digest BLOB PRIMARY KEY,
    name TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ({", ".join(f"'{role}'" for role in ROLES)})),
    created TEXT NOT NULL,
    expires TEXT NOT NULL,
    revoked TEXT
) WITHOUT ROWID""",
    _SCOPES,
    sums.TABLE,
)
STEPS = {1: (_SCOPES,), 2: (sums.TABLE,)}
SUMMED = ("tokens", "scopes")
_FOUND = "SELECT digest, name, role, created, expires, revoked, scope FROM tokens LEFT JOIN scopes USING (digest)"
_FIND = f"{_FOUND} WHERE digest = ?"
SETTLED = 1.0
"""Seconds after a write in which another write may leave the time of the log as it is: until then nothing is
remembered."""


class TokenFile:
    """The first token creates the file; until then every request looks for it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: SqliteFile | None = None
        self._opening = threading.Lock()
        self._log = f"{self.path}-wal"
        self._kept: tuple[tuple[int, int] | None, dict[bytes, Token]] = (None, {})

    def add(self, token: Token) -> bool:
        """Store a token, unless its name has a valid one; tell whether it was stored."""
        with self._opened().writing() as db:
            query = "SELECT 1 FROM tokens WHERE name = ? AND revoked IS NULL AND expires > ?"
            if db.execute(query, (token.name, token.created)).fetchone():
                return False
            row = (token.digest, token.name, token.role, token.created, token.expires)
            db.execute("INSERT INTO tokens (digest, name, role, created, expires) VALUES (?, ?, ?, ?, ?)", row)
            if token.scope is not None:
                db.execute("INSERT INTO scopes (digest, scope) VALUES (?, ?)", (token.digest, token.scope))
            return True

    def revoke(self, name: str, now: str) -> bool:
        """End the valid token of a name; tell whether there was one."""
        if self._file is None and not self.path.exists():
            return False
        with self._opened().writing() as db:
            end = "UPDATE tokens SET revoked = ? WHERE name = ? AND revoked IS NULL AND expires > ?"
            return db.execute(end, (now, name, now)).rowcount > 0

    def rename(self, digest: bytes, name: str, ended: str | None) -> None:
        """Give a token another name, and end it at a time if it is valid; nothing is left of the name."""
        file = self._opened()
        with file.writing() as db:
            change = "UPDATE tokens SET name = ?, revoked = coalesce(revoked, ?) WHERE digest = ?"
            db.execute(change, (name, ended, digest))
        file.emptied(rebuild=True)

    def all(self) -> list[Token]:
        """Return all tokens, ended ones too, oldest first."""
        return [Token(*row) for row in self.rows(f"{_FOUND} ORDER BY created, name")]

    def find(self, digest: bytes) -> Token | None:
        """Return a token, from memory as long as the file was not written since.

        Every process writes to the WAL first, so its time shows a change. That time is exact to some milliseconds
        only: a token read within a second of a change is not cached, as another change may have the same time.
        """
        try:
            log = os.stat(self._log)
        except OSError:
            log = None
        stamp = log and (log.st_mtime_ns, log.st_size)
        of, cached = self._kept
        if of != stamp:
            cached = {}
            self._kept = stamp, cached  # one tuple: no thread may see one value without the other
        token = cached.get(digest)
        if token is None:
            for row in self.rows(_FIND, digest):
                token = Token(*row)
                if log is not None and time.time() > log.st_mtime + SETTLED:
                    cached[digest] = token
        return token

    def close(self) -> None:
        """Release the file."""
        if self._file is not None:
            self._file.close()

    def rows(self, query: str, *given: bytes) -> list[sqlite3.Row]:
        """Return the rows that a query finds, none where there are no tokens yet."""
        file = self._file
        if file is None:
            if not self.path.exists():
                return []
            file = self._opened()
        return file.reader.execute(query, given).fetchall()

    def _opened(self) -> SqliteFile:
        with self._opening:
            if self._file is None:
                self._file = SqliteFile(self.path, KIND, VERSION, SCHEMA, "FULL", STEPS, summed=SUMMED)
            return self._file

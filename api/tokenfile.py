"""Tokens in a SQLite file beside the ledger's."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from pathlib import Path

from api.operations import ROLES
from api.tokens import Token
from ledger.store.file import SqliteFile

KIND = 0x6B657973
"""Marks a SQLite file as one of tokens (the ASCII letters "keys")."""
VERSION = 1
SCHEMA = (
    f"""CREATE TABLE tokens (
    digest BLOB PRIMARY KEY,
    name TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ({", ".join(f"'{role}'" for role in ROLES)})),
    created TEXT NOT NULL,
    expires TEXT NOT NULL,
    revoked TEXT
) WITHOUT ROWID""",
)
_COLUMNS = "digest, name, role, created, expires, revoked"
_FIND = f"SELECT {_COLUMNS} FROM tokens WHERE digest = ?"
_SETTLED = 1.0


class TokenFile:
    """The file is made by the first token, and looked for again until it is there: a server need not know when."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: SqliteFile | None = None
        self._opening = threading.Lock()
        self._log = f"{self.path}-wal"
        self._kept: tuple[tuple[int, int] | None, dict[bytes, Token]] = (None, {})

    def add(self, token: Token) -> bool:
        """Keep a token, unless its name has a valid one; tell whether it is kept."""
        with self._opened().writing() as db:
            taken = "SELECT 1 FROM tokens WHERE name = ? AND revoked IS NULL AND expires > ?"
            if db.execute(taken, (token.name, token.created)).fetchone():
                return False
            row = (token.digest, token.name, token.role, token.created, token.expires)
            db.execute("INSERT INTO tokens (digest, name, role, created, expires) VALUES (?, ?, ?, ?, ?)", row)
            return True

    def revoke(self, name: str, now: str) -> bool:
        """End the valid token of a name; tell whether there was one."""
        if self._file is None and not self.path.exists():
            return False
        with self._opened().writing() as db:
            end = "UPDATE tokens SET revoked = ? WHERE name = ? AND revoked IS NULL AND expires > ?"
            return db.execute(end, (now, name, now)).rowcount > 0

    def all(self) -> list[Token]:
        """Return every token there ever was, oldest first."""
        return [Token(*row) for row in self._rows(f"SELECT {_COLUMNS} FROM tokens ORDER BY created, name")]

    def find(self, digest: bytes) -> Token | None:
        """Return a token, from memory as long as nothing was written to the file since it was read.

        Whoever writes, in whichever process, writes to the log first. Its time is exact to some milliseconds only: what
        is read within a second of a change is not kept, as another may have the same time.
        """
        try:
            log = os.stat(self._log)
        except OSError:
            log = None
        stamp = log and (log.st_mtime_ns, log.st_size)
        of, kept = self._kept
        if of != stamp:
            kept = {}
            self._kept = stamp, kept  # one tuple: no thread may see the one without the other
        token = kept.get(digest)
        if token is None:
            for row in self._rows(_FIND, digest):
                token = Token(*row)
                if log is not None and time.time() > log.st_mtime + _SETTLED:
                    kept[digest] = token
        return token

    def close(self) -> None:
        """Release the file."""
        if self._file is not None:
            self._file.close()

    def _rows(self, query: str, *given: bytes) -> list[sqlite3.Row]:
        file = self._file
        if file is None:
            if not self.path.exists():
                return []
            file = self._opened()
        return file.reader.execute(query, given).fetchall()

    def _opened(self) -> SqliteFile:
        with self._opening:
            if self._file is None:
                self._file = SqliteFile(self.path, KIND, VERSION, SCHEMA, "FULL")
            return self._file

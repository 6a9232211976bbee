"""Tokens: random texts that say who is asking; a file beside the ledger keeps their hashes, names, roles and terms."""

from __future__ import annotations

import os
import secrets
import sqlite3
import threading
import time
from base64 import urlsafe_b64encode
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from hmac import compare_digest
from pathlib import Path

from api.operations import ROLES, Role
from ledger.errors import LedgerError
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
_PREFIX = "cl_"  # so that people and secret scanners know one when they see it
_BYTES = 32
_SETTLED = 1.0
_LONGEST_NAME = 64


@dataclass(frozen=True, slots=True)
class Token:
    """What is known of a token: everything but its text. Times are RFC 3339 in UTC."""

    digest: bytes
    name: str
    role: Role
    created: str
    expires: str | None
    revoked: str | None = None

    def state(self, now: str) -> str:
        """Return valid, expired or revoked."""
        if self.revoked is not None:
            return "revoked"
        return "valid" if self.expires is None or now < self.expires else "expired"


def new_text() -> str:
    """Return the text of a new token."""
    return _PREFIX + urlsafe_b64encode(secrets.token_bytes(_BYTES)).rstrip(b"=").decode()


def digest_of(text: str) -> bytes:
    """Return what is kept of a token's text.

    One round of SHA-256 without salt: 256 random bits cannot be guessed, which is what slow hashes of passwords are for.
    """
    return sha256(text.encode("utf-8", "replace")).digest()


def utc_now() -> datetime:
    """Return the time."""
    return datetime.now(UTC)


def written(time: datetime) -> str:
    """Return a time as it is stored; such texts compare as the times do."""
    return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Tokens:
    """The tokens of a ledger, in `club.access.db` beside `club.db`; never in the ledger, which forgets nothing.

    The file is made by the first token, and looked for again until it is there: a server need not know when.
    """

    def __init__(self, ledger: Path | str, now: Callable[[], datetime] = utc_now) -> None:
        ledger = Path(ledger)
        self.path = ledger.with_name(f"{ledger.stem}.access{ledger.suffix or '.db'}")
        self._now = now
        self._file: SqliteFile | None = None
        self._opening = threading.Lock()
        self._log = f"{self.path}-wal"
        self._kept: tuple[tuple[int, int] | None, dict[bytes, Token]] = (None, {})

    def create(self, name: str, role: Role, days: int) -> str:
        """Store a new token and return its text, which nobody can find out later.

        Raises LedgerError `access.name` when the name cannot be one or belongs to a valid token.
        """
        if not (name.isprintable() and name == name.strip() and 1 <= len(name) <= _LONGEST_NAME):
            raise LedgerError("access.name", f"a name is 1 to {_LONGEST_NAME} printable characters")
        text, now = new_text(), self._now()
        row = (digest_of(text), name, role, written(now), written(now + timedelta(days=days)))
        with self._opened().writing() as db:
            taken = "SELECT 1 FROM tokens WHERE name = ? AND revoked IS NULL AND expires > ?"
            if db.execute(taken, (name, written(now))).fetchone():
                raise LedgerError("access.name", f"{name} has a valid token; revoke it, or choose another name")
            db.execute("INSERT INTO tokens (digest, name, role, created, expires) VALUES (?, ?, ?, ?, ?)", row)
        return text

    def revoke(self, name: str) -> None:
        """End the valid token of a name; raises LedgerError `access.name` when there is none."""
        now = written(self._now())
        ended = 0
        if self._file is not None or self.path.exists():
            with self._opened().writing() as db:
                end = "UPDATE tokens SET revoked = ? WHERE name = ? AND revoked IS NULL AND expires > ?"
                ended = db.execute(end, (now, name, now)).rowcount
        if not ended:
            raise LedgerError("access.name", f"there is no valid token named {name}")

    def all(self) -> list[tuple[Token, str]]:
        """Return every token there ever was, oldest first, with its state."""
        now = written(self._now())
        tokens = [Token(*row) for row in self._rows(f"SELECT {_COLUMNS} FROM tokens ORDER BY created, name")]
        return [(token, token.state(now)) for token in tokens]

    def find(self, digest: bytes) -> Token | None:
        """Return the valid token with a digest.

        The index may take longer for a digest that begins like a stored one, but nobody can steer what a token's
        digest begins with; the last word is a comparison in constant time.
        """
        token = self._known(digest)
        valid = token and compare_digest(token.digest, digest) and token.state(written(self._now())) == "valid"
        return token if valid else None

    def _known(self, digest: bytes) -> Token | None:
        """Return a token from memory as long as nothing was written to the file since it was read.

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

"""Errors of SQLite: which come from around a file, so that trying later may help, and which from damage in it."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from cardledger.errors import NoLedgerError, StoreError, UnusableError
from cardledger.sentence import Sentence, advising

PASSING = {
    sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_NOMEM,
}  # fmt: skip
"""SQLite's messages about problems around the file, not in it."""
UNREADABLE = (sqlite3.Error, UnicodeDecodeError)
"""Errors of a damaged file; the second comes when SQLite's message quotes invalid text."""


def refused(path: Path, error: Exception) -> StoreError:
    """Return the error for a file that cannot be opened or read."""
    # Python's own error for invalid text in a value has no code.
    invalid_text = isinstance(error, UnicodeDecodeError) or str(error).startswith("Could not decode")
    if invalid_text or kind_of(error) == sqlite3.SQLITE_CORRUPT:
        return StoreError(
            "store.damaged",
            advising(
                Sentence("{path} is damaged: {why}; run cardledger doctor for advice", path=str(path), why=str(error))
            ),
        )
    if kind_of(error) == sqlite3.SQLITE_NOTADB:
        return NoLedgerError(path)
    return UnusableError("store.open", Sentence("{path} cannot be opened: {why}", path=str(path), why=str(error)))


def unreadable(error: Exception) -> StoreError:
    """Return the error for a failed read of any database."""
    if kind_of(error) in PASSING:
        return UnusableError("store.open", f"a database cannot be read now: {error}")
    message = f"a database cannot be read ({error}); run cardledger doctor for details and advice"
    return StoreError("store.damaged", message)


def kind_of(error: Exception) -> int:
    """Return SQLite's code of an error, 0 for errors from elsewhere, such as invalid text."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF

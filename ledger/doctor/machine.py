"""What a ledger stands on: the program and its libraries, SQLite, the disk."""

from __future__ import annotations

import platform
import shutil
import sqlite3
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from ledger import tricks
from ledger.doctor.finding import Finding
from ledger.store.file import linked_sqlite_has_wal_bug

_LIBRARIES = ("click", "cryptography", "flask", "marshmallow", "msgspec", "numpy", "plotly", "sqlite-utils", "waitress")
_SCARCE = 1 << 30
_FULL = 50 << 20


def program() -> Iterator[Finding]:
    """Tell the versions in use."""
    found, missing = [], []
    for name in _LIBRARIES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            missing.append(name)
    python = f"Python {platform.python_version()}"
    if missing:
        yield Finding("program", "problem", f"{python}, without {', '.join(missing)}", "install cardledger again")
    else:
        yield Finding("program", "ok", f"cardledger {version('cardledger')}, {python}, {', '.join(found)}")
    compiled = not str(tricks.__file__).endswith(".py")
    yield Finding("rules", "ok", "compiled" if compiled else "in plain Python (compiled ones do the same, faster)")


def sqlite() -> Iterator[Finding]:
    """Tell whether the linked SQLite has the WAL-reset bug."""
    linked = f"SQLite {sqlite3.sqlite_version}"
    if linked_sqlite_has_wal_bug():
        yield Finding(
            "sqlite", "warning",
            f"{linked} has the WAL-reset bug (3.7.0 to 3.51.2); cardledger keeps it away: only one connection at a time"
            " writes or checkpoints",
            "let no other program write to the ledger's files",
        )  # fmt: skip
    else:
        yield Finding("sqlite", "ok", linked)


def disk(folder: Path, needed: int) -> Iterator[Finding]:
    """Tell whether there is room for what is there once more."""
    while not folder.exists():  # nothing was kept there yet
        folder = folder.parent
    free = shutil.disk_usage(folder).free
    text = f"{free / 1e9:,.1f} GB free where the ledger is, {needed / 1e6:,.1f} MB in use by it"
    advice = "make room: when the disk is full nothing can be recorded; what is recorded stays"
    if free < _FULL:
        yield Finding("disk", "problem", text, advice)
    elif free < max(_SCARCE, 2 * needed):
        yield Finding("disk", "warning", text, advice)
    else:
        yield Finding("disk", "ok", text)

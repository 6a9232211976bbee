"""The machine below a ledger: the program and its libraries, SQLite, the disk."""

from __future__ import annotations

import platform
import shutil
import sqlite3
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, entry_points, version
from pathlib import Path

from cardledger.plugins import broken, loaded
from cardledger.record.doctor.finding import CheckResult
from cardledger.rules.games import COMPILED, games

_LIBRARIES = ("click", "cryptography", "flask", "marshmallow", "msgspec", "numpy", "plotly", "waitress")
_SCARCE = 1 << 30
_FULL = 50 << 20
_WAL_BUG = ((3, 7, 0), (3, 51, 2))
"""First and last version of SQLite with the WAL-reset bug."""


def program() -> Iterator[CheckResult]:
    """Report the versions in use."""
    installed, missing = [], []
    for name in _LIBRARIES:
        try:
            installed.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            missing.append(name)
    python = f"Python {platform.python_version()}"
    if missing:
        yield CheckResult("program", "problem", f"{python}, without {', '.join(missing)}", "install cardledger again")
    else:
        yield CheckResult("program", "ok", f"cardledger {version('cardledger')}, {python}, {', '.join(installed)}")
    yield CheckResult("rules", "ok", "compiled" if COMPILED else "in plain Python (compiled rules do the same, faster)")


def plugins() -> Iterator[CheckResult]:
    """Report games and commands of installed packages that could not be loaded, with the reason."""
    games()
    for point in entry_points(group="cardledger.commands"):
        loaded(point, lambda command: command)
    for called, why in sorted(broken.items()):
        yield CheckResult(
            "plugins", "problem", f"plugin.broken: {called} is left out: {why}",
            "install a version of the package that fits, or uninstall it",
        )  # fmt: skip


def linked_sqlite_has_wal_bug() -> bool:
    """Tell whether the linked SQLite can lose data when two connections write or checkpoint a WAL at once."""
    return _WAL_BUG[0] <= sqlite3.sqlite_version_info <= _WAL_BUG[1]


def sqlite() -> Iterator[CheckResult]:
    """Check whether the linked SQLite has the WAL-reset bug."""
    linked = f"SQLite {sqlite3.sqlite_version}"
    if linked_sqlite_has_wal_bug():
        yield CheckResult(
            "sqlite", "warning",
            f"{linked} has the WAL-reset bug (3.7.0 to 3.51.2); cardledger avoids it: only one connection at a time"
            " writes or checkpoints",
            "let no other program write to the ledger's files",
        )  # fmt: skip
    else:
        yield CheckResult("sqlite", "ok", linked)


def disk(folder: Path, needed: int) -> Iterator[CheckResult]:
    """Check whether the disk has room for another copy of the ledger."""
    while not folder.exists():  # the folder does not exist yet
        folder = folder.parent
    free = shutil.disk_usage(folder).free
    text = f"{free / 1e9:,.1f} GB free where the ledger is, {needed / 1e6:,.1f} MB in use by it"
    advice = "free some space: on a full disk nothing can be recorded; recorded events are safe"
    if free < _FULL:
        yield CheckResult("disk", "problem", text, advice)
    elif free < max(_SCARCE, 2 * needed):
        yield CheckResult("disk", "warning", text, advice)
    else:
        yield CheckResult("disk", "ok", text)

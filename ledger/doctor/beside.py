"""What stands beside a ledger: read models and the like, key, tokens, checkpoints, backups, and what nobody needs."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path

from ledger.backup.manifest import age, backups
from ledger.doctor.finding import Finding, ago
from ledger.errors import LedgerError
from ledger.proofs.checkpoints import Checkpoints
from ledger.proofs.keys import read_ring
from ledger.store.family import DERIVED, Family
from ledger.store.file import UNREADABLE, read_only, resting

_TITLES = {"views": "read models", "luck": "luck", "proofs": "proofs"}
_POSITIONS = {
    "views": "SELECT position FROM checkpoint", "luck": "SELECT position FROM checkpoint",
    "proofs": "SELECT position FROM state",
}  # fmt: skip
_MONTH = 30 * 86_400
_WEEK = 7 * 86_400


def derived(family: Family, last: int | None) -> Iterator[Finding]:
    """Tell how far behind the ledger's last position what follows from it is, and whether it is whole."""
    for what in DERIVED:
        path = family.database(what)
        if not path.exists():
            if what == "views":
                yield Finding(_TITLES[what], "ok", "not there; they are made when they are needed")
            continue
        yield _derived(what, path, last)


def _derived(what: str, path: Path, last: int | None) -> Finding:
    title, anew = _TITLES[what], f"delete {path.name} while nothing uses the ledger: it is made anew"
    try:
        with closing(read_only(path, still=resting(path))) as db:
            said = db.execute("PRAGMA integrity_check(1)").fetchone()[0]
            (position,) = db.execute(_POSITIONS[what]).fetchone()
    except (*UNREADABLE, TypeError) as error:
        return Finding(title, "problem", f"{path.name} cannot be read: {error}", anew)
    if said != "ok":
        return Finding(title, "problem", f"{path.name} is damaged ({' '.join(said.split())})", anew)
    if last is None:
        return Finding(title, "ok", f"up to position {position:,}")
    if position > last:
        return Finding(
            title, "problem", f"they know of position {position:,}, but the ledger ends at {last:,}: events were lost",
            "compare with a backup: an older copy was put in place, or the ledger's log (-wal) was taken away",
        )  # fmt: skip
    behind = last - position
    return Finding(
        title, "ok", "up to date" if not behind else f"{behind:,} events behind, caught up by who reads them"
    )


def secrets(family: Family) -> Iterator[Finding]:
    """Tell whether others can read what is secret."""
    for name, path, open_to in (("key", family.key, 0o077), ("tokens", family.tokens, 0o022)):
        if not path.exists():
            continue
        mode = path.stat().st_mode & 0o777
        if name == "key":
            read_ring(path)
        if sys.platform != "win32" and mode & open_to:
            what = "read" if mode & open_to & 0o044 else "written"
            yield Finding(name, "problem", f"{path.name} can be {what} by others (mode {mode:o})", f"chmod 600 {path}")
        else:
            yield Finding(name, "ok", f"{path.name}, mode {mode:o}")


def sealed(family: Family, events: int, now: datetime) -> Iterator[Finding]:
    """Tell when the last checkpoint was made, and how much came since."""
    last = Checkpoints(family.checkpoints).last()
    if last is None:
        yield Finding("checkpoint", "warning", "none was ever made", "cardledger checkpoint, and give it to somebody")
        return
    if not family.key.exists():
        yield Finding(
            "checkpoint", "problem", f"there is no {family.key.name} to check it with", "put the key file back"
        )
        return
    try:
        seconds = (now - last.signed_at(*read_ring(family.key).verifiers)).total_seconds()
    except LedgerError as error:
        yield Finding("checkpoint", "problem", str(error), "compare with a checkpoint that somebody kept")
        return
    text = f"the last one was made {ago(seconds)}, {max(0, events - last.size):,} events came since"
    late = seconds > _MONTH and events > last.size
    yield Finding("checkpoint", "warning" if late else "ok", text, "cardledger checkpoint" if late else None)


def backed_up(family: Family, events: int, now: datetime) -> Iterator[Finding]:
    """Tell when the last backup was made, and whether it is still there."""
    noted = sorted(backups(family).items(), key=lambda item: item[1].made)
    if not noted:
        yield Finding("backup", "warning", "none was ever made from here", "cardledger backup TO, to another disk")
        return
    place, made = noted[-1]
    seconds, lacking = age(made, now), events - made.events
    text = f"{place}, made {ago(seconds)}, {max(0, lacking):,} events came since"
    if not Path(place).exists():
        yield Finding("backup", "warning", f"{text}; it is not in its place now", "see where it is")
    elif seconds > _WEEK and lacking > 0:
        yield Finding("backup", "warning", text, f"cardledger backup {place}, or with --every to be kept up with")
    else:
        yield Finding("backup", "ok", text)


def orphans(family: Family) -> Iterator[Finding]:
    """Tell of files that were left behind beside the ledger."""
    folder, stem = family.ledger.parent, family.ledger.stem
    if not folder.exists():
        return
    names = {path.name for path in family.all()}
    left = [
        path.name
        for path in sorted(folder.iterdir())
        if path.is_file()
        and path.name not in names
        and (path.name.startswith(f".{stem}.") or path.name.startswith(f"{family.key.name}."))
    ]
    if left:
        yield Finding("orphans", "warning", f"drafts that were never finished: {', '.join(left)}", "delete them")

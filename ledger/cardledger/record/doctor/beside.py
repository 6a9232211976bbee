"""The files beside a ledger: read models and other derived files, key, tokens, checkpoints, backups, and leftovers."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path

from cardledger.count_of import count_of
from cardledger.errors import LedgerError
from cardledger.record.backup.drills import restore_proof
from cardledger.record.backup.manifest import age, backups
from cardledger.record.backup.objects.places import object_address
from cardledger.record.doctor.finding import CheckResult, ago
from cardledger.record.proofs.checkpoints import Checkpoints
from cardledger.record.proofs.keys import read_ring
from cardledger.record.proofs.tree import SignedSoFar
from cardledger.record.store import sums
from cardledger.record.store.lost_tail import POSITIONS
from cardledger.record.store.paths import DERIVED, Family
from cardledger.record.store.readers import read_only, resting
from cardledger.record.store.sqlite_errors import UNREADABLE

_TITLES = {"views": "read models", "luck": "luck", "proofs": "proofs"}
_MONTH = 30 * 86_400
_WEEK = 7 * 86_400


def derived(family: Family, last: int | None) -> Iterator[CheckResult]:
    """Check how far derived files are behind the ledger, and whether they are intact."""
    for what in DERIVED:
        path = family.database(what)
        if not path.exists():
            if what == "views":
                yield CheckResult(_TITLES[what], "ok", "missing; they are made when needed")
            continue
        yield _derived(what, path, last)


def _derived(what: str, path: Path, last: int | None) -> CheckResult:
    title, advice = _TITLES[what], f"delete {path.name} while nothing uses the ledger: it will be rebuilt"
    try:
        with closing(read_only(path, still=resting(path))) as db:
            report = db.execute("PRAGMA integrity_check(1)").fetchone()[0]
            (position,) = db.execute(POSITIONS[what]).fetchone()
    except UNREADABLE as error:
        return CheckResult(title, "problem", f"{path.name} cannot be read: {error}", advice)
    if report != "ok":
        return CheckResult(title, "problem", f"{path.name} is damaged ({' '.join(report.split())})", advice)
    if not isinstance(position, int):
        return CheckResult(title, "problem", f"{path.name} does not say up to which event it goes", advice)
    if last is None:
        return CheckResult(title, "ok", f"up to position {position:,}")
    if position > last:
        return CheckResult(
            title, "problem", f"they go up to position {position:,}, but the ledger ends at {last:,}: events were lost",
            "put the ledger's log (-wal) back, or copy the events from a backup; "
                "to go on without them: cardledger rebuild --accept-loss",
        )  # fmt: skip
    behind = last - position
    return CheckResult(
        title,
        "ok",
        "up to date" if not behind else f"{count_of(behind, 'event')} behind; they catch up at the next read",
    )


def secrets(family: Family) -> Iterator[CheckResult]:
    """Check whether other users can read secret files."""
    for name, path, open_to in (
        ("key", family.key, 0o077),
        ("tokens", family.tokens, 0o022),
        ("webhooks", family.webhooks, 0o077),
    ):
        if not path.exists():
            continue
        mode = path.stat().st_mode & 0o777
        if name == "key":
            read_ring(path)
        if sys.platform != "win32" and mode & open_to:
            what = "read" if mode & open_to & 0o044 else "written"
            yield CheckResult(
                name, "problem", f"{path.name} can be {what} by others (mode {mode:o})", f"chmod 600 {path}"
            )
        elif path != family.key and (damage := sums.damage(path)):
            yield CheckResult(
                name, "problem", str(damage), "restore it from a backup, and revoke what should not be in it"
            )
        else:
            yield CheckResult(name, "ok", f"{path.name}, mode {mode:o}")


def _cut_off(tree: Path, family: Family) -> str | None:
    """Return which checkpoints are missing, as the file of the tree knows; None if none are."""
    with suppress(sqlite3.Error, UnicodeDecodeError, TypeError), closing(read_only(tree, still=resting(tree))) as db:
        try:
            SignedSoFar(*db.execute("SELECT notes, size FROM sealed").fetchone()).expect(
                Checkpoints(family.checkpoints).all()
            )
        except LedgerError as error:
            return str(error)
    return None


def sealed(family: Family, tree: Path, events: int, now: datetime) -> Iterator[CheckResult]:
    """Check the age of the last checkpoint, the events since, and whether all that were signed are there."""
    last = Checkpoints(family.checkpoints).last()
    if last is None and (held := max((backup.sealed for backup in backups(family).values()), default=0)):
        yield CheckResult(
            "checkpoint", "problem", "there is none, though a backup was checked "
                f"against one over {count_of(held, 'event')}",
            f"put {family.checkpoints.name} back, from that backup say, and run cardledger verify",
        )  # fmt: skip
        return
    missing = _cut_off(tree, family)
    cut_off = CheckResult("checkpoint", "problem", missing or "", "put the file of checkpoints back, from a backup say")
    if last is None:
        none_yet = "run cardledger checkpoint, and give a copy to someone else"
        yield cut_off if missing else CheckResult("checkpoint", "warning", "there is none yet", none_yet)
        return
    if not family.key.exists():
        yield CheckResult(
            "checkpoint", "problem", f"there is no {family.key.name} to check it with", "put the key file back"
        )
        return
    try:
        seconds = (now - last.signed_at(*read_ring(family.key).verifiers)).total_seconds()
    except LedgerError as error:
        yield CheckResult("checkpoint", "problem", str(error), "compare with a checkpoint kept elsewhere")
        return
    if missing:
        yield cut_off
        return
    text = f"the last one was made {ago(seconds)}, {count_of(max(0, events - last.size), 'event')} came since"
    late = seconds > _MONTH and events > last.size
    yield CheckResult("checkpoint", "warning" if late else "ok", text, "cardledger checkpoint" if late else None)


def backed_up(family: Family, events: int, now: datetime) -> Iterator[CheckResult]:
    """Check the age of the last backup, and whether it still exists."""
    noted = sorted(backups(family).items(), key=lambda item: item[1].made)
    if not noted:
        yield CheckResult(
            "backup", "warning", "there is no record of a backup here", "cardledger backup TO, to another disk"
        )
        return
    place, latest = noted[-1]
    seconds, missing = age(latest, now), events - latest.events
    text = f"{place}, made {ago(seconds)}, {count_of(max(0, missing), 'event')} came since"
    # A place for objects is not asked: that needs its secret and its network, and a drill proves it.
    if object_address(place) is None and not Path(place).exists():
        yield CheckResult(
            "backup", "warning", f"{text}; it is not in its place now", "find out where it is, or make a new one"
        )
    elif seconds > _WEEK and missing > 0:
        yield CheckResult("backup", "warning", text, f"cardledger backup {place}, or with --every to follow the ledger")
    else:
        yield CheckResult("backup", "ok", text)


def proven(family: Family, now: datetime, days: float) -> Iterator[CheckResult]:
    """Check whether the last copy was restored lately, as a drill."""
    found = restore_proof(family, now, days)
    before = (
        f"last proven restore: {ago(found.age)}, {found.proven.seconds:.0f} s"
        if found.proven is not None and found.age is not None
        else "no restore was ever proven"
    )
    drill = "cardledger drill, by a timer say"
    if found.last is not None and found.last.code is not None:
        text = f"the last drill failed, {ago(found.last.age(now))}: {found.last.code}: {found.last.error}; {before}"
        yield CheckResult("restore", "problem", text, "make a new copy, and run cardledger drill")
    elif found.state == "never":
        yield CheckResult("restore", "warning", f"copies are made, but {before}", drill)
    elif found.state == "old":
        yield CheckResult("restore", "warning", before, drill)
    elif found.proven is not None:
        yield CheckResult("restore", "ok", f"{before}, {count_of(found.proven.events, 'event')}")


def left(family: Family) -> Iterator[CheckResult]:
    """Report what is left of a ledger that is missing."""
    if family.left:
        names = ", ".join(path.name for path in family.left)
        yield CheckResult(
            "siblings", "problem", f"store.siblings: {names} belong to a ledger that was there",
            "put it back, or restore a backup; nothing is made beside them unless you say --new",
        )  # fmt: skip


def orphans(family: Family) -> Iterator[CheckResult]:
    """Report leftover files beside the ledger."""
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
        yield CheckResult("orphans", "warning", f"drafts that were never finished: {', '.join(left)}", "delete them")

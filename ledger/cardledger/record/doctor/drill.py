"""A restore drill: the last copy of a ledger is restored elsewhere, proven to be the ledger's, and deleted again."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import AbstractContextManager, closing, nullcontext
from datetime import datetime
from pathlib import Path
from time import monotonic

import msgspec

from cardledger.crew import Crew
from cardledger.errors import LedgerError, StoreError
from cardledger.record.backup.drills import Drill, add
from cardledger.record.backup.examine import CheckpointCheck, Examined, examine
from cardledger.record.backup.making import BackupSource, continued_by, sealed_by
from cardledger.record.backup.manifest import Manifest, backups, read_manifest
from cardledger.record.backup.objects.envelope import Objects
from cardledger.record.backup.objects.fetching import fetch
from cardledger.record.backup.objects.places import ObjectAddress, object_address, place_at
from cardledger.record.backup.restoring import Cut, restore
from cardledger.record.doctor.read_models import compared
from cardledger.record.proofs import ProofError
from cardledger.record.proofs.checkpoints import Checkpoints
from cardledger.record.recording.ledger import Ledger
from cardledger.record.store.paths import Family
from cardledger.record.store.sqlite_errors import UNREADABLE
from cardledger.record.store.temporary import TemporaryFolder
from cardledger.record.store.write_lock import WriteLock
from cardledger.sentence import Sentence, advising

SPARE = 64 << 20
"""Bytes that a drill leaves free: others use the disk too."""
_OTHER = Sentence("find out which ledger it is of, and make a new copy")
Crews = Callable[[Ledger], AbstractContextManager[Crew | None]]
"""Gives workers for the read models of a ledger."""


def last_copy(family: Family) -> Path | ObjectAddress:
    """Return where the last copy of a ledger was made; raises StoreError `store.missing` if none was noted."""
    noted = backups(family)
    if not noted:
        raise StoreError(
            "store.missing",
            advising("no copy of this ledger was noted here: make one with cardledger backup, or name it with --from"),
        )
    last = max(noted, key=lambda place: noted[place].made)
    return object_address(last) or Path(last)


def drill(
    source: BackupSource,
    now: datetime,
    copy: Path | ObjectAddress | None = None,
    folder: Path | None = None,
    crews: Crews = lambda _: nullcontext(),
    clock: Callable[[], float] = monotonic,
    secret: bytes | None = None,
) -> Drill:
    """Restore a copy of a ledger in a temporary folder, the last one unless another is named; list the result.

    * `folder` is where the temporary folder is made, the system's place for such by default. What a drill that was
      killed left there is deleted first.
    * `crews` gives workers for the read models; `clock` measures the seconds.
    * `secret` opens the objects of a copy in an object store.

    An error of the copy is in the result, and nothing of the drill is left. Raises BusyError while another drill of
    the ledger is under way, StoreError `store.missing` without a copy, `store.write` if the result cannot be listed.
    """
    side = source.side
    copy = copy or last_copy(side)
    copy = copy.absolute() if isinstance(copy, Path) else copy
    try:
        lock = WriteLock(side.drills, patience=0.0)
    except OSError as error:
        raise StoreError(
            "store.write", Sentence("{path} cannot be written: {why}", path=str(side.drills), why=str(error.strerror))
        ) from None
    with closing(lock), lock.held():
        tried = Drill(at=now.isoformat(timespec="seconds").replace("+00:00", "Z"), copy=str(copy))
        began = clock()
        try:
            with TemporaryFolder(folder) as temporary:
                noted, place = backups(side).get(str(copy)), temporary.path / "drill.db"
                if isinstance(copy, ObjectAddress):
                    copy = fetch(Objects(place_at(copy), secret), copy, temporary.path / "fetched.db")
                tried = _tried(source, copy, noted, place, tried, crews, lambda: clock() - began)
        except LedgerError as error:
            tried = tried.failed(error)
        except (OSError, *UNREADABLE) as error:
            tried = tried.failed(
                StoreError("store.write", Sentence("the copy cannot be restored: {why}", why=str(error)))
            )
        add(side, tried)
    return tried


def _tried(
    source: BackupSource,
    copy: Path,
    noted: Manifest | None,
    place: Path,
    tried: Drill,
    crews: Crews,
    passed: Callable[[], float],
) -> Drill:
    """Restore a copy to a place and prove it; raises LedgerError for what does not fit."""
    _expect_room(copy, place.parent, source.side)
    # What the copy claims is read before its events: it may be followed meanwhile, and then only has more of them. The
    # ledger has noted the same, which counts also where what lies beside the copy is gone.
    family = Family(copy)
    claims = [each for each in (read_manifest(family.manifest), noted) if each is not None]
    sealed = _claimed(family, source.side, max((each.sealed for each in claims), default=0))
    restored = restore(copy, place, Cut())
    if restored.missing is not None:
        raise restored.missing
    with Ledger(place, create=False) as again, crews(again) as crew:
        for _ in again.rebuild(crew):
            pass
        seconds = passed()
        if wrong := again.views.differing_summary():
            raise StoreError(
                "store.views", Sentence("the restored {rows} do not follow from the restored matches", rows=wrong)
            )
        matches, views = len(again.matches()), again.views.file.path
    course = examine(place, sealed, continued_by(source, copy, _OTHER))
    if sealed is not None:
        sealed.expect_all()
    if course.events < (wanted := max((each.events for each in claims), default=0)):
        raise StoreError(
            "store.manifest",
            Sentence.counted(
                "the copy had {count} event when it was made, and has {left}",
                "the copy had {count} events when it was made, and has {left}",
                wanted,
                count=f"{wanted:,}",
                left=f"{course.events:,}",
            ),
        )
    _expect_rows(views, place, course)
    return msgspec.structs.replace(
        tried,
        seconds=round(seconds, 2),
        events=course.events,
        sealed=sealed.upto if sealed else 0,
        matches=matches,
        digest=course.digest,
    )


def _expect_room(copy: Path, folder: Path, side: Family) -> None:
    """Refuse a disk that the restored ledger and its read models would fill; raises StoreError `store.write`."""
    if not copy.is_file():
        raise StoreError(
            "store.missing",
            advising(Sentence("there is no copy at {path} now: find out where it is, or make one", path=str(copy))),
        )
    size, views = copy.stat().st_size, side.database("views")
    # While it is written, a log stands beside it; the read models are as large as those of the ledger.
    needed = 2 * size + (views.stat().st_size if views.exists() else size) + SPARE
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise StoreError(
            "store.write",
            advising(
                Sentence(
                    "there is no room for a drill in {folder}: it takes {needed} MB, and {free} MB are free: name another "
                    "folder with --in",
                    folder=str(folder.parent),
                    needed=f"{needed / 1e6:,.1f}",
                    free=f"{free / 1e6:,.1f}",
                )
            ),
        )


def _claimed(copy: Family, side: Family, covered: int) -> CheckpointCheck | None:
    """Return the checkpoints that a copy must hold, signed by the ledger and known to it.

    `covered` is the number of events that were held to one when it was made. Raises ProofError `proofs.key`,
    `proofs.missing`, and as `sealed_by`.
    """
    sealed = sealed_by(copy.checkpoints, side.key)
    if sealed is None and copy.checkpoints.exists():
        raise ProofError(
            "proofs.key",
            advising(
                Sentence("there is no {file} to check the copy's checkpoints with: put it back", file=side.key.name)
            ),
        )
    claimed, known = sealed.sizes if sealed else [], Checkpoints(side.checkpoints).last()
    if covered and covered not in claimed:
        raise ProofError(
            "proofs.missing",
            Sentence.counted(
                "when the copy was made, {count} event was held to a checkpoint, which is not beside it",
                "when the copy was made, {count} events were held to a checkpoint, which is not beside it",
                covered,
                count=f"{covered:,}",
            ),
        )
    if claimed and (known is None or known.size < max(claimed)):
        raise ProofError(
            "proofs.missing",
            Sentence(
                "the copy has a checkpoint over {claimed} events, and the last of the ledger is over {known}: checkpoints "
                "of the ledger were lost",
                claimed=f"{max(claimed):,}",
                known=f"{known.size if known else 0:,}",
            ),
        )
    return sealed


def _expect_rows(views: Path, ledger: Path, course: Examined) -> None:
    """Refuse read models that do not follow from the events, which are the ledger's; raises StoreError `store.views`."""
    for found in compared(views, ledger, None, course.heads):
        if found.state != "ok":
            raise StoreError("store.views", found.text)

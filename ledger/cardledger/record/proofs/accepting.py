"""Going on after a loss: what shows that events are gone is kept in a folder.

Then everything follows from those left.
"""

from __future__ import annotations

import shutil
import time
from typing import TYPE_CHECKING

from cardledger.errors import StoreError
from cardledger.record.proofs.checkpoints import Checkpoints
from cardledger.record.store.lost_tail import beside
from cardledger.record.store.opening import family
from cardledger.record.store.write_lock import WriteLock

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from cardledger.crew import Crew
    from cardledger.record.recording.ledger import Ledger


def keep_evidence(ledger: Ledger) -> Path:
    """Copy the files that go further than the events into a folder beside the ledger, and return that.

    Raises StoreError `store.write`.
    """
    data = family(ledger.at, ledger.store)
    folder = data.ledger.with_name(f"{data.ledger.stem}.lost-{time.strftime('%Y%m%dT%H%M%S')}")
    try:
        folder.mkdir(mode=0o700)
        for path in _derived(ledger):
            lock = WriteLock(path)
            try:
                with lock.held():  # nobody writes to it, or copies its log back
                    for each in (path, path.with_name(f"{path.name}-wal")):
                        if each.exists():
                            shutil.copy2(each, folder / each.name)
            finally:
                lock.close()
        if data.checkpoints.exists():
            shutil.copy2(data.checkpoints, folder / data.checkpoints.name)
    except OSError as error:
        raise StoreError("store.write", f"{folder} cannot be written: {error.strerror}") from None
    return folder


def go_on(ledger: Ledger, crew: Crew | None = None) -> Iterator[int]:
    """Let everything follow from the events that are left, yielding the number of events folded so far.

    Checkpoints over more events than are left are taken off; a holder of a receipt for a lost event can still prove the
    loss.
    """
    ledger.store.refusal = None
    yield from ledger.rebuild(crew)
    for path in _derived(ledger)[1:]:
        for ending in ("", "-wal", "-shm"):
            path.with_name(path.name + ending).unlink(missing_ok=True)
    Checkpoints(family(ledger.at, ledger.store).checkpoints).keep(ledger.count())


def _derived(ledger: Ledger) -> list[Path]:
    """Return the read models, and what else can be computed again, as far as it is there."""
    views = ledger.views.file.path
    return [views, *(path for what in ("proofs", "luck") if (path := beside(views, what)).exists())]

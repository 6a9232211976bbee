"""Checks of the whole ledger: one at a time, in the background, with its progress; the last result is kept in memory."""

from __future__ import annotations

import sqlite3
import threading
import time
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from ledger.errors import LedgerError, StoreError
from ledger.progress import Breather
from ledger.proofs import ProofError
from ledger.proofs.log import Log
from ledger.proofs.survey import survey

if TYPE_CHECKING:
    from ledger.ledger import Ledger


@dataclass(frozen=True, slots=True)
class Check:
    """A check under way or done: `done` of `matches` were recomputed, with `events` in them, and all fit `sealed` checkpoints.

    `wrong` is the match (or summary) that does not fit and what is wrong with it, None as long as all fits. `ended` is
    None while the check is under way.
    """

    by: str
    started: str
    matches: int
    done: int = 0
    events: int = 0
    sealed: int = 0
    wrong: tuple[str, LedgerError] | None = None
    ended: str | None = None
    seconds: float = 0.0


class Checks:
    """The checks of a ledger."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._lock = threading.Lock()
        self.running: Check | None = None
        self.last: Check | None = None

    def start(self, by: str) -> bool:
        """Begin a check unless one is under way; tell whether it was begun."""
        with self._lock:
            if self.running is not None:
                return False
            self.running = Check(by, _now(), len(self._ledger.matches()))
        self._ledger.views.in_background(self._run)
        return True

    def _run(self) -> None:
        check = self.running
        assert check is not None
        begun, rest = time.monotonic(), Breather()
        try:
            events = self._ledger.count()
            check = replace(check, sealed=self._survey(rest))
            for match, error in self._ledger.verify():
                check = replace(check, done=check.done + 1, wrong=(match, error) if error else None)
                self.running = check
                if error is not None:
                    break
                if self._ledger.views.closing.is_set():
                    return
                rest()
            check = replace(check, events=events)
        except ProofError as error:
            check = replace(check, wrong=(error.place.match if error.place else "ledger", error))
        except (LedgerError, sqlite3.Error) as error:
            check = replace(check, wrong=("ledger", StoreError("store.open", f"the check was cut short: {error}")))
        finally:
            with self._lock:
                self.last = replace(check, ended=_now(), seconds=time.monotonic() - begun)
                self.running = None

    def _survey(self, rest: Breather) -> int:
        """Return how many checkpoints the ledger fits, 0 where none was ever made; raises ProofError."""
        if not Log.begun(self._ledger):
            return 0
        with Log(self._ledger, create=False) as log:
            return survey(log, progress=lambda _: rest()).checkpoints


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")

"""Checks of the whole ledger: one at a time, in the background, with its progress; the last result is kept in memory."""

from __future__ import annotations

import sqlite3
import threading
import time
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from ledger.errors import LedgerError, StoreError

if TYPE_CHECKING:
    from ledger.ledger import Ledger

_WORK_SECONDS = 0.02
"""After so much work a check rests as long, so that those who ask for pages get their turn."""


@dataclass(frozen=True, slots=True)
class Check:
    """A check under way or done: `done` of `matches` were recomputed, with `events` in them.

    `wrong` is the match (or summary) that does not fit and what is wrong with it, None as long as all fits. `ended` is
    None while the check is under way.
    """

    by: str
    started: str
    matches: int
    done: int = 0
    events: int = 0
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
        begun = rested = time.monotonic()
        try:
            positions = self._ledger.store.last_position()
            for match, error in self._ledger.verify():
                check = replace(check, done=check.done + 1, wrong=(match, error) if error else None)
                self.running = check
                if error is not None:
                    break
                if self._ledger.views.closing.is_set():
                    return
                if time.monotonic() - rested > _WORK_SECONDS:
                    time.sleep(_WORK_SECONDS)
                    rested = time.monotonic()
            check = replace(check, events=positions)
        except (LedgerError, sqlite3.Error) as error:
            check = replace(check, wrong=("ledger", StoreError("store.open", f"the check was cut short: {error}")))
        finally:
            with self._lock:
                self.last = replace(check, ended=_now(), seconds=time.monotonic() - begun)
                self.running = None


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")

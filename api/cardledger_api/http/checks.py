"""Checks of the whole ledger: one at a time, in the background, with its progress.

The last result is kept in memory.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from cardledger.companion import Companion
from cardledger.errors import LedgerError, StoreError, UnknownGameError
from cardledger.progress import Breather
from cardledger.record.proofs import DAMAGE, ProofError
from cardledger.record.proofs.log import Log
from cardledger.record.proofs.survey import survey
from cardledger.record.store.streams import is_match
from cardledger_api.http.findings import CHECK, Findings

if TYPE_CHECKING:
    from cardledger.record.recording.ledger import Ledger


@dataclass(frozen=True, slots=True)
class Check:
    """A check under way or done.

    `done` of `matches` were recomputed, with `events` in them, and all fit `sealed` checkpoints.

    `wrong` is the match (or summary) that does not fit and the error, None as long as all fits. `ended` is
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
    """The checks of a ledger; `checks_of` gives those that pages and API share."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._lock = threading.Lock()
        self.running: Check | None = None
        self.last: Check | None = None

    def start(self, by: str, findings: Findings | None = None) -> bool:
        """Start a check unless one is under way; tell whether it started. An error becomes a finding."""
        with self._lock:
            if self.running is not None:
                return False
            self.running = Check(by, _now(), len(self._ledger.matches()))
        self._ledger.views.background.lasting(lambda: self._run(findings or Findings()))
        return True

    def _run(self, findings: Findings) -> None:
        check = self.running
        assert check is not None
        begun, breather = time.monotonic(), Breather()
        try:
            events = self._ledger.count()
            check = replace(check, sealed=self._survey(breather))
            for match, error in self._ledger.verify():
                wrong = error is not None and not isinstance(error, UnknownGameError)
                check = replace(
                    check, done=check.done + is_match(match), wrong=(match, error) if wrong and error else None
                )
                self.running = check
                if wrong:
                    break
                if self._ledger.views.background.closing.is_set():
                    return
                breather()
            check = replace(check, events=events)
            if check.wrong is None:
                findings.checked()
        except ProofError as error:
            check = replace(check, wrong=(error.place.match if error.place else "ledger", error))
        except (LedgerError, sqlite3.Error) as error:
            cut_short = StoreError("store.open", f"the check was cut short: {error}")
            damaged = isinstance(error, LedgerError) and error.code in DAMAGE
            check = replace(check, wrong=("ledger", error if damaged else cut_short))  # type: ignore[arg-type]
        finally:
            if check.wrong is not None:
                findings.tell(CHECK, check.wrong[1], check.wrong[0])
            with self._lock:
                self.last = replace(check, ended=_now(), seconds=time.monotonic() - begun)
                self.running = None

    def _survey(self, breather: Breather) -> int:
        """Return the number of checkpoints that the ledger fits, 0 if there are none; raises ProofError."""
        if not Log.begun(self._ledger):
            return 0
        with Log(self._ledger, create=False) as log:
            return survey(log, progress=lambda _: breather()).checkpoints


_CHECKS: Companion[Checks] = Companion("checks")


def checks_of(ledger: Ledger) -> Checks:
    """Return the checks of a ledger, the same each time."""
    return _CHECKS.of(ledger, lambda: Checks(ledger))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")

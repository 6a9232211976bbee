"""The sealer: makes checkpoints while a server runs, a minute after recording or when a match is over."""

from __future__ import annotations

import json
import logging
import sqlite3
import time
from typing import TYPE_CHECKING, Protocol

from cardledger.errors import LedgerError, StoreError
from cardledger.progress import Breather
from cardledger.record.people.people import STREAM
from cardledger.record.proofs import DAMAGE
from cardledger.record.proofs.log import Log
from cardledger.record.proofs.survey import seal, survey
from cardledger.record.store.missing_names import MissingNames

if TYPE_CHECKING:
    from cardledger.record.recording.ledger import Ledger

LOOK_SECONDS = 1.0
"""Seconds between checks for new events."""
AT_MOST_SECONDS = 60.0
"""How long an event waits for its checkpoint, at most."""
AT_LEAST_SECONDS = 5.0
"""The least time between two checkpoints, however many matches end."""
SHARE = 100
"""Surveys of the whole ledger take at most one part in this many of the time."""
_NEWS = 5_000
_OVER = "SELECT 1 FROM matches WHERE status <> 'open' AND match IN (SELECT value FROM json_each(?)) LIMIT 1"


class _ClosingError(Exception):
    """The ledger is being closed, so the survey stops."""


class OnFinding(Protocol):
    """Called with what is wrong with a ledger, None for nothing.

    `whole` after a survey of all of it without findings.
    """

    def __call__(self, wrong: LedgerError | None, *, whole: bool) -> object:
        """Take it in."""
        ...


class Sealer:
    """Surveys a ledger and seals it until it is closed; `wrong` is the finding or obstacle, None if there is none."""

    def __init__(self, ledger: Ledger, on_finding: OnFinding = lambda wrong, *, whole: None) -> None:
        self._ledger = ledger
        self._on_finding = on_finding
        self._closing = ledger.views.background.closing
        self._sealed = 0
        self._when = float("-inf")
        self._next_survey = float("-inf")
        self._unsound = False
        self.wrong: LedgerError | None = None

    def start(self) -> None:
        """Start in a thread that ends with the ledger."""
        self._ledger.views.background.lasting(self._run)

    def _run(self) -> None:
        while not self._closing.wait(LOOK_SECONDS):
            self.look(time.monotonic())
        self._when = float("-inf")
        self.look(time.monotonic())

    def look(self, now: float) -> None:
        """Make a checkpoint if it is time for one; `now` is in seconds of a monotonic clock."""
        try:
            last = self._ledger.store.last_position()
            waited = now - self._when
            if not (last or self._sealed) or waited < AT_LEAST_SECONDS:
                return
            if waited < AT_MOST_SECONDS and not (last != self._sealed and self._match_over()):
                return
            self._when = now
            self._survey_and_seal(now)
            self._sealed = last
        except LedgerError as error:
            self._tell(error)
        except (OSError, sqlite3.Error) as error:
            self._tell(LedgerError("proofs.write", f"no checkpoint can be stored: {error}"))
        except _ClosingError:
            pass

    def _survey_and_seal(self, now: float) -> None:
        """Survey everything if the last survey was long enough ago, and seal; raises the error if either fails."""
        surveys = now >= self._next_survey and not self._closing.is_set()
        if self._unsound and not surveys:
            return
        with Log(self._ledger) as log:
            if surveys:
                begun = time.monotonic()
                try:
                    missing = self._survey(log)
                finally:
                    self._next_survey = now + SHARE * (time.monotonic() - begun)
            seal(log)
        if surveys:
            self._conclude(missing)
        elif self.wrong is not None and self.wrong.code not in DAMAGE:
            self.wrong = None

    def _conclude(self, missing: StoreError | None) -> None:
        """Report that the whole ledger is as sealed, and any missing names; those do not prevent checkpoints."""
        if missing is not None:
            self._note(missing, "names are missing")
        self._unsound, self.wrong = False, missing
        self._on_finding(missing, whole=True)

    def _survey(self, log: Log) -> StoreError | None:
        """Survey everything; return names that are missing. Raises ProofError."""
        breathe, store = Breather(), self._ledger.store

        def pause(_events: int) -> None:
            if self._closing.is_set():
                raise _ClosingError
            breathe()

        names = MissingNames(store.names)
        survey(log, progress=pause, look=lambda row: names.take([row]))
        if names.error() is not None:
            names.take(store.read(STREAM))  # somebody may just have been erased
        return names.error()

    def _match_over(self) -> bool:
        """Tell whether a match that is now over has new events."""
        matches = {match for _, match in self._ledger.store.news(self._sealed, _NEWS)}
        row = self._ledger.views.reader.execute(_OVER, (json.dumps(sorted(matches)),)).fetchone()
        return row is not None

    def _tell(self, error: LedgerError) -> None:
        """Report an obstacle. After a finding nothing is sealed until a survey finds everything in order."""
        self._note(error, "no checkpoint was made")
        if error.code in DAMAGE or not self._unsound:
            self.wrong = error
        self._unsound = self._unsound or error.code in DAMAGE
        self._on_finding(error, whole=False)

    def _note(self, error: LedgerError, what: str) -> None:
        """Write to the log of the server, once."""
        if self.wrong is None or str(self.wrong) != str(error):
            logging.getLogger("cardledger.proofs").error("%s: %s", what, error)

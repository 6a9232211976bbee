"""The sealer: makes checkpoints while a ledger is served, a minute after something was recorded or when a match is over."""

from __future__ import annotations

import json
import logging
import sqlite3
import time
from typing import TYPE_CHECKING

from ledger.errors import LedgerError
from ledger.progress import Breather
from ledger.proofs.log import Log
from ledger.proofs.survey import seal, survey

if TYPE_CHECKING:
    from ledger.ledger import Ledger

LOOK_SECONDS = 1.0
"""How often it looks for what is new."""
AT_MOST_SECONDS = 60.0
"""How long something recorded waits for its checkpoint."""
AT_LEAST_SECONDS = 5.0
"""How far checkpoints are apart, however many matches end."""
SHARE = 100
"""Surveys of the whole ledger take no more than one part in so many of the time."""
_NEWS = 5_000
_OVER = "SELECT 1 FROM matches WHERE status <> 'open' AND match IN (SELECT value FROM json_each(?)) LIMIT 1"


class _ClosingError(Exception):
    """The ledger is to be closed, and nobody is to wait for a survey."""


class Sealer:
    """Seals a ledger until it is closed; `wrong` is what hinders it, None as long as all fits."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._closing = ledger.views.closing
        self._sealed = 0
        self._when = float("-inf")
        self._next_survey = float("-inf")
        self.wrong: LedgerError | None = None

    def start(self) -> None:
        """Begin, in a thread that ends with the ledger."""
        self._ledger.views.in_background(self._run)

    def _run(self) -> None:
        while not self._closing.wait(LOOK_SECONDS):
            self.look(time.monotonic())
        self._when = float("-inf")
        self.look(time.monotonic())

    def look(self, now: float) -> None:
        """Make a checkpoint if it is time for one; `now` is in seconds of a clock that only goes forward."""
        try:
            last = self._ledger.store.last_position()
            waited = now - self._when
            if last == self._sealed or waited < AT_LEAST_SECONDS:
                return
            if waited < AT_MOST_SECONDS and not self._match_over():
                return
            self._when = now
            self._seal(now)
            self._sealed, self.wrong = last, None
        except LedgerError as error:
            self._tell(error)
        except (OSError, sqlite3.Error) as error:
            self._tell(LedgerError("proofs.write", f"no checkpoint can be kept: {error}"))
        except _ClosingError:
            pass

    def _seal(self, now: float) -> None:
        """Seal, after a survey of all if the last one was long enough ago."""
        breathe = Breather()

        def rest(_events: int) -> None:
            if self._closing.is_set():
                raise _ClosingError
            breathe()

        with Log(self._ledger) as log:
            if now >= self._next_survey and not self._closing.is_set():
                begun = time.monotonic()
                try:
                    survey(log, progress=rest)
                finally:
                    self._next_survey = now + SHARE * (time.monotonic() - begun)
            seal(log)

    def _match_over(self) -> bool:
        """Tell whether something was recorded of a match that is over by now."""
        matches = {match for _, match in self._ledger.store.news(self._sealed, _NEWS)}
        found = self._ledger.views.reader.execute(_OVER, (json.dumps(sorted(matches)),)).fetchone()
        return found is not None

    def _tell(self, error: LedgerError) -> None:
        """Write to the log of the server what hinders, once."""
        if self.wrong is None or str(self.wrong) != str(error):
            logging.getLogger("cardledger.proofs").error("no checkpoint was made: %s", error)
        self.wrong = error

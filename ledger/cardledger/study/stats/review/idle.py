"""Luck and reviews computed while nobody records: a process of the lowest priority beside a server."""

from __future__ import annotations

import logging
import os
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

from cardledger.errors import LedgerError
from cardledger.record.recording.ledger import Ledger
from cardledger.record.store.address import Address, where
from cardledger.study.stats.double_dummy import solver
from cardledger.study.stats.double_dummy.analysis import solve_news
from cardledger.study.stats.luck.luck_store import LuckStore
from cardledger.study.stats.review.answers import weigh
from cardledger.study.stats.review.puzzles import find_puzzles
from cardledger.study.stats.review.reviews import compile_kernels, compute, stored_review

QUIET_SECONDS = 60.0
"""How long nothing must have been recorded before the work begins."""
LOOK_SECONDS = 1.0
"""Seconds between checks for new events."""
_LOWEST = 19
_log = logging.getLogger(__name__)


class IdleReviews:
    """Starts the process when the ledger has been quiet, and stops it when somebody records or the ledger is closed."""

    def __init__(self, ledger: Ledger, quiet: float = QUIET_SECONDS) -> None:
        self._ledger = ledger
        self.quiet = quiet
        self._closing = ledger.views.background.closing
        self._position = -1
        self._since = time.monotonic()
        self._done = -1
        """The position up to which everything is computed, or could not be."""
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start in a thread that ends with the ledger."""
        self._ledger.views.background.lasting(self._run)

    def _run(self) -> None:
        try:
            while not self._closing.wait(LOOK_SECONDS):
                try:
                    self._look(time.monotonic())
                except (LedgerError, OSError, sqlite3.Error) as error:
                    _log.warning("luck and reviews wait: %s", error)  # a database may be back at the next look
        finally:
            self._stop()

    def _look(self, now: float) -> None:
        last = self._ledger.store.last_position()
        if last != self._position:
            self._position, self._since = last, now
            self._stop()
        elif self.process is not None:
            if self.process.poll() is not None:
                if self.process.returncode:
                    _log.warning("reviews were not computed: the process ended with %s", self.process.returncode)
                self._done = last
                self._stop()  # its input is open still
        elif last not in (0, self._done) and now - self._since >= self.quiet:
            self.process = self._started()

    def _started(self) -> subprocess.Popen[bytes]:
        """Start the process; it ends when its standard input does, so it never outlives the server."""
        priority = getattr(subprocess, "IDLE_PRIORITY_CLASS", 0)  # on Windows; elsewhere the process lowers its own
        process = subprocess.Popen(  # noqa: S603 - our own module
            [sys.executable, "-m", __name__],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, creationflags=priority,
        )  # fmt: skip
        # Not as arguments: everybody on the computer can read those, and the address may hold a password.
        assert process.stdin is not None
        at = self._ledger.at
        process.stdin.write(f"{at.url if isinstance(at, Address) else at}\n{self._ledger.views.file.path}\n".encode())
        process.stdin.flush()
        return process

    def _stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            if self.process.stdin is not None:
                self.process.stdin.close()
            self.process = None


def compute_all(ledger: Ledger) -> int:
    """Compute double-dummy tables (with the extra), luck, reviews, puzzles and the costs of answers where they are missing.

    The latest match comes first. Return how many pieces of this were missing.
    """
    number = 0
    with LuckStore(ledger) as store:
        if solver.installed():
            number += solve_news(ledger, store)
        store.catch_up()
        compile_kernels(store.hands("key IS NOT NULL"), store)
        order = {match: place for place, match in enumerate(ledger.matches())}
        for hand in sorted(store.hands("key IS NOT NULL"), key=lambda hand: (-order.get(hand.match, 0), hand.hand)):
            if stored_review(hand, store).pending:
                number += sum(1 for _ in compute([hand], store))
            number += sum(1 for _ in find_puzzles([hand], store))
        number += sum(1 for _ in weigh(store))
    return number


def _end_with_input() -> None:
    """End the process when the server that started it is gone."""
    # Not through sys.stdin: Python aborts at its end while a thread holds the lock of that.
    while os.read(0, 1024):
        pass
    os._exit(0)


def main() -> None:
    """Compute everything once for a server, which writes the address of the ledger and the file of the read models."""
    at, views = (sys.stdin.buffer.readline().decode().rstrip("\n") for _ in range(2))
    if hasattr(os, "nice"):
        os.nice(_LOWEST)
    threading.Thread(target=_end_with_input, daemon=True).start()
    with Ledger(where(at), create=False, views=Path(views)) as ledger:
        compute_all(ledger)


if __name__ == "__main__":
    main()

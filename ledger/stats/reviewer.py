"""Reviews computed in the background for those who ask over and over: whoever asked last is served first."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ledger.stats.kept import Kept
from ledger.stats.reviews import compute, kept_review

if TYPE_CHECKING:
    from ledger.ledger import Ledger
    from ledger.stats.kept import KeptHand


class Reviewer:
    """One thread that computes luck and reviews of hands, while there are any to compute; safe to share."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._lock = threading.Lock()
        self._wanted: list[KeptHand] = []
        self._busy = False
        self._done = threading.Event()

    def ask(self, hands: Sequence[KeptHand], seconds: float) -> None:
        """Have what is lacking of hands computed, the first hand first, and wait for all of it, but no longer than `seconds`.

        Hands asked for earlier and not begun are forgotten: who still wants them asks again.
        """
        done = threading.Event()
        with self._lock:
            self._wanted = [*hands]
            self._done = done
            if not self._busy:
                self._busy = True
                self._ledger.views.in_background(self._run)
        done.wait(seconds)

    def _run(self) -> None:
        try:
            with Kept(self._ledger) as kept:
                while (hand := self._next()) is not None:
                    for _ in compute([hand] if kept_review(hand, kept).pending else [], kept):
                        pass
        except BaseException:
            with self._lock:
                self._end()
            raise

    def _next(self) -> KeptHand | None:
        with self._lock:
            if self._wanted and not self._ledger.views.closing.is_set():
                return self._wanted.pop(0)
            self._end()  # whoever asks from here on starts another thread
            return None

    def _end(self) -> None:
        self._busy = False
        self._done.set()

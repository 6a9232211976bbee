"""Reviews computed in the background for readers who poll: the latest request goes first."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from cardledger.companion import Companion
from cardledger.study.stats.luck.luck_store import LuckStore
from cardledger.study.stats.review.reviews import compute, stored_review

if TYPE_CHECKING:
    from cardledger.record.recording.ledger import Ledger
    from cardledger.study.stats.luck.luck_store import StoredHand


class Reviewer:
    """A thread that computes luck and reviews of hands as long as any are wanted; safe to share between threads."""

    _shared: ClassVar[Companion[Reviewer]] = Companion("reviewer")

    @classmethod
    def of(cls, ledger: Ledger) -> Reviewer:
        """Return the reviewer of a ledger, the same each time."""
        return cls._shared.of(ledger, lambda: cls(ledger))

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._lock = threading.Lock()
        self._wanted: list[StoredHand] = []
        self._busy = False
        self._done = threading.Event()

    def ask(self, hands: Sequence[StoredHand], seconds: float) -> None:
        """Compute what is missing for some hands, in order, and wait until all is done, at most `seconds`.

        Hands from earlier requests that are not begun are dropped: a reader who still wants them asks again.
        """
        done = threading.Event()
        with self._lock:
            self._wanted = [*hands]
            self._done = done
            if not self._busy:
                self._busy = True
                self._ledger.views.background.lasting(self._run)
        done.wait(seconds)

    def _run(self) -> None:
        try:
            with LuckStore(self._ledger) as store:
                while (hand := self._next()) is not None:
                    for _ in compute([hand] if stored_review(hand, store).pending else [], store):
                        pass
        except BaseException:
            with self._lock:
                self._end()
            raise

    def _next(self) -> StoredHand | None:
        with self._lock:
            if self._wanted and not self._ledger.views.background.closing.is_set():
                return self._wanted.pop(0)
            self._end()  # the next request starts another thread
            return None

    def _end(self) -> None:
        self._busy = False
        self._done.set()

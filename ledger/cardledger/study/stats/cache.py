"""A shelf: slow answers, kept until the data behind them changes."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from cardledger.companion import Companion

if TYPE_CHECKING:
    from cardledger.record.readmodels import ReadModels
    from cardledger.record.readmodels.background import Background

MOST = 256
"""How many answers a shelf holds, at most."""
MOMENT = 0.5
"""How many seconds a reader waits for a first answer."""


class Shelf:
    """Answers by question, each with a stamp of the data it was made from; safe to share between threads.

    `Shelf.of` returns the shelf that all users of the same read models share. An erasure empties it, because older
    answers may name the person.
    """

    _shared: ClassVar[Companion[tuple[int, Shelf]]] = Companion("shelf")

    @classmethod
    def of(cls, views: ReadModels) -> Shelf:
        """Return the shelf of some read models."""
        erasures = views.source.register.people().erasures
        entry = cls._shared.get(views)
        if entry is None or entry[0] != erasures:
            entry = cls._shared.put(views, (erasures, cls(views.background)))
        return entry[1]

    def __init__(self, background: Background) -> None:
        """Make answers in the background."""
        self._background = background
        self._kept: dict[Hashable, tuple[Hashable, Any]] = {}
        self._rest: dict[Hashable, float] = {}
        self._lock = threading.Lock()

    def get(self, question: Hashable, stamp: Hashable, make: Callable[[], Any]) -> Any:
        """Return the current answer: the one on the shelf if its stamp is still the same, else a new one."""
        entry = self._kept.get(question)
        if entry is None or entry[0] != stamp:
            entry = (stamp, make())
            self._keep(question, entry)
        return entry[1]

    def peek(self, question: Hashable) -> Any:
        """Return the answer on the shelf, however old; None if there is none."""
        entry = self._kept.get(question)
        return entry and entry[1]

    def get_stale(
        self, question: Hashable, stamp: Hashable, make: Callable[[], Any], patience: float | None = MOMENT
    ) -> Any:
        """Return the answer on the shelf, however old, and start making a newer one if it is out of date.

        A slow answer rests for as long as its making took before it is made again. With nothing on the shelf, wait up
        to `patience` seconds for a first answer (None: as long as it takes); return None if it is not ready by then.
        """
        entry = self._kept.get(question)
        rests = entry is not None and time.monotonic() < self._rest.get(question, 0.0)
        if (entry is None or entry[0] != stamp) and not rests:
            job = self._background.soon((self, question), partial(self._make, question, stamp, make))
            if entry is None:
                self._background.wait(job, patience)
                entry = self._kept.get(question)
        if entry is None and patience is None:
            return self.get(question, stamp, make)  # it failed: say why
        return entry and entry[1]

    def _make(self, question: Hashable, stamp: Hashable, make: Callable[[], Any]) -> None:
        begun = time.monotonic()
        try:
            with suppress(Exception):  # the ledger may have been closed in the meantime: the next reader asks again
                self._keep(question, (stamp, make()))
        finally:
            with self._lock:
                if question in self._kept:
                    self._rest[question] = 2 * time.monotonic() - begun

    def is_making(self, question: Hashable) -> bool:
        """Tell whether an answer to a question is being made."""
        return self._background.knows((self, question))

    def clear(self) -> None:
        """Forget every answer."""
        with self._lock:
            self._kept.clear()

    def _keep(self, question: Hashable, entry: tuple[Hashable, Any]) -> None:
        with self._lock:
            if len(self._kept) >= MOST:
                self._kept.clear()
                self._rest.clear()
            self._kept[question] = entry

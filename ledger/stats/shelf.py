"""A shelf: answers that take a while, kept until what they rest on has changed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, ClassVar
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from ledger.readmodels import ReadModels

_MOST = 256


class Shelf:
    """Answers by question, each with a stamp of what it rests on; safe to share between threads.

    `Shelf.of` is the one of some read models that all share.
    """

    _shared: ClassVar[WeakKeyDictionary[ReadModels, Shelf]] = WeakKeyDictionary()

    @classmethod
    def of(cls, views: ReadModels) -> Shelf:
        """Return the shelf of some read models."""
        return cls._shared.setdefault(views, cls())

    def __init__(self) -> None:
        self._kept: dict[Hashable, tuple[Hashable, Any]] = {}
        self._making: set[Hashable] = set()
        self._lock = threading.Lock()

    def get(self, question: Hashable, stamp: Hashable, make: Callable[[], Any]) -> Any:
        """Return the answer as of now, the one on the shelf if its stamp is still the same."""
        kept = self._kept.get(question)
        if kept is None or kept[0] != stamp:
            kept = (stamp, make())
            self._keep(question, kept)
        return kept[1]

    def soon(self, question: Hashable, stamp: Hashable, make: Callable[[], Any]) -> Any:
        """Return the answer that is on the shelf, however old, None if there is none; a newer one is made meanwhile."""
        kept = self._kept.get(question)
        if kept is None or kept[0] != stamp:
            with self._lock:
                if question not in self._making:
                    self._making.add(question)
                    threading.Thread(target=self._make, args=(question, stamp, make), daemon=True).start()
        return kept and kept[1]

    def _make(self, question: Hashable, stamp: Hashable, make: Callable[[], Any]) -> None:
        try:
            with suppress(Exception):  # a ledger that is closed meanwhile, say: whoever asks next asks anew
                self._keep(question, (stamp, make()))
        finally:
            with self._lock:
                self._making.discard(question)

    def _keep(self, question: Hashable, kept: tuple[Hashable, Any]) -> None:
        with self._lock:
            if len(self._kept) >= _MOST:
                self._kept.clear()
            self._kept[question] = kept

"""A shelf: answers that take a while, kept until what they rest on has changed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, cast
from weakref import WeakKeyDictionary, WeakMethod

if TYPE_CHECKING:
    from ledger.readmodels import ReadModels

_MOST = 256
MOMENT = 0.5
"""Seconds for which somebody waits for a first answer."""


Start = Callable[[Callable[[], object]], threading.Thread]
"""What begins work in a thread of its own."""


def _in_thread(work: Callable[[], object]) -> threading.Thread:
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


class Shelf:
    """Answers by question, each with a stamp of what it rests on; safe to share between threads.

    `Shelf.of` is the one of some read models that all share.
    """

    _shared: ClassVar[WeakKeyDictionary[ReadModels, Shelf]] = WeakKeyDictionary()

    @classmethod
    def of(cls, views: ReadModels) -> Shelf:
        """Return the shelf of some read models."""
        begin = WeakMethod(views.in_background)  # what is shared must not keep alive whom it is shared by
        return cls._shared.setdefault(views, cls(lambda work: cast("Start", begin())(work)))

    def __init__(self, start: Start = _in_thread) -> None:
        """Make answers in threads that `start` begins."""
        self._start = start
        self._kept: dict[Hashable, tuple[Hashable, Any]] = {}
        self._making: dict[Hashable, threading.Thread] = {}
        self._lock = threading.Lock()

    def get(self, question: Hashable, stamp: Hashable, make: Callable[[], Any]) -> Any:
        """Return the answer as of now, the one on the shelf if its stamp is still the same."""
        kept = self._kept.get(question)
        if kept is None or kept[0] != stamp:
            kept = (stamp, make())
            self._keep(question, kept)
        return kept[1]

    def found(self, question: Hashable) -> Any:
        """Return the answer that is on the shelf, however old; None if there is none."""
        kept = self._kept.get(question)
        return kept and kept[1]

    def soon(
        self, question: Hashable, stamp: Hashable, make: Callable[[], Any], patience: float | None = MOMENT
    ) -> Any:
        """Return the answer that is on the shelf, however old; a newer one is made meanwhile.

        Without any it waits up to `patience` seconds for the first, or as long as it takes, and returns None if that
        is not enough.
        """
        kept = self._kept.get(question)
        if kept is None or kept[0] != stamp:
            with self._lock:
                maker = self._making.get(question)
                if maker is None:
                    maker = self._making[question] = self._start(partial(self._make, question, stamp, make))
            if kept is None:
                maker.join(patience)
                kept = self._kept.get(question)
        if kept is None and patience is None:
            return self.get(question, stamp, make)  # it failed: here is to be told why
        return kept and kept[1]

    def _make(self, question: Hashable, stamp: Hashable, make: Callable[[], Any]) -> None:
        try:
            with suppress(Exception):  # a ledger that is closed meanwhile, say: whoever asks next asks anew
                self._keep(question, (stamp, make()))
        finally:
            with self._lock:
                self._making.pop(question, None)

    def _keep(self, question: Hashable, kept: tuple[Hashable, Any]) -> None:
        with self._lock:
            if len(self._kept) >= _MOST:
                self._kept.clear()
            self._kept[question] = kept

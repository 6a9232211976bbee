"""Kept answers: what everybody may see is made once, and not again until something is recorded."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from typing import TYPE_CHECKING, NamedTuple, TypeVar, cast

from flask import current_app, request

from cardledger_api.current import current_access, current_ledger
from cardledger_web.languages import language

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

MOST = 128
"""Answers that are kept: those asked for last."""
LARGEST = 128 * 1024
"""Characters of an answer that is kept."""
FRESH = 2.0
"""Seconds after which an answer is made again all the same: for the day, and for figures that the background made."""
LASTING = 300.0
"""The same for answers that follow from the events alone."""
_KEY = "cardledger.kept"

Made = TypeVar("Made")


class KeptAnswer(NamedTuple):
    """An answer, the moment of the ledger that it was made from, and when that was."""

    made: object
    stamp: Hashable
    since: float


class KeptAnswers:
    """Answers by question, each with the moment of the ledger that it shows; safe to share between threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._kept: OrderedDict[Hashable, KeptAnswer] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, question: Hashable, stamp: Hashable, make: Callable[[], Made], fresh: float = FRESH) -> Made:
        """Return the answer that shows this moment of the ledger, a new one if none is kept.

        `fresh` are the seconds after which it is made again all the same.
        """
        now = self._clock()
        with self._lock:
            kept = self._kept.get(question)
            if kept is not None and kept.stamp == stamp and now - kept.since < fresh:
                self._kept.move_to_end(question)
                return cast("Made", kept.made)
        made = make()
        if len(made if isinstance(made, str) else repr(made)) <= LARGEST:
            with self._lock:
                self._kept[question] = KeptAnswer(made, stamp, now)
                self._kept.move_to_end(question)
                while len(self._kept) > MOST:
                    self._kept.popitem(last=False)
        return made


def kept_for_readers(make: Callable[[], Made], fresh: float = FRESH) -> Made:
    """Return what a page shows, kept for all who ask for the same address without a token.

    Whatever was recorded before this request began is in it, as in an answer made for it. `fresh` are the seconds after
    which it is made again all the same: `LASTING` for what follows from the events alone.
    """
    if current_access().asking().token is not None:
        return make()
    ledger = current_ledger()
    stamp = ledger.store.last_given(), ledger.views.position, ledger.people().erasures
    kept: KeptAnswers = current_app.extensions.setdefault(_KEY, KeptAnswers())
    return kept.get((language(), request.root_url, request.full_path), stamp, make, fresh)

"""Recorders: time and author of an event, and who may state them."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import lru_cache
from typing import Literal, NamedTuple

from cardledger.errors import StoreError
from cardledger.rules.engine import events as ev
from cardledger.sentence import Sentence, advising

AHEAD = timedelta(minutes=1)
"""The allowed difference between clocks: no event may be later than that."""
Word = Literal["taken", "noted", "refused"]
"""The treatment of an event's own time and recorder: accepted, accepted with a note of the importer, or refused."""


class Recorder(NamedTuple):
    """The recorder of events, and the treatment of events with their own time or recorder."""

    name: str
    word: Word = "taken"

    def signature(self, event: ev.Event, now: datetime) -> dict[str, str]:
        """Return the keys for time and recorder of an event; raises StoreError `store.recorder`, `store.time`."""
        at = written(now)
        if not _speaks(event) and event.by in (None, self.name):
            return {"at": at, "by": self.name}
        if self.word == "refused":
            raise StoreError(
                "store.recorder",
                advising(
                    Sentence(
                        "it carries its own time or recorder, but {name} records it now: leave out at and by, "
                        "or let an admin import it",
                        name=self.name,
                    )
                ),
            )
        _expect_past(event, written(now + AHEAD))
        signed = {"at": event.at or at, "by": event.by or self.name}
        return signed | {"imported_at": at, "imported_by": self.name} if self.word == "noted" else signed


def by(recorder: Recorder | str) -> Recorder:
    """Return a recorder; one given by name alone owns the ledger, and may state time and recorder."""
    return Recorder(recorder) if isinstance(recorder, str) else recorder


@lru_cache(maxsize=16)  # all events of an import have the same
def written(moment: datetime) -> str:
    """Return a time in UTC as events carry it."""
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _speaks(event: ev.Event) -> bool:
    """Tell whether an event carries its own time or importer; for an amend, also the event within it."""
    if event.at is not None or event.imported_at is not None or event.imported_by is not None:
        return True
    return isinstance(event, ev.Amend) and (event.event.by is not None or _speaks(event.event))


def _expect_past(event: ev.Event, latest: str) -> None:
    for at in (event.at, event.imported_at):
        # To the second, times compare as texts.
        if at is not None and at[:19] > latest[:19]:
            raise StoreError(
                "store.time",
                advising(Sentence("its time {at} is in the future: correct it, or check the clock", at=at)),
            )
    if isinstance(event, ev.Amend):
        _expect_past(event.event, latest)

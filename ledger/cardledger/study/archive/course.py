"""A match from an archive: its events made from columns, ready to fold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import numpy as np

from cardledger.record.people.people import STREAM
from cardledger.rules.engine import events as ev
from cardledger.rules.stream import Stream

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence

    from cardledger.study.archive.page import Page


def courses(page: Page, but: Container[str] = ()) -> Iterator[ArchivedMatch]:
    """Yield the matches of a page, without the people and some others, ready to fold."""
    chosen = [index for index, match in enumerate(page.matches) if match != STREAM and match not in but]
    bounds = [(page.bounds[index], page.bounds[index + 1]) for index in chosen]
    events = page.made(np.concatenate([np.arange(*some) for some in bounds])) if chosen else []
    begun = 0
    for index, (first, stop) in zip(chosen, bounds, strict=True):
        yield ArchivedMatch(page, index, events[begun : begun + stop - first])
        begun += stop - first


class ArchivedMatch:
    """A match of an archive; `match`, `position` of its opening and `hash` of its latest event as stored.

    `events` are all of them; only events that columns cannot restore byte for byte have their time and recorder.
    """

    def __init__(self, page: Page, index: int, events: Sequence[ev.Event]) -> None:
        self.match = page.matches[index]
        self.position, self.hash = page.about(index)
        self._page = page
        self._first = page.bounds[index]
        self.events = events

    def __len__(self) -> int:
        """The number of events."""
        return len(self.events)

    @property
    def opening(self) -> ev.Event:
        """The first event, with the time of its recording."""
        return self._timed(0)

    @property
    def latest(self) -> ev.Event:
        """The last event, with the time of its recording."""
        return self._timed(len(self.events) - 1)

    def _timed(self, place: int) -> ev.Event:
        event = self.events[place]
        return event if event.at is not None else msgspec.structs.replace(event, at=self._page.at(self._first + place))

    def stream(self) -> Stream:
        """Fold the match; raises as `Stream.of` does."""
        return Stream.of(self.events)

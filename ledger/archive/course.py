"""The course of a match out of an archive: folded from columns, mostly without an event for each play."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, cast

import msgspec

from ledger import events as ev
from ledger.archive.numbers import DRAW, PLAY, Numbers
from ledger.corrections import CORRECTIONS, Stream
from ledger.games import start
from ledger.people import STREAM
from ledger.plays import play_on
from ledger.tricks import TrickTable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.archive.page import Page
    from ledger.corrections import Chain
    from ledger.table import Table


def courses(page: Page) -> Iterator[Course]:
    """Yield the matches of a page, people apart, to be folded."""
    numbers = Numbers(page)
    for index, match in enumerate(page.matches):
        if match != STREAM:
            yield Course(page, numbers, index)


class Course:
    """A match as its table takes it; `match`, `position` of its opening and `hash` of its latest event as stored."""

    def __init__(self, page: Page, numbers: Numbers, index: int) -> None:
        self.match = page.matches[index]
        self.position, self.hash = page.about(index)
        self._page = page
        self._numbers = numbers
        self._index = index
        self._first, self._stop = page.bounds[index : index + 2]
        self._others = slice(*numbers.bounds[index : index + 2])

    def __len__(self) -> int:
        """The number of events."""
        return self._stop - self._first

    @cached_property
    def opening(self) -> ev.Event:
        """The first event, with the time of its recording."""
        return self._timed(self._numbers.event(self._first), self._first)

    @property
    def latest(self) -> ev.Event:
        """The last event, with the time of its recording."""
        last = self._stop - 1
        return self._timed(self._numbers.event(last), last)

    def _timed(self, event: ev.Event, place: int) -> ev.Event:
        return event if event.at is not None else msgspec.structs.replace(event, at=self._page.at(place))

    @property
    def events(self) -> list[ev.Event]:
        """All events; only those that columns do not tell to the byte say when and by whom they were recorded."""
        others = self._numbers.events[self._others]
        return others if len(others) == len(self) else self._numbers.all[self._first : self._stop]

    def stream(self) -> Stream:
        """Fold the match; raises as `Stream.of` does."""
        table = self._replayed()
        return Stream.of(self.events) if table is None else cast("Stream", Replayed(table, self))

    def _replayed(self) -> Table | None:
        """Return the table, folded straight from columns; None where a stream has to be folded.

        That is where something was noted or corrected, or says that it belongs elsewhere, and where hands are hidden.
        """
        events = self._numbers.events[self._others]
        places = (self._numbers.others[self._others] - self._first).tolist()
        if not (events and places[0] == 0 and isinstance(opening := events[0], ev.Open)):
            return None
        table = start(opening)
        run = Run(table, self._numbers, self._index, slice(self._first, self._stop))
        done = 1
        for event, place in zip(events[1:], places[1:], strict=True):
            if type(event) in CORRECTIONS or event.seq not in (None, place + 1) or not run.take_on(done, place):
                return None
            table.apply(event, place + 1)
            done = place + 1
        return table if run.take_on(done, len(self)) else None


class Run:
    """What numbers tell of a match, for its table to take in: plays in a row at once, draws and discards one by one."""

    def __init__(self, table: Table, numbers: Numbers, index: int, places: slice) -> None:
        meant = numbers.meant(table.pack)
        self._table = table
        self._seats = numbers.seats[places]
        self._cards: list[int] = meant.cards[numbers.faces[places]].tolist()
        self._known = not meant.foreign[index]
        self._drawing = numbers.drawing[index]
        if self._drawing:
            self._told = numbers.told[places].tolist()
            self._faces = [numbers.named[word] for word in numbers.faces[places].tolist()]
            self._sources = numbers.sources[places]

    def take_on(self, begin: int, end: int) -> bool:
        """Let the table take in events from a place to another; tell whether it could: not so where hands are hidden."""
        if begin == end:
            return True
        table, seats = self._table, self._seats
        if table.hidden:
            return False
        for place in range(begin, end) if self._drawing else ():
            kind = self._told[place]
            if kind == PLAY:
                continue
            if begin < place and not self._play_on(begin, place):
                return False
            begin = place + 1
            if kind == DRAW:
                table.draw(seats[place], self._sources[place], self._faces[place], begin)
            else:
                table.discard(seats[place], self._faces[place][0], begin)
        return begin == end or self._play_on(begin, end)

    def _play_on(self, begin: int, end: int) -> bool:
        table = self._table
        if not (self._known and isinstance(table, TrickTable) and table.direct):
            return False
        play_on(table, self._seats, self._cards, begin, end)
        return True


class Replayed:
    """A match without corrections: it reads like a stream, and makes its events when somebody asks for them."""

    audit = False
    corrections = ()
    corrected = 0

    def __init__(self, table: Table, course: Course) -> None:
        self.table = table
        self.seq = len(course)
        self._course = course

    @cached_property
    def events(self) -> list[ev.Event]:
        """All events that were recorded."""
        return self._course.events

    @cached_property
    def heads(self) -> list[Chain]:
        """The chains of events that counted: number k right after event number k + 1."""
        heads: list[Chain] = []
        for seq, event in enumerate(self.events, 1):
            heads.append((seq, event, heads[-1] if heads else None))
        return heads

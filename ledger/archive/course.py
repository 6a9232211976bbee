"""The course of a match out of an archive: folded from columns, mostly without an event for each play."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, cast

import msgspec
import numpy as np

from ledger import events as ev
from ledger.corrections import Stream
from ledger.games import start
from ledger.people import STREAM
from ledger.tricks import TrickTable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.archive.arrays import Ints
    from ledger.archive.page import Page
    from ledger.cards import Pack
    from ledger.corrections import Chain
    from ledger.table import Table


def courses(page: Page) -> Iterator[Course]:
    """Yield the matches of a page, people apart, to be folded."""
    plays = Plays(page)
    for index, match in enumerate(page.matches):
        if match != STREAM:
            yield Course(page, plays, index)


class Plays:
    """The plays of a page as numbers, and the events between them."""

    def __init__(self, page: Page) -> None:
        types, words = page.listed("types")
        people = page.matches.index(STREAM) if STREAM in page.matches else len(page.matches)
        others = types != words.index("play") if "play" in words else np.ones(page.events, dtype=bool)
        others[[*page.rest]] = True
        others[page.bounds[people] :] = False
        self._page = page
        self._told = page.bounds[people]
        self.others = np.flatnonzero(others)
        """Places of the events that are no plays, or not told by columns alone."""
        self.events = page.made(self.others)
        self.bounds: list[int] = np.searchsorted(self.others, page.bounds).tolist()
        """How many of these there are before every match."""
        self.rests: list[int] = np.searchsorted(np.array(sorted(page.rest)), page.bounds).tolist()
        """How many lines in `rest` there are before every match."""
        seats, known = page.listed("seats")
        self.seats: list[int] = np.array([-1 if seat is None else seat for seat in known])[seats].tolist()
        self._faces, self._words = page.listed("cards")
        self._packs: dict[int, tuple[Pack, Ints]] = {}

    @cached_property
    def all(self) -> list[ev.Event]:
        """All events of the page, up to those about people."""
        return self._page.made(np.arange(self._told))

    def face(self, place: int) -> str:
        """Return the face played at a place."""
        return str(self._words[self._faces[place]])

    def cards(self, pack: Pack, first: int, stop: int) -> Ints:
        """Return the lowest card of a pack with the face played, place by place; −1 for none."""
        if id(pack) not in self._packs:
            none = (-1, 0)
            self._packs[id(pack)] = pack, np.array([pack.of.get(face, none)[0] for face in self._words])
        return self._packs[id(pack)][1][self._faces[first:stop]]


class Course:
    """A match as its table takes it; `match`, `position` of its opening and `hash` of its latest event as stored."""

    def __init__(self, page: Page, plays: Plays, index: int) -> None:
        self.match = page.matches[index]
        self.position, self.hash = page.about(index)
        self._page = page
        self._plays = plays
        self._first, self._stop = page.bounds[index : index + 2]
        self._others = range(*plays.bounds[index : index + 2])
        self._untold = plays.rests[index] < plays.rests[index + 1]

    def __len__(self) -> int:
        """The number of events."""
        return self._stop - self._first

    @cached_property
    def opening(self) -> ev.Event:
        """The first event, with the time of its recording."""
        return self._timed(self._plays.events[self._others[0]], self._first)

    @property
    def latest(self) -> ev.Event:
        """The last event, with the time of its recording."""
        plays, last, other = self._plays, self._stop - 1, self._others[-1]
        if plays.others[other] == last:
            return self._timed(plays.events[other], last)
        return ev.Play(seat=plays.seats[last], card=plays.face(last), at=self._page.at(last))

    def _timed(self, event: ev.Event, place: int) -> ev.Event:
        return event if event.at is not None else msgspec.structs.replace(event, at=self._page.at(place))

    @property
    def events(self) -> list[ev.Event]:
        """All events; only those that columns do not tell to the byte say when and by whom they were recorded."""
        plays, others = self._plays, self._others
        if len(others) == len(self):
            return plays.events[others.start : others.stop]
        return plays.all[self._first : self._stop]

    def stream(self) -> Stream:
        """Fold the match; raises as `Stream.of` does."""
        table = self._replayed()
        return Stream.of(self.events) if table is None else cast("Stream", Replayed(table, self))

    def _replayed(self) -> Table | None:
        """Return the table, folded straight from columns; None where a stream has to be folded.

        That is where something was noted or corrected, where hands are hidden, and where a game has plays of its own.
        """
        plays, first = self._plays, self._first
        events = plays.events[self._others.start : self._others.stop]
        opening = events[0]
        if self._untold or len(events) == len(self) or not isinstance(opening, ev.Open):
            return None
        table = start(opening)
        if not (isinstance(table, TrickTable) and table.direct):
            return None
        places = plays.others[self._others.start : self._others.stop] - first
        found = plays.cards(table.pack, first, self._stop)
        if (np.delete(found, places) < 0).any():
            return None
        cards, seats = found.tolist(), plays.seats[first : self._stop]
        after = [*places.tolist(), len(self)]
        for event, place, end in zip(events, after, after[1:], strict=False):
            if place:
                table.apply(event, place + 1)
            if end > place + 1:
                if table.hidden:
                    return None
                table.play_on(seats[place + 1 : end], cards[place + 1 : end], place + 2)
        return table


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

"""Shares of what is to be analysed: parts that workers read and fold by themselves, whoever takes which."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO, NamedTuple, Protocol, cast

import msgspec

from ledger import events as ev
from ledger.archive.course import Course
from ledger.archive.files import Archive
from ledger.corrections import Stream
from ledger.errors import LedgerError, StoreError
from ledger.live import bare, judged, refold
from ledger.matchfile import Match, read_matches
from ledger.people import NOBODY, STREAM, People
from ledger.people import decode as decode_people
from ledger.readmodels.model import Folded
from ledger.store import Recording, Stored
from ledger.store.chain import START, chain
from ledger.store.codec import decode
from ledger.store.naming import Names, collected
from ledger.store.where import Where, opened

_NAMESPACE = uuid.UUID("6f1f7f8e-52f4-5d39-8a5c-3d1d0b1c9a77")


class Failed(NamedTuple):
    """A match that cannot be counted: its id and hash, or file and line where it has none; and which event is wrong, and why."""

    match: str
    hash: bytes | None
    seq: int
    code: str
    message: str


class Share(Protocol):
    """A part of what is to be analysed; it can be sent to another process."""

    @property
    def size(self) -> int:
        """How much it is of the whole, 0 where that is not known before."""
        ...

    def matches(self, audit: bool) -> Iterator[Folded | Failed]:
        """Yield the matches of the share in their order, folded; in an audit with a trail, and trusting nothing."""
        ...


@dataclass(frozen=True, slots=True)
class LedgerShare:
    """The matches of a ledger whose ids are from one to another, with their events up to a position."""

    where: Where
    first: str
    last: str
    upto: int
    size: int = 0

    def matches(self, audit: bool) -> Iterator[Folded | Failed]:
        """Yield the matches; raises StoreError where the ledger cannot be reached."""
        with closing(opened(self.where, create=False)) as store:
            lines = [row.line for row in store.read(STREAM) if row.position <= self.upto]
            people = people_of(lines, store.names)
            for recording in store.recordings(self.first, self.last, self.upto):
                if recording.match != STREAM:
                    yield _of_lines(recording, people, audit, store.names)


@dataclass(frozen=True, slots=True)
class ArchiveShare:
    """A page of a packed archive, which is known by the digest of its heads."""

    path: Path
    heads: str
    page: int
    size: int = 0

    def matches(self, audit: bool) -> Iterator[Folded | Failed]:
        """Yield the matches; raises StoreError where the archive cannot be read, or is another one by now."""
        archive, people = _archive(self.path, self.heads, threading.get_ident())
        if audit:
            for recording in archive.recordings_of(self.page):
                if recording.match != STREAM:
                    yield _of_lines(recording, people, audit, collected(recording.names, archive.erasing))
        else:
            for course in archive.courses(self.page):
                yield _of_course(course, people)


@dataclass(frozen=True, slots=True)
class FileShare:
    """Some bytes of a match file that begin with an opening; `line` is the number of the line before them.

    `before` counts the lines of the files before.
    """

    path: Path
    start: int
    size: int
    line: int
    before: int

    def matches(self, audit: bool) -> Iterator[Folded | Failed]:
        """Yield the matches; one without an id gets one that follows from its line and its content.

        Raises StoreError `store.open` where the file cannot be read.
        """
        try:
            with self.path.open("rb") as file:
                file.seek(self.start)
                part = cast("BinaryIO", _Part(file, self.size))
                for item in read_matches(part, str(self.path), keep_going=True, audit=audit):
                    place = self.line + item.line
                    if isinstance(item, Match):
                        yield self._folded(item, self.before + place)
                    else:
                        yield Failed(f"{self.path}:{place}", None, 0, item.error.code, item.error.message)
        except OSError as error:
            raise StoreError("store.open", f"{self.path} cannot be read: {error}") from None

    def _folded(self, match: Match, position: int) -> Folded:
        first, last = _dated(match.events[0]), _dated(match.events[-1])
        lines = [ev.encode(event).decode() for event in match.events]
        content = "\n".join(ev.encode(bare(event)).decode() for event in match.events)
        id = first.id or str(uuid.uuid5(_NAMESPACE, f"{position}\n{content}"))
        return Folded(id, position, first, last, chain(START, lines)[-1][1], match.stream)


class _Part:
    """The next so many bytes of a file, line by line."""

    def __init__(self, file: BinaryIO, size: int) -> None:
        self._file = file
        self._left = size

    def readline(self, limit: int) -> bytes:
        """Return the next line, or as much of it as is asked for."""
        line = self._file.readline(min(limit, self._left))
        self._left -= len(line)
        return line


def _dated(event: ev.Event) -> ev.Event:
    """Return an event that says when it was recorded, at least that nobody knows."""
    return event if event.at is not None else msgspec.structs.replace(event, at="")


def people_of(lines: Sequence[str], names: Names) -> People:
    """Return who is who by the events about people as stored; raises StoreError `store.line`, `store.name`."""
    try:
        found = People(map(decode_people, names.lines(lines)))
    except msgspec.DecodeError as error:
        raise StoreError("store.line", f"a line is no event of people: {error}") from None
    return found if found.events else NOBODY


@lru_cache(maxsize=4)
def _archive(path: Path, heads: str, thread: int) -> tuple[Archive, People]:
    """Return an archive, kept open for a thread, with the people in it; raises StoreError `store.hash` for another one."""
    archive = Archive(path)
    if archive.manifest.heads != heads:
        raise StoreError("store.hash", f"{path} is not the archive it was at the beginning")
    people = archive.people()
    return archive, NOBODY if people is None else people_of(people.lines, collected(people.names, people.lines))


def _of_lines(recording: Recording, people: People, audit: bool, names: Names) -> Folded | Failed:
    """Return a match folded from its lines."""
    match, position, lines, hash, _ = recording
    try:
        if audit:
            linked = chain(START, lines)
            if linked[-1][1] != hash:
                raise StoreError("store.hash", "the events are not what was stored", len(lines) - 1)
            refold(
                match, [Stored(position, match, seq, line, link) for seq, (line, link) in enumerate(linked, 1)], names
            )
        events = decode(lines, names)
    except LedgerError as error:
        return _failed(match, hash, error)
    return _folded(
        match, hash, lambda: events,
        lambda: Folded(match, position, events[0], events[-1], hash, Stream.of(events, audit), people),
    )  # fmt: skip


def _of_course(course: Course, people: People) -> Folded | Failed:
    """Return a match folded from columns."""
    match, hash = course.match, course.hash
    return _folded(
        match, hash, lambda: course.events,
        lambda: Folded(match, course.position, course.opening, course.latest, hash, course.stream(), people),
    )  # fmt: skip


def _folded(
    match: str, hash: bytes, events: Callable[[], Sequence[ev.Event]], fold: Callable[[], Folded]
) -> Folded | Failed:
    try:
        return fold()
    except LedgerError:
        return _failed(match, hash, _first_wrong(events()))
    except Exception as error:  # noqa: BLE001 - whatever comes of somebody's game, the others are to be counted
        return Failed(match, hash, 1, "store.fold", told(error))


def _first_wrong(events: Sequence[ev.Event]) -> LedgerError:
    """Return the error of events that do not fold, with the place of the first wrong one."""
    try:
        judged(None, events)
    except LedgerError as error:
        return error
    raise AssertionError(events)


def told(error: Exception) -> str:
    """Return in words what nobody expected."""
    return f"it does not fold: {type(error).__name__}: {error}"


def _failed(match: str, hash: bytes, error: LedgerError) -> Failed:
    return Failed(match, hash, (error.index or 0) + 1, error.code, error.message)

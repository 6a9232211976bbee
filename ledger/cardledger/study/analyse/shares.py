"""Shares of a source: parts that any worker can read and fold alone."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO, NamedTuple, Protocol, cast

import msgspec

from cardledger.errors import LedgerError, StoreError
from cardledger.record.matches.matchfile import MatchInFile, read_matches
from cardledger.record.people.names import Names, collected
from cardledger.record.people.people import NOBODY, STREAM, People
from cardledger.record.people.people import decode as decode_people
from cardledger.record.readmodels.model import Folded
from cardledger.record.recording.loaded_match import bare, judged, refold
from cardledger.record.store import Recording, Stored
from cardledger.record.store.address import Where
from cardledger.record.store.chain import START, chain
from cardledger.record.store.codec import decode
from cardledger.record.store.opening import opened
from cardledger.record.store.streams import is_match
from cardledger.rules.engine import events as ev
from cardledger.rules.stream import Stream
from cardledger.sentence import advising
from cardledger.study.archive.course import ArchivedMatch
from cardledger.study.archive.files import Archive
from cardledger.study.archive.page import Page

_NAMESPACE = uuid.UUID("6f1f7f8e-52f4-5d39-8a5c-3d1d0b1c9a77")


class Failed(NamedTuple):
    """A match that cannot be counted: its id and hash, or file and line if it has none.

    And the wrong event with the reason.
    """

    match: str
    hash: bytes | None
    seq: int
    code: str
    message: str


class Share(Protocol):
    """A part of a source; it can be sent to another process."""

    @property
    def size(self) -> int:
        """Its part of the whole, 0 if unknown."""
        ...

    def matches(self, audit: bool) -> Iterator[Folded | Failed]:
        """Yield the folded matches of the share in order; in an audit with a trail and all checks."""
        ...


@dataclass(frozen=True, slots=True)
class LedgerShare:
    """The matches of a ledger whose ids are from one to another, with their events up to a position.

    Of one game, or all.
    """

    where: Where
    first: str
    last: str
    upto: int
    size: int = 0
    game: str | None = None

    def matches(self, audit: bool) -> Iterator[Folded | Failed]:
        """Yield the matches; raises StoreError where the ledger cannot be reached."""
        with closing(opened(self.where, create=False)) as store:
            lines = [row.line for row in store.read(STREAM) if row.position <= self.upto]
            people = people_of(lines, store.names)
            # As openings are stored; a note may say the same, so the reader looks at the game of the match, too.
            named = "" if self.game is None else f'"game":"{self.game}"'
            for recording in store.recordings(self.first, self.last, self.upto):
                if is_match(recording.match) and any(named in line for line in recording.lines):
                    yield _of_lines(recording, people, audit, store.names)


@dataclass(frozen=True, slots=True)
class ArchiveShare:
    """A page of a packed archive, or several from there on; the archive is known by the digest of its heads."""

    path: Path
    heads: str
    page: int
    size: int = 0
    pages: int = 1

    @contextmanager
    def columns(self, names: Sequence[str]) -> Iterator[Page]:
        """Give some columns of the pages as one.

        Raises StoreError as `matches` does, also for what turns out to be damaged later.
        """
        archive, _ = _archive(self.path, self.heads, threading.get_ident())
        with archive.trusting_nothing():
            yield archive.page(self.page, names, self.pages)

    def matches(self, audit: bool, but: Container[str] = ()) -> Iterator[Folded | Failed]:
        """Yield the matches but for some.

        Raises StoreError where the archive cannot be read, or has just been replaced.
        """
        archive, people = _archive(self.path, self.heads, threading.get_ident())
        for page in range(self.page, self.page + self.pages):
            if not audit:
                yield from (_of_course(course, people) for course in archive.courses(page, but))
                continue
            for recording in archive.recordings_of(page):
                if recording.match != STREAM:
                    yield _of_lines(
                        recording,
                        people,
                        audit,
                        collected(recording.names, archive.erasing, recording.match, recording.lines),
                    )


def joined(shares: Iterable[Share], pages: int) -> Iterator[Share]:
    """Yield shares with pages of an archive joined that follow each other, up to so many."""
    last: Share | None = None
    for share in shares:
        if (
            isinstance(last, ArchiveShare) and isinstance(share, ArchiveShare) and last.pages < pages
            and (last.path, last.heads, last.page + last.pages) == (share.path, share.heads, share.page)
        ):  # fmt: skip
            last = replace(last, pages=last.pages + 1)
            continue
        if last is not None:
            yield last
        last = share
    if last is not None:
        yield last


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
                    if isinstance(item, MatchInFile):
                        yield self._folded(item, self.before + place)
                    else:
                        yield Failed(f"{self.path}:{place}", None, 0, item.error.code, item.error.message)
        except OSError as error:
            raise StoreError("store.open", f"{self.path} cannot be read: {error}") from None

    def _folded(self, match: MatchInFile, position: int) -> Folded:
        first, last = _dated(match.events[0]), _dated(match.events[-1])
        lines = [ev.encode(event).decode() for event in match.events]
        content = "\n".join(ev.encode(bare(event)).decode() for event in match.events)
        id = first.id or str(uuid.uuid5(_NAMESPACE, f"{position}\n{content}"))
        return Folded(id, position, first, last, chain(START, lines)[-1][1], match.stream)


class _Part:
    """A number of bytes of a file, line by line."""

    def __init__(self, file: BinaryIO, size: int) -> None:
        self._file = file
        self._left = size

    def readline(self, limit: int) -> bytes:
        """Return the next line, up to the given size."""
        line = self._file.readline(min(limit, self._left))
        self._left -= len(line)
        return line


def _dated(event: ev.Event) -> ev.Event:
    """Return an event with a time of recording, empty if unknown."""
    return event if event.at is not None else msgspec.structs.replace(event, at="")


def people_of(lines: Sequence[str], names: Names) -> People:
    """Return who is who by the events about people as stored; raises StoreError `store.line`, `store.name`."""
    try:
        people = People(map(decode_people, names.lines(lines)))
    except msgspec.DecodeError as error:
        raise StoreError("store.line", f"a line is no event of people: {error}") from None
    return people if people.events else NOBODY


@lru_cache(maxsize=4)
def _archive(path: Path, heads: str, thread: int) -> tuple[Archive, People]:
    """Return an archive, kept open for a thread, with the people in it.

    Raises StoreError `store.hash` for another one.
    """
    archive = Archive(path)
    if archive.manifest.heads != heads:
        raise StoreError("store.hash", advising(f"{path} has changed since the analysis began: start it again"))
    people = archive.people()
    return archive, NOBODY if people is None else people_of(people.lines, collected(people.names, people.lines))


def _of_lines(recording: Recording, people: People, audit: bool, names: Names) -> Folded | Failed:
    """Return a match folded from its lines."""
    match, position, lines, hash, _ = recording
    try:
        if audit:
            linked = chain(START, lines)
            if linked[-1][1] != hash:
                raise StoreError("store.hash", "the events are not the stored ones", len(lines) - 1)
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


def _of_course(course: ArchivedMatch, people: People) -> Folded | Failed:
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
    except Exception as error:  # noqa: BLE001 - a faulty plug-in must not stop the other matches
        return Failed(match, hash, 1, "store.fold", message_of(error))


def _first_wrong(events: Sequence[ev.Event]) -> LedgerError:
    """Return the error of events that do not fold, with the place of the first wrong one."""
    try:
        judged(None, events)
    except LedgerError as error:
        return error
    raise AssertionError(events)


def message_of(error: Exception) -> str:
    """Describe an unexpected error."""
    return f"it does not fold: {type(error).__name__}: {error}"


def _failed(match: str, hash: bytes, error: LedgerError) -> Failed:
    return Failed(match, hash, (error.index or 0) + 1, error.code, error.message)

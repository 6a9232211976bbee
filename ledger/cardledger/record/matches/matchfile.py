"""Match files: JSON Lines to events and back, with the line in every error."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from cardledger.errors import FormatError, LedgerError
from cardledger.record.matches.lines import numbered, too_long
from cardledger.record.matches.match_size import MAX_EVENTS, expect_room
from cardledger.record.matches.shape import event_of, json_of
from cardledger.record.matches.shorthand import written_out
from cardledger.record.matches.wrong_match import WrongMatch
from cardledger.record.store.codec import decode
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.score_sheet import DOUBTFUL, doubts_about
from cardledger.rules.stream import Stream

MOST_REPORTED = 1_000
"""The most problems, and the most warnings, that a report of an import lists."""


@dataclass(frozen=True, slots=True)
class MatchInFile:
    """A match read from a file.

    Its stream, folded, its events as written (those of the stream), and the line where it opens.

    `sheets` are the lines of its score sheets by the numbers of the events, `source` is its place in a file of another
    format.
    """

    file: str
    line: int
    stream: Stream
    events: list[ev.Event]
    sheets: dict[int, int] = field(default_factory=dict)
    source: FilePlace | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """Let another process fold the events again, from their lines: so it has them as they would be stored."""
        return _folded_again, (self.file, self.line, ev.encode_lines(self.events), self.sheets, self.source)


def _folded_again(file: str, line: int, lines: bytes, sheets: dict[int, int], source: FilePlace | None) -> MatchInFile:
    stream = Stream.of(decode(lines.decode().split("\n")[:-1]))
    return MatchInFile(file, line, stream, stream.events, sheets, source)


@dataclass(frozen=True, slots=True)
class Problem:
    """An error in a file, with its line.

    In a file of another format also the number of the game, and its first line.
    """

    file: str
    line: int
    error: LedgerError
    game: int | None = None
    begins: int | None = None

    def __str__(self) -> str:
        return f"{printable(self.file)}:{self.line}: {self.error.code}: {printable(self.error.message)}"


@dataclass(frozen=True, slots=True)
class Warned:
    """A warning about a file, with its line; the event is accepted all the same."""

    file: str
    line: int
    code: str
    message: str

    def __str__(self) -> str:
        return f"{printable(self.file)}:{self.line}: {self.code}: {printable(self.message)}"


class FirstOnes(list[Any]):
    """The first problems or warnings of a file, as many as anybody reads; `more` counts the others.

    `beside` is the number of matches of the file that have none, where somebody counts them.
    """

    more = beside = 0

    def append(self, item: Any) -> None:
        """Take one more, or only count it."""
        if len(self) < MOST_REPORTED:
            super().append(item)
        else:
            self.more += 1

    def extend(self, items: Iterable[Any]) -> None:
        """Take several more."""
        for item in items:
            self.append(item)


class FilePlace(NamedTuple):
    """The number of a game in a file of another format, and what was noticed in it."""

    game: int
    notices: tuple[Warned, ...] = ()


def sheet_warnings(match: MatchInFile, events: Sequence[ev.Event]) -> Iterator[Warned]:
    """Yield warnings about the points of score sheets that the last `events` of a match touch."""
    first = len(match.events) - len(events) + 1
    for doubtful in doubts_about(match.stream.table, enumerate(events, first)):
        yield Warned(match.file, match.sheets.get(doubtful.seq, match.line), DOUBTFUL, doubtful.message)


def printable(text: str) -> str:
    """Return text that is safe in a terminal: control characters are written as escapes."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def read_matches(
    file: BinaryIO, name: str, keep_going: bool = False, audit: bool = False
) -> Iterator[MatchInFile | Problem]:
    """Yield the matches of a match file one by one, folded and judged, and a Problem for a wrong one.

    Nothing of a wrong match is yielded. Reading stops there; with `keep_going` it goes on, with the lines of that match
    which are wrong by themselves, and the next `open`. Memory use is that of one match.
    """
    match: MatchInFile | None = None
    wrong: WrongMatch | None = None
    for numbers, line, known in numbered(file):
        number = numbers[0]
        done = match.stream.seq if match else 0
        try:
            if known and match is not None:
                _add_all(match, known, numbers)
                continue
            if known and wrong is not None:
                yield from (Problem(name, *one) for one in wrong.refused(numbers, known))
                continue
            for event in known[:1] or _events_on(line, match, wrong):
                if isinstance(event, ev.Open):
                    if match is not None:
                        yield _finished(match, audit)
                        match = None
                    wrong = None
                    _expect_seq(event)
                    stream = Stream(event, audit)
                    match = MatchInFile(name, number, stream, stream.events)
                elif wrong is not None:
                    wrong.expect(event)
                elif match is None:
                    raise FormatError("format.open", f"{ev.type_of(event)} comes before any open")
                else:
                    _add(match, event, number)
        except LedgerError as error:
            place = match.stream.seq - done if known and match is not None else 0
            opening = opening_on(line)
            if wrong is not None and opening is None and not too_long(line):
                if wrong.names(error):
                    yield Problem(name, number, error)
                continue
            if opening is not None and match is not None:
                yield _finished(match, audit)
                match = None
            yield Problem(name, numbers[place], error)
            if not keep_going:
                return
            wrong = WrongMatch(match.events[0] if match is not None else opening)
            match = None
            yield from (Problem(name, *one) for one in wrong.refused(numbers[place + 1 :], known[place + 1 :]))
    if match is not None:
        yield _finished(match, audit)


def _add(match: MatchInFile, event: ev.Event, number: int) -> None:
    """Judge the next event of a match, from a line with a number."""
    stream = match.stream
    if stream.audit and isinstance(event, ev.Retract | ev.Amend):
        stream.end_audit()  # a trail that starts again with every correction would take long
    expect_room(stream, event)
    stream.append(event)
    if isinstance(event, ev.Score):
        match.sheets[stream.seq] = number


def _add_all(match: MatchInFile, events: list[ev.Event], numbers: list[int]) -> None:
    """Judge the next events of a match, each from a line with a number.

    Raises like `_add`, after adding those before.
    """
    stream, kinds = match.stream, {*map(type, events)}
    if ev.Score in kinds or (stream.audit and ev.Retract in kinds) or stream.seq + len(events) > MAX_EVENTS:
        for event, number in zip(events, numbers, strict=True):
            _add(match, event, number)
    else:
        stream.extend(events)


def _events_on(line: bytes, match: MatchInFile | None, wrong: WrongMatch | None) -> Iterable[ev.Event]:
    """Return the events that a line of a match file stands for; raises FormatError and RuleError."""
    value = json_of(line)
    if wrong is not None and not (isinstance(value, dict) and value.get("type") == "open"):
        return map(event_of, wrong.written_out(value))
    return map(event_of, written_out(value, match.stream if match else None))


def _finished(match: MatchInFile, audit: bool) -> MatchInFile:
    """Return a match that has been read, with its trail if requested."""
    if audit and not match.stream.audit:
        match.stream.begin_audit()
    return match


def opening_on(line: bytes) -> dict[str, Any] | None:
    """Return the JSON object of a line if it is an open, even a wrong one: it ends the match before it."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and value.get("type") == "open" else None


def _expect_seq(event: ev.Event) -> None:
    if event.seq not in (None, 1):
        raise FormatError("format.seq", f"seq is {event.seq}, but an open is event 1")


def write(events: Iterable[ev.Event]) -> bytes:
    """Return events as the lines of a match file."""
    return b"".join(ev.encode(event) + b"\n" for event in events)


def read_file(path: Path, keep_going: bool = False, audit: bool = False) -> Iterator[MatchInFile | Problem]:
    """Yield the matches and problems of the file at `path`."""
    with path.open("rb") as file:
        yield from read_matches(file, str(path), keep_going, audit)

"""Match files: JSON Lines to events and back, with the line in every error."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from difflib import get_close_matches
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import msgspec

from cardledger.errors import FormatError, LedgerError
from cardledger.record.matches.days import likely_day
from cardledger.record.matches.lines import MAX_LINE, numbered, too_long
from cardledger.record.matches.shorthand import written_out
from cardledger.record.matches.wrong_match import CARDS, WrongMatch
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.cards import read_face
from cardledger.rules.engine.score_sheet import DOUBTFUL, doubts_about
from cardledger.rules.engine.signature import signed
from cardledger.rules.stream import Stream

MAX_EVENTS = 100_000
"""Greatest number of events in a match."""
MAX_AMENDED = 500_000
"""Greatest number of events that the amends of a match may replay: an amend of the first event replays all others."""
MOST_REPORTED = 1_000
"""The most problems, and the most warnings, that a report of an import lists."""
_PARQUET = b"PAR1"
"""The beginnings of other files that are mistaken for match files."""

_KEYS = {cls: frozenset(cls.__struct_encode_fields__) | {"type"} for cls in ev.TYPES.values()}
_NEEDED = {
    cls: frozenset(field.encode_name for field in msgspec.structs.fields(cls) if field.required)
    for cls in ev.TYPES.values()
}
_CARDS = {cls: keys & {*CARDS} for cls, keys in _KEYS.items()}
"""The keys with cards, by type of event."""
_events = msgspec.json.Decoder(ev.AnyEvent)
_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)


@dataclass(frozen=True, slots=True)
class MatchInFile:
    """A match read from a file: its stream, folded, its events as written (those of the stream), and the line where it opens.

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
    stream = Stream.of(_events.decode_lines(lines))
    return MatchInFile(file, line, stream, stream.events, sheets, source)


@dataclass(frozen=True, slots=True)
class Problem:
    """An error in a file, with its line; in a file of another format also the number of the game, and its first line."""

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
    """The first problems or warnings of a file, as many as anybody reads; `more` counts the others."""

    more = 0

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

    Nothing of a wrong match is yielded. Reading stops there; with `keep_going` it goes on, with the lines of that match which are wrong
    by themselves, and the next `open`. Memory use is that of one match.
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
    """Judge the next events of a match, each from a line with a number; raises like `_add`, after adding those before."""
    stream, kinds = match.stream, {*map(type, events)}
    if ev.Score in kinds or (stream.audit and ev.Retract in kinds) or stream.seq + len(events) > MAX_EVENTS:
        for event, number in zip(events, numbers, strict=True):
            _add(match, event, number)
    else:
        stream.extend(events)


def _events_on(line: bytes, match: MatchInFile | None, wrong: WrongMatch | None) -> Iterable[ev.Event]:
    """Return the events that a line of a match file stands for; raises FormatError and RuleError."""
    value = _json_of(line)
    if wrong is not None and not (isinstance(value, dict) and value.get("type") == "open"):
        return map(event_of, wrong.written_out(value))
    return map(event_of, written_out(value, match.stream if match else None))


def expect_room(stream: Stream, event: ev.Event) -> None:
    """Refuse a further event of a full match; raises FormatError `format.size`."""
    if len(stream.events) >= MAX_EVENTS:
        raise FormatError("format.size", f"a match has at most {MAX_EVENTS:,} events: open another match")
    if isinstance(event, ev.Amend) and stream.amended > MAX_AMENDED:
        raise FormatError(
            "format.size",
            f"the amends of this match have replayed more than {MAX_AMENDED:,} events: retract and record the"
            " correct events, or open another match",
        )


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


def parse(line: bytes) -> ev.Event:
    """Return the event on a line; raises FormatError.

    Codes: `format.size`, `format.json` (no JSON object in UTF-8), `format.key` (missing, unknown or repeated),
    `format.type` (no such event), `format.value` (of the wrong type or form).
    """
    return event_of(_json_of(line))


def _json_of(line: bytes) -> Any:
    if line.startswith(_PARQUET):
        raise FormatError("format.json", "this is Parquet: `cardledger unpack` reads packed archives")
    if too_long(line):
        raise FormatError("format.size", f"a line has at most {MAX_LINE:,} bytes")
    return read_json(line)


def read_json(text: bytes) -> Any:
    """Decode a JSON text; raises FormatError `format.json`, `format.key` (a repeated one), `format.value`."""
    try:
        value = _json.decode(text.decode())
        if b"\\u" in text:
            json.dumps(value, ensure_ascii=False).encode()
    except FormatError:
        raise
    except UnicodeEncodeError:
        raise FormatError("format.value", "a text holds half a character (an unpaired surrogate): remove it") from None
    except (ValueError, RecursionError) as error:
        why = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise FormatError("format.json", f"this is not JSON: {why}") from None
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        twice, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise FormatError("format.key", f"the key {twice!r} is given twice")
    return value


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a number")


_json = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_no_constant)


def event_of(value: object) -> ev.Event:
    """Return the event of a JSON object; raises FormatError like `parse`."""
    if not isinstance(value, dict):
        raise FormatError("format.json", "an event is a JSON object")
    if "type" not in value:
        raise FormatError("format.key", "an event needs the key 'type'")
    kind = value["type"]
    cls = ev.TYPES.get(kind) if isinstance(kind, str) else None
    if cls is None:
        raise FormatError(
            "format.type",
            f"there is no event of type {kind!r}{_meant(kind, ev.TYPES)}: choose one of {', '.join(ev.TYPES)}",
        )
    keys = value.keys()
    if not keys <= _KEYS[cls]:
        unknown = ", ".join(f"{key!r}{_meant(key, _KEYS[cls])}" for key in sorted(keys - _KEYS[cls]))
        raise FormatError("format.key", f"{kind} has no key {unknown}")
    if not keys >= _NEEDED[cls]:
        missing = ", ".join(repr(key) for key in sorted(_NEEDED[cls] - keys))
        raise FormatError("format.key", f"{kind} needs the key {missing}")
    if cls is ev.Give and ("card" in keys) == ("cards" in keys):
        wrong = "has 'card' or 'cards', not both" if "card" in keys else "needs the key 'card' (or 'cards')"
        raise FormatError("format.key", f"give {wrong}")
    for key, item in value.items():
        if item is None and (cls, key) not in ev.MAY_BE_NULL:
            raise FormatError("format.value", f"{key} is null: leave the key out instead")
    if cls is ev.Amend:
        value = value | {"event": _replacement(value["event"])}
    for key in _CARDS[cls]:
        said = value.get(key)
        faces = read_face(said) if isinstance(said, str) else _faces(said)
        if faces != said:
            value = value | {key: faces}
    try:
        event: ev.Event = msgspec.convert(value, cls)
    except msgspec.ValidationError as error:
        raise FormatError("format.value", f"{kind}: {ev.what_is_wrong(error)}") from None
    if event.id is not None or event.at is not None or event.imported_at is not None or cls is ev.Open:
        event = _checked(event)
    return event


def _meant(word: object, known: Iterable[str]) -> str:
    """Return which of some words another one is close to, in brackets; nothing if it is close to none."""
    close = get_close_matches(word, known, 1) if isinstance(word, str) else []
    return f" (did you mean {close[0]!r}?)" if close else ""


def _faces(value: object, depth: int = 2) -> object:
    """Return a card, cards or hands as they are stored, however they are written; all else as it is."""
    if isinstance(value, list) and depth:
        return [_faces(item, depth - 1) for item in value]
    return read_face(value) if isinstance(value, str) else value


def _replacement(value: object) -> object:
    """Check the event within an amend, which must be an event of play."""
    if not isinstance(value, dict):
        raise FormatError("format.value", "amend: expected an event at event")
    kind = value.get("type")
    if kind in ("note", "retract", "amend", "end", "void"):
        raise FormatError("format.type", f"an event cannot be amended into a {kind}")
    return msgspec.to_builtins(event_of(value))


def _checked(event: ev.Event) -> ev.Event:
    event = signed(event)
    if isinstance(event, ev.Open) and event.date is not None:
        try:
            if not _DAY.fullmatch(event.date):
                raise ValueError
            date.fromisoformat(event.date)
        except ValueError:
            likely = likely_day(event.date)
            hint = f"; write {likely}" if likely else ""
            raise FormatError("format.value", f"date is not an ISO day (2026-01-31): {event.date!r}{hint}") from None
    return event


def write(events: Iterable[ev.Event]) -> bytes:
    """Return events as the lines of a match file."""
    return b"".join(ev.encode(event) + b"\n" for event in events)


def read_file(path: Path, keep_going: bool = False, audit: bool = False) -> Iterator[MatchInFile | Problem]:
    """Yield the matches and problems of the file at `path`."""
    with path.open("rb") as file:
        yield from read_matches(file, str(path), keep_going, audit)

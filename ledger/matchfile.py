"""Match files: JSON Lines to events and back, with the line in every error."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from ledger import events as ev
from ledger.corrections import Stream
from ledger.errors import FormatError, LedgerError

MAX_LINE = 1_000_000
"""Bytes a line may have; a longer one is refused before it is read whole."""
MAX_EVENTS = 100_000
"""Events a match may have."""
_PARQUET = b"PAR1"
"""How files begin that are mistaken for match files."""

_KEYS = {cls: frozenset(cls.__struct_encode_fields__) | {"type"} for cls in ev.TYPES.values()}
_NEEDED = {
    cls: frozenset(field.encode_name for field in msgspec.structs.fields(cls) if field.required)
    for cls in ev.TYPES.values()
}
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII)
_AT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|\+00:00|-00:00)", re.ASCII)
_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)


@dataclass(frozen=True, slots=True)
class Match:
    """A match read from a file: its stream, folded, its events as written, and the line where it opens."""

    file: str
    line: int
    stream: Stream
    events: list[ev.Event]


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong in a file, and on which line."""

    file: str
    line: int
    error: LedgerError

    def __str__(self) -> str:
        return f"{printable(self.file)}:{self.line}: {self.error.code}: {printable(self.error.message)}"


def printable(text: str) -> str:
    """Return text that can do no harm in a terminal: control characters are written as escapes."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def read_matches(file: BinaryIO, name: str, keep_going: bool = False, audit: bool = False) -> Iterator[Match | Problem]:
    """Yield the matches of a match file one by one, folded and judged, and a Problem where one is wrong.

    Nothing of a wrong match is yielded. Reading stops there, or goes on at the next `open` with `keep_going`.
    Memory use is that of one match.
    """
    match: Match | None = None
    skipping = False
    for number, line in _lines(file):
        try:
            event = parse(line)
            if isinstance(event, ev.Open):
                if match is not None:
                    yield match
                    match = None
                skipping = False
                _expect_seq(event)
                match = Match(name, number, Stream(event, audit), [event])
            elif skipping:
                continue
            elif match is None:
                raise FormatError("format.open", f"{ev.type_of(event)} comes before any open")
            elif len(match.events) >= MAX_EVENTS:
                raise FormatError("format.size", f"a match has at most {MAX_EVENTS:,} events")
            else:
                match.stream.append(event)
                match.events.append(event)
        except LedgerError as error:
            if skipping and not opens(line) and not _too_long(line):
                continue
            if opens(line) and match is not None:
                yield match
            match = None
            yield Problem(name, number, error)
            if not keep_going:
                return
            skipping = True
    if match is not None:
        yield match


def _lines(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that are not blank with their numbers; one that is too long comes cut off, and is the last."""
    number = 0
    while line := file.readline(MAX_LINE + 2):
        number += 1
        if number == 1:
            line = line.removeprefix(b"\xef\xbb\xbf")
        if _too_long(line):
            yield number, line
            return
        if line.strip(b" \t\r\n"):
            yield number, line


def _too_long(line: bytes) -> bool:
    return len(line.rstrip(b"\r\n")) > MAX_LINE


def opens(line: bytes) -> bool:
    """Tell whether a line is an open, be it a wrong one: what came before it is a match of its own then."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and value.get("type") == "open"


def _expect_seq(event: ev.Event) -> None:
    if event.seq not in (None, 1):
        raise FormatError("format.seq", f"seq is {event.seq}, but an open is event 1")


def parse(line: bytes) -> ev.Event:
    """Return the event on a line; raises FormatError.

    Codes: `format.size`, `format.json` (no JSON object in UTF-8), `format.key` (missing, unknown or repeated),
    `format.type` (no such event), `format.value` (of the wrong type or form).
    """
    if line.startswith(_PARQUET):
        raise FormatError("format.json", "this is Parquet: `cardledger unpack` reads packed archives")
    if _too_long(line):
        raise FormatError("format.size", f"a line has at most {MAX_LINE:,} bytes")
    return event_of(read_json(line))


def read_json(text: bytes) -> Any:
    """Return what a JSON text says; raises FormatError `format.json`, `format.key` (a repeated one), `format.value`."""
    try:
        value = _json.decode(text.decode())
        if b"\\u" in text:
            json.dumps(value, ensure_ascii=False).encode()
    except FormatError:
        raise
    except UnicodeEncodeError:
        raise FormatError("format.value", "a text holds half a character (an unpaired surrogate)") from None
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
    raise ValueError(f"{name} is no number")


_json = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_no_constant)


def event_of(value: object) -> ev.Event:
    """Return the event that a JSON object says; raises FormatError as `parse` does."""
    if not isinstance(value, dict):
        raise FormatError("format.json", "an event is a JSON object")
    if "type" not in value:
        raise FormatError("format.key", "an event needs the key 'type'")
    kind = value["type"]
    cls = ev.TYPES.get(kind) if isinstance(kind, str) else None
    if cls is None:
        raise FormatError("format.type", f"there is no event of type {kind!r} (there are {', '.join(ev.TYPES)})")
    keys = value.keys()
    if not keys <= _KEYS[cls]:
        unknown = ", ".join(repr(key) for key in sorted(keys - _KEYS[cls]))
        raise FormatError("format.key", f"{kind} has no key {unknown}")
    if not keys >= _NEEDED[cls]:
        missing = ", ".join(repr(key) for key in sorted(_NEEDED[cls] - keys))
        raise FormatError("format.key", f"{kind} needs the key {missing}")
    for key, item in value.items():
        if item is None and key != "hands":
            raise FormatError("format.value", f"{key} is null: leave the key out instead")
    if cls is ev.Amend:
        value = value | {"event": _replacement(value["event"])}
    try:
        event: ev.Event = msgspec.convert(value, cls)
    except msgspec.ValidationError as error:
        raise FormatError("format.value", f"{kind}: {_in_words(error)}") from None
    if event.id is not None or event.at is not None or cls is ev.Open:
        event = _checked(event)
    return event


def _replacement(value: object) -> object:
    """Check the event within an amend; notes, corrections and end are no events of play."""
    if not isinstance(value, dict):
        raise FormatError("format.value", "amend: expected an event at event")
    kind = value.get("type")
    if kind in ("note", "retract", "amend", "end"):
        raise FormatError("format.type", f"an event cannot be amended into a {kind}")
    return msgspec.to_builtins(event_of(value))


def _in_words(error: msgspec.ValidationError) -> str:
    said, _, where = str(error).partition(" - at `$")
    said = said.replace("`", "").replace("Expected", "expected")
    return f"{said} at {where.strip('.`')}" if where else said


def _checked(event: ev.Event) -> ev.Event:
    if event.id is not None:
        canonical = event.id.lower()
        if not _UUID.fullmatch(canonical):
            raise FormatError("format.value", f"id is no UUID: {event.id!r}")
        event = msgspec.structs.replace(event, id=canonical)
    if event.at is not None and not is_utc(event.at):
        raise FormatError("format.value", f"at is no RFC 3339 time in UTC: {event.at!r}")
    if isinstance(event, ev.Open) and event.date is not None:
        try:
            if not _DAY.fullmatch(event.date):
                raise ValueError
            date.fromisoformat(event.date)
        except ValueError:
            raise FormatError("format.value", f"date is no ISO day: {event.date!r}") from None
    return event


def is_utc(text: str) -> bool:
    """Tell whether a text is an RFC 3339 time in UTC."""
    if not _AT.fullmatch(text):
        return False
    try:
        return datetime.fromisoformat(text[:19] + "+00:00").utcoffset() == timedelta(0)
    except ValueError:
        return False


def write(events: Iterable[ev.Event]) -> bytes:
    """Return events as the lines of a match file."""
    return b"".join(ev.encode(event) + b"\n" for event in events)


def read_file(path: Path, keep_going: bool = False, audit: bool = False) -> Iterator[Match | Problem]:
    """Yield what `read_matches` finds in the file at `path`."""
    with path.open("rb") as file:
        yield from read_matches(file, str(path), keep_going, audit)

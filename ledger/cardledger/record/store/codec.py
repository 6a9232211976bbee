"""Stored lines to events: the fast way back, for lines that this program has written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from cardledger.errors import StoreError, UnknownGameError
from cardledger.record.people.names import Names
from cardledger.record.store.streams import is_evening, is_lesson
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.event_types import TYPES, Readers, readers
from cardledger.rules.evenings import evening_events as evenings
from cardledger.rules.games import editions
from cardledger.rules.lessons import lesson_events as lessons

_WORD = re.compile(r'\{"type":"(\w+)"')

_EVENING = Readers(msgspec.json.Decoder(evenings.AnyEvent), msgspec.json.Decoder(list[evenings.AnyEvent]))
_LESSON = Readers(msgspec.json.Decoder(lessons.AnyEvent), msgspec.json.Decoder(list[lessons.AnyEvent]))
_BESIDE = (_EVENING, _LESSON)


def decode_one(line: str, names: Names | None = None, stream: str = "") -> ev.Event:
    """Return the event on a line, in clear if names are given.

    `stream` is the id of its stream, that of any match unless given.

    Raises StoreError `store.line` if it is not an event, `store.name`, and UnknownGameError `format.type` if it is an
    event of a game that is not installed.
    """
    text = names.clear(line) if names else line
    event: ev.Event = _read(stream, lambda readers: readers.one.decode(text), [line])
    return event


def decode(lines: Iterable[str], names: Names | None = None, stream: str = "") -> Sequence[ev.Event]:
    """Return the events on lines, as `decode_one` does; raises like it."""
    lines = [*lines]
    text = f"[{','.join(lines)}]"
    clear = names.clear(text) if names else text
    events: Sequence[ev.Event] = _read(stream, lambda readers: readers.many.decode(clear), lines)
    return events


def decode_each(lines: Sequence[str], names: Names | None = None, stream: str = "") -> list[ev.Event]:
    """Return the events on lines, each line decoded alone as `decode_one` does, but in less time; raises like it."""
    clear = [*names.lines(lines)] if names else lines
    events: list[ev.Event] = _read(stream, lambda readers: [*map(readers.one.decode, clear)], lines)
    return events


def _read(stream: str, read: Callable[[Readers], Any], lines: Sequence[str]) -> Any:
    """Return what reading lines of a stream gives.

    If an event is unknown, the packages that bring games are loaded first.
    """
    known = _EVENING if is_evening(stream) else _LESSON if is_lesson(stream) else readers()
    try:
        return read(known)
    except msgspec.DecodeError as error:
        editions()
        if known not in (*_BESIDE, readers()):
            return _read(stream, read, lines)
        if known not in _BESIDE and (word := _unknown(lines)):
            raise UnknownGameError(
                "format.type", f"there is no event of type {word!r}: install the package with the game that has it"
            ) from None
        raise StoreError("store.line", f"a line is not an event: {error}") from None


def _unknown(lines: Sequence[str]) -> str | None:
    """Return the first type word on lines that no class of events has."""
    words = (found[1] for line in lines if (found := _WORD.match(line)))
    return next((word for word in words if word not in TYPES), None)

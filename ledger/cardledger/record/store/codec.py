"""Stored lines to events: the fast way back, for lines that this program has written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import msgspec

from cardledger.errors import StoreError
from cardledger.record.people.names import Names
from cardledger.record.store.streams import is_evening
from cardledger.rules.engine import events as ev
from cardledger.rules.evenings import events as evenings


class _Decoders(NamedTuple):
    """The decoders of one line and of a list of lines."""

    one: msgspec.json.Decoder[Any]
    many: msgspec.json.Decoder[Any]


_MATCH = _Decoders(msgspec.json.Decoder(ev.AnyEvent), msgspec.json.Decoder(list[ev.AnyEvent]))
_EVENING = _Decoders(msgspec.json.Decoder(evenings.AnyEvent), msgspec.json.Decoder(list[evenings.AnyEvent]))


def decode_one(line: str, names: Names | None = None, stream: str = "") -> ev.Event:
    """Return the event on a line, in clear if names are given; `stream` is the id of its stream, that of any match unless given.

    Raises StoreError `store.line` if it is not an event, `store.name`.
    """
    try:
        event: ev.Event = _decoders(stream).one.decode(names.clear(line) if names else line)
    except msgspec.DecodeError as error:
        raise StoreError("store.line", f"the line is not an event: {error}") from None
    return event


def decode(lines: Iterable[str], names: Names | None = None, stream: str = "") -> Sequence[ev.Event]:
    """Return the events on lines, as `decode_one` does; raises StoreError `store.line` if one is not an event, `store.name`."""
    text = f"[{','.join(lines)}]"
    try:
        events: Sequence[ev.Event] = _decoders(stream).many.decode(names.clear(text) if names else text)
    except msgspec.DecodeError as error:
        raise StoreError("store.line", f"a line is not an event: {error}") from None
    return events


def decode_each(lines: Sequence[str], names: Names | None = None, stream: str = "") -> list[ev.Event]:
    """Return the events on lines, each line decoded alone as `decode_one` does, but in less time; raises like it."""
    one = _decoders(stream).one.decode
    try:
        return [one(line) for line in (names.lines(lines) if names else lines)]
    except msgspec.DecodeError as error:
        raise StoreError("store.line", f"a line is not an event: {error}") from None


def _decoders(stream: str) -> _Decoders:
    return _EVENING if is_evening(stream) else _MATCH

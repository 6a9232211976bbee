"""Stored lines to events: the fast way back, for lines this program has written itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from ledger import events as ev
from ledger.errors import StoreError
from ledger.store.naming import Names

_one = msgspec.json.Decoder(ev.AnyEvent)
_many = msgspec.json.Decoder(list[ev.AnyEvent])


def decode_one(line: str, names: Names | None = None) -> ev.Event:
    """Return the event on a line, in clear if names are given; raises StoreError `store.line` if it is none, `store.name`."""
    try:
        event: ev.Event = _one.decode(names.clear(line) if names else line)
    except msgspec.DecodeError as error:
        raise StoreError("store.line", f"the line is no event: {error}") from None
    return event


def decode(lines: Iterable[str], names: Names | None = None) -> Sequence[ev.Event]:
    """Return the events on lines, in clear if names are given; raises StoreError `store.line` if one is none, `store.name`."""
    text = f"[{','.join(lines)}]"
    try:
        events: Sequence[ev.Event] = _many.decode(names.clear(text) if names else text)
    except msgspec.DecodeError as error:
        raise StoreError("store.line", f"a line is no event: {error}") from None
    return events

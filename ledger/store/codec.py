"""Stored lines to events: the fast way back, for lines this program has written itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from ledger import events as ev
from ledger.errors import StoreError

_one = msgspec.json.Decoder(ev.AnyEvent)
_many = msgspec.json.Decoder(list[ev.AnyEvent])


def decode_one(line: str) -> ev.Event:
    """Return the event on a line; raises StoreError `store.line` if it is none."""
    try:
        event: ev.Event = _one.decode(line)
    except msgspec.DecodeError as error:
        raise StoreError("store.line", f"the line is no event: {error}") from None
    return event


def decode(lines: Iterable[str]) -> Sequence[ev.Event]:
    """Return the events on lines; raises StoreError `store.line` if one is none."""
    try:
        events: Sequence[ev.Event] = _many.decode(f"[{','.join(lines)}]")
    except msgspec.DecodeError as error:
        raise StoreError("store.line", f"a line is no event: {error}") from None
    return events

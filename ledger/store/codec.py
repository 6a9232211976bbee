"""Stored rows to events: the fast way back, for lines this program has written itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from ledger import events as ev

_one: Callable[[str], ev.AnyEvent] = msgspec.json.Decoder(ev.AnyEvent).decode
_many: Callable[[str], list[ev.AnyEvent]] = msgspec.json.Decoder(list[ev.AnyEvent]).decode


def decode_one(line: str) -> ev.AnyEvent:
    """Return the event on a line; raises msgspec.DecodeError if it is none."""
    return _one(line)


def decode(lines: Iterable[str]) -> list[ev.AnyEvent]:
    """Return the events on lines; raises msgspec.DecodeError if a line is none."""
    return _many("[" + ",".join(lines) + "]")

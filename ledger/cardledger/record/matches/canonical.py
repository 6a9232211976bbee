"""Lines as this program writes them: their events are read several times as fast as those of other lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from cardledger.errors import FormatError
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.cards import OTHER_WAYS
from cardledger.rules.engine.event_types import readers
from cardledger.rules.engine.keys import cards_in
from cardledger.rules.engine.signature import signed

_LONG = 10_000
"""The bytes of a line that is left to the usual way, which has a limit."""
_FURTHER: Final = (ev.Open, ev.Give, ev.Amend)
"""Types of events whose form has further rules."""


def events_on(lines: Sequence[bytes]) -> list[ev.Event | None]:
    """Return the event on each line that is, byte for byte, as `ev.encode` writes it, with any line ending.

    None for other lines.

    Such a line has no unknown, repeated or needless key, and an id and times as they should be. Lines that hold an
    event each are read together, several times as fast as one by one.
    """
    whole = b"".join(lines)
    events = _read_together(whole, lines)
    if events is None:
        half = len(lines) // 2
        return [*events_on(lines[:half]), *events_on(lines[half:])] if half else [None]
    if ev.encode_lines(events) == whole:
        return [event if _has_simple_form(event) else None for event in events]
    return [
        event if ev.encode(event) == line.rstrip(b"\r\n") and _has_simple_form(event) else None
        for event, line in zip(events, lines, strict=True)
    ]


def _read_together(whole: bytes, lines: Sequence[bytes]) -> Sequence[ev.Event] | None:
    """Return the events on lines if there are as many as lines, and no line is long."""
    if len(whole) > _LONG and max(map(len, lines)) > _LONG:
        return None
    try:
        events: Sequence[ev.Event] = readers().one.decode_lines(whole)
    except (ValueError, RecursionError):
        return None
    return events if len(events) == len(lines) else None


def _has_simple_form(event: ev.Event) -> bool:
    """Tell whether the form of an event has no further rules, or it keeps them.

    Its cards are written as they are stored.
    """
    cls = type(event)
    if cls in _FURTHER:
        return False
    for key in cards_in(cls):
        if not _as_stored(getattr(event, key)):
            return False
    if event.id is None and event.at is None and event.imported_at is None:
        return True
    try:
        return signed(event) == event
    except FormatError:
        return False


def _as_stored(cards: Any) -> bool:
    """Tell whether a card, cards or hands are written as they are stored."""
    if isinstance(cards, str):
        return cards not in OTHER_WAYS
    if not isinstance(cards, tuple) or not cards:
        return True
    return all(map(_as_stored, cards)) if isinstance(cards[0], tuple) else OTHER_WAYS.isdisjoint(cards)

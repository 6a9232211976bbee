"""The lines of a match file.

With their numbers, and with the events of those that are written as the program writes them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from cardledger.record.matches.canonical import events_on
from cardledger.rules.engine import events as ev

MAX_LINE = 1_000_000
"""Greatest length of a line in bytes; a longer one is refused before all of it is read."""
_TOGETHER = 256
"""Lines read together, which end before that with so many bytes:"""
_BYTES = 100_000

Lines = tuple[list[int], bytes, list[ev.Event]]
"""Canonical lines that follow each other: their numbers, the first of them, and their events.

Or another line, with no event.
"""


def numbered(file: BinaryIO) -> Iterator[Lines]:
    """Yield the lines that are not blank; one that is too long is cut off and is the last."""
    for numbers, lines in _together(file):
        events: list[ev.Event] = []
        first = 0
        for place, event in enumerate(events_on(lines)):
            if event is not None:
                events.append(event)
                continue
            if events:
                yield numbers[first:place], lines[first], events
                events = []
            yield [numbers[place]], lines[place], []
            first = place + 1
        if events:
            yield numbers[first:], lines[first], events


def too_long(line: bytes) -> bool:
    """Tell whether a line is longer than lines may be, without its ending."""
    return len(line) > MAX_LINE and len(line.rstrip(b"\r\n")) > MAX_LINE


def _together(file: BinaryIO) -> Iterator[tuple[list[int], list[bytes]]]:
    """Yield the numbers of some lines, and the lines."""
    numbers: list[int] = []
    lines: list[bytes] = []
    number = size = 0
    while line := file.readline(MAX_LINE + 2):
        number += 1
        if number == 1:
            line = line.removeprefix(b"\xef\xbb\xbf")
        last = len(line) > MAX_LINE and too_long(line)
        if last or line.strip(b" \t\r\n"):
            numbers.append(number)
            lines.append(line)
            size += len(line)
        if last:
            break
        if size > _BYTES or len(lines) == _TOGETHER:
            yield numbers, lines
            numbers, lines, size = [], [], 0
    if lines:
        yield numbers, lines

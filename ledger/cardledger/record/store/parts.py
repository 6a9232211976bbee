"""Parts of a ledger: streams that one worker reads and folds while others do theirs."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cardledger.record.store import EventStore

EVENTS = 20_000
"""A part is complete with so many events: a tenth of a second of work."""
_TOGETHER = 50
"""Streams whose lengths are asked for in one query."""


def parts(store: EventStore, streams: Iterable[str]) -> Iterator[list[str]]:
    """Yield some streams of a store part by part, in their order; every part has at least one."""
    part: list[str] = []
    events = 0
    for some in _batches(streams):
        lengths = store.lengths(some)
        for stream in some:
            part.append(stream)
            events += lengths.get(stream, 0)
            if events >= EVENTS:
                yield part
                part, events = [], 0
    if part:
        yield part


def _batches(streams: Iterable[str]) -> Iterator[list[str]]:
    each = iter(streams)
    while batch := [*islice(each, _TOGETHER)]:
        yield batch

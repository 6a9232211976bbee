"""The event store: what every engine promises, and the rows it keeps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple, Protocol


class Stored(NamedTuple):
    """An event as stored: its place in the whole ledger, its match and number, its line, and the chained hash."""

    position: int
    match: str
    seq: int
    line: str
    hash: bytes


class Recording(NamedTuple):
    """A whole match as stored: the position of its opening, its lines in order, and the hash of the last."""

    match: str
    position: int
    lines: list[str]
    hash: bytes


class Append(NamedTuple):
    """New events of one match, one or more: the seq they expect it to be at, and their lines with hashes in order."""

    match: str
    expected: int
    lines: list[tuple[str, bytes]]


class EventStore(Protocol):
    """Streams of events by match, only ever appended to.

    Keys start with the match id and nothing spans matches but the position, by which readers follow the whole ledger.
    """

    def append(self, appends: Iterable[Append]) -> int:
        """Store events of one or more matches, all or nothing, durable on return; return the last one's position.

        Raises ConflictError when a match is not at its expected seq; nothing is stored then.
        """
        ...

    def read(self, match: str, after: int = 0) -> list[Stored]:
        """Return the events of a match after a seq, in order; none for a match that is not there."""
        ...

    def read_all(self, after: int = 0) -> Iterator[Stored]:
        """Yield all events after a position, in the order of the ledger."""
        ...

    def recordings(self) -> Iterator[Recording]:
        """Yield every match with all its events, in an order of its own: the fast way through a whole ledger."""
        ...

    def news(self, after: int, limit: int) -> list[tuple[int, str]]:
        """Return position and match of the next events after a position, up to `limit` of them."""
        ...

    def matches(self) -> list[str]:
        """Return the ids of all matches in the order of their openings."""
        ...

    def ids(self, prefix: str, limit: int) -> list[str]:
        """Return up to `limit` match ids that begin with a prefix, in their order."""
        ...

    def last_position(self) -> int:
        """Return the position of the last event of the ledger, 0 for an empty one."""
        ...

    def close(self) -> None:
        """Release what the store holds."""
        ...

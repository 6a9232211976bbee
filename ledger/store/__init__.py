"""The event store: what every engine promises, and the rows it keeps."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import NamedTuple, Protocol

from ledger.store.naming import Named, Names


class Stored(NamedTuple):
    """An event as stored: its place in the whole ledger, its match and number, its line, and the chained hash."""

    position: int
    match: str
    seq: int
    line: str
    hash: bytes


class Recording(NamedTuple):
    """A whole match as stored: the position of its opening, its lines in order, and the hash of the last.

    `names` is what pseudonyms in the lines stand for, where they travel together.
    """

    match: str
    position: int
    lines: list[str]
    hash: bytes
    names: tuple[Named, ...] = ()


class Append(NamedTuple):
    """New events of one match, one or more: the seq they expect it to be at, and their lines with hashes in order.

    `names` is what the pseudonyms in the lines stand for. With `anew` the lines were made here and now, and are not to be
    stored if one of those was erased meanwhile; otherwise what was erased stays so.
    """

    match: str
    expected: int
    lines: list[tuple[str, bytes]]
    names: Collection[Named] = ()
    anew: bool = False


class EventStore(Protocol):
    """Streams of events by match, only ever appended to.

    Keys start with the match id and nothing spans matches but the position, by which readers follow the whole ledger.
    Positions grow from event to event but need not be without gaps. Whoever reads by position sees what was appended
    here, and never an event before which another may still come.
    """

    name: str
    """What the ledger is called in messages and names of files; holds no password."""
    remote: bool
    """Whether to append is to wait for somebody else most of the time."""
    names: Names
    """What the pseudonyms in the lines stand for: whoever shows or folds lines reads them through this."""

    def append(self, appends: Iterable[Append]) -> list[int]:
        """Store events of one or more matches, all or nothing, durable on return; return where each append begins.

        That is the position of its first event. Lines are canonical JSON: they hold no line break and no NUL.
        What events of people erase is gone in the same transaction, for good. Raises ConflictError when a match is not at
        its expected seq, StoreError `store.erased` (see `Append`), `store.write`; nothing is stored then.
        """
        ...

    def learn(self, names: Collection[Named]) -> None:
        """Keep what pseudonyms stand for, but for those that are known or were erased; raises StoreError `store.write`."""
        ...

    def named(self, kind: str) -> Iterator[Named]:
        """Yield all names of a kind, in the order of their pseudonyms."""
        ...

    def holding(self, texts: Collection[str]) -> Iterator[Stored]:
        """Yield the events with one of some texts in their lines as stored: every event is looked at."""
        ...

    def read(self, match: str, after: int = 0) -> list[Stored]:
        """Return the events of a match after a seq, in order; none for a match that is not there."""
        ...

    def read_all(self, after: int = 0) -> Iterator[Stored]:
        """Yield all events after a position, in the order of the ledger."""
        ...

    def recordings(self, first: str = "", last: str = "\x7f", upto: int = 2**63 - 1) -> Iterator[Recording]:
        """Yield every match with all its events, in the order of the match ids: the fast way through a whole ledger.

        Or only the matches whose ids are from `first` to `last`, with their events up to a position: whoever reads a
        ledger in shares does not mix what was there before with what has come since.
        """
        ...

    def news(self, after: int, limit: int) -> list[tuple[int, str]]:
        """Return position and match of the next events after a position, up to `limit` of them."""
        ...

    def between(self, after: int, upto: int) -> set[str]:
        """Return the matches with events after one position and up to another, which has been read up to before."""
        ...

    def lengths(self, matches: Collection[str]) -> dict[str, int]:
        """Return how many events each of some matches has, for those that are there."""
        ...

    def matches(self) -> list[str]:
        """Return the ids of all matches in the order of their openings."""
        ...

    def ids(self, prefix: str, limit: int, after: str = "") -> list[str]:
        """Return up to `limit` match ids that begin with a prefix and come after one, in their order."""
        ...

    def last_position(self) -> int:
        """Return the position of the last event that may be read by position, 0 for none."""
        ...

    def last_given(self) -> int:
        """Return the last position given out: nobody, in whichever process, has seen an event after it."""
        ...

    def tell(self, call: Callable[[], object]) -> bool:
        """Have `call` called, in another thread, whenever others may have appended; return whether it will be."""
        ...

    def same(self, other: EventStore) -> bool:
        """Tell whether another store keeps its events in the same place."""
        ...

    def close(self) -> None:
        """Release what the store holds."""
        ...

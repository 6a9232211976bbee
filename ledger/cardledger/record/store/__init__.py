"""The event store: the interface of every backend, and its rows."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import NamedTuple, Protocol

from cardledger.errors import StoreError
from cardledger.record.people.names import Named, Names
from cardledger.record.store.quota import Quota


class Stored(NamedTuple):
    """An event as stored: its place in the whole ledger, its match and number, its line, and the chained hash."""

    position: int
    match: str
    seq: int
    line: str
    hash: bytes


class Recording(NamedTuple):
    """A whole match as stored: the position of its opening, its lines in order, and the hash of the last.

    `names` holds the texts of the pseudonyms in the lines, if they travel together.
    """

    match: str
    position: int
    lines: list[str]
    hash: bytes
    names: tuple[Named, ...] = ()


class Append(NamedTuple):
    """New events of one match, one or more: the seq they expect it to be at, and their lines with hashes in order.

    `names` holds the texts of their pseudonyms. With `fresh` the lines were made just now, and must not be stored if
    one of the names was erased meanwhile; otherwise erased names stay erased.
    """

    match: str
    expected: int
    lines: list[tuple[str, bytes]]
    names: Collection[Named] = ()
    fresh: bool = False


class EventStore(Protocol):
    """Streams of events by match, only ever appended to.

    Keys start with the match id and nothing spans matches but the position, by which readers follow the whole ledger.
    Positions grow from event to event but need not be without gaps. A reader by position sees the events appended
    here, and never an event before which another may still come.
    """

    name: str
    """The ledger's name in messages and file names, without a password."""
    remote: bool
    """Whether appending mostly means waiting for a server."""
    names: Names
    """The texts of pseudonyms: lines are read through this before they are shown or folded."""
    writable: bool
    """Whether events can be appended; false on a read-only medium."""
    created: bool
    """Whether opening created the ledger."""
    refusal: StoreError | None
    """Why nothing may be recorded, None as long as all is well; appending raises it."""
    quota: Callable[[], Quota | None]
    """Returns how much may be held, None without a limit; appending raises `store.quota`. Erasing somebody goes on."""

    def append(self, appends: Iterable[Append]) -> list[int]:
        """Store events of one or more matches, all or nothing, durable on return; return where each append begins.

        That is the position of its first event. Lines are canonical JSON: they hold no line break and no NUL.
        Names erased by events about people are gone for good in the same transaction. Raises ConflictError when a
        match is not at its expected seq, StoreError `store.erased` (see `Append`), `store.write`, `store.busy`;
        nothing is stored then.
        """
        ...

    def learn(self, names: Collection[Named]) -> None:
        """Store the texts of pseudonyms, except known and erased ones; raises StoreError `store.write`."""
        ...

    def named(self, kind: str) -> Iterator[Named]:
        """Yield all names of a kind, in the order of their pseudonyms."""
        ...

    def holding(self, texts: Collection[str]) -> Iterator[Stored]:
        """Yield the events whose stored lines hold one of some texts; reads every event."""
        ...

    def read(self, match: str, after: int = 0, limit: int | None = None) -> list[Stored]:
        """Return the events of a match after a seq, in order, up to `limit`; empty for an unknown match."""
        ...

    def read_all(self, after: int = 0) -> Iterator[Stored]:
        """Yield all events after a position, in the order of the ledger."""
        ...

    def recordings(self, first: str = "", last: str = "\x7f", upto: int = 2**63 - 1) -> Iterator[Recording]:
        """Yield every match with all its events, in the order of the match ids: the fast way through a whole ledger.

        Or only the matches whose ids are from `first` to `last`, with their events up to a position: so a ledger can
        be read in shares without mixing old and new events.
        """
        ...

    def news(self, after: int, limit: int) -> list[tuple[int, str]]:
        """Return position and match of the next events after a position, up to `limit` of them."""
        ...

    def between(self, after: int, upto: int) -> set[str]:
        """Return the matches with events after one position and up to another that was read before."""
        ...

    def lengths(self, matches: Collection[str]) -> dict[str, int]:
        """Return the number of events of each match that exists."""
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
        """Return the last position given out: no process has seen an event after it."""
        ...

    def stuck(self) -> object:
        """Return the holder of the write lock if it has held it too long, else None."""
        ...

    def tell(self, call: Callable[[], object]) -> bool:
        """Call `call`, in another thread, whenever other processes may have appended.

        Return whether that is possible.
        """
        ...

    def same(self, other: EventStore) -> bool:
        """Tell whether another store keeps its events in the same place."""
        ...

    def close(self) -> None:
        """Release the store's resources."""
        ...

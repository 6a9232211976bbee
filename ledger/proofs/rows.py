"""Events as an engine hands them out, trusting nothing: not that they can be read, nor that they follow one another."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import TYPE_CHECKING

from ledger.errors import LedgerError
from ledger.proofs import Place, ProofError
from ledger.store.chain import link

if TYPE_CHECKING:
    from ledger.store import EventStore, Stored


class UnreadableError(ProofError):
    """An engine cannot make an event of what is stored (`store.line`)."""

    def __init__(self, message: str) -> None:
        super().__init__("store.line", message)


def readable(rows: Iterable[Stored]) -> Generator[Stored]:
    """Yield events; raises UnreadableError where there is one that cannot be read."""
    said = None
    try:
        yield from rows
    except LedgerError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever an engine says of a row that is no longer one
        said = str(error)
    if said is not None:
        # Only here: an error that kept the engine's own would hold its question open, and an old state with it.
        raise UnreadableError(said)


def event_at(store: EventStore, place: Place) -> Stored | None:
    """Return an event as it is stored, None if it is not there; raises UnreadableError."""
    rows = events_of(store, place.match, place.seq - 1)
    return rows[0] if rows and rows[0].seq == place.seq else None


def events_of(store: EventStore, match: str, after: int = 0) -> list[Stored]:
    """Return the events of a match after a number; raises UnreadableError."""

    def rows() -> Generator[Stored]:
        yield from store.read(match, after)

    return [*readable(rows())]


def followed(before: tuple[int, bytes], row: Stored) -> tuple[int, bytes]:
    """Return number and hash of an event that follows another of its match; raises ProofError `store.gap`, `store.hash`."""
    seq, hash = before
    if row.seq != seq + 1:
        place = Place(row.match, seq + 1)
        raise ProofError("store.gap", f"{place} is missing, or stands behind a later one", place)
    # Whoever writes to the file with other tools can store what is no text.
    if not isinstance(row.line, str) or link(hash, row.line) != row.hash:
        place = Place(row.match, row.seq)
        raise ProofError("store.hash", f"{place} is not what was stored, or not where", place)
    return row.seq, row.hash

"""Events as the database returns them, without trust: they may be unreadable or out of order."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import TYPE_CHECKING

from cardledger.errors import LedgerError
from cardledger.record.proofs import EventPlace, ProofError
from cardledger.record.store.chain import link
from cardledger.sentence import Sentence

if TYPE_CHECKING:
    from cardledger.record.store import EventStore, Stored


class UnreadableError(ProofError):
    """A stored row cannot be read as an event (`store.line`)."""

    def __init__(self, message: str) -> None:
        super().__init__("store.line", message)


def readable(rows: Iterable[Stored]) -> Generator[Stored]:
    """Yield events; raises UnreadableError for one that cannot be read."""
    message = None
    try:
        yield from rows
    except LedgerError:
        raise
    except Exception as error:  # noqa: BLE001 - a damaged row can cause any error of the database
        message = str(error)
    if message is not None:
        # Raised outside the handler: an error chained to the database's own would keep its query open, and an old state
        # with it.
        raise UnreadableError(message)


def event_at(store: EventStore, place: EventPlace) -> Stored | None:
    """Return an event as stored, None if it does not exist; raises UnreadableError."""
    rows = events_of(store, place.match, place.seq - 1)
    return rows[0] if rows and rows[0].seq == place.seq else None


def events_of(store: EventStore, match: str, after: int = 0) -> list[Stored]:
    """Return the events of a match after a number; raises UnreadableError."""

    def rows() -> Generator[Stored]:
        yield from store.read(match, after)

    return [*readable(rows())]


def followed(before: tuple[int, bytes], row: Stored) -> tuple[int, bytes]:
    """Check that an event follows another of its match; return its number and hash.

    Raises ProofError `store.gap`, `store.hash`.
    """
    seq, hash = before
    if row.seq != seq + 1:
        place = EventPlace(row.match, seq + 1)
        raise ProofError(
            "store.gap", Sentence("{place} is missing, or comes after a later event", place=place.in_words), place
        )
    # Other tools can store values that are not text.
    if not isinstance(row.line, str) or link(hash, row.line) != row.hash:
        place = EventPlace(row.match, row.seq)
        raise ProofError(
            "store.hash", Sentence("{place} is not as it was stored, or not in its place", place=place.in_words), place
        )
    return row.seq, row.hash

"""Proofs that the record is unchanged: a Merkle tree over all events, signed checkpoints, receipts.

The sealed data of an event are its match, its number and its chained hash, so it holds nothing that may need to be
erased.
"""

from __future__ import annotations

from typing import NamedTuple

from cardledger.errors import LedgerError
from cardledger.sentence import Sentence

DAMAGE = frozenset({
    "store.gap", "store.hash", "store.line", "store.damaged", "store.name", "store.views",
    "store.published", "store.lost-tail",
    "proofs.differs", "proofs.missing", "proofs.inserted", "proofs.moved", "proofs.checkpoint",
    "proofs.signature", "proofs.note", "proofs.key",
})  # fmt: skip
"""Codes of changed or missing events; other codes mean that an operation is not possible now."""


class EventPlace(NamedTuple):
    """The place of an event: its match and its number."""

    match: str
    seq: int

    def __str__(self) -> str:
        return str(self.in_words)

    @property
    def in_words(self) -> Sentence:
        """The place as part of a sentence."""
        return Sentence("event {seq} of {match}", seq=self.seq, match=self.match)


class ProofError(LedgerError):
    """The ledger differs from what was sealed, or a proof is not possible (`proofs.*`).

    `place` is that of the first bad event, None if unknown.
    """

    def __init__(self, code: str, message: str, place: EventPlace | None = None) -> None:
        super().__init__(code, message, place and place.seq - 1)
        self.place = place

    @property
    def as_line(self) -> str:
        """The error as a line, with the event in front if known."""
        return f"{self.place.match}:{self.place.seq}: {self}" if self.place else str(self)

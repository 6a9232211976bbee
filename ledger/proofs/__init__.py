"""Proofs that the ledger is what was recorded: a Merkle tree over all events, signed checkpoints, receipts.

What is sealed of an event is its match, its number there and its chained hash, nothing that could have to be erased.
"""

from __future__ import annotations

from typing import NamedTuple

from ledger.errors import LedgerError


class Place(NamedTuple):
    """Where an event stands: its match and its number there."""

    match: str
    seq: int

    def __str__(self) -> str:
        return f"event {self.seq} of {self.match}"


class ProofError(LedgerError):
    """The ledger is not what was sealed, or a proof cannot be had (`proofs.*`).

    `place` is where the first bad event stands, None where that cannot be told.
    """

    def __init__(self, code: str, message: str, place: Place | None = None) -> None:
        super().__init__(code, message, place and place.seq - 1)
        self.place = place

    @property
    def told(self) -> str:
        """What does not fit as a line, the event in front if it can be told."""
        return f"{self.place.match}:{self.place.seq}: {self}" if self.place else str(self)

"""Leaves of the tree: what exactly is sealed of an event."""

from __future__ import annotations

import hmac
from dataclasses import dataclass

from ledger.proofs import Place
from ledger.proofs.merkle import leaf_hash

_SALT_BYTES = 16


@dataclass(frozen=True, slots=True)
class Leaves:
    """What makes a leaf of an event: its match, its number, its chained hash, and a salt.

    Without the salt, whoever knows all but one card of a hand under way could try out which one leads to a checkpoint,
    or to a hash beside the path of a proof. Salts follow from a secret of the ledger, so that the tree can be made
    again; the salt of an event is told with its proof.
    """

    secret: bytes

    def salt(self, place: Place) -> bytes:
        """Return the salt of an event."""
        match, seq = place
        return hmac.digest(self.secret, f"{match} {seq}".encode(), "sha256")[:_SALT_BYTES]

    def data(self, place: Place, hash: bytes) -> bytes:
        """Return the bytes that are sealed: match, seq, hash and salt in hex, a space between them, as ASCII."""
        match, seq = place
        return f"{match} {seq} {hash.hex()} {self.salt(place).hex()}".encode()

    def hash(self, place: Place, hash: bytes) -> bytes:
        """Return the leaf of an event with this chained hash, as it is in the tree."""
        return leaf_hash(self.data(place, hash))

    @property
    def fingerprint(self) -> str:
        """What tells one secret from another without telling it."""
        return hmac.digest(self.secret, b"fingerprint", "sha256").hex()[:16]

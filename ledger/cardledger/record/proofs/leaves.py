"""Leaves of the tree: the exact sealed data of an event."""

from __future__ import annotations

import hmac
from dataclasses import dataclass

from cardledger.record.proofs import EventPlace
from cardledger.record.proofs.merkle import leaf_hash

_SALT_BYTES = 16


@dataclass(frozen=True, slots=True)
class Leaves:
    """Makes the leaf of an event from its match, its number, its chained hash, and a salt.

    Without the salt, a person who knows all but one card of a hand could test which card leads to a checkpoint or to
    a hash in a proof. Salts are computed from a secret of the ledger, so that the tree can be rebuilt; the salt of an
    event is published with its proof.
    """

    secret: bytes

    def salt(self, place: EventPlace) -> bytes:
        """Return the salt of an event."""
        match, seq = place
        return hmac.digest(self.secret, f"{match} {seq}".encode(), "sha256")[:_SALT_BYTES]

    def data(self, place: EventPlace, hash: bytes) -> bytes:
        """Return the sealed bytes: match, seq, hash and salt (both in hex) as ASCII, separated by spaces."""
        match, seq = place
        return f"{match} {seq} {hash.hex()} {self.salt(place).hex()}".encode()

    def hash(self, place: EventPlace, hash: bytes) -> bytes:
        """Return the leaf in the tree for an event with this chained hash."""
        return leaf_hash(self.data(place, hash))

    @property
    def fingerprint(self) -> str:
        """A fingerprint of the secret that does not reveal it."""
        return hmac.digest(self.secret, b"fingerprint", "sha256").hex()[:16]

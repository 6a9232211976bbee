"""What a log sends to a witness: its checkpoint, and the proof that it continues the last one that the witness signed.

The form is that of https://c2sp.org/tlog-witness.
"""

from __future__ import annotations

from dataclasses import dataclass

from cardledger.record.proofs import ProofError, notes
from cardledger.record.proofs.notes import Checkpoint, as_base64, from_base64

MOST_HASHES = 63
"""Hashes of a proof, at most."""
MOST_BYTES = 64 * 1024
"""Bytes of what is sent, at most."""


@dataclass(frozen=True, slots=True)
class Submission:
    """A checkpoint, the size of the tree that the witness signed last, and the proof between the two."""

    old: int
    proof: list[bytes]
    checkpoint: Checkpoint

    def __str__(self) -> str:
        return "\n".join([f"old {self.old}", *map(as_base64, self.proof), "", self.checkpoint.note])

    @classmethod
    def read(cls, text: str) -> Submission:
        """Read what a log sent; raises ProofError `proofs.note`."""
        head, _, note = text.partition("\n\n")
        first, *lines = head.split("\n")
        size = first.removeprefix("old ")
        try:
            if first == size or not (size.isascii() and size.isdigit() and str(int(size)) == size and len(size) <= 18):
                raise ValueError(first)
            proof = [from_base64(line) for line in lines]
            if len(proof) > MOST_HASHES or any(len(hash) != 32 for hash in proof):
                raise ValueError(len(proof))
        except ValueError:
            raise ProofError(
                "proofs.note",
                f"a checkpoint comes below “old SIZE” and at most {MOST_HASHES} hashes, as c2sp.org/tlog-witness says",
            ) from None
        return cls(int(size), proof, notes.read(note))

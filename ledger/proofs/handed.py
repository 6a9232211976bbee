"""Checkpoints that somebody hands in: a note, several of them as the ledger keeps them, or a receipt or proof with one."""

from __future__ import annotations

import json

from ledger.proofs import ProofError, notes
from ledger.proofs.notes import Checkpoint


def checkpoints_in(text: str) -> list[Checkpoint]:
    """Return the checkpoints in a text, one or more, not yet looked at who signed them; raises ProofError `proofs.note`."""
    text = text.replace("\r\n", "\n").strip("\n")
    if text.startswith("{"):
        text = _proof_of(text).strip("\n")
    halves = text.split("\n\n")
    if text.startswith("c2sp.org/tlog-proof"):
        del halves[0]
    if not halves or len(halves) % 2:
        raise ProofError("proofs.note", "there is no checkpoint in this file, and it is no receipt either")
    pairs = zip(halves[::2], halves[1::2], strict=True)
    return [notes.read(f"{signed}\n\n{signatures}\n") for signed, signatures in pairs]


def _proof_of(text: str) -> str:
    """Return the proof in a receipt, an empty text if it is none."""
    try:
        receipt = json.loads(text)
    except (ValueError, RecursionError):
        return ""
    proof = receipt.get("proof")
    return proof if isinstance(proof, str) else ""

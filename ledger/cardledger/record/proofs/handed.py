"""Checkpoints from outside: a note, a file of several notes, or a receipt or proof that contains one."""

from __future__ import annotations

import json

from cardledger.record.proofs import ProofError, notes
from cardledger.record.proofs.notes import Checkpoint


def checkpoints_in(text: str) -> list[Checkpoint]:
    """Return the checkpoints in a text, one or more, with signatures unchecked; raises ProofError `proofs.note`."""
    text = text.replace("\r\n", "\n").strip("\n")
    if text.startswith("{"):
        text = _proof_of(text).strip("\n")
    halves = text.split("\n\n")
    if text.startswith("c2sp.org/tlog-proof"):
        del halves[0]
    if not halves or len(halves) % 2:
        raise ProofError("proofs.note", "this file is neither a checkpoint nor a receipt")
    pairs = zip(halves[::2], halves[1::2], strict=True)
    return [notes.read(f"{signed}\n\n{signatures}\n") for signed, signatures in pairs]


def _proof_of(text: str) -> str:
    """Return the checkpoint in a receipt, or the proof of an older receipt; an empty text if it is not a receipt."""
    try:
        receipt = json.loads(text)
    except (ValueError, RecursionError):
        return ""
    proof = receipt.get("checkpoint", receipt.get("proof"))
    return proof if isinstance(proof, str) else ""

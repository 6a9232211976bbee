"""Receipts: a match with the proof that all of it was sealed, as one file that anybody can check later."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ledger.ledger import unknown
from ledger.proofs import Place, ProofError
from ledger.proofs.notes import as_base64
from ledger.proofs.rows import events_of, followed
from ledger.store.chain import START

if TYPE_CHECKING:
    from ledger.proofs.log import Inclusion, Log
    from ledger.proofs.notes import Checkpoint
    from ledger.store import Stored

FORM = "cardledger-receipt-2"
"""What a receipt says it is; raised with any change that those who check are to know of."""


def receipt(log: Log, match: str) -> dict[str, Any]:
    """Return the receipt of a match as it is now, ready for JSON.

    Its last event is proven to be in the checkpoint, and the hashes lead from the first event to that. Raises
    StoreError `store.unknown`, ProofError as `Log.inclusion` does, and `store.gap`, `store.hash` for a match that does not fit.
    """
    rows, found = proven(log, match)
    return {
        "receipt": FORM,
        "match": match,
        "keys": [str(key) for key in found.checkpoint.signers(log.ring.verifiers)],
        "salt": found.salt.hex(),
        "proof": tlog_proof(found, extra=False),
        "names": {
            named.pseudonym: {"salt": named.salt.hex(), "text": named.plain}
            for named in log.ledger.store.names.find(row.line for row in rows)
        },
        "events": [{"hash": row.hash.hex(), "line": row.line} for row in rows],
    }


def proven(log: Log, match: str) -> tuple[list[Stored], Inclusion]:
    """Return the events of a match, which follow one from the other, and the proof of the last; raises as `receipt` does."""
    rows = events_of(log.ledger.store, match)
    if not rows:
        raise unknown(match)
    before = 0, START
    for row in rows:
        before = followed(before, row)
    return rows, log.inclusion(Place(match, rows[-1].seq))


def confirmed(log: Log, place: Place, hash: bytes, size: int) -> Checkpoint:
    """Return the checkpoint over `size` events, if an event with this hash is in it and still as it was sealed.

    Raises ProofError: `store.gap`, `store.hash`, `proofs.differs`, `proofs.missing`, `proofs.checkpoint`, and as `Log.seal` does.
    """
    before = 0, START
    for row in events_of(log.ledger.store, place.match)[: place.seq]:
        before = followed(before, row)
    if before != (place.seq, hash):
        raise ProofError("proofs.differs", f"{place} has another hash here", place)
    if log.tree.index(place) is None:
        log.seal()
    index = log.expect_sealed(place, log.event(place))
    checkpoint = log.checkpoints.of_size(size)
    if checkpoint is None or index >= size:
        raise ProofError("proofs.checkpoint", f"no checkpoint over {size:,} events that holds {place} was made here")
    log.signed_at(checkpoint)
    log.expect_goes_on(checkpoint)
    return checkpoint


def as_file(receipt: dict[str, Any]) -> str:
    """Return a receipt as its file: JSON, an event a line, so that people can read it as well."""
    *head, (_, events) = receipt.items()
    lines = [f" {json.dumps(name)}: {json.dumps(value, ensure_ascii=False)},\n" for name, value in head]
    listed = ",\n".join(f"  {json.dumps(event, ensure_ascii=False)}" for event in events)
    return "".join(["{\n", *lines, f' "events": [\n{listed}\n ]\n}}\n'])


def tlog_proof(found: Inclusion, *, extra: bool = True) -> str:
    """Return the proof that an event is in a checkpoint, in the form of https://c2sp.org/tlog-proof.

    Its `extra` data are the bytes of the leaf.
    """
    head = ["c2sp.org/tlog-proof@v1", *([f"extra {as_base64(found.data)}"] if extra else []), f"index {found.index}"]
    return "\n".join([*head, *map(as_base64, found.path), "", found.checkpoint.note])

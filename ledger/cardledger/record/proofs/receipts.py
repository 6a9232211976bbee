"""Receipts: a match with the proof that all of it was sealed, in one file that anybody can check later."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from cardledger.record.proofs import EventPlace, ProofError
from cardledger.record.proofs.notes import as_base64
from cardledger.record.proofs.rows import events_of, followed
from cardledger.record.recording.moment import unknown_match
from cardledger.record.store.chain import START

if TYPE_CHECKING:
    from cardledger.record.proofs.log import Inclusion, Log
    from cardledger.record.proofs.notes import Checkpoint
    from cardledger.record.store import Stored

FORM = "cardledger-receipt-3"
"""The version of the format; raised with every change that matters to checkers."""
COSIGNED = "cardledger-receipt-4"
"""The same with signatures of witnesses below the checkpoint: an earlier checker without a key refuses those."""


def receipt(log: Log, match: str) -> dict[str, Any]:
    """Return the receipt of a match as it is now, ready for JSON.

    Each event is proven to be in the checkpoint, whether or not other events are shown. Raises StoreError
    `store.unknown`, ProofError as `Log.inclusion` does, and `store.gap`, `store.hash` for a damaged match.
    """
    rows = _followed(log, match)
    inclusions = log.inclusions(rows)
    names, checkpoint = log.ledger.store.names, log.cosigned(inclusions.checkpoint)
    # An old line that holds an erased name is proven, but not shown.
    shown = [row.line if names.blanked(row.line) == row.line else None for row in rows]
    return {
        "receipt": FORM if checkpoint.note == inclusions.checkpoint.note else COSIGNED,
        "match": match,
        "keys": [str(key) for key in inclusions.checkpoint.signers(log.ring.verifiers)],
        "checkpoint": checkpoint.note,
        "path": [as_base64(hash) for hash in inclusions.path],
        "names": {
            named.pseudonym: {"salt": named.salt.hex(), "text": named.plain}
            for named in names.find(line for line in shown if line is not None)
        },
        "events": [
            {"hash": row.hash.hex(), "salt": salt.hex(), "index": index, "line": line}
            for row, line, salt, index in zip(rows, shown, inclusions.salts, inclusions.indices, strict=True)
        ],
    }


def proven(log: Log, match: str) -> Inclusion:
    """Return the proof of the last event of a match whose hashes are in order; raises as `receipt` does."""
    return log.inclusion(EventPlace(match, _followed(log, match)[-1].seq))


def _followed(log: Log, match: str) -> list[Stored]:
    """Return the events of a match after checking their hashes; raises StoreError `store.unknown`, ProofError."""
    rows = events_of(log.ledger.store, match)
    if not rows:
        raise unknown_match(match)
    before = 0, START
    for row in rows:
        before = followed(before, row)
    return rows


def confirmed(log: Log, place: EventPlace, hash: bytes, size: int) -> Checkpoint:
    """Return the checkpoint over `size` events, if an event with this hash is in it and still as sealed.

    Raises ProofError: `store.gap`, `store.hash`, `proofs.differs`, `proofs.missing`, `proofs.checkpoint`, and as
    `Log.seal` does.
    """
    before = 0, START
    for row in events_of(log.ledger.store, place.match)[: place.seq]:
        before = followed(before, row)
    if before != (place.seq, hash):
        raise ProofError("proofs.differs", f"{place} has another hash in this ledger", place)
    if log.tree.index(place) is None:
        log.seal()
    index = log.expect_sealed(place, log.event(place))
    checkpoint = log.checkpoints.of_size(size)
    if checkpoint is None or index >= size:
        raise ProofError(
            "proofs.checkpoint", f"no checkpoint over {size:,} events with {place} was made by this ledger"
        )
    log.signed_at(checkpoint)
    log.expect_goes_on(checkpoint)
    return checkpoint


def as_file(receipt: dict[str, Any]) -> str:
    """Return a receipt as the text of its file: JSON with one event a line, so that people can read it."""
    *head, (_, events) = receipt.items()
    lines = [f" {json.dumps(name)}: {json.dumps(value, ensure_ascii=False)},\n" for name, value in head]
    listed = ",\n".join(f"  {json.dumps(event, ensure_ascii=False)}" for event in events)
    return "".join(["{\n", *lines, f' "events": [\n{listed}\n ]\n}}\n'])


def tlog_proof(inclusion: Inclusion, *, extra: bool = True) -> str:
    """Return the proof that an event is in a checkpoint, in the form of https://c2sp.org/tlog-proof.

    Its `extra` data are the bytes of the leaf.
    """
    head = [
        "c2sp.org/tlog-proof@v1",
        *([f"extra {as_base64(inclusion.data)}"] if extra else []),
        f"index {inclusion.index}",
    ]
    return "\n".join([*head, *map(as_base64, inclusion.path), "", inclusion.checkpoint.note])

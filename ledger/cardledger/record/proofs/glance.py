"""A quick look at one match: whether it ends as it was sealed. It only reads, and never waits."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from cardledger.record.proofs import EventPlace, ProofError
from cardledger.record.proofs.keys import read_ring
from cardledger.record.proofs.log import differs, tree_path
from cardledger.record.proofs.rows import event_at
from cardledger.record.proofs.tiles import Tiles
from cardledger.record.proofs.tree import DAMAGE, index_of, last_of
from cardledger.record.store.opening import family
from cardledger.record.store.readers import read_only, resting

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from cardledger.record.proofs.leaves import Leaves
    from cardledger.record.recording.ledger import Ledger
    from cardledger.record.store import Stored


def expect_sealed_end(ledger: Ledger, match: str, rows: Sequence[Stored]) -> None:
    """Refuse a match whose last sealed event is missing or changed; the hashes cover those before it.

    Without a readable tree, nothing is checked. Raises ProofError `proofs.missing`, `proofs.differs`, `proofs.key`.
    """
    key = family(ledger.at, ledger.store).key
    if not key.exists():
        return
    leaves = read_ring(key).leaves
    sealed_end = _sealed_end(tree_path(ledger), match, leaves)
    if sealed_end is None:
        return
    place, leaf = sealed_end
    # More may have been recorded and sealed since the rows were read.
    row = rows[place.seq - 1] if place.seq <= len(rows) else event_at(ledger.store, place)
    if row is None:
        raise ProofError("proofs.missing", f"{place} was sealed and is missing", place)
    if leaves.hash(place, row.hash) != leaf:
        raise differs(place)


def _sealed_end(path: Path, match: str, leaves: Leaves) -> tuple[EventPlace, bytes] | None:
    """Return the last sealed event of a match and its leaf, as the file of the tree has them."""
    try:
        with closing(read_only(path, still=resting(path))) as db:
            size, salts = db.execute("SELECT size, salts FROM state").fetchone()
            place = EventPlace(match, last_of(db, match))
            index = index_of(db, place) if salts == leaves.fingerprint else None
            return None if index is None else (place, Tiles(db, size).leaf(index))
    except (OSError, TypeError, ProofError, *DAMAGE):
        return None  # the next survey or seal rebuilds the tree

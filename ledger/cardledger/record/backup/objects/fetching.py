"""Fetching: an ordinary backup made of the objects of a place, to be restored, or tried, as any other."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from cardledger.errors import StoreError
from cardledger.record.backup.copying import appends
from cardledger.record.backup.examine import Examined
from cardledger.record.backup.objects.envelope import Objects, damaged
from cardledger.record.backup.objects.kept_names import KeptNames
from cardledger.record.backup.objects.pieces import (
    CHECKPOINTS,
    KEY,
    MANIFEST,
    SEGMENTS,
    TOKENS,
    pieces,
    read_piece,
    read_segment,
)
from cardledger.record.backup.objects.places import ObjectAddress
from cardledger.record.backup.snapshot import put
from cardledger.record.people.names import Names
from cardledger.record.store.paths import Family
from cardledger.record.store.sqlite import SqliteStore
from cardledger.sentence import advising


def fetch(objects: Objects, address: ObjectAddress, target: Path) -> Path:
    """Make a backup of what is in a place, with everything beside it; return its path.

    Every object, every hash and the digest of every segment is checked. Raises StoreError `store.missing` if there is
    no copy, `store.gap`, `store.differs`, `store.damaged`, `store.secret`, ProofError for events that do not follow.
    """
    # Read first: the copy may go on meanwhile, and then only has more than it says.
    manifest = objects.get(MANIFEST)
    there = pieces(objects, SEGMENTS)
    if not there and manifest is None:
        raise StoreError("store.missing", advising(f"there is no copy at {address}: check the address"))
    family, course = Family(target), Examined()
    checkpoints = b"".join(read_piece(objects, piece) for piece in pieces(objects, CHECKPOINTS))
    kept = {named.pseudonym: named for named in KeptNames(objects).all()}
    names = Names(lambda words: [kept[word] for word in words if word in kept])
    with closing(SqliteStore(target)) as store:
        for piece in there:
            segment = read_segment(objects, piece)
            for row in segment.rows:
                course.take(row)
            if course.digest != segment.header.digest:
                raise damaged(piece.name)
            store.append(appends(segment.rows, names.carried(row.line for row in segment.rows)))
    for path, content in (
        (family.manifest, manifest),
        (family.checkpoints, checkpoints or None),
        (family.tokens, objects.get(TOKENS)),
        (family.key, objects.get(KEY)),
    ):
        if content is not None:
            put(path, content)
    return target

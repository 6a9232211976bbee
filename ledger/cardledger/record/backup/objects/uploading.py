"""Copying to an object store: each pass writes the events recorded since the last one, and what lies beside them."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from itertools import islice
from typing import Self

import msgspec

from cardledger.errors import StoreError
from cardledger.record.backup.examine import Examined
from cardledger.record.backup.making import BackupSource, sealed_by
from cardledger.record.backup.manifest import Manifest, note
from cardledger.record.backup.objects.envelope import Objects
from cardledger.record.backup.objects.kept_names import KeptNames
from cardledger.record.backup.objects.pieces import (
    CHECKPOINTS,
    KEY,
    MANIFEST,
    SEGMENTS,
    TOKENS,
    Piece,
    pieces,
    read_piece,
    read_segment,
    write_segment,
)
from cardledger.record.backup.objects.places import ObjectAddress
from cardledger.record.backup.snapshot import snapshot
from cardledger.record.people.names import erased_by
from cardledger.record.proofs import EventPlace
from cardledger.record.store import Stored
from cardledger.record.store.missing_names import MissingNames
from cardledger.record.store.temporary import TemporaryFolder
from cardledger.sentence import advising

MOST = 20_000
"""Events in one object."""


class ObjectFollower:
    """A copy in an object store that is open to be continued; what `step` copied is there on return.

    Every event is checked against the chain of its match before it is copied, and all against the checkpoints.
    """

    def __init__(self, source: BackupSource, address: ObjectAddress, objects: Objects, *, with_key: bool) -> None:
        """Begin a copy, or find the end of the one that is there, which has to be of the same ledger.

        Raises StoreError `store.secret` for a signing key that would lie there unencrypted, `store.differs` if the copy
        is of another ledger or goes further, `store.gap`, `store.damaged`, and what reading the ledger raises.
        """
        if with_key and not objects.encrypted:
            raise StoreError(
                "store.secret",
                advising("the signing key is not copied where others could read it: give a --secret too"),
            )
        self._source, self._address, self._objects, self._with_key = source, address, objects, with_key
        self._course = Examined()
        self._after = 0
        self._lost = MissingNames(source.store.names)
        self._side: dict[str, object] = {}
        self._written: Manifest | None = None
        self._names = KeptNames(objects)
        self._sealed = sealed_by(source.side.checkpoints, source.side.key)
        self._find_end()

    def _find_end(self) -> None:
        """Take in the ledger's events that are there already; what they say about names is made so there, too."""
        there = pieces(self._objects, SEGMENTS)
        count = there[-1].upto if there else 0
        rows = self._source.store.read_all()
        while some := [*islice(rows, min(MOST, count - self._course.events))]:
            self._take(some)
        if there and (
            self._course.events < count or self._course.digest != read_segment(self._objects, there[-1]).header.digest
        ):
            raise StoreError(
                "store.differs",
                advising(
                    f"{self._address} holds {count:,} events that are not the first ones of {self._source.where}: "
                    "nothing was written. Copy to another place"
                ),
            )

    def _take(self, rows: list[Stored]) -> None:
        for row in rows:
            place = self._course.take(row)
            if self._sealed is not None:
                self._sealed.take(place, row.hash)
            for group in erased_by(row.match, [row.line]):
                self._names.erase(group)
        self._lost.take(rows)
        self._names.add(self._source.store.names.carried(row.line for row in rows))
        self._after = rows[-1].position

    def step(self, now: datetime) -> int:
        """Copy the events recorded since the last time; return their number. Raises ProofError, StoreError."""
        before = self._course.events
        checkpoints = self._checkpoints()
        # Those found there at the beginning may have brought names, or erased some.
        self._names.write()
        while rows := [*islice(self._source.store.read_all(self._after), MOST)]:
            piece = Piece(SEGMENTS, self._course.events, self._course.events + len(rows))
            self._take(rows)
            # An erased name goes before the event is there that erases it, and no event is there without its names.
            self._names.write()
            write_segment(self._objects, piece, self._course.digest, rows)
        self._copy_checkpoints(checkpoints)
        self._copy_side()
        self._lost.look_again()
        sealed = self._sealed.upto if self._sealed is not None else 0
        missing = len(self._lost.all())
        manifest = Manifest.of(self._course, str(self._source.where), sealed, now, missing)
        if self._written is None or msgspec.structs.replace(self._written, made=manifest.made) != manifest:
            self._objects.replace(MANIFEST, msgspec.json.encode(manifest))
            self._written = manifest
        note(self._source.side, self._address, manifest)
        return self._course.events - before

    def _checkpoints(self) -> list[bytes]:
        """Return the checkpoints of the ledger, read before its events: so none is copied before what it seals."""
        with suppress(FileNotFoundError):
            return self._source.side.checkpoints.read_bytes().splitlines(keepends=True)
        return []

    def _copy_checkpoints(self, lines: list[bytes]) -> None:
        """Check the copied events against new checkpoints, and copy these.

        Raises StoreError `store.differs` if those that are there are not the first ones of the ledger.
        """
        if self._side.get(CHECKPOINTS) == lines:
            return
        there = pieces(self._objects, CHECKPOINTS)
        if b"".join(read_piece(self._objects, piece) for piece in there) != b"".join(
            lines[: there[-1].upto if there else 0]
        ):
            raise StoreError(
                "store.differs",
                advising(
                    f"{self._address} has checkpoints that the ledger does not have: nothing was written. "
                    "Find out why they are missing, or copy to another place"
                ),
            )
        if sealed := sealed_by(self._source.side.checkpoints, self._source.side.key):
            self._sealed = sealed
            for row in islice(self._source.store.read_all(), self._course.events):
                sealed.take(EventPlace(row.match, row.seq), row.hash)
        count = there[-1].upto if there else 0
        if lines[count:]:
            self._objects.create(Piece(CHECKPOINTS, count, len(lines)).name, b"".join(lines[count:]))
        self._side[CHECKPOINTS] = lines

    def _copy_side(self) -> None:
        """Copy tokens, and the key if that is wished, when they changed."""
        side = self._source.side
        content: dict[str, bytes] = {}
        if side.tokens.exists():
            with TemporaryFolder() as temporary:
                snapshot(side.tokens, temporary.path / TOKENS)
                content[TOKENS] = (temporary.path / TOKENS).read_bytes()
        if self._with_key and side.key.exists():
            content[KEY] = side.key.read_bytes()
        for name, data in content.items():
            if self._side.get(name) != data:
                self._objects.replace(name, data)
                self._side[name] = data

    @property
    def missing_names(self) -> StoreError | None:
        """Names that the ledger has lost: those that were copied before are kept here."""
        return self._lost.error()

    @property
    def events(self) -> int:
        """The number of events in the copy."""
        return self._course.events

    def close(self) -> None:
        """Release the copy."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

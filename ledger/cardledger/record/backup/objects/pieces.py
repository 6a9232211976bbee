"""Pieces of a log: immutable objects, each named by the numbers of the entries it goes from and to, without a gap."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import msgspec

from cardledger.errors import StoreError
from cardledger.record.backup.objects.envelope import Objects, damaged
from cardledger.record.store import Stored

SEGMENTS, CHECKPOINTS, NAMES = "segments", "checkpoints", "names"
TOKENS, KEY, MANIFEST = "tokens", "key", "manifest"
_RANGE = re.compile(r"[a-z]+/(\d{12,})-(\d{12,})")


class Piece(NamedTuple):
    """A piece of a log: the number of entries before it, and up to its end."""

    log: str
    after: int
    upto: int

    @property
    def name(self) -> str:
        """The name of its object, such as `segments/000000001200-000000001342`."""
        return f"{self.log}/{self.after:012}-{self.upto:012}"


def pieces(objects: Objects, log: str) -> list[Piece]:
    """Return the pieces of a log, which follow each other from its beginning.

    Raises StoreError `store.gap` if one is missing, `store.differs` if two begin at the same place: two programs wrote.
    """
    found = [Piece(log, int(two[1]), int(two[2])) for name in objects.names(log) if (two := _RANGE.fullmatch(name))]
    at = 0
    for piece in sorted(found, key=lambda piece: (piece.after, piece.upto)):
        if piece.after > at:
            raise StoreError("store.gap", f"the object {log}/{at:012}-… is missing; the next is {piece.name}")
        if piece.after < at or piece.upto <= at:
            raise StoreError(
                "store.differs", f"{piece.name} overlaps the object before it: two programs copied to this place"
            )
        at = piece.upto
    return sorted(found)


class Header(msgspec.Struct, frozen=True):
    """The first line of a segment: its events' numbers, and the digest over all events up to its end."""

    after: int
    upto: int
    digest: str


class Segment(NamedTuple):
    """Events with the digest over all up to the last of them, as `Manifest.digest`."""

    header: Header
    rows: list[Stored]


def write_segment(objects: Objects, piece: Piece, digest: str, rows: Iterable[Stored]) -> None:
    """Write events once; raises as `Objects.create`."""
    lines = [msgspec.json.encode(Header(piece.after, piece.upto, digest))]
    lines += [msgspec.json.encode((row.match, row.seq, row.hash.hex(), row.line)) for row in rows]
    objects.create(piece.name, b"\n".join(lines))


def read_segment(objects: Objects, piece: Piece) -> Segment:
    """Return the events of a piece; raises StoreError `store.damaged`, `store.missing`, and as `Objects.get`."""
    first, *lines = read_piece(objects, piece).split(b"\n")
    try:
        header = msgspec.json.decode(first, type=Header)
        rows = [*_rows(piece.after, lines)]
    except (msgspec.DecodeError, ValueError):
        raise damaged(piece.name) from None
    if (header.after, header.upto, len(rows)) != (piece.after, piece.upto, piece.upto - piece.after):
        raise damaged(piece.name)
    return Segment(header, rows)


def read_piece(objects: Objects, piece: Piece) -> bytes:
    """Return the content of a piece; raises StoreError `store.missing`, and as `Objects.get`."""
    content = objects.get(piece.name)
    if content is None:
        raise StoreError("store.missing", f"the object {piece.name} is gone")
    return content


def _rows(after: int, lines: Iterable[bytes]) -> Iterator[Stored]:
    for position, line in enumerate(lines, after + 1):
        match, seq, hash, text = msgspec.json.decode(line, type=tuple[str, int, str, str])
        yield Stored(position, match, seq, text, bytes.fromhex(hash))

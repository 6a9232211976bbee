"""What can be analysed: a ledger, packed archives, or match files; each cut into shares, the same ones every time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ledger.analyse.shares import ArchiveShare, FileShare, LedgerShare, Share
from ledger.archive.files import Archive
from ledger.errors import StoreError
from ledger.matchfile import MAX_LINE, opens
from ledger.people import STREAM
from ledger.store.where import Where, opened

_MATCHES = 128
"""Matches a share of a ledger has."""
_BYTES = 4_000_000
"""Bytes a share of a match file has, roughly."""


@dataclass(frozen=True, slots=True)
class Source:
    """What is to be analysed: how much it is in all, in events or bytes, and what yields its shares in their order.

    `distinct` says that no match can be in it twice. `people` are the hashes of the latest events about people,
    `position` is the last one of the ledger, where there is one.
    """

    size: int
    shares: Callable[[], Iterator[Share]]
    distinct: bool
    people: Sequence[str] = ()
    position: int | None = None


def of_ledger(where: Where) -> Source:
    """Return a ledger as it is now: what is recorded meanwhile is left out; raises StoreError `store.missing`, `store.open`."""
    where = where.absolute() if isinstance(where, Path) else where
    with closing(opened(where, create=False)) as store:
        upto = store.last_position()
        heads = [row.hash.hex() for row in store.read(STREAM) if row.position <= upto]
    return Source(upto, partial(_ranges, where, upto), True, heads[-1:], upto)


def _ranges(where: Where, upto: int) -> Iterator[Share]:
    last = ""
    with closing(opened(where, create=False)) as store:
        while ids := store.ids("", _MATCHES, after=last):
            last = ids[-1]
            yield LedgerShare(where, ids[0], last, upto)


def of_archives(paths: Sequence[Path]) -> Source:
    """Return packed archives; raises StoreError `store.missing`, `store.open`, `store.version`, `store.extra`."""
    shares, manifests = [], []
    for path in paths:
        with Archive(path) as archive:
            manifests.append(archive.manifest)
            shares.append((path.absolute(), archive.manifest.heads, len(archive)))
    return Source(
        sum(manifest.events for manifest in manifests),
        lambda: (ArchiveShare(path, heads, page) for path, heads, pages in shares for page in range(pages)),
        len(paths) == 1,
        [manifest.people for manifest in manifests if manifest.people is not None],
        manifests[0].position if len(paths) == 1 else None,
    )


def of_files(paths: Sequence[Path]) -> Source:
    """Return match files; raises StoreError `store.missing`."""
    for path in paths:
        if not path.is_file():
            raise StoreError("store.missing", f"there is no match file at {path}")
    return Source(sum(path.stat().st_size for path in paths), partial(_parts, paths), False)


def _parts(paths: Sequence[Path]) -> Iterator[Share]:
    """Yield parts of match files that begin with an opening; as in reading them, nothing follows a line too long."""
    before = 0
    for path in paths:
        start = size = first = number = 0
        with path.open("rb") as file:
            while text := file.readline(MAX_LINE + 2):
                if size >= _BYTES and b'"open"' in text and opens(text):
                    yield FileShare(path.absolute(), start, size, first, before)
                    start, size, first = start + size, 0, number
                size += len(text)
                number += 1
                if len(text.rstrip(b"\r\n")) > MAX_LINE:
                    break
        yield FileShare(path.absolute(), start, size, first, before)
        before += number

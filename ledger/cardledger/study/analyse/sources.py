"""Sources of an analysis: a ledger, packed archives, or match files, each divided into the same shares every time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from cardledger.errors import StoreError
from cardledger.record.matches.lines import MAX_LINE, too_long
from cardledger.record.matches.matchfile import opening_on
from cardledger.record.people.people import STREAM
from cardledger.record.store.address import Where
from cardledger.record.store.opening import opened
from cardledger.sentence import advising
from cardledger.study.analyse.shares import ArchiveShare, FileShare, LedgerShare, Share
from cardledger.study.archive.files import Archive

MATCHES = 128
"""The number of matches in a share of a ledger."""
BYTES = 4_000_000
"""The approximate number of bytes in a share of a match file."""


@dataclass(frozen=True, slots=True)
class AnalysisSource:
    """A source: its size in events or bytes, and a function that yields its shares in order.

    `distinct` means that no match can occur twice. `people` are the hashes of the latest events about people,
    `position` the last one of a ledger.
    """

    size: int
    shares: Callable[[], Iterator[Share]]
    distinct: bool
    people: Sequence[str] = ()
    position: int | None = None


def of_ledger(where: Where, game: str | None = None) -> AnalysisSource:
    """Return a ledger as it is now, without later events; with `game`, at least all of its matches of that game.

    Raises StoreError `store.missing`, `store.open`.
    """
    where = where.absolute() if isinstance(where, Path) else where
    with closing(opened(where, create=False)) as store:
        upto = store.last_position()
        heads = [row.hash.hex() for row in store.read(STREAM) if row.position <= upto]
    return AnalysisSource(upto, partial(_ranges, where, upto, game), True, heads[-1:], upto)


def _ranges(where: Where, upto: int, game: str | None) -> Iterator[Share]:
    last = ""
    with closing(opened(where, create=False)) as store:
        while ids := store.ids("", MATCHES, after=last):
            last = ids[-1]
            yield LedgerShare(where, ids[0], last, upto, game=game)


def of_archives(paths: Sequence[Path]) -> AnalysisSource:
    """Return packed archives; raises StoreError `store.missing`, `store.open`, `store.version`, `store.extra`."""
    shares, manifests = [], []
    for path in paths:
        with Archive(path) as archive:
            manifests.append(archive.manifest)
            shares.append((path.absolute(), archive.manifest.heads, len(archive)))
    return AnalysisSource(
        sum(manifest.events for manifest in manifests),
        lambda: (ArchiveShare(path, heads, page) for path, heads, pages in shares for page in range(pages)),
        len(paths) == 1,
        [manifest.people for manifest in manifests if manifest.people is not None],
        manifests[0].position if len(paths) == 1 else None,
    )


def of_files(paths: Sequence[Path]) -> AnalysisSource:
    """Return match files; raises StoreError `store.missing`."""
    for path in paths:
        if not path.is_file():
            raise StoreError("store.missing", advising(f"there is no match file at {path}: check the path"))
    return AnalysisSource(sum(path.stat().st_size for path in paths), partial(_parts, paths), False)


def _parts(paths: Sequence[Path]) -> Iterator[Share]:
    """Yield parts of match files that begin with an opening; as in reading them, nothing follows a line too long."""
    before = 0
    for path in paths:
        start = size = first = number = 0
        with path.open("rb") as file:
            while text := file.readline(MAX_LINE + 2):
                if size >= BYTES and b'"open"' in text and opening_on(text):
                    yield FileShare(path.absolute(), start, size, first, before)
                    start, size, first = start + size, 0, number
                size += len(text)
                number += 1
                if too_long(text):
                    break
        yield FileShare(path.absolute(), start, size, first, before)
        before += number

"""Packed archives as files: written whole or not at all, read page by page, trusting nothing."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import IO, Any, Self

import msgspec

from ledger.archive.columns import COLUMNS, NAMES, VERSION, arrow, leaves, schema
from ledger.archive.course import Course, courses
from ledger.archive.packing import rows_of
from ledger.archive.page import Page
from ledger.errors import LedgerError, StoreError
from ledger.people import STREAM
from ledger.store import Recording
from ledger.store.chain import START, chain
from ledger.store.naming import Names

PAGE = 100_000
"""Events of a row group, roughly: it holds whole matches."""
_KEY = b"cardledger"
_FOLDED = [name for name in COLUMNS if name not in ("hand", "corrections", "recorders", "ids")]
"""What it takes to fold a match."""
_SOUGHT = ("match", "position", "game", "event", "date")
"""By what a reader may look for some pages only: what is in a page is told for these columns."""
_DAMAGED = (
    OSError, ValueError, TypeError, LookupError, AttributeError, ArithmeticError, MemoryError, RuntimeError,
)  # fmt: skip
"""What reading a damaged file may raise: it can say anything."""


def with_names(recordings: Iterable[Recording], names: Names) -> Iterator[Recording]:
    """Yield matches together with what the pseudonyms in them stand for."""
    for recording in recordings:
        yield recording._replace(names=tuple(names.find(recording.lines)))


class Heads:
    """The digest of many matches: SHA-256 over a line for each, its id and the hash of its latest event."""

    def __init__(self) -> None:
        self._digest = sha256()

    def add(self, match: str, hash: bytes) -> None:
        """Take the next match into account."""
        self._digest.update(self.line(match, hash))

    def add_lines(self, lines: bytes) -> None:
        """Take matches into account whose lines are made already."""
        self._digest.update(lines)

    @staticmethod
    def line(match: str, hash: bytes) -> bytes:
        """Return the line of a match."""
        return f"{match} {hash.hex()}\n".encode()

    def hex(self) -> str:
        """Return the digest so far."""
        return self._digest.hexdigest()


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """What an archive says of itself.

    `position` is the last one of the ledger it was packed from, `rules` the number of matches by edition, `people` the
    hash of the latest event about people, `heads` the digest of all matches (see `Heads`).
    """

    version: int = VERSION
    matches: int
    events: int
    position: int
    rules: dict[str, int]
    people: str | None
    heads: str


def pack(recordings: Iterable[Recording], path: Path, position: int) -> Manifest:
    """Write matches in the order of their ids to a file, and read it again before it takes the place of another.

    Raises StoreError `store.write`, `store.hash`, `store.line`, `store.extra`.
    """
    arrow()
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as file:
            manifest = _write(recordings, file, position)
            file.flush()
            os.fsync(file.fileno())
        for _ in Archive(part).recordings():
            pass
        part.replace(path)
    except OSError as error:
        raise StoreError("store.write", f"{path} was not written: {error}") from None
    finally:
        part.unlink(missing_ok=True)
    return manifest


def _write(recordings: Iterable[Recording], file: IO[bytes], position: int) -> Manifest:
    pa, form, kinds = arrow(), schema(), leaves()
    heads, rules = Heads(), Counter[str]()
    matches = events = written = 0
    people: str | None = None
    rows: list[dict[str, Any]] = []
    with pa.parquet.ParquetWriter(
        file, form, compression="zstd", write_page_checksum=True, sorting_columns=[pa.parquet.SortingColumn(0)],
        use_dictionary=[*(path for path, kind in kinds.items() if kind == "text"), *NAMES],
        write_statistics=list(_SOUGHT),
        column_encoding={path: "DELTA_BINARY_PACKED" for path, kind in kinds.items() if kind == "time"},
    ) as writer:  # fmt: skip
        for recording in recordings:
            rows += rows_of(recording)
            events += len(recording.lines)
            if recording.match == STREAM:
                people = recording.hash.hex()
            else:
                matches += 1
                rules[rows[-1]["rules"] or ""] += 1
                heads.add(recording.match, recording.hash)
            if events - written >= PAGE:
                writer.write_table(pa.Table.from_pylist(rows, form))
                rows, written = [], events
        if rows:
            writer.write_table(pa.Table.from_pylist(rows, form))
        manifest = Manifest(
            version=VERSION, matches=matches, events=events, position=position, rules=dict(sorted(rules.items())),
            people=people, heads=heads.hex(),
        )  # fmt: skip
        writer.add_key_value_metadata({_KEY: msgspec.json.encode(manifest)})
    return manifest


class Archive:
    """A packed archive, open for reading."""

    def __init__(self, path: Path) -> None:
        """Open the file; raises StoreError `store.missing`, `store.open`, `store.version`, `store.extra`."""
        self.path = path
        parquet = arrow().parquet
        if not path.exists():
            raise StoreError("store.missing", f"there is no archive at {path}")
        texts = [leaf for leaf, kind in leaves().items() if kind == "text"]
        try:
            found = parquet.read_metadata(path)
            said = (found.metadata or {}).get(_KEY, b"{}")
            version = msgspec.json.decode(said).get("version")
            if isinstance(version, int) and version > VERSION:
                raise StoreError("store.version", f"{path} has version {version}; this program reads up to {VERSION}")
            self.manifest = msgspec.json.decode(said, type=Manifest)
            if not found.schema.to_arrow_schema().equals(schema(self.manifest.version)):
                raise ValueError("it has other columns")
            self._file = parquet.ParquetFile(
                path, metadata=found, read_dictionary=texts, page_checksum_verification=True
            )
        except (*_DAMAGED, arrow().ArrowException) as error:
            raise StoreError("store.open", f"{path} is no packed archive, or not a whole one: {error}") from None

    def __len__(self) -> int:
        """The number of pages."""
        count: int = self._file.num_row_groups
        return count

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def recordings(self) -> Iterator[Recording]:
        """Yield every match as it was stored, in the order of the ids.

        Raises StoreError `store.hash`, `store.gap`, `store.line` for the first that is not; at the end at the latest.
        """
        heads, matches, events, people = Heads(), 0, 0, None
        last = ""
        for index in range(len(self)):
            for recording in self.recordings_of(index):
                match, lines = recording.match, recording.lines
                if chain(START, lines)[-1][1] != recording.hash:
                    raise StoreError("store.hash", f"{self.path}: match {match} is not what was packed")
                if match <= last:
                    raise StoreError("store.hash", f"{self.path}: match {match} is not in its place")
                last = match
                events += len(lines)
                if match == STREAM:
                    people = recording.hash.hex()
                else:
                    matches += 1
                    heads.add(match, recording.hash)
                yield recording
        found = self.manifest
        if (matches, events, people, heads.hex()) != (found.matches, found.events, found.people, found.heads):
            raise StoreError("store.hash", f"{self.path} does not hold what it says")

    def recordings_of(self, index: int) -> Iterator[Recording]:
        """Yield the matches of a page as they were stored, if their hashes are right: that is left to the reader."""
        with self._trusting_nothing():
            yield from self._page(index).recordings()

    def courses(self, index: int) -> Iterator[Course]:
        """Yield the matches of a page to be folded, people apart; raises StoreError where they cannot be."""
        with self._trusting_nothing():
            columns = [name for name in _FOLDED if name in self._file.schema_arrow.names]
            yield from courses(self._page(index, columns, self.erasing))

    @cached_property
    def erasing(self) -> Sequence[str]:
        """The lines about people, which say who was erased."""
        people = self.people()
        return people.lines if people else ()

    def people(self) -> Recording | None:
        """Return the events about people, if there are any: their name comes after all ids."""
        if self.manifest.people is None:
            return None
        *_, last = self.recordings_of(len(self) - 1)
        return last

    def _page(self, index: int, columns: list[str] | None = None, erasing: Sequence[str] = ()) -> Page:
        return Page(self._file.read_row_group(index, columns, use_threads=False), erasing)

    @contextmanager
    def _trusting_nothing(self) -> Iterator[None]:
        """Whatever may come of reading a damaged file is told as such."""
        try:
            yield
        except LedgerError as error:
            error.message = f"{self.path}: {error.message}"
            raise
        except (*_DAMAGED, arrow().ArrowException) as error:
            raise StoreError("store.hash", f"{self.path} is not as it was packed: {error}") from error

"""Packed archives as files: written whole or not at all, read page by page, with all checks."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import IO, Any, Self

import msgspec

from cardledger.errors import LedgerError, StoreError
from cardledger.record.people.names import Names
from cardledger.record.people.people import STREAM
from cardledger.record.readmodels.arrow_tables import arrow
from cardledger.record.store import Recording
from cardledger.record.store.chain import START, chain
from cardledger.record.store.paths import expect_file
from cardledger.sentence import advising
from cardledger.study.archive.columns import COLUMNS, LETTERED, NAMES, VERSION, kinds, leaves, schema
from cardledger.study.archive.course import ArchivedMatch, courses
from cardledger.study.archive.letters import Alphabets, Meanings
from cardledger.study.archive.packing import rows_of
from cardledger.study.archive.page import Page

PAGE = 100_000
"""Events of a row group, roughly: it holds whole matches."""
_KEY = b"cardledger"
_FOLDED = [name for name in COLUMNS if name not in ("hand", "corrections", "recorders", "ids")]
"""The columns needed to fold a match."""
SOUGHT = ("match", "position", "game", "event", "date")
"""Columns by which a reader can pick pages: the file holds the range of each page for them."""
_DAMAGED = (
    OSError, ValueError, TypeError, LookupError, AttributeError, ArithmeticError, MemoryError, RuntimeError,
)  # fmt: skip
"""The errors that reading a damaged file may raise."""


def with_names(recordings: Iterable[Recording], names: Names) -> Iterator[Recording]:
    """Yield matches together with the names behind their pseudonyms."""
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
        """Take matches into account whose lines are already made."""
        self._digest.update(lines)

    @staticmethod
    def line(match: str, hash: bytes) -> bytes:
        """Return the line of a match."""
        return f"{match} {hash.hex()}\n".encode()

    def hex(self) -> str:
        """Return the digest so far."""
        return self._digest.hexdigest()


class ArchiveInfo(msgspec.Struct, frozen=True, kw_only=True):
    """The metadata of an archive.

    `position` is the last one of the ledger it was packed from, `rules` the number of matches by edition, `people` the
    hash of the latest event about people, `heads` the digest of all matches (see `Heads`), `letters` what each letter
    means by alphabet.
    """

    version: int = VERSION
    matches: int
    events: int
    position: int
    rules: dict[str, int]
    people: str | None
    heads: str
    letters: dict[str, dict[str, Any]] = {}


def pack(recordings: Iterable[Recording], path: Path, position: int) -> ArchiveInfo:
    """Write matches in the order of their ids to a file, and read it back before it replaces another.

    Raises StoreError `store.write`, `store.hash`, `store.line`, `store.extra`, and `store.open` where no file can be.
    """
    arrow()
    expect_file(path)
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


def _write(recordings: Iterable[Recording], file: IO[bytes], position: int) -> ArchiveInfo:
    pa, form, paths = arrow(), schema(), leaves()
    heads, rules, letters = Heads(), Counter[str](), Alphabets()
    matches = events = written = 0
    people: str | None = None
    rows: list[dict[str, Any]] = []
    with pa.parquet.ParquetWriter(
        file, form, compression="zstd", write_page_checksum=True, sorting_columns=[pa.parquet.SortingColumn(0)],
        use_dictionary=[*(path for path, kind in paths.items() if kind == "text"), *NAMES],
        write_statistics=list(SOUGHT),
        column_encoding={path: "DELTA_BINARY_PACKED" for path, kind in paths.items() if kind == "time"},
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
                writer.write_table(letters.table(rows))
                rows, written = [], events
        if rows:
            writer.write_table(letters.table(rows))
        manifest = ArchiveInfo(
            version=VERSION, matches=matches, events=events, position=position, rules=dict(sorted(rules.items())),
            people=people, heads=heads.hex(), letters=letters.meanings(),
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
            raise StoreError("store.missing", advising(f"there is no archive at {path}: check the path"))
        try:
            metadata = parquet.read_metadata(path)
            info = (metadata.metadata or {}).get(_KEY, b"{}")
            version = msgspec.json.decode(info).get("version")
            if isinstance(version, int) and version > VERSION:
                raise StoreError("store.version", f"{path} has version {version}; this program reads up to {VERSION}")
            self.manifest = msgspec.json.decode(info, type=ArchiveInfo)
            if not metadata.schema.to_arrow_schema().equals(schema(self.manifest.version)):
                raise ValueError("it has other columns")
            lettered = self.manifest.version >= LETTERED
            self._meanings = Meanings(self.manifest.letters) if lettered else None
            texts = [leaf for leaf, kind in leaves(self.manifest.version).items() if kind == "text"]
            self._file = parquet.ParquetFile(
                path, metadata=metadata, read_dictionary=texts, page_checksum_verification=True
            )
        except (*_DAMAGED, arrow().ArrowException) as error:
            raise StoreError("store.open", f"{path} is not a complete packed archive: {error}") from None

    def __len__(self) -> int:
        """The number of pages."""
        count: int = self._file.num_row_groups
        return count

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def recordings(self) -> Iterator[Recording]:
        """Yield every match as stored, in the order of the ids.

        Raises StoreError `store.hash`, `store.gap`, `store.line` for the first that is not; at the end at the latest.
        """
        heads, matches, events, people = Heads(), 0, 0, None
        last = ""
        for index in range(len(self)):
            for recording in self.recordings_of(index):
                match, lines = recording.match, recording.lines
                if chain(START, lines)[-1][1] != recording.hash:
                    raise StoreError("store.hash", f"{self.path}: match {match} is not as it was packed")
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
        manifest = self.manifest
        if (matches, events, people, heads.hex()) != (
            manifest.matches,
            manifest.events,
            manifest.people,
            manifest.heads,
        ):
            raise StoreError("store.hash", f"{self.path} does not hold the matches that its metadata names")

    def recordings_of(self, index: int) -> Iterator[Recording]:
        """Yield the matches of a page as stored; the caller checks the hashes."""
        with self.trusting_nothing():
            yield from self._page(index).recordings()

    def courses(self, index: int, but: Container[str] = ()) -> Iterator[ArchivedMatch]:
        """Yield the matches of a page, but for some, ready to fold, without the people.

        Raises StoreError if that is not possible.
        """
        with self.trusting_nothing():
            yield from courses(self._page(index, _FOLDED, self.erasing), but)

    def page(self, index: int, columns: Sequence[str], pages: int = 1) -> Page:
        """Return some columns of a page, or of several from there on as one.

        Raises StoreError `store.hash`, `store.gap`.
        """
        with self.trusting_nothing():
            return self._page(index, columns, pages=pages)

    @cached_property
    def erasing(self) -> Sequence[str]:
        """The lines about people, which include erasures."""
        people = self.people()
        return people.lines if people else ()

    def people(self) -> Recording | None:
        """Return the events about people, if there are any: their stream sorts after all ids."""
        if self.manifest.people is None:
            return None
        *_, last = self.recordings_of(len(self) - 1)
        return last

    def _page(
        self, index: int, columns: Sequence[str] = (*COLUMNS,), erasing: Sequence[str] = (), pages: int = 1
    ) -> Page:
        known = kinds(self.manifest.version)
        there = [name for name in columns if name in known]
        read = self._file.read_row_group  # several at once cannot be read with lists of dictionaries
        tables = [read(one, there, use_threads=False) for one in range(index, index + pages)]
        return Page(arrow().concat_tables(tables), self._meanings, erasing)

    @contextmanager
    def trusting_nothing(self) -> Iterator[None]:
        """Turn errors of a damaged file into StoreError."""
        try:
            yield
        except LedgerError as error:
            error.message = f"{self.path}: {error.message}"
            raise
        except (*_DAMAGED, arrow().ArrowException) as error:
            raise StoreError("store.hash", f"{self.path} is not as it was packed: {error}") from error

"""What the last publication into a folder made its files of: a page that would read the same again is not made again.

Nothing names what a page depends on. While the pages of a match are made, by an application that was opened for them
alone and remembers nothing, every query of the process is recorded with what it found. The next publication asks the
same questions: if one answer differs, or cannot be asked again, the pages are made again.
"""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing, suppress
from glob import escape
from hashlib import sha256
from importlib.metadata import distributions
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

import cardledger
import cardledger_api
import cardledger_web
from cardledger.record.recording.beside import KEEPERS, Forgotten, Keeper
from cardledger.record.store.address import Address
from cardledger.record.store.readers import read_only

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardledger.record.store.address import Where
    from cardledger.record.store.readers import Row, Values

_HOW_FAR = frozenset(
    {
        "SELECT max(position) FROM events",
        "SELECT max(position) FROM checkpoint",
        "SELECT position FROM checkpoint",
        "SELECT position, match FROM events WHERE position > ? ORDER BY position LIMIT ?",
    }
)
"""What only asks whether the read models are up to date; every evening changes it, and no page of a match says it."""

_MADE_OF = ".made-of-"
Read = tuple[str, str, Any, bytes]
"""A file beside the ledger, a query, its values, and the digest of what it found."""


def record_of(folder: Path, ledger: Path) -> Path:
    """Return where the record of a site's folder is: beside the ledger, as it says more than the site does."""
    return ledger.with_name(f"{ledger.stem}{_MADE_OF}{sha256(str(folder.resolve()).encode()).hexdigest()[:16]}")


def records_of(ledger: Path) -> list[Path]:
    """Return the records of all folders that a ledger was published into."""
    return sorted(ledger.parent.glob(f"{escape(ledger.stem)}{_MADE_OF}*"))


def _forget(at: Where, person: Forgotten) -> None:
    """Remove the records: their queries name people. The next publication makes all pages."""
    if not isinstance(at, Address):
        for record in records_of(Path(at)):
            record.unlink(missing_ok=True)


KEEPERS.append(
    Keeper(lambda at, mention: (), lambda at, mention: (), _forget, lambda family: records_of(family.ledger))
)


class Reads:
    """Takes note of all queries of a while (`readers.watched`)."""

    def __init__(self, folder: Path) -> None:
        self._folder = str(folder.resolve())
        self._found: dict[bytes, Read] | None = {}
        self._places: dict[str, tuple[str, str]] = {}

    def told(self, file: str, query: str, given: Values, found: Sequence[Row]) -> None:
        """Take note of a query."""
        if self._found is None or query in _HOW_FAR:
            return
        try:
            key = msgspec.msgpack.encode((file, query, given))
        except (TypeError, ValueError):
            self.lost()
            return
        if file not in self._places:
            path = Path(file)
            self._places[file] = str(path.parent.resolve()), path.name
        folder, name = self._places[file]
        read = name, query, given, _digest(found)
        if folder != self._folder or self._found.setdefault(key, read) != read:
            self.lost()  # a file of somewhere else, or something changed meanwhile

    def lost(self) -> None:
        """Take note that something was read which is not known: then nothing is known."""
        self._found = None

    @property
    def found(self) -> list[Read] | None:
        """What was read; None if that is not known."""
        return None if self._found is None else [*self._found.values()]


class MadePage(msgspec.Struct, array_like=True):
    """A page as it was made: its bytes by their digest, and all else that its publication learnt from it."""

    digest: bytes
    leads: list[str]
    found_by: tuple[str, str] | None
    piece: int


class _Record(msgspec.Struct):
    edition: bytes
    reads: list[Read]
    pieces: list[list[int]]
    pages: dict[str, MadePage]


class MadeBefore:
    """The record of a folder: what can be taken from the last publication, and what this one leaves for the next."""

    def __init__(self, folder: Path, ledger: Path, language: str, site: str | None) -> None:
        """Read the record of a folder; one that is of another edition, program or form tells nothing."""
        self._path, self._ledger = record_of(folder, ledger), ledger
        edition = repr((str(ledger.resolve()), language, site, time.tzname)).encode()
        self._now = _Record(sha256(edition + digest_of_program()).digest(), [], [], {})
        self._numbers: dict[bytes, int] = {}
        self._before = _Record(b"", [], [], {})
        self._same: dict[int, bool] = {}
        self._moved: dict[int, int] = {}
        self._files: dict[str, sqlite3.Connection] = {}
        with suppress(OSError, msgspec.MsgspecError):
            before = msgspec.msgpack.decode(self._path.read_bytes(), type=_Record)
            if before.edition == self._now.edition:
                self._before = before

    def page(self, address: str) -> MadePage | None:
        """Return a page that would be made of the same; None if it is not known, or not surely the same."""
        page = self._before.pages.get(address)
        if page is None:
            return None
        with suppress(IndexError):
            reads = self._before.pieces[page.piece]
            return page if all(map(self._is_same, reads)) else None
        return None

    def keep(self, address: str, page: MadePage) -> None:
        """Take a page over into the next record."""
        if page.piece not in self._moved:
            self._moved[page.piece] = self.add([self._before.reads[each] for each in self._before.pieces[page.piece]])
        self.note(address, MadePage(page.digest, page.leads, page.found_by, self._moved[page.piece]))

    def add(self, reads: Sequence[Read]) -> int:
        """Take what a piece of work read; return its number."""
        numbers = []
        for read in reads:
            key = msgspec.msgpack.encode(read)
            if key not in self._numbers:
                self._numbers[key] = len(self._now.reads)
                self._now.reads.append(read)
            numbers.append(self._numbers[key])
        self._now.pieces.append(numbers)
        return len(self._now.pieces) - 1

    def note(self, address: str, page: MadePage) -> None:
        """Take a page for the next record."""
        self._now.pages[address] = page

    def forget(self, address: str) -> None:
        """Leave a page out of the next record: it is not what its reads alone make."""
        self._now.pages.pop(address, None)

    def write(self) -> None:
        """Leave the record for the next publication; without it all is made again."""
        with suppress(OSError):
            self._path.write_bytes(msgspec.msgpack.encode(self._now))
            self._path.chmod(0o600)

    def close(self) -> None:
        """Close the files that were asked."""
        for file in self._files.values():
            file.close()

    def _is_same(self, number: int) -> bool:
        if number not in self._same:
            self._same[number] = self._asked_again(*self._before.reads[number])
        return self._same[number]

    def _asked_again(self, name: str, query: str, given: Any, digest: bytes) -> bool:
        try:
            if name not in self._files:
                self._files[name] = read_only(self._ledger.resolve().parent / name)
            with closing(self._files[name].execute(query, given)) as cursor:
                return _digest(cursor.fetchall()) == digest
        except (sqlite3.Error, UnicodeDecodeError):
            return False


def _digest(found: Sequence[Row]) -> bytes:
    return sha256(repr(found).encode("utf-8", "surrogateescape")).digest()


def digest_of_program() -> bytes:
    """Return a digest of all that makes pages: this program with its templates and words, and the installed packages."""
    whole = sha256(repr(sorted({(each.name, each.version) for each in distributions()})).encode())
    for package in (cardledger, cardledger_api, cardledger_web):
        root = Path(str(package.__file__)).parent
        for path in sorted(path for path in root.rglob("*") if path.is_file() and path.suffix != ".pyc"):
            whole.update(f"{path.relative_to(root)}\0".encode() + sha256(path.read_bytes()).digest())
    return whole.digest()

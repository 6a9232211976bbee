"""Kept sheets.

The columns of a large sheet in the file of the read models, so that a new process need not read every hand.

A kept sheet is a sheet of some earlier position. It is brought up to date like one in memory: the matches with later
events are read again. It is dropped in the transaction that merges, splits or erases people, and by a rebuild. Its
parts are written one by one, so that others can write in between; the manifest, which makes them a sheet, comes last.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from uuid import uuid4
from zlib import crc32

import msgspec
import numpy as np

from cardledger.errors import LostError, UnusableError
from cardledger.record.readmodels.tables.ratings import touched
from cardledger.study.stats.measures.sheet import Sheet, names_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cardledger.record.readmodels import ReadModels
    from cardledger.record.store.readers import Readable

EDITION = 1
"""Raised whenever the columns of a sheet change their meaning."""
_MANIFEST = "manifest"
_PART = "SELECT content FROM kept_sheets WHERE game = ? AND part = ?"
_PUT = "INSERT OR REPLACE INTO kept_sheets VALUES (?, ?, ?)"
_TABLES = ("matches", "seats", "hands")
_texts = msgspec.json.Decoder(list[str]).decode


class KeptParts(msgspec.Struct):
    """What a kept sheet is of: `parts` has the type and the checksum of each column and each list of texts."""

    edition: int
    position: int
    names: tuple[str, ...]
    held: dict[str, frozenset[int]]
    secret: frozenset[str]
    parts: dict[str, tuple[str, int]]


_manifest = msgspec.json.Decoder(KeptParts).decode


def find(reader: Readable, game: str) -> Sheet | None:
    """Return the kept sheet of a game, None if there is none, or if it is of another edition, unfinished or damaged."""
    with suppress(msgspec.MsgspecError, ValueError, KeyError, TypeError):
        content = _part(reader, game, _MANIFEST)
        manifest = _manifest(content[4:])
        if int.from_bytes(content[:4], "big") != crc32(content[4:]):
            return None
        if (manifest.edition, manifest.names) != (EDITION, names_of(game)):
            return None
        sheet = Sheet(game, manifest.held)
        for part, (kind, checksum) in manifest.parts.items():
            content = _part(reader, game, part)
            if crc32(content) != checksum:
                return None
            table, _, name = part.partition("/")
            if table == "texts":
                sheet.texts[name] = {text: code for code, text in enumerate(_texts(content))}
            else:
                getattr(sheet, table)[name] = np.frombuffer(content, kind)
        sheet.secret, sheet.position, sheet.changed = manifest.secret, manifest.position, manifest.position
        return sheet
    return None


def _part(reader: Readable, game: str, part: str) -> bytes:
    """Return a part of a kept sheet; raises TypeError if it is missing."""
    content: bytes = reader.execute(_PART, (game, part)).fetchone()[0]
    return content


def keep(views: ReadModels, sheet: Sheet) -> None:
    """Keep a sheet as recorded, with nothing laid over it, in place of the one kept before.

    Give up if people or tables change meanwhile.

    A failure does no harm: the next process reads the hands.
    """
    with suppress(sqlite3.Error, UnusableError, LostError):
        mine, done = uuid4().bytes, {}
        with views.file.writing() as db:
            (upto,) = db.execute("SELECT position FROM checkpoint").fetchone()
            if touched(views, sheet.position, upto) is None or tables_of(db) != sheet.tables:
                return
            db.execute("DELETE FROM kept_sheets WHERE game = ?", (sheet.game,))
            db.execute(_PUT, (sheet.game, _MANIFEST, mine))
        for part, kind, content in _parts(sheet):
            done[part] = (kind, crc32(content))
            if not _put(views, sheet.game, mine, part, content):
                return
        manifest = msgspec.json.encode(
            KeptParts(EDITION, sheet.position, sheet.names, {**sheet.held}, sheet.secret, done), order="sorted"
        )
        _put(views, sheet.game, mine, _MANIFEST, crc32(manifest).to_bytes(4, "big") + manifest)


def tables_of(db: Readable) -> int:
    """Return a number that changes whenever the tables are rebuilt."""
    number: int = db.execute("PRAGMA schema_version").fetchone()[0]
    return number


def _put(views: ReadModels, game: str, mine: bytes, part: str, content: bytes) -> bool:
    """Write a part, unless the sheet begun was dropped or another one was begun; tell whether it was written."""
    with views.file.writing() as db:
        if db.execute(_PART, (game, _MANIFEST)).fetchone() != (mine,):
            return False
        db.execute(_PUT, (game, part, content))
        return True


def _parts(sheet: Sheet) -> Iterator[tuple[str, str, bytes]]:
    """Yield the name, the type and the content of each part."""
    for table in _TABLES:
        columns: dict[str, NDArray[Any]] = getattr(sheet, table)
        for name, column in columns.items():
            little = column.astype(column.dtype.newbyteorder("<"), copy=False)
            yield f"{table}/{name}", little.dtype.str, little.tobytes()
    for name, texts in sheet.texts.items():
        # Texts that came after this sheet do no harm: no row has them.
        yield f"texts/{name}", "texts", msgspec.json.encode([*texts])

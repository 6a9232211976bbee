"""What a file is that nobody can read here: said in words, with what reads it or what to do first."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from cardledger.record.store.sqlite import KIND

LOOKED_AT: Final = 4096
"""Bytes at the beginning of a file that tell what it is."""
_PICTURES: Final = (b"\x89PNG\r\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"II*\0", b"MM\0*")
_TYPED: Final = "type its results into a sheet (`cardledger evening import --template csv` writes an empty one)"
_LINES: Final = 20
"""Lines of a text that tell whether it is a sheet."""
_CELLS: Final = re.compile(rb"[^;,\t]*(?:;[^;]*;|,[^,]*,|\t[^\t]*\t)")


def what_it_is(head: bytes) -> str | None:
    """Return what a file is, and what to do with it, from its beginning.

    None if it may be a file of matches or a sheet of cells.

    >>> what_it_is(b"%PDF-1.7")[:14]
    'this is a PDF:'
    """
    return next((words for fits, words in _KINDS if fits(head)), None)


def is_sheet(head: bytes) -> bool:
    """Tell whether a text begins as a sheet of cells does.

    A line has three of them at least, and none is an object of JSON.
    """
    lines = head.removeprefix(b"\xef\xbb\xbf").splitlines()[:_LINES]
    return any(map(_CELLS.match, lines)) and not any(line.lstrip().startswith(b"{") for line in lines)


def _begins(*marks: bytes) -> Callable[[bytes], bool]:
    return lambda head: head.startswith(marks)


def _begins_text(*marks: bytes) -> Callable[[bytes], bool]:
    return lambda head: head.removeprefix(b"\xef\xbb\xbf").lstrip().lower().startswith(marks)


def _zip_with(name: str) -> Callable[[bytes], bool]:
    return lambda head: head.startswith(b"PK\3\4") and name.encode() in head


def _database(ours: bool) -> Callable[[bytes], bool]:
    return lambda head: head.startswith(b"SQLite format 3\0") and (head[68:72] == KIND.to_bytes(4, "big")) == ours


_KINDS: Final[tuple[tuple[Callable[[bytes], bool], str], ...]] = (
    (_begins(b"PAR1"), "this is Parquet: `cardledger unpack` reads packed archives"),
    (_database(ours=True), "this is a ledger or a backup of one: name it with --db, "
        "or copy it with `cardledger restore`"),
    (_database(ours=False), "this is a database: have its own program write matches as PBN, or results as CSV"),
    (_begins(b"%PDF"), f"this is a PDF: ask for the file it was made from, or {_TYPED}"),
    (_begins(*_PICTURES), f"this is a picture: {_TYPED}"),
    (lambda head: head[:2] == b"BM" and head[6:10] == bytes(4), f"this is a picture: {_TYPED}"),
    (lambda head: head[4:8] == b"ftyp" or head[8:12] == b"WEBP", f"this is a picture or a film: {_TYPED}"),
    (_zip_with("opendocument.spreadsheet"), "this is a sheet of LibreOffice: save it as .xlsx or CSV"),
    (_zip_with("opendocument"), "this is a document of LibreOffice: save its table as CSV"),
    (_zip_with("word/"), "this is a document of Word: save its table as .xlsx or CSV"),
    (_zip_with("xl/"), "this is a sheet of Excel: `cardledger evening import` reads it"),
    (_begins(b"PK\3\4"), "this is a ZIP file: take the files out of it first; a sheet of Excel ends in .xlsx"),
    (_begins(b"\xd0\xcf\x11\xe0"), "this is an old file of Office, or one with a password: save it as .xlsx or CSV"),
    (_begins(b"\x1f\x8b", b"\xfd7zXZ", b"7z\xbc\xaf", b"Rar!\x1a", b"\x28\xb5\x2f\xfd"), "this is compressed: unpack it first"),
    (_begins_text(b"<!doctype html", b"<html", b"<head"), "this is a web page: save the file that its link leads to"),
    (_begins_text(b"[{", b"[\n", b"[\r\n", b"[ "), "this is one list of JSON: a match file has an object on each line, "
        "without [ ] and without commas between"),
    (_begins_text("{\u201c".encode(), "{ \u201c".encode(), "{\u201e".encode()), "its quotes are curly: a program "
        "for letters changed them; "
        "write straight ones (\")"),
)  # fmt: skip

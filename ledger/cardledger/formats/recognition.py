"""What a file is that nobody can read here: said in words, with what reads it or what to do first."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import dropwhile, islice
from typing import Final, Literal

from cardledger.record.store.sqlite import KIND

LOOKED_AT: Final = 4096
"""Bytes at the beginning of a file that tell what it is."""
_PICTURES: Final = (b"\x89PNG\r\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"II*\0", b"MM\0*")
_TYPED: Final = "type its results into a sheet (`cardledger evening import --template csv` writes an empty one)"
Kind = Literal["match", "pbn", "lin", "usebio"]
"""A text that holds matches: a match file, or a file of a bridge club."""
_BOM = b"\xef\xbb\xbf"
_WIDE = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
_BEGIN_USEBIO = (b"<?xml", b"<!doctype", b"<!--", b"<usebio")
_COMMENT = (b"%", b";", b"{")
_VERSION = re.compile(rb"% ?(?:PBN|EXPORT|IMPORT)")
_TAG = re.compile(rb'\[\s*\w+\s+"')
_ADDRESS = re.compile(rb"https?://\S*[?&]lin=", re.IGNORECASE)
_COMMANDS_OF_LIN = frozenset({b"pn", b"vg", b"md", b"qx", b"st", b"mb"})
_LIST = re.compile(rb'(?:\{\s*(?:"\w+"\s*:\s*(?:\d+|"[^"\\]*"|null)\s*,\s*){0,8}"events"\s*:\s*)?\[\s*\{')
_SETTINGS = re.compile(rb"\[[\w.-]+\]\s*")
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


def in_utf_8(content: bytes) -> bytes:
    """Return a text in UTF-8 that is in UTF-16; any other as it is.

    UTF-16 begins with its mark, or every second byte of its beginning is zero.
    """
    encoding = _WIDE.get(content[:2])
    if encoding is None and len(content) > 3 and content[:4].count(0) == 2:
        encoding = "utf-16-le" if content[1:4:2] == b"\0\0" else "utf-16-be" if content[0:3:2] == b"\0\0" else None
    if encoding is None:
        return content
    return content.decode(encoding, "ignore").removeprefix("\ufeff").encode("utf-8", "ignore")


def kind_of_text(head: bytes) -> Kind | None:
    """Return what kind of matches a text holds by its beginning; None if it does not say so."""
    head = in_utf_8(head).removeprefix(_BOM).lstrip()
    if head.startswith((b'{"', b"PAR1")):
        return "match"
    if head.lower().startswith(_BEGIN_USEBIO):
        return "usebio"
    return "pbn" if _begins_pbn(head) else "lin" if _begins_lin(head) else None


def is_list_of_events(head: bytes) -> bool:
    """Tell whether a text is one list of JSON with objects in it, alone or under the key `events`."""
    return _LIST.match(in_utf_8(head).removeprefix(_BOM).lstrip()) is not None


def is_no_match_file(head: bytes) -> str | None:
    """Say why a text cannot be a match file: none of its first lines is an object. None if it may be one."""
    lines = [line.strip() for line in in_utf_8(head).removeprefix(_BOM).splitlines()[:_LINES]]
    said = [line for line in lines if line]
    if not said or any(line.startswith((b"{", b"[{")) for line in said) or is_list_of_events(head):
        return None
    if _SETTINGS.fullmatch(said[0]):
        return "this is a file of settings (TOML), and holds no matches: name it with `cardledger --config`"
    return f"this is a text, and no file of matches: {_TYPED}"


def _begins_pbn(head: bytes) -> bool:
    """Whether a version of the standard comes first, or a tag after lines of comments. Each line is looked at once."""
    if _VERSION.match(head):
        return True
    lines = dropwhile(lambda line: not line or line.startswith(_COMMENT), map(bytes.strip, head.splitlines()))
    return _TAG.match(b"\n".join(islice(lines, 3))) is not None  # a tag may go on in the next lines


def _begins_lin(head: bytes) -> bool:
    """Whether an address of BBO comes first, or a command of bridge after others: a command, a value, in turn."""
    if _ADDRESS.match(head):
        return True
    for command in map(bytes.lower, map(bytes.lstrip, head.split(b"|")[:-1:2])):
        if command in _COMMANDS_OF_LIN:
            return True
        if len(command) != 2 or not command.isalpha():
            return False
    return False


def no_sheet(head: bytes) -> str | None:
    """Say what a text is that is no sheet but holds matches, and what reads it; None if it may be a sheet."""
    kind = kind_of_text(head)
    if kind is None and not is_list_of_events(head):
        return None
    what = {"pbn": "a PBN file", "lin": "a LIN file", "usebio": "a file of USEBIO"}.get(kind or "", "a match file")
    return f"this is {what}: `cardledger import` reads it"


def is_sheet(head: bytes) -> bool:
    """Tell whether a text begins as a sheet of cells does.

    A line has three of them at least, and none is an object of JSON.
    """
    lines = in_utf_8(head).removeprefix(_BOM).splitlines()[:_LINES]
    return any(map(_CELLS.match, lines)) and not any(line.lstrip().startswith((b"{", b"[{")) for line in lines)


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
    (_begins_text(*(f"{{{blank}{quote}".encode() for blank in ("", " ") for quote in "\u201c\u201d\u201e")), "its quotes are curly: a program "
        "for letters changed them; "
        "write straight ones (\")"),
)  # fmt: skip

"""What a file is: one answer for every command, page and address that takes files, with what reads it or what to do first.

`recognised` knows it from the beginning of the file, and from its name where the content does not say it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import dropwhile, islice
from typing import BinaryIO, Final, Literal, NamedTuple

from cardledger.formats.encoding import beginning_in_utf_8
from cardledger.record.store.paths import KIND
from cardledger.sentence import Sentence

LOOKED_AT: Final = 4096
"""Bytes at the beginning of a file that tell what it is."""
ONE_LIST: Final = re.compile(rb'(?:\{\s*(?:"\w+"\s*:\s*(?:\d+|"[^"\\]*"|null)\s*,\s*){0,8}"events"\s*:\s*)?\[\s*\{')
"""How a list of events of JSON begins, alone or under the key `events` after others."""
CURLY_AT_FIRST: Final = re.compile("\\{\\s*(?:\u201c|\u201d|\u201e)".encode())
"""How an event begins whose quotes are curly."""
Reader = Literal["matches", "sheets"]
"""What reads a file: `cardledger import` and `replay` matches, `cardledger evening import` sheets, and what does the same."""
Look = Callable[[bytes], object]


class FileKind(NamedTuple):
    """What a file is: a word for it, a sentence that says so and what to do, and what reads it; None if nothing does."""

    kind: str
    words: Sentence
    reader: Reader | None = None


def recognised(head: bytes, name: str = "") -> FileKind:
    """Return what a file is.

    * head: its beginning, `LOOKED_AT` bytes or the whole file
    * name: its name; the ending counts only for a text that does not say what it is

    >>> recognised(b"%PDF-1.7").words[:14]
    'this is a PDF:'
    >>> recognised(b"Ann,3,4").reader
    'sheets'
    """
    for fits, found in _OTHERS:
        if fits(head):
            return found
    text = beginning_in_utf_8(head).removeprefix(_BOM).lstrip()
    found = next(each for fits, each in _TEXTS if fits(text))
    if found.kind not in ("text", "sheet", "unknown"):
        return found
    return next((each for ending, each in _ENDINGS.items() if name.lower().endswith(ending)), found)


def recognised_file(file: BinaryIO, name: str = "") -> FileKind:
    """Return what a file is that can be read twice, and leave it where it stands."""
    start = file.tell()
    head = file.read(LOOKED_AT)
    file.seek(start)
    return recognised(head, name)


# --- how each is known

_BOM = b"\xef\xbb\xbf"
_WIDE_MARKS: Final = (b"\xff\xfe", b"\xfe\xff")
_PICTURES: Final = (b"\x89PNG\r\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"II*\0", b"MM\0*")
_BEGIN_USEBIO = (b"<?xml", b"<!doctype", b"<!--", b"<usebio")
_ROOT = re.compile(rb"<([a-z][\w:.-]*)", re.IGNORECASE)
_OF_TYPE = re.compile(rb"<!doctype\s+html\b", re.IGNORECASE)
_OF_PAGES: Final = frozenset((b"html", b"head", b"body", b"table", b"div", b"meta", b"p", b"span", b"style", b"tr"))
_COMMENT = (b"%", b";", b"{")
_VERSION = re.compile(rb"% ?(?:PBN|EXPORT|IMPORT)")
_TAG = re.compile(rb'\[\s*\w+\s+"')
_ADDRESS = re.compile(rb"https?://\S*[?&]lin=", re.IGNORECASE)
_COMMANDS_OF_LIN = frozenset({b"pn", b"vg", b"md", b"qx", b"st", b"mb"})
_EVENT = re.compile(rb'\{\s*"')
_TYPED_KEY = re.compile('(?:"|\u201c|\u201d|\u201e)type(?:"|\u201c|\u201d)'.encode())
_OPENS = re.compile('(?:"|\u201c|\u201d|\u201e)open(?:"|\u201c|\u201d)'.encode())
_OF_EVENING = re.compile(rb'\{\s*"type"\s*:\s*"(?:club|session|league)"')
_SETTINGS = re.compile(rb"(?:#[^\n]*\n\s*)*(?:\[[\w.-]+\][ \t]*(?:[\r\n]|\Z)|[\w-]+[ \t]*=[ \t]*[\w\"'\[])")
_JSON = re.compile(rb'\{\s*["}]|\[\s*(?:["\[{\]]|-?\d[\d.]*\s*[,\]]|(?:true|false|null)\b)')
_MAIL = re.compile(
    rb"(?:Return-Path|Received|Delivered-To|From|To|Subject|Date|MIME-Version|Message-ID|X-[\w-]+): ", re.IGNORECASE
)
_RBN_DEAL: Final = re.compile(rb"^H [NESW]:[\w.]*:[\w.:+|]*[ \t\r]*$", re.MULTILINE)
"""The hands of a deal in RBN: the letter of the line, the seat that begins, suits with dots, hands with colons."""
_YAML_LINES: Final = re.compile(
    rb"%YAML\b|---[ \t]*[\r\n]+[ \t]*[\w'\"#-]|(?:#[^\n]*\n|[\w-]+: [^\n]*\n)*[\w-]+:[ \t]*\r?\n(?:[ \t]*- |[ \t]+[\w-]+:[ \t\r\n])"
)
_SOME: Final = 200
"""A text that is not whole is at least so much shorter than what is looked at, without its blanks."""
_LINES: Final = 20
"""Lines of a text that tell whether it is a sheet."""
_CELLS: Final = re.compile(rb"[^;,\t]*(?:;[^;]*;|,[^,]*,|\t[^\t]*\t)")
_TWO_CELLS: Final = re.compile(rb'[^;,\t]+[;,\t] *"?[-+(]?\d')
_CONTROL: Final = re.compile(rb"[\x00-\x08\x0e-\x19\x1c-\x1f]")


def _begins(*marks: bytes) -> Look:
    return lambda head: head.startswith(marks)


def _begins_text(*marks: bytes) -> Look:
    return lambda text: text[:40].lower().startswith(marks)


def _zip_with(name: str) -> Look:
    return lambda head: head.startswith(b"PK\3\4") and name.encode() in head


def _database(ours: bool) -> Look:
    return lambda head: head.startswith(b"SQLite format 3\0") and (head[68:72] == KIND.to_bytes(4, "big")) == ours


def _is_binary(text: bytes) -> bool:
    return _CONTROL.search(text, 0, 400) is not None


def _root(text: bytes) -> bytes:
    """Return the first element of XML or of a page in small letters; empty if none is there."""
    while text.startswith((b"<?", b"<!--")):
        text = text.partition(b"?>" if text.startswith(b"<?") else b"-->")[2].lstrip()
    if _OF_TYPE.match(text):
        return b"html"
    found = _ROOT.match(text)
    return b"" if found is None else found[1].lower()


def _begins_usebio(text: bytes) -> bool:
    return text[:40].lower().startswith(_BEGIN_USEBIO) and _root(text) in (b"", b"usebio")


def _begins_pbn(text: bytes) -> bool:
    """Whether a version of the standard comes first, or a tag after lines of comments. Each line is looked at once."""
    if _VERSION.match(text):
        return True
    lines = dropwhile(lambda line: not line or line.startswith(_COMMENT), map(bytes.strip, text.splitlines()))
    return _TAG.match(b"\n".join(islice(lines, 3))) is not None  # a tag may go on in the next lines


def _begins_lin(text: bytes) -> bool:
    """Whether an address of BBO comes first, or a command of bridge after others: a command, a value, in turn."""
    if _ADDRESS.match(text):
        return True
    for command in map(bytes.lower, map(bytes.lstrip, text.split(b"|")[:-1:2])):
        if command in _COMMANDS_OF_LIN:
            return True
        if len(command) != 2 or not command.isalpha():
            return False
    return False


def _opens_match(text: bytes) -> bool:
    """Whether an event comes first, alone or in a list, and a match is opened near by."""
    begins = _EVENT.match(text) or CURLY_AT_FIRST.match(text) or ONE_LIST.match(text)
    return begins is not None and _OPENS.search(text) is not None


def _first_lines(text: bytes) -> Iterator[bytes]:
    return map(bytes.lstrip, text.splitlines()[:_LINES])


def _has_cells(text: bytes) -> bool:
    """Whether a line has three cells at least, or several have a second one with a number."""
    return any(map(_CELLS.match, _first_lines(text))) or len([*filter(_TWO_CELLS.match, _first_lines(text))]) > 1


def _has_events(text: bytes) -> bool:
    """Whether one of the first lines begins an event: what is wrong before it, the reader of matches says line for line."""
    return any(_EVENT.match(line.removeprefix(b"[")) for line in _first_lines(text)) and _has_type(text)


def _has_type(text: bytes) -> bool:
    """Whether an object may be an event: one has a type near by, or the text is not whole."""
    return _TYPED_KEY.search(text) is not None or len(text) >= LOOKED_AT - _SOME


def _is_mail(text: bytes) -> bool:
    """Whether a text begins with several fields of a mail."""
    return len([*filter(_MAIL.match, _first_lines(text))]) >= len(("one", "another")) and _MAIL.match(text) is not None


# --- what each is, and what to do

_TYPED: Final = Sentence(
    "type its results into a sheet; the page for spreadsheets and `cardledger evening import --template csv` give an empty one"
)
_BY_IMPORT: Final = Sentence("`cardledger import` and the page for files of matches read it")
_BY_EVENING: Final = Sentence("`cardledger evening import` and the page for spreadsheets read it")
_MATCH: Final = FileKind("match", Sentence("this is a match file: {readers}", readers=_BY_IMPORT), "matches")
_EVENTS: Final = FileKind("events", Sentence("this is a file of events: {readers}", readers=_BY_IMPORT), "matches")
_PBN: Final = FileKind("pbn", Sentence("this is a PBN file: {readers}", readers=_BY_IMPORT), "matches")
_LIN: Final = FileKind("lin", Sentence("this is a LIN file: {readers}", readers=_BY_IMPORT), "matches")
_USEBIO: Final = FileKind("usebio", Sentence("this is a file of USEBIO: {readers}", readers=_BY_IMPORT), "matches")
_WORKBOOK: Final = FileKind("workbook", Sentence("this is a sheet of Excel: {readers}", readers=_BY_EVENING), "sheets")
_SHEET: Final = FileKind("sheet", Sentence("this is a sheet of cells: {readers}", readers=_BY_EVENING), "sheets")
_TEXT: Final = FileKind("text", Sentence("this is a text, and neither matches nor a sheet: {do}", do=_TYPED))
_UNKNOWN: Final = FileKind(
    "unknown", Sentence("this is neither a text nor a spreadsheet: ask for its results as .xlsx, or as CSV in UTF-8")
)
_PICTURE: Final = FileKind("picture", Sentence("this is a picture: {do}", do=_TYPED))
_COMPRESSED: Final = FileKind("compressed", Sentence("this is compressed: unpack it first"))
_WORD: Final = FileKind("docx", Sentence("this is a document of Word: save its table as .xlsx or CSV"))
_VCARD: Final = FileKind("vcard", Sentence("this is a vCard with addresses of people, and holds no results: "
    "copy the names into the list of who is here, on the page of an evening"))  # fmt: skip
_CALENDAR: Final = FileKind("calendar", Sentence("this is a calendar (iCalendar) with days, and holds no results: "
    "open an evening for each day, with `cardledger evening new` or on the page"))  # fmt: skip
_YAML: Final = FileKind("yaml", Sentence("this is YAML, which nothing here reads: have its program write JSON "
    "with an event on each line, or results as CSV"))  # fmt: skip
_RBN: Final = FileKind("rbn", Sentence("this is a file of RBN (Richard’s bridge notation): have its program write PBN, "
    "which `cardledger import` and the page for files of matches read"))  # fmt: skip
_ENDINGS: Final = {
    ".pbn": _PBN, ".lin": _LIN, ".xml": _USEBIO, ".vcf": _VCARD, ".ics": _CALENDAR, ".yaml": _YAML, ".yml": _YAML,
    ".rbn": _RBN,
}  # fmt: skip
_OTHERS: Final[tuple[tuple[Look, FileKind], ...]] = (
    (lambda head: not head.removeprefix(_BOM).strip() or head in _WIDE_MARKS,
        FileKind("empty", Sentence("this file is empty: save it again in its program, and look at its size"))),
    (_begins(b"PAR1"), FileKind("archive", Sentence("this is an archive: `cardledger unpack` reads it"))),
    (_database(ours=True), FileKind("ledger", Sentence("this is a ledger or a backup of one: name it with --db, "
        "or copy it with `cardledger restore`"))),
    (_database(ours=False), FileKind("database", Sentence("this is a database of another program: "
        "have that write matches as PBN, or results as CSV"))),
    (_begins(b"%PDF"), FileKind("pdf", Sentence("this is a PDF: ask for the file it was made from, or {do}", do=_TYPED))),
    (_begins(*_PICTURES), _PICTURE),
    (lambda head: head[:2] == b"BM" and head[6:10] == bytes(4), _PICTURE),
    (lambda head: head[4:8] == b"ftyp" or head[8:12] == b"WEBP",
        FileKind("picture", Sentence("this is a picture or a film: {do}", do=_TYPED))),
    (_zip_with("opendocument.spreadsheet"),
        FileKind("ods", Sentence("this is a sheet of LibreOffice: save it as .xlsx or CSV"))),
    (_zip_with("opendocument"), FileKind("odt", Sentence("this is a document of LibreOffice: save its table as CSV"))),
    (_zip_with("word/"), _WORD),
    (_zip_with(".iwa"), FileKind("iwork", Sentence("this is a document of Numbers, Pages or Keynote: "
        "export its table as .xlsx or CSV"))),
    (_zip_with("xl/"), _WORKBOOK),
    (_begins(b"PK\3\4"), FileKind("zip", Sentence("this is a ZIP file: take the files out of it first; "
        "a sheet of Excel ends in .xlsx"))),
    (_begins(b"\xd0\xcf\x11\xe0"), FileKind("old office", Sentence("this is an old file of Office, "
        "or one with a password: save it as .xlsx or CSV"))),
    (_begins(b"\x1f\x8b", b"\xfd7zXZ", b"7z\xbc\xaf", b"Rar!\x1a", b"\x28\xb5\x2f\xfd", b"BZh"), _COMPRESSED),
    (lambda head: head[257:262] == b"ustar", _COMPRESSED),
)  # fmt: skip
"""Files that their first bytes tell."""
_TEXTS: Final[tuple[tuple[Look, FileKind], ...]] = (
    (_is_binary, _UNKNOWN),
    (lambda text: _root(text) in _OF_PAGES,
        FileKind("web page", Sentence("this is a web page: save the file that its link leads to"))),
    (_OF_EVENING.match, FileKind("evenings", Sentence("this is a file of evenings: `cardledger evening open` reads it"))),
    (_opens_match, _MATCH),
    (lambda text: _EVENT.match(text) is not None and _has_type(text), _EVENTS),
    (lambda text: ONE_LIST.match(text) is not None and _has_type(text), _EVENTS),
    (_begins_usebio, _USEBIO),
    (lambda text: _root(text) == b"svg", _PICTURE),
    (lambda text: _root(text) != b"", FileKind("xml", Sentence("this is XML of another program: "
        "have that write matches as PBN, or results as CSV"))),
    (_begins_text(b"begin:vcard"), _VCARD),
    (_begins_text(b"begin:vcalendar"), _CALENDAR),
    (_RBN_DEAL.search, _RBN),
    (_YAML_LINES.match, _YAML),
    (_is_mail, FileKind("mail", Sentence("this is a mail: save the file that is attached to it"))),
    (_begins_text(b"{\\rtf"), _WORD),
    (_begins_pbn, _PBN),
    (_begins_lin, _LIN),
    (_SETTINGS.match, FileKind("settings", Sentence("this is a file of settings (TOML), and holds no results: "
        "name it with `cardledger --config`"))),
    (_has_events, _EVENTS),
    (_JSON.match, FileKind("json", Sentence("this is JSON, and holds no events: a match file has an event on each line"))),
    (_has_cells, _SHEET),
    (lambda text: True, _TEXT),
)  # fmt: skip
"""Texts, by their beginning in UTF-8 without its mark and without blanks."""

"""Files of every kind that people bring, what takes each, and what the others say about it."""

from __future__ import annotations

import gzip
import io
import json
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from cardledger.record.recording.ledger import Ledger
from tests.conftest import SAMPLES

PYTHON: Final = ("codec", "Expecting", "char 0", "Traceback", "position", "0x")
"""Words that a refusal has if it passes on what Python says."""
MATCH: Final = (SAMPLES / "hearts-moon.jsonl").read_text()
EVENTS: Final = [json.loads(line) for line in MATCH.splitlines()]
NAMED: Final = MATCH.replace('"ana"', '"Zoë François"')
BOARDS: Final = (SAMPLES / "bridge-evening.pbn").read_text()
MENDED: Final = {
    "utf-16": MATCH.encode("utf-16"),
    "utf-16 without a mark": MATCH.encode("utf-16-be"),
    "the encoding of Windows": NAMED.encode("cp1252"),
    "list": json.dumps(EVENTS).encode(),
    "list over many lines": json.dumps(EVENTS, indent=2).encode(),
    "list in utf-16": json.dumps(EVENTS).encode("utf-16"),
    "answer of the API": json.dumps({"seq": len(EVENTS), "events": EVENTS}).encode(),
    "events over many lines": "\n".join(json.dumps(event, indent=2) for event in EVENTS).encode(),
    "curly quotes": "\n".join(
        line.replace('":', "”:").replace('",', "”,").replace('"', "“") for line in MATCH.splitlines()
    ).encode(),
}
"""The same match, as other programs change it."""


class OtherFile(NamedTuple):
    """A file: its bytes, what takes it (None if nothing does), words one of which others say, and if it is put right."""

    content: bytes
    reader: str | None
    said: tuple[str, ...]
    mended: bool = False


def _zipped(*names: str) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as file:
        for name in names:
            file.writestr(name, "x")
    return content.getvalue()


def _databases() -> tuple[bytes, bytes]:
    """Return a ledger, and a database of another program."""
    with TemporaryDirectory() as folder:
        ours, other = Path(folder, "ours.db"), Path(folder, "other.db")
        Ledger(ours).close()
        with closing(sqlite3.connect(other)) as db:
            db.execute("CREATE TABLE scores (points)")
            db.commit()
        return ours.read_bytes(), other.read_bytes()


def _none(content: bytes, *said: str) -> OtherFile:
    return OtherFile(content, None, said)


_LEDGER, _DATABASE = _databases()
_BY_IMPORT = ("`cardledger import`",)
_BY_EVENING = ("`cardledger evening import`",)
_SHEET = (SAMPLES / "evenings/hearts-tische.csv").read_bytes()
FILES: Final = {
    "vCard": _none(b"BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ada Lima\r\nEND:VCARD\r\n", "this is a vCard"),
    "calendar": _none(b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\n", "this is a calendar (iCalendar)"),
    "YAML": _none(b"game: hearts\nplayers:\n  - Ada\n  - Ben\n", "this is YAML"),
    "YAML with a mark": _none(b"---\nplayers: [Ada, Ben]\n", "this is YAML"),
    "RBN": _none(
        b"% RBN\nT Club night\nD 20260106\nB 5\nH W:AQT8754.J9.T9.J5:KJ.KT8.AQJ876.K8:63.AQ74.53.AT972:\n",
        "this is a file of RBN",
    ),
    "match file": OtherFile(MATCH.encode(), "matches", _BY_IMPORT),
    "match file with a mark": OtherFile(b"\xef\xbb\xbf" + MATCH.encode(), "matches", _BY_IMPORT),
    **{f"match file: {how}": OtherFile(content, "matches", _BY_IMPORT, True) for how, content in MENDED.items()},
    "PBN": OtherFile(BOARDS.encode(), "matches", _BY_IMPORT),
    "PBN in utf-16": OtherFile(BOARDS.encode("utf-16"), "matches", _BY_IMPORT, True),
    "LIN": OtherFile(b"pn|a,b,c,d|st||md|3SAKQJT98765432,,,|sv|o|mb|7S|", "matches", _BY_IMPORT),
    "USEBIO": OtherFile((SAMPLES / "evenings/bridge-pairs.xml").read_bytes(), "matches", _BY_IMPORT),
    "CSV": OtherFile(_SHEET, "sheets", _BY_EVENING),
    "CSV in utf-16": OtherFile(_SHEET.decode("cp1252").encode("utf-16"), "sheets", _BY_EVENING),
    "CSV of two columns": OtherFile(b"player,points\nAda,5\nBen,8\nCem,3\nDee,10\n", "sheets", _BY_EVENING),
    "XLSX": OtherFile((SAMPLES / "evenings/whole-evening.xlsx").read_bytes(), "sheets", _BY_EVENING),
    "evenings": OtherFile(
        (SAMPLES / "evenings/tuesday.jsonl").read_bytes(), "evenings", ("`cardledger evening open`",)
    ),
    "archive": _none(b"PAR1aaaaPAR1", "an archive: `cardledger unpack`"),
    "ledger": _none(_LEDGER, "a ledger or a backup of one"),
    "database": _none(_DATABASE, "a database of another program"),
    "PDF": _none(b"%PDF-1.7\n", "a PDF"),
    "picture": _none(b"\x89PNG\r\n\x1a\n", "a picture"),
    "photo": _none(b"\xff\xd8\xff\xe0", "a picture"),
    "film": _none(b"\0\0\0\x18ftypheic", "a picture or a film"),
    "compressed": _none(gzip.compress(b"x", mtime=0), "compressed"),
    "ZIP": _none(_zipped("matches.jsonl"), "a ZIP file"),
    "Word": _none(_zipped("[Content_Types].xml", "word/document.xml"), "Word"),
    "LibreOffice": _none(_zipped("application/vnd.oasis.opendocument.spreadsheet"), "LibreOffice"),
    "old Office": _none(b"\xd0\xcf\x11\xe0\xa1\xb1", "an old file of Office"),
    "web page": _none(b"<!DOCTYPE html><p>", "a web page"),
    "settings": _none(b"[serve]\nport = 80\n", "settings (TOML)"),
    "settings without a table": _none(b"# ours\nport = 80\n", "settings (TOML)"),
    "text": _none(
        b"hello there,\nhow are you?\n", "a text, and neither matches nor a sheet", "sheet.layout", "format.json"
    ),
    "text in utf-16": _none("hello".encode("utf-16"), "a text, and neither", "sheet.layout", "format.json"),
    "empty": _none(b"", "store.empty", "this file is empty"),
    "blank": _none(b" \n\n", "store.empty", "this file is empty"),
    "list that breaks off": _none(b'[{"type":"open","game":"whist"},', "breaks off", *_BY_IMPORT),
    "other JSON": _none(b"[1, 2, 3]", "JSON, and holds no events"),
    "JSON of another program": _none(b'{"game":"hearts","rounds":[[1,2],[3,4]]}', "JSON, and holds no events"),
    "list of other JSON": _none(b'[{"name":"Ann","score":3}]', "JSON, and holds no events"),
    "a chat": _none(
        b"[06/01/2026, 21:14:03] Ann: Hearts\nAnn 19\n", "a text, and neither", "sheet.layout", "format.json"
    ),
    "part of a page": _none(b"<table><tr><td>Ann</td><td>3</td></tr></table>", "a web page"),
    "saved page": _none(b'<?xml version="1.0"?>\n<!-- saved -->\n<!DOCTYPE html>\n<html>', "a web page"),
    "XML": _none(b'<?xml version="1.0"?><!-- --><results><pair n="1"/></results>', "XML of another program"),
    "drawing": _none(b"<svg xmlns='x'/>", "a picture"),
    "mail": _none(b"From: a@x.org\r\nTo: b@x.org\r\nSubject: Scores\r\n\r\n1,2,3\r\n", "a mail"),
    "rich text": _none(b"{\\rtf1\\ansi Ann 3\\par}", "Word"),
    "Numbers": _none(_zipped("Index/Document.iwa"), "Numbers"),
    "bzip2": _none(b"BZh91AY&SY" + bytes(40), "compressed"),
    "tar": _none(b"a.pbn".ljust(257, b"\0") + b"ustar\x0000" + bytes(248), "compressed"),
    "only the mark of utf-16": _none(b"\xff\xfe", "store.empty", "this file is empty", "format.json"),
    "a program": _none(b"MZ\x90\0" + bytes(200), "neither a text nor a spreadsheet"),
}

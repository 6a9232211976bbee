"""Readers of lines of JSON: match files, events, evenings; and of names."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable
from contextlib import suppress

from cardledger.errors import LedgerError
from cardledger.formats.bridge_files.reading import read_file_of_matches
from cardledger.formats.mending import mended
from cardledger.record.matches.matchfile import MatchInFile, read_matches, write
from cardledger.record.matches.shape import parse, read_json
from cardledger.record.people.spelling import tidy_name, typed_names
from cardledger.record.recording.evening_files import read_evenings
from tests.growth.measure import Read
from tests.growth.shapes import Reader


def quietly(read: Callable[[io.BytesIO], object]) -> Read:
    """Return a reader of a file that may refuse it."""

    def reading(data: bytes) -> object:
        with suppress(LedgerError):
            return read(io.BytesIO(data))
        return None

    return reading


def in_other_letters(data: bytes) -> bytes:
    """Return a text with curly quotes as it is, a list in UTF-16, and any other in the encoding of Windows."""
    text = data.decode("utf-8", "surrogateescape")
    if text.startswith("["):
        return text.encode("utf-16", "replace")
    return data if "\u201c" in text else text.encode("cp1252", "replace")


def written(items: Iterable[object]) -> int:
    """Return the number of bytes that matches in a file become when they are stored."""
    return sum(len(write(item.events)) if isinstance(item, MatchInFile) else 1 for item in items)


def line(value: object) -> str:
    return json.dumps(value) + "\n"


OPEN = line({"type": "open", "game": "hearts", "players": ["ana", "ben", "cem", "dev"]})
BRIDGE = line({"type": "open", "game": "bridge", "players": ["ana", "ben", "cem", "dev"]})
SHEET = line({"type": "deal", "dealer": 0, "hands": None})
NOTE = line({"type": "note", "text": "a"})
CLUB = line({"type": "club", "name": "a"})
SESSION = line({"type": "session", "name": "a", "date": "2026-01-06", "game": "bridge", "unit": "pair"})
AMEND = line({"type": "amend", "about": 2, "event": json.loads(SHEET)})

# fmt: off
LINES = {
    "list of events": Reader(
        quietly(lambda file: written(read_file_of_matches(file, "x"))),
        ("[" + OPEN, '{"seq":1,"events":[' + OPEN, '[{"a":', "\ufeff[" + OPEN),
        ("," + NOTE, "," + SHEET, "[", "{", '"', ",{}", lambda i: f',{{"{i}":1}}', lambda i: "," + line({"type": "note", "text": "a" * (i % 97)})),
        ("]", "]}", ""),
    ),
    "damaged match file": Reader(
        lambda data: quietly(mended)(in_other_letters(data)),
        ("{\n", OPEN, OPEN.replace('"', "\u201c"), "[" + OPEN),
        (NOTE, "{\n\"a\": 1\n}\n", "\u201ca\u201d", "Jos\u00e9 ", "\u00e9 ", "a\u00c3"),
    ),
    "match file": Reader(
        quietly(lambda file: written(read_matches(file, "x", keep_going=True, audit=True))),
        ("", OPEN, OPEN + SHEET, BRIDGE + SHEET, '{"a":', '{"type":"note","text":"', OPEN + "x\n"),
        (
            OPEN, NOTE, SHEET, OPEN + SHEET, OPEN + NOTE + NOTE, '{"type":"play","seat":0,"card":"2C"}\n', '{"a":', "[[",
            "\\u0061", lambda i: f'"{i}":1,', lambda i: line({"type": "note", "text": "a" * (i % 97)}), "9" * 100,
            line({"type": "retract", "to": 1}), line({"type": "retract", "to": 2}), NOTE + line({"type": "retract", "to": 2}),
            line({"type": "score", "scores": [26, 0, 0, 0]}), line({"type": "claim", "tricks": [1, 1, 1, 1]}),
            SHEET + line({"type": "score", "scores": [26, 0, 0, 0]}), line({"type": "open", "players": ["a"] * 40}),
            line({"type": "amend", "about": 1, "event": json.loads(OPEN)}), line({"type": "not"}), line({"type": "void"}),
            lambda i: line({"type": "open", "game": "ruff", "players": ["ana", "ben", f"c{i}"]}), line({"type": "end"}),
            lambda i: line({"type": f"x{i}"}), lambda i: line({"type": "note", f"k{i}": 1}),
        ),
    ),
    "event": Reader(
        quietly(lambda file: parse(file.getvalue())),
        ("", '{"type":"', '{"type":"note","text":"', '{"type":"play","card":"', '{"type":"open","players":[',
         '{"type":"note",', "[", '{"a":'),
        ('"a",', "[", "\\u0061", lambda i: f'"k{i}":1,', lambda i: f'"type{i}":1,', "9", '{"a":', "\\ud800", "1e9",
         '"type":"note",'),
        ("", '"}', "]}", '"z":1}'),
    ),
    "json": Reader(
        quietly(lambda file: [read_json(file.getvalue())]),
        ("", "[", '{"'), ("[", '{"a":', "1,", "\\u", lambda i: f'"{i}":0,'), ("", "]"),
    ),
    "evenings": Reader(
        quietly(lambda file: list(read_evenings(file, "x"))),
        ("", CLUB, SESSION),
        (CLUB, SESSION, NOTE, lambda i: line({"type": "member", "player": f"p{i}"}),
         lambda i: line({"type": "arrive", "player": f"p{i}"})),
    ),
    "names": Reader(
        lambda data: typed_names(data.decode()), ("",), ("a,", "a\r\n", "\u0301", " , ", lambda i: f"p{i},")
    ),
    "name": Reader(lambda data: tidy_name(data.decode())),
}
# fmt: on

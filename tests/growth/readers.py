"""Every reader of bytes that others send, with shapes of its format that may cost more than their size."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import product
from typing import NamedTuple

from cardledger.errors import LedgerError
from cardledger.formats.bridge_files.reading import format_of, read_file_of_matches
from cardledger.formats.bridge_files.usebio_evening import evenings_in
from cardledger.formats.spreadsheets.cells import SheetError
from cardledger.formats.spreadsheets.layouts import Paper
from cardledger.formats.spreadsheets.reading import sheets_of
from cardledger.record.matches.matchfile import parse, read_json, read_matches
from cardledger.record.people.spelling import tidy_name, typed_names
from cardledger.record.recording.evening_files import read_evenings
from tests.bridge_files.made import DEAL, pbn
from tests.growth.measure import Read, Shape

Unit = str | Callable[[int], str]
"""What a shape repeats: a text, or a text for each number."""
BLANKS = (" ", "\n", "\r\n", "\t", "\0")
SIGNS = ('"', "'", "{", "}", "[", "]", "(", "<", ">", ";", "%", ",", "|", "\\", "&", ":", "-", "#", "/")
WORDS = ("a", "1", "é", "\u0301", "a ", "1,", '"a', "\\\\", "\ud7ff", "ab\n", "=1=", "{}", "[]")


class Reader(NamedTuple):
    """A reader, and what its shapes are made of: each beginning, followed by each unit many times, and each ending."""

    read: Read
    beginnings: tuple[str, ...] = ("",)
    units: tuple[Unit, ...] = ()
    endings: tuple[str, ...] = ("",)

    def shapes(self) -> Iterator[tuple[str, Shape]]:
        """Yield the shapes with their names."""
        everything = (*self.units, *BLANKS, *SIGNS, *WORDS)
        for begin, (place, unit), end in product(self.beginnings, enumerate(everything), self.endings):
            said = f"unit {place}" if callable(unit) else repr(unit[:30])
            yield f"{begin[-30:]!r} + {said} + {end[:20]!r}", _shape(begin, unit, end)


def _shape(begin: str, unit: Unit, end: str) -> Shape:
    def made(size: int) -> bytes:
        parts, length, number = [begin], len(begin) + len(end), 0
        while length < size or not number:
            parts.append(unit(number) if callable(unit) else unit)
            length += len(parts[-1])
            number += 1
        return "".join([*parts, end]).encode("utf-8", "surrogatepass")

    return made


def quietly(read: Callable[[io.BytesIO], object]) -> Read:
    """Return a reader of a file that may refuse it."""

    def reading(data: bytes) -> None:
        with suppress(LedgerError, SheetError):
            read(io.BytesIO(data))

    return reading


def boards(format: str) -> Read:
    return quietly(lambda file: list(read_file_of_matches(file, "x", True, format=format)))  # type: ignore[arg-type]


def paper(data: bytes) -> None:
    with suppress(SheetError):
        sheets, _ = sheets_of("evening.csv", data)
        made = Paper(sheets)
        [made.tables, made.problems]  # noqa: B018


def line(value: object) -> str:
    return json.dumps(value) + "\n"


OPEN = line({"type": "open", "game": "hearts", "players": ["ana", "ben", "cem", "dev"]})
BRIDGE = line({"type": "open", "game": "bridge", "players": ["ana", "ben", "cem", "dev"]})
SHEET = line({"type": "deal", "dealer": 0, "hands": None})
NOTE = line({"type": "note", "text": "a"})
CLUB = line({"type": "club", "name": "a"})
SESSION = line({"type": "session", "name": "a", "date": "2026-01-06", "game": "bridge", "unit": "pair"})
EVENT = "<USEBIO><EVENT EVENT_TYPE='MP_PAIRS'><DATE>06/01/2026</DATE><WINNER_TYPE>1</WINNER_TYPE>"
BOARD = f"{EVENT}<BOARD><BOARD_NUMBER>1</BOARD_NUMBER>"

READERS: dict[str, Reader] = {
    "format": Reader(
        quietly(lambda file: format_of(file, "x")),
        ("", "% PBN", "[", "[Event ", "https://", "xx|", "<!--"),
        ("% c\r\n", "; c\n", "{ c }\r", "xx|1|", "xx|1|\n", "?lin", "&lin", "[a "),
        ("", "hello", '[Event "'),
    ),
    "match file": Reader(
        quietly(lambda file: list(read_matches(file, "x", keep_going=True, audit=True))),
        ("", OPEN, OPEN + SHEET, BRIDGE + SHEET, '{"a":', '{"type":"note","text":"', OPEN + "x\n"),
        (
            OPEN,
            NOTE,
            SHEET,
            OPEN + SHEET,
            OPEN + NOTE + NOTE,
            '{"type":"play","seat":0,"card":"2C"}\n',
            '{"a":',
            "[[",
            "\\u0061",
            lambda i: f'"{i}":1,',
            lambda i: line({"type": "note", "text": "a" * (i % 97)}),
            '{"type":"retract","to":1}\n',
            line({"type": "score", "scores": [26, 0, 0, 0]}),
            line({"type": "claim", "tricks": [1, 1, 1, 1]}),
            "9" * 100,
            line({"type": "retract", "to": 2}),
            NOTE + '{"type":"retract","to":2}\n',
            SHEET + line({"type": "score", "scores": [26, 0, 0, 0]}),
            line({"type": "amend", "about": 1, "event": json.loads(OPEN)}),
            line({"type": "open", "players": ["a"] * 40}),
            '{"type":"not"}\n',
            line({"type": "void"}),
            line({"type": "end"}),
            lambda i: line({"type": f"x{i}"}),
            lambda i: line({"type": "note", f"k{i}": 1}),
        ),
    ),
    "event": Reader(
        quietly(lambda file: parse(file.getvalue())),
        (
            "",
            '{"type":"',
            '{"type":"note","text":"',
            '{"type":"play","card":"',
            '{"type":"open","players":[',
            '{"type":"note",',
            "[",
            '{"a":',
        ),
        (
            '"a",',
            "[",
            "\\u0061",
            lambda i: f'"k{i}":1,',
            lambda i: f'"type{i}":1,',
            "9",
            '{"a":',
            "\\ud800",
            "1e9",
            '"type":"note",',
        ),
        ("", '"}', "]}", '"z":1}'),
    ),
    "json": Reader(
        quietly(lambda file: read_json(file.getvalue())),
        ("", "[", '{"'),
        ("[", '{"a":', "1,", "\\u", lambda i: f'"{i}":0,'),
        ("", "]"),
    ),
    "evenings": Reader(
        quietly(lambda file: list(read_evenings(file, "x"))),
        ("", CLUB, SESSION),
        (
            CLUB,
            SESSION,
            NOTE,
            lambda i: line({"type": "member", "player": f"p{i}"}),
            lambda i: line({"type": "arrive", "player": f"p{i}"}),
        ),
    ),
    "pbn": Reader(
        boards("pbn"),
        (
            "",
            pbn(),
            '[Event "',
            '[Event "a"]\n',
            "[Event ",
            pbn(Play=None, Auction=None) + '[Auction "N"]\n',
            pbn(Play=None) + '[Play "E"]\n',
            "{",
            '[Deal "',
            '[Event "a"]\n[Note "',
            '[Board "1"]\n[ScoreTable "A\\2R;B"]\n',
            '[OptimumResultTable "Declarer;Denomination\\2R;Result\\2R"]\n',
            pbn() + '[Contract "',
            pbn() + '[Result "',
            '[Board "',
        ),
        (
            pbn(),
            pbn() + "\n",
            '[Event "a"]\n',
            '[Event "#"]\n',
            "[A ",
            '[A "b"] ',
            lambda i: f'[T{i} "b"]\n',
            lambda i: f'[T{i} "##b"]\n\n[Event "a"]\n',
            '[Note "1:a"]\n',
            "{c}",
            "{ c }\n",
            "; c\n",
            "% c\n",
            "1C ",
            "Pass Pass\n",
            "HA D2 C2 S2\n",
            "$1 ",
            "=1= ",
            "^S",
            "!?",
            "+ ",
            "*\n",
            "- - - -\n",
            "N:",
            "AKQ.",
            '"a" ',
            '"',
            "1\\2R;",
            "x{",
            "x;",
            '[Board "1"]\n',
            '[board "1"]\n',
            '[A "\\\\',
            pbn(Contract="7NT"),
            lambda i: pbn(Board=str(i + 1), Event="#"),
            lambda i: f'[Deal "{DEAL}"]\n[Board "{i}"]\n\n',
        ),
        ("", '"]', "}"),
    ),
    "lin": Reader(
        boards("lin"),
        (
            "",
            "vg|",
            "rs|",
            "pn|",
            "md|",
            "md|1",
            "qx|o1|md|0|",
            "mb|",
            "pc|",
            "mc|",
            "an|",
            "ah|Board ",
            "qx|",
            "https://x?lin=",
            "md|0|mb|1C|an|",
            "vg|a,b,c,1,99999,|",
        ),
        (
            "a|",
            "||",
            "qx|o1|",
            "md|0|",
            "md|3SAKQ,H,D|",
            "mb|p|",
            "mb|1C!|an|x|",
            "pc|SA|",
            "mc|9|",
            "pn|a,b,c,d|",
            "vg|x|",
            "rs|3NTN=,|",
            "nt|a|",
            "st||pg||\n",
            "1C",
            "p",
            "SA",
            "S",
            "3NTN=,",
            lambda i: f"ah|Board {i}|md|1|mb|p|",
            lambda i: f"x{i}|y|",
            "%7C",
            "+",
            "Board 1",
        ),
        ("", "|"),
    ),
    "usebio": Reader(
        quietly(
            lambda file: (
                list(read_file_of_matches(file, "x", True, format="usebio")),
                file.seek(0),
                list(evenings_in(file)),
            )
        ),
        (
            "",
            "<a>",
            "<USEBIO>",
            EVENT,
            BOARD,
            f"{EVENT}<PAIR><PAIR_NUMBER>",
            f"{BOARD}<TRAVELLER_LINE><SCORE>",
            "<!--",
            "<![CDATA[",
            "<!DOCTYPE a [",
            "<a b='",
            "<?xml version='1.0' encoding='",
        ),
        (
            "<a>",
            "<a/>",
            "<a></a>",
            "&amp;",
            "&#65;",
            "]]>",
            "--",
            "<!ENTITY a 'b'>",
            "<a b='c'/>",
            "<EVENT></EVENT>",
            "<PAIR></PAIR>",
            lambda i: (
                f"<PAIR><PAIR_NUMBER>{i + 1}</PAIR_NUMBER><PLAYER><PLAYER_NAME>p{i}</PLAYER_NAME></PLAYER></PAIR>"
            ),
            "<PAIR><PAIR_NUMBER>1</PAIR_NUMBER></PAIR>",
            lambda i: f"<BOARD><BOARD_NUMBER>{i}</BOARD_NUMBER></BOARD>",
            "<TRAVELLER_LINE><NS_PAIR_NUMBER>1</NS_PAIR_NUMBER><EW_PAIR_NUMBER>2</EW_PAIR_NUMBER><CONTRACT>3NT</CONTRACT></TRAVELLER_LINE>",
            lambda i: f"<EVENT EVENT_TYPE='MP_PAIRS'><DATE>06/01/2026</DATE><X{i}>a</X{i}></EVENT>",
            "<HAND><DIRECTION>North</DIRECTION></HAND>",
            lambda i: f" a{i}='b'",
        ),
        ("", "</PAIR_NUMBER></PAIR></EVENT></USEBIO>", "</EVENT></USEBIO>", "</BOARD></EVENT></USEBIO>"),
    ),
    "csv": Reader(
        paper,
        (
            "",
            "player,1,2,total\n",
            "table,round,hand,player,points\n",
            "sep=;\n",
            "name;total\n",
            '"',
            "Round 1\n",
            "Table: 1\nplayer,1\n",
        ),
        (
            "player,1,2,total\n",
            "ana,1,2,3\n",
            "1,1,1,ana,3\n",
            "a,",
            ";",
            "\t",
            '""',
            '"a",',
            '"a\n',
            "hand 1,",
            "Table 1\n",
            "Table 1,Round 2\n",
            "Total,1,2\n",
            lambda i: f"p{i},1,2,3\n",
            lambda i: f"{i},1,1,p{i},3\n",
            lambda i: f"Table {i}\nplayer,1\na,1\nb,2\n\n",
            lambda i: f"hand {i},",
            "2026-01-06,",
            "1.000,",
            "+1,",
            "−",
            "Date: ",
        ),
        ("", '"', "\nana,1\n"),
    ),
    "names": Reader(
        lambda data: typed_names(data.decode()), ("",), ("a,", "a\r\n", "\u0301", " , ", lambda i: f"p{i},")
    ),
    "name": Reader(lambda data: tidy_name(data.decode())),
}

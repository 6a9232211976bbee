"""Readers of files of bridge clubs: which format it is, PBN, LIN and USEBIO."""

from __future__ import annotations

import io

from cardledger.formats.bridge_files.reading import Format, format_of, read_file_of_matches
from cardledger.formats.bridge_files.usebio_evening import evenings_in
from tests.bridge_files.made import DEAL, pbn
from tests.growth.lines import quietly, written
from tests.growth.measure import Read
from tests.growth.shapes import Reader


def boards(format: Format) -> Read:
    return quietly(lambda file: written(read_file_of_matches(file, "x", True, format=format)))


def usebio(file: io.BytesIO) -> int:
    size = written(read_file_of_matches(file, "x", True, format="usebio"))
    file.seek(0)
    return size + sum(len(str(evening)) for evening in evenings_in(file))


EVENT = "<USEBIO><EVENT EVENT_TYPE='MP_PAIRS'><DATE>06/01/2026</DATE><WINNER_TYPE>1</WINNER_TYPE>"
BOARD = f"{EVENT}<BOARD><BOARD_NUMBER>1</BOARD_NUMBER>"
TRAVELLER = (
    "<TRAVELLER_LINE><NS_PAIR_NUMBER>1</NS_PAIR_NUMBER><EW_PAIR_NUMBER>2</EW_PAIR_NUMBER><CONTRACT>3NT</CONTRACT>"
    "<PLAYED_BY>N</PLAYED_BY><TRICKS>9</TRICKS></TRAVELLER_LINE>"
)


def pair(number: int) -> str:
    name = f"<PLAYER><PLAYER_NAME>p{number}</PLAYER_NAME></PLAYER>"
    return f"<PAIR><PAIR_NUMBER>{number + 1}</PAIR_NUMBER>{name}</PAIR>"


# fmt: off
BRIDGE_FILES = {
    "format": Reader(
        quietly(lambda file: format_of(file, "x")),
        ("", "% PBN", "[", "[Event ", "https://", "xx|", "<!--"),
        ("% c\r\n", "; c\n", "{ c }\r", "xx|1|", "xx|1|\n", "?lin", "&lin", "[a "),
        ("", "hello", '[Event "'),
    ),
    "pbn": Reader(
        boards("pbn"),
        (
            "", pbn(), '[Event "', '[Event "a"]\n', "[Event ", pbn(Play=None, Auction=None) + '[Auction "N"]\n',
            pbn(Play=None) + '[Play "E"]\n', "{", '[Deal "', '[Event "a"]\n[Note "',
            '[Board "1"]\n[ScoreTable "A\\2R;B"]\n', '[OptimumResultTable "Declarer;Denomination\\2R;Result\\2R"]\n',
            pbn() + '[Contract "', pbn() + '[Result "', '[Board "',
        ),
        (
            pbn(), pbn() + "\n", '[Event "a"]\n', '[Event "#"]\n', "[A ", '[A "b"] ', lambda i: f'[T{i} "b"]\n',
            lambda i: f'[T{i} "##b"]\n\n[Event "a"]\n', '[Note "1:a"]\n', "{c}", "{ c }\n", "; c\n", "% c\n", "1C ",
            "Pass Pass\n", "HA D2 C2 S2\n", "$1 ", "=1= ", "^S", "!?", "+ ", "*\n", "- - - -\n", "N:", "AKQ.", '"a" ',
            '"', "1\\2R;", "x{", "x;", '[Board "1"]\n', '[board "1"]\n', '[A "\\\\', pbn(Contract="7NT"),
            lambda i: pbn(Board=str(i + 1), Event="#"), lambda i: f'[Deal "{DEAL}"]\n[Board "{i}"]\n\n',
        ),
        ("", '"]', "}"),
        (
            ("", lambda i: f'[T{i} "##b"]\n', "\n", '[Event "a"]\n', ""),
            ('[Event "a"]\n[X "##', "a", '"]\n', pbn(), ""),
            (pbn(Auction=None, Play=None) + '[Auction "N"]\n', "1C ", "\n", '[Event "a"]\n[Auction "#"]\n', ""),
            ('[Event "', "a", '"]\n\n', pbn(Event="#"), ""),
            (pbn(Auction=None, Play=None) + '[Note "1:', "a", '"]\n[Auction "N"]\n1C', " =1=", ""),
            (pbn(Auction=None, Play=None) + '[Auction "N"]\n[Note "1:', "a", '"]\n[Play "E"]\nHA', " =1=", ""),
        ),
    ),
    "lin": Reader(
        boards("lin"),
        (
            "", "vg|", "rs|", "pn|", "md|", "md|1", "qx|o1|md|0|", "mb|", "pc|", "mc|", "an|", "ah|Board ", "qx|",
            "https://x?lin=", "md|0|mb|1C|an|", "vg|a,b,c,1,99999,|",
        ),
        (
            "a|", "||", "qx|o1|", "md|0|", "md|3SAKQ,H,D|", "mb|p|", "mb|1C!|an|x|", "pc|SA|", "mc|9|", "pn|a,b,c,d|",
            "vg|x|", "rs|3NTN=,|", "nt|a|", "st||pg||\n", "1C", "p", "SA", "S", "3NTN=,",
            lambda i: f"ah|Board {i}|md|1|mb|p|", lambda i: f"x{i}|y|", "%7C", "+", "Board 1",
        ),
        ("", "|"),
        (
            ("", "xx|a|", "", "qx|o1|md|1|mb|p|", ""), ("vg|", "a", "|", "qx|o1|md|1|mb|p|", ""),
            ("pn|a,b,c,", "d", "|", "qx|o1|md|1|mb|p|", ""), ("rs|", "3NTN=,", "|", "vg|a|qx|o1|md|1|mb|p|", ""),
        ),
    ),
    "usebio": Reader(
        quietly(usebio),
        (
            "", "<a>", "<USEBIO>", EVENT, BOARD, f"{EVENT}<PAIR><PAIR_NUMBER>", f"{BOARD}<TRAVELLER_LINE><SCORE>",
            "<!--", "<![CDATA[", "<!DOCTYPE a [", "<a b='", "<?xml version='1.0' encoding='",
        ),
        (
            "<a>", "<a/>", "<a></a>", "&amp;", "&#65;", "]]>", "--", "<!ENTITY a 'b'>", "<a b='c'/>", "<EVENT></EVENT>",
            "<PAIR></PAIR>",
            lambda i: (
                f"<PAIR><PAIR_NUMBER>{i + 1}</PAIR_NUMBER><PLAYER><PLAYER_NAME>p{i}</PLAYER_NAME></PLAYER></PAIR>"
            ), "<PAIR><PAIR_NUMBER>1</PAIR_NUMBER></PAIR>",
            lambda i: f"<BOARD><BOARD_NUMBER>{i}</BOARD_NUMBER></BOARD>", TRAVELLER,
            lambda i: f"<EVENT EVENT_TYPE='MP_PAIRS'><DATE>06/01/2026</DATE><X{i}>a</X{i}></EVENT>",
            "<HAND><DIRECTION>North</DIRECTION></HAND>", lambda i: f" a{i}='b'",
        ),
        ("", "</PAIR_NUMBER></PAIR></EVENT></USEBIO>", "</EVENT></USEBIO>", "</BOARD></EVENT></USEBIO>"),
        (
            (
                "<USEBIO><EVENT EVENT_TYPE='",
                "a",
                "'><BOARD><BOARD_NUMBER>1</BOARD_NUMBER>",
                TRAVELLER,
                "</BOARD></EVENT></USEBIO>",
            ),
            (
                f"{EVENT}<VENUE>",
                "a",
                "</VENUE><BOARD><BOARD_NUMBER>1</BOARD_NUMBER>",
                TRAVELLER,
                "</BOARD></EVENT></USEBIO>",
            ), (EVENT, pair, "<BOARD><BOARD_NUMBER>1</BOARD_NUMBER>", TRAVELLER, "</BOARD></EVENT></USEBIO>"),
        ),
    ),
}
# fmt: on

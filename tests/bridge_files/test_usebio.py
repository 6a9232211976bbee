"""USEBIO 1.2: results of an evening, in and out."""

from __future__ import annotations

import sys
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardledger.formats.bridge_files.writing import written
from cardledger.record.matches.matchfile import MatchInFile, Problem
from tests.bridge_files.made import items_of, seen
from tests.waiting import LIMIT

SUITS = {"N": "SPADES", "E": "HEARTS", "S": "DIAMONDS", "W": "CLUBS"}
HANDS = "".join(
    f"<HAND><DIRECTION>{seat}</DIRECTION><{suit}>AKQJT98765432</{suit}></HAND>" for seat, suit in SUITS.items()
)


def line(**said: object) -> str:
    """Return a line of a traveller."""
    told = {"NS_PAIR_NUMBER": 1, "EW_PAIR_NUMBER": 2, **said}
    return f"<TRAVELLER_LINE>{''.join(f'<{name}>{value}</{name}>' for name, value in told.items())}</TRAVELLER_LINE>"


def pair(number: str, one: str, two: str, direction: str = "") -> str:
    """Return a pair."""
    players = "".join(f"<PLAYER><PLAYER_NAME>{name}</PLAYER_NAME></PLAYER>" for name in (one, two))
    return f"<PAIR><PAIR_NUMBER>{number}</PAIR_NUMBER><DIRECTION>{direction}</DIRECTION>{players}</PAIR>"


def usebio(
    *lines: str,
    pairs: str = pair("1", "Nora", "Sam") + pair("2", "Eli", "Wu"),
    board: str = "1",
    more: str = "",
    head: str = "",
    kind: str = "MP_PAIRS",
) -> str:
    """Return a file with one board."""
    return (
        f'<?xml version="1.0"?>{head}\n<USEBIO Version="1.2"><CLUB><CLUB_NAME>Lyon BC</CLUB_NAME></CLUB>\n'
        f'<EVENT EVENT_TYPE="{kind}"><EVENT_DESCRIPTION>Tuesday</EVENT_DESCRIPTION><DATE>14/03/2026</DATE>\n'
        f"<PARTICIPANTS>{pairs}</PARTICIPANTS>\n<BOARD><BOARD_NUMBER>{board}</BOARD_NUMBER>\n"
        + "\n".join(lines) + f"\n</BOARD>{more}</EVENT></USEBIO>\n"
    )  # fmt: skip


FULL = line(CONTRACT="4S", PLAYED_BY="N", LEAD="AH", TRICKS=10, SCORE=420, NS_MATCH_POINTS=7)


def test_a_line_of_a_traveller_is_a_board() -> None:
    [board] = map(
        seen, items_of(usebio(FULL, more=f"<BOARD><BOARD_NUMBER>1</BOARD_NUMBER>{HANDS}</BOARD>"), "night.xml")
    )
    assert board["players"] == ["Nora", "Eli", "Sam", "Wu"]
    assert (board["event"], board["place"], board["date"], board["board"]) == ("Tuesday", "Lyon BC", "2026-03-14", 1)
    assert (board["contract"], board["made"], board["plays"], board["score"]) == ("4S", 10, ["EAH"], 420)
    assert ("tag", "NS_MATCH_POINTS", "7") in board["extras"]
    assert board["codes"] == []
    assert board["hands"][0][0] == "AS"


CASES = [
    (usebio(line(SCORE=-50)), {"score": -50, "contract": None, "codes": []}),
    (usebio(line(SCORE="A6040")), {"adjusted": True, "status": "complete", "codes": []}),
    (usebio(line(CONTRACT="PASS", SCORE=0)), {"contract": "pass", "score": 0, "codes": []}),
    (usebio(line(CONTRACT="3NTX", PLAYED_BY="W", TRICKS=9, SCORE=-550)), {"score": -550, "codes": []}),
    (usebio(line(CONTRACT="4S", PLAYED_BY="N", TRICKS=10, SCORE=430)), {"score": 420, "codes": ["usebio.line"]}),
    (usebio(line(CONTRACT="9S", PLAYED_BY="N", TRICKS=10, SCORE=420)), {"score": 420, "contract": None, "codes": ["usebio.line"]}),
    (usebio(line(CONTRACT="4S", PLAYED_BY="N", TRICKS=10, NS_PAIR_NUMBER=9)), {"players": ["North", "Eli", "South", "Wu"], "codes": ["names.missing"]}),
    (usebio(line(EW_PAIR_NUMBER=1, SCORE=420), pairs=pair("1", "a", "c", "N") + pair("1", "b", "d", "E")), {"players": ["a", "b", "c", "d"]}),
    *((usebio(line(CONTRACT="4S", PLAYED_BY="N", TRICKS=tricks)), {"contract": "4S", "made": None, "codes": []}) for tricks in ("0130", "00" + "1" * 6_000)),
    (usebio(line(SCORE=420), board="x"), {"error": "usebio.line"}),
    (usebio(line(SCORE=420), kind="POKER"), {"codes": ["usebio.kind"]}),
    (usebio(line()), {"codes": ["usebio.line"], "status": "open"}),
    (usebio(FULL, head='<!DOCTYPE USEBIO SYSTEM "http://localhost/usebio_v1_2.dtd">'), {"made": 10, "codes": []}),
    ("<?xml version='1.0' encoding='ISO-8859-1'?>" + usebio(FULL, pairs=pair("1", "Zo\u00eb", "c")).partition("?>")[2], {"players": ["Zoë", "East", "c", "West"]}),
]  # fmt: skip


@pytest.mark.parametrize("place", range(len(CASES)))
def test_every_kind_of_line(place: int) -> None:
    text, expected = CASES[place]
    [board] = map(seen, items_of(text.encode("latin-1"), "night.xml"))
    assert {key: board.get(key) for key in expected} == expected


HOSTILE = {
    "usebio.entity": [
        usebio(
            FULL,
            head='<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>',
            pairs=pair("1", "&b;", "c"),
        ),
        usebio(FULL, head='<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>', pairs=pair("1", "&a;", "c")),
        usebio(FULL, head='<!DOCTYPE x [<!ENTITY % a SYSTEM "http://localhost/x"> %a;]>'),
    ],
    "format.size": ["<USEBIO>" + "<EVENT>" * 200],
    "usebio.xml": [
        "<USEBIO>",
        "<?xml version='1.0' encoding='nothing'?><USEBIO/>",
        "<USEBIO/>",
        "<USEBIO>\0</USEBIO>",
        "<?xml",
    ],
}


@pytest.mark.parametrize("code", HOSTILE)
def test_hostile_files_end_in_an_error_with_a_line(code: str) -> None:
    for text in HOSTILE[code]:
        begun = time.process_time()
        [problem] = items_of(text, "night.xml")
        assert isinstance(problem, Problem)
        assert problem.error.code == code
        assert problem.line >= 1
        assert time.process_time() - begun < LIMIT


def steps_of_reading(text: str) -> int:
    """Return how many calls of functions reading a file takes."""
    steps = 0

    def count(*_: object) -> None:
        nonlocal steps
        steps += 1

    sys.setprofile(count)
    try:
        items_of(text, "night.xml")
    finally:
        sys.setprofile(None)
    return steps


def test_hands_are_read_once_however_many_lines_a_traveller_has() -> None:
    def large(many: int) -> str:
        hands = f"<BOARD><BOARD_NUMBER>1</BOARD_NUMBER>{HANDS * many}</BOARD>"
        return usebio(*["<TRAVELLER_LINE/>"] * many, more=hands)

    assert steps_of_reading(large(200)) < 3 * steps_of_reading(large(100))


def test_an_event_within_an_event_is_read_once() -> None:
    text = usebio(FULL).replace("<EVENT ", "<EVENT><EVENT ").replace("</EVENT>", "</EVENT></EVENT>")
    assert len(items_of(text, "night.xml")) == 1


@pytest.mark.long
def test_a_file_of_too_many_elements_ends_in_an_error() -> None:
    [problem] = items_of("<USEBIO>" + "<A/>" * 510_000, "night.xml")
    assert isinstance(problem, Problem)
    assert problem.error.code == "format.size"


@settings(max_examples=50)
@given(st.lists(st.tuples(st.integers(0, 900), st.integers(0, 40), st.binary(max_size=6)), min_size=1, max_size=3))
def test_no_damage_to_a_file_is_more_than_an_error(changes: list[tuple[int, int, bytes]]) -> None:
    content = usebio(FULL, line(SCORE="A6040")).encode()
    for at, length, new in changes:
        content = content[:at] + new + content[at + length :]
    items_of(content, "night.xml")


@pytest.mark.parametrize("place", [0, 1, 2, 3, 4, 7])
def test_results_come_back(place: int) -> None:
    first = [item for item in items_of(CASES[place][0]) if isinstance(item, MatchInFile)]
    text = "".join(written([item.stream for item in first], "usebio"))
    second = [*map(seen, items_of(text))]
    for before, after in zip(map(seen, first), second, strict=True):
        for found in (before, after):
            found["extras"] = sorted(found["extras"])
            found["line"] = found["lines"] = found["codes"] = 0
        assert after == before

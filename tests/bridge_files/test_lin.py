"""LIN: boards of Bridge Base Online, one by one and in matches of two rooms."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardledger.record.matches.matchfile import MatchInFile, Problem, Warned
from tests.bridge_files.made import items_of, seen

SPADES, HEARTS, DIAMONDS, CLUBS = (f"{suit}AKQJT98765432" for suit in "SHDC")
MD = f"{DIAMONDS},{CLUBS},{SPADES},"
"""South diamonds, West clubs, North spades; East hearts, left out."""


def lin(
    body: str = "mb|4S|mb|p|mb|p|mb|p|pc|HA|pc|D2|pc|C2|pc|S2|mc|13|",
    md: str = f"3{MD}",
    sv: str = "sv|o|",
    ah: str = "ah|Board 1|",
    pn: str = "pn|Sam,Wu,Nora,Eli|",
) -> str:
    """Return a board."""
    return f"{pn}st||md|{md}|{sv}rh||{ah}{body}pg||\n"


ROOMS = "vg|Spring cup,Final 2,I,7,8,Alpha,3,Beta,0|\nrs|4SN+3,3SN=,PASS,|\npn|s1,w1,n1,e1,s2,w2,n2,e2|pg||\n"
TABLE = "mb|4S!|an|to play|mb|p|nt|a good bid|mb|p|mb|p|pg||pc|HA|pc|D2|pc|C2|pc|S2|pg||mc|13|pg||\n"
MISSING = {"error": "lin.missing", "line": 2}
"""The header has results of boards that are not in the file."""
PLAYS = ["EAH", "S2D", "W2C", "N2S"]
CASES: dict[str, tuple[str | bytes, list[dict[str, Any]]]] = {
    "a plain board": (lin(), [{"players": ["Nora", "Eli", "Sam", "Wu"], "contract": "4S", "declarer": 0, "made": 13, "plays": PLAYS, "codes": [], "board": 1,
                               "calls": ["4S", "pass", "pass", "pass"], "claims": [[12, 0, 0, 0]], "dealer": 0}]),
    "several boards": (lin() + lin(ah="ah|Board 5|"), [{"board": 1, "line": 1}, {"board": 5, "line": 2}]),
    "two rooms": (ROOMS + f"qx|o7|md|3{MD}|sv|b|{TABLE}qx|c7|md|3{MD}|sv|b|mb|3S|mb|ppp|mc|9|pg||\n",
                  [{"players": ["n1", "e1", "s1", "w1"], "board": 7, "event": "Spring cup", "alerts": ["to play"], "codes": ["board.number"], "made": 13, "vulnerable": "both", "dealer": 0},
                   {"players": ["n2", "e2", "s2", "w2"], "board": 7, "contract": "3S", "made": 9, "codes": ["board.number"]}, MISSING]),
    "names within a board go first": (ROOMS + f"qx|o7|pn|a,b,c,d|md|3{MD}|{TABLE}", [{"players": ["c", "d", "a", "b"]}, MISSING]),
    "a result of the header that differs": (ROOMS + f"qx|o7|md|3{MD}|sv|b|{TABLE.replace('mc|13|', 'mc|12|')}", [{"made": 12, "codes": ["lin.result", "board.number"]}, MISSING]),
    "a result of the header alone": (ROOMS + f"qx|o7|md|3{MD}|sv|b|pg||qx|c7|md|3{MD}|pg||qx|o8|md|4{MD}|pg||",
                                     [{"contract": "4S", "made": 13, "calls": []}, {"contract": "3S", "made": 9}, {"contract": "pass", "score": 0}]),
    "several calls in one": (lin("mb|1Sp2Sd|mb|r!ppp|mc|8|"), [{"calls": ["1S", "pass", "2S", "double", "redouble", "pass", "pass", "pass"], "alerts": [""]}]),
    "no trump, in small letters": (lin("mb|1n|mb|p|mb|P|mb|pass|pc|hA|pc|d2|pc|c2|pc|s2|mc|7|"), [{"contract": "1NT", "plays": PLAYS, "codes": []}]),
    "an explanation without an alert": (lin("mb|4S|an|weak|mb|ppp|mc|9|"), [{"explained": ["weak"], "alerts": [], "made": 9}]),
    "chat between cards": (lin("mb|4Sppp|pc|HA|nt|hello|pc|D2|"), [{"plays": PLAYS[:2], "extras": [("tag", "Date", "?"), ("command", "Play 1", "nt", "hello")]}]),
    "all hands written": (lin(md=f"3{MD}{HEARTS}"), [{"codes": [], "plays": PLAYS}]),
    "another hand left out": (lin(md=f"3{DIAMONDS},,{SPADES},{HEARTS}"), [{"codes": [], "plays": PLAYS}]),
    "bars too many": (lin("|mb|4Sppp|||\npg||||pc|HA|mc|13||") + lin(ah="ah|Board 5|"), [{"plays": ["EAH"], "made": 13, "codes": []}, {"board": 5, "plays": PLAYS, "line": 3}]),
    "letters that only look like those of calls and cards": (lin("mb|4Sppp|pc|H\u212a|"), [{"contract": "4S", "plays": [], "codes": ["lin.card"]}]),
    "an explanation without words": (lin("mb|4S|an||mb|ppp|mc|9|"), [{"explained": [], "alerts": [], "made": 9}]),
    "no hands": (lin(md="3"), [{"hands": None, "plays": PLAYS, "codes": []}]),
    "hands that are no pack": (lin(md=f"3{SPADES},{CLUBS},{SPADES},{HEARTS}"), [{"hands": None, "codes": ["lin.deal"]}]),
    "hands that are no pack, and no dealer": (lin(md=f"{SPADES},{CLUBS},{SPADES},{HEARTS}"), [{"hands": None, "extras": [("tag", "Date", "?"), ("command", "", "md", f"{SPADES},{CLUBS},{SPADES},{HEARTS}")]}]),
    "no dealer given": (lin(md=f"0{MD}"), [{"dealer": 0, "codes": []}]),
    "no vulnerability given": (lin(sv="", ah="ah|Board 4|", md=f"3{MD}"), [{"vulnerable": "both"}]),
    "a title without a number": (lin(ah="ah|Bluff|"), [{"board": None, "dealer": 0, "extras": [("command", "", "ah", "Bluff"), ("tag", "Date", "?")][::-1]}]),
    "neither number nor dealer": (lin(ah="", md=f"0{MD}", sv=""), [{"error": "lin.deal", "line": 1}]),
    "passed out": (lin("mb|pppp|"), [{"contract": "pass", "score": 0, "codes": []}]),
    "a claim of too many tricks": (lin("mb|3NTppp|pc|HA|pc|D2|pc|C2|pc|S2|mc|13|"), [{"codes": ["lin.result"], "adjusted": True, "plays": PLAYS}]),
    "all the cards": (lin("mb|4Sppp|" + "".join(f"pc|H{h}|pc|D{h}|pc|C{h}|pc|S{h}|" if n == 0 else f"pc|S{h}|pc|H{h}|pc|D{h}|pc|C{h}|" for n, h in enumerate("AKQJT98765432"))),
                      [{"made": 13, "claims": [], "codes": []}]),
    "a card not held": (lin("mb|4Sppp|pc|HA|pc|D2|pc|C2|pc|C3|mc|10|"), [{"plays": PLAYS[:3], "codes": ["table.holding"], "made": 10}]),
    "a lead out of turn": (lin("mb|4Sppp|pc|C2|pc|S2|mc|10|"), [{"plays": ["W2C", "N2S"], "violations": ["lead.left-of-declarer"]}]),
    "words that are no call or card": (lin("mb|4Sppp|mb|?|pc|HA|pc|Z|"), [{"plays": ["EAH"], "status": "open"}]),
    "an unknown command": (lin("xy|z|mb|4Sppp|mc|9|"), [{"extras": [("tag", "Date", "?"), ("command", "", "xy", "z")], "made": 9}]),
    "an address": (f"https://www.bridgebase.com/tools/handviewer.html?lin={quote(lin())}", [{"plays": PLAYS, "made": 13}]),
    "Latin-1": (lin(pn="pn|Sam,Wu,Zo\u00eb,Eli|").encode("latin-1"), [{"players": ["Zoë", "Eli", "Sam", "Wu"]}]),
    "names missing": (lin(pn="pn|Sam,,,|"), [{"players": ["North", "East", "Sam", "West"], "codes": ["names.missing"]}]),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_every_dialect_and_pitfall_of_lin(name: str) -> None:
    text, games = CASES[name]
    items = [seen(item) for item in items_of(text, "made.lin")]
    assert len(items) == len(games), items
    for item, expected in zip(items, games, strict=True):
        assert {key: item.get(key) for key in expected} == expected


def test_results_in_a_header_whose_boards_are_not_in_the_file_are_told_by_board_and_room() -> None:
    many = f"vg|Cup,,I,1,20|\nrs|{'4SN=,' * 20}|\n"
    items = items_of(ROOMS + f"qx|c7|md|3{MD}|{TABLE}" + many, "made.lin")
    first, second = (str(item) for item in items if isinstance(item, Warned))
    assert first == (
        "made.lin:2: lin.missing: the header has results of boards that are not in the file: "
        "board 7 (open room), board 8 (open room): they are left out"
    )
    assert "made.lin:6: lin.missing" in second
    assert "board 4 (closed room) and 12 more: they are left out" in second


WHOLE = (ROOMS + f"qx|o7|md|3{MD}|sv|b|{TABLE}" + lin()).encode()


@settings(max_examples=50)
@given(
    st.lists(st.tuples(st.integers(0, len(WHOLE)), st.integers(0, 40), st.binary(max_size=8)), min_size=1, max_size=4)
)
def test_no_damage_to_a_file_is_more_than_an_error_with_a_line(changes: list[tuple[int, int, bytes]]) -> None:
    content = WHOLE
    for at, length, new in changes:
        content = content[:at] + new + content[at + length :]
    for item in items_of(content, "made.lin"):
        assert not isinstance(item, Problem) or item.line >= 1


@pytest.mark.parametrize("middle", [b"x" * 3_000_000, b"mb|p|" * 30_000, b"|" * 200_000, b"\0" * 500_000])
def test_hostile_files_are_read_in_little_time_and_the_next_board_comes_in(middle: bytes) -> None:
    items = items_of(lin().encode() + b"qx|o1|" + middle + b"|pg||qx|o1|" + lin().encode(), "made.lin")
    assert isinstance(items[0], MatchInFile)
    assert len(items) < 5

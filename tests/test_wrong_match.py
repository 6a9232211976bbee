"""Wrong matches in files: every line that is wrong by itself is named, and no other."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cardledger.record.matches.matchfile import Problem
from tests.conftest import SAMPLES
from tests.tables import read

OPEN = {"type": "open", "game": "diversity", "players": ["ana", "ben", "chloe", "dev"]}
WRONG_OPEN = OPEN | {"date": "22.11.2026"}
LINES = {
    "table.holding": {"type": "play", "seat": 0, "card": "ZZ"},
    "table.deck": {"type": "deal", "dealer": 0, "hands": [["2C"], ["ZZ"], ["3C"], ["4C"]]},
    "table.range": {"type": "play", "seat": 9, "card": "2C"},
    "format.value": {"type": "play", "seat": "west", "card": "2C"},
    "format.key": {"type": "play", "seat": 0, "crad": "2C"},
}


def problems(*lines: Any) -> list[tuple[int, str]]:
    return [(one.line, one.error.code) for one in read(*lines, keep_going=True) if isinstance(one, Problem)]


@pytest.mark.parametrize("code", LINES)
@pytest.mark.parametrize("opening", [WRONG_OPEN, OPEN | {"options": {"x": 1}}, OPEN | {"rules": "diversity/99"}])
def test_a_line_that_is_wrong_by_itself_is_named_beside_the_first_error(code: str, opening: dict[str, Any]) -> None:
    found = problems(opening, {"type": "play", "seat": "dev", "card": "10♠"}, LINES[code])
    assert [line for line, _ in found] == [1, 3]
    assert found[1][1] == code


@pytest.mark.parametrize("code", LINES)
def test_the_same_holds_after_an_event_that_is_impossible(code: str) -> None:
    found = problems(OPEN, {"type": "play", "seat": 0, "card": "2C"}, LINES[code], OPEN)
    assert found == [(2, "table.phase"), (3, code)]


def test_an_impossible_event_among_canonical_lines_hides_none_of_those_after_it() -> None:
    lines = [
        b'{"type":"play","seat":0,"card":"2C"}',
        b'{"type":"play","seat":0,"card":"ZZ"}',
        b'{"type":"play","seat":9,"card":"2C"}',
    ]
    assert problems(OPEN, *lines, b'{"type":"note","text":"x"}', lines[1]) == [
        (2, "table.phase"),
        (3, "table.holding"),
        (4, "table.range"),
        (6, "table.holding"),
    ]


@pytest.mark.parametrize("line", [
    {"type": "trick", "lead": "ana", "cards": ["2C", "ZZ"]}, {"type": "trick", "lead": "zoe", "cards": ["2C"]}, {"type": "trick", "lead": 0},
    {"type": "amend", "about": 2, "event": {"type": "play", "seat": 0, "card": "ZZ"}},
    {"type": "amend", "about": 2, "event": {"type": "play", "seat": "zoe", "card": "2C"}},
])  # fmt: skip
def test_tricks_and_amends_are_looked_into(line: dict[str, Any]) -> None:
    assert [number for number, _ in problems(WRONG_OPEN, line)] == [1, 2]


@pytest.mark.parametrize("opening", [{"type": "open"}, OPEN | {"players": 3}, b'{"type": "open"'])
def test_where_the_opening_says_nothing_any_seat_and_card_will_do(opening: Any) -> None:
    lines = ({"type": "play", "seat": 9, "card": "ZZ"}, {"type": "play", "seat": "zoe", "card": "ZZ"})
    assert [line for line, _ in problems(opening, *lines)][1:] == []


@pytest.mark.parametrize("game", ["chess", [1], None])
def test_players_are_known_where_the_game_is_not(game: object) -> None:
    lines = ({"type": "play", "seat": 3, "card": "ZZ"}, {"type": "play", "seat": "zoe", "card": "ZZ"})
    assert [line for line, _ in problems(OPEN | {"game": game}, *lines)] == [1, 3]


@pytest.mark.parametrize("file", sorted(SAMPLES.glob("*.jsonl")), ids=lambda file: file.stem)
def test_right_lines_of_a_wrong_match_are_not_called_wrong(file: Path) -> None:
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    broken = [line | {"date": "x"} if line["type"] == "open" else line for line in lines]
    opened = [number for number, line in enumerate(lines, 1) if line["type"] == "open"]
    assert problems(*broken) == [(number, "format.value") for number in opened]

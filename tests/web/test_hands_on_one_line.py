"""A contract with its result typed on the sheet of a match, and what the scoring page is told of one."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

import pytest

from cardledger.record.readmodels.questions.evening_list import boards_of_match
from cardledger.rules.engine import events as ev
from cardledger_web.app import ledger_of
from tests.evenings.bridge import open_round, pairs
from tests.web.test_evening_pages import OURS, page

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

    from cardledger.record.recording.ledger import Ledger


@pytest.fixture
def ledger(empty: Flask) -> Ledger:
    return ledger_of(empty)


@pytest.fixture
def scorer(empty: Flask) -> FlaskClient:
    return empty.test_client()


def sent(
    client: FlaskClient, ledger: Ledger, match: str, lines: list[str], button: str = "record", **more: object
) -> TestResponse:
    points = {"points-0": [""] * len(lines), "points-1": [""] * len(lines)}
    form = {"seq": str(ledger.stream(match).seq), button: "", "line": lines, **points, **more}
    return client.post(f"/matches/{match}/sheet", data=form, headers=OURS)


def remarks(text: str) -> list[str]:
    return [unescape(said) for said in re.findall(r'role="status">([^<]+)</td>', text)]


def test_a_table_types_contract_declarer_and_tricks_of_its_boards(scorer: FlaskClient, ledger: Ledger) -> None:
    match = open_round(ledger, pairs(ledger, 3, 3))[2]
    text = page(scorer, f"/matches/{match}/sheet")
    assert text.count('name="line"') == len(boards_of_match(ledger, match)) == 3
    assert re.findall(r'rowgroup" rowspan="\d">(\d+)<', text) == ["4", "5", "6"], "boards, not hands from 1 on"
    assert sent(scorer, ledger, match, ["4S N 10", "pass", "3NTx w -1"]).status_code == 303
    hands = ledger.stream(match).table.hands
    assert [(hand.board, hand.scores[0]) for hand in hands] == [(4, 620), (5, 0), (6, 200)]
    assert [type(event) for event in ledger.events(match)[1:3]] == [ev.Deal, ev.Claim]


def test_the_points_of_a_contract_are_shown_and_may_be_typed_beside_it(scorer: FlaskClient, ledger: Ledger) -> None:
    match = open_round(ledger, pairs(ledger, 3, 3))[1]
    checked = sent(scorer, ledger, match, ["4S N 10"], "check").text
    assert re.findall(r'placeholder="(.?\d+)"', checked) == ["420", "−420"]
    same = {"points-0": ["420"], "points-1": ["−420"]}
    assert sent(scorer, ledger, match, ["4S N 10"], **same).status_code == 303
    assert ledger.stream(match).table.hands[0].declarer == 0


@pytest.mark.parametrize(("ns", "ew", "number"), [("450", "-450", "450"), ("", "-50", "−50"), ("-420", "420", "−420")])
def test_points_that_contradict_the_contract_are_asked_about_with_both(
    scorer: FlaskClient, ledger: Ledger, ns: str, ew: str, number: str
) -> None:
    match = open_round(ledger, pairs(ledger, 3, 3))[1]
    answer = sent(scorer, ledger, match, ["4S N 10"], **{"points-0": [ns], "points-1": [ew]})
    given = "420" if ns else "−420"
    assert (answer.status_code, ledger.stream(match).seq) == (400, 1)
    assert remarks(answer.text) == [f"“4S N 10” gives {given}, but {number} is written. Correct one of them."]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("3NT 3 14", "A hand has 13 tricks: with this result it would have 14."),
        ("4S Q 10", "“q” is nobody here: write N, E, S or W, or a name."),
        ("four spades", "Write the contract, who plays it, and the result"),
        ("4S N 5", "5 may be tricks, or tricks over the book"),
    ],
)
def test_a_line_that_cannot_be_read_says_why_and_nothing_is_recorded(
    scorer: FlaskClient, ledger: Ledger, line: str, said: str
) -> None:
    match = open_round(ledger, pairs(ledger, 3, 3))[1]
    answer = sent(scorer, ledger, match, ["4H N =", line])
    assert (answer.status_code, ledger.stream(match).seq) == (400, 1)
    assert remarks(answer.text)[0].startswith(said)
    assert f'value="{line}"' in answer.text


def test_a_director_types_a_decision_in_place_of_a_contract(scorer: FlaskClient, ledger: Ledger) -> None:
    session = pairs(ledger, 3, 3)
    match = open_round(ledger, session)[1]
    answer = sent(scorer, ledger, match, ["4S N 10", "A+/A-", "2H s ="])
    assert answer.location == f"/evenings/{session}/director?round=1&table=1&board=2&said=A%2B%2FA-"
    assert [hand.board for hand in ledger.stream(match).table.hands] == [1, 3]


def test_a_sheet_in_german_reads_german_words(scorer: FlaskClient, ledger: Ledger) -> None:
    match = open_round(ledger, pairs(ledger, 3, 3))[1]
    scorer.set_cookie("lang", "de")
    assert "Kontrakt" in page(scorer, f"/matches/{match}/sheet")
    assert sent(scorer, ledger, match, ["3SA O 9", "4P Nord =", "Passe"]).status_code == 303
    assert [hand.declarer for hand in ledger.stream(match).table.hands] == [1, 0, -1]


def test_other_games_have_no_such_line(scorer: FlaskClient, ledger: Ledger) -> None:
    match = ledger.record(None, [ev.Open(game="whist", players=("ana", "ben", "cai", "dan"))], 0).match
    assert 'name="line"' not in page(scorer, f"/matches/{match}/sheet")
    assert scorer.get(f"/matches/{match}/score/line?text=4S N 10").status_code == 404


def test_the_scoring_page_is_told_what_a_line_says(scorer: FlaskClient, ledger: Ledger) -> None:
    session = pairs(ledger, 3, 3)
    match = open_round(ledger, session)[1]

    def told(text: str) -> object:
        return scorer.get(f"/matches/{match}/score/line", query_string={"text": text, "board": 2}).json

    assert told("4s n 10") == {"deal": {"contract": "4S", "declarer": 0}, "calls": [], "tricks": [10, 3, 0, 0]}
    assert told("pass") == {"deal": {}, "calls": ["pass"] * 4, "tricks": []}
    assert told("4S N 5").keys() == {"wrong"}
    assert told(" A+ ") == {"director": f"/evenings/{session}/director?round=1&table=1&board=2&said=A%2B"}
    alone = ledger.record(None, [ev.Open(game="bridge", players=("ana", "ben", "cai", "dan"))], 0).match
    assert scorer.get(f"/matches/{alone}/score/line?text=A%2B&board=1").json.keys() == {"wrong"}


def test_the_api_reads_what_the_page_reads(scorer: FlaskClient, ledger: Ledger) -> None:
    match = open_round(ledger, pairs(ledger, 3, 3))[2]
    address = f"/api/v1/matches/{match}"
    read = scorer.get(f"{address}/line", query_string={"text": "4S N 10", "board": 5})
    assert (read.json["board"], read.json["scores"]) == (5, [620, -620, 620, -620])
    sent = scorer.post(
        f"{address}/events", json={"events": read.json["events"]}, headers={"If-Match": read.headers["ETag"]}
    )
    assert sent.status_code == 201
    assert ledger.stream(match).table.hands[0].scores == [620, -620, 620, -620]
    wrong = scorer.get(f"{address}/line", query_string={"text": "4S N 5"})
    assert (wrong.status_code, wrong.json["code"]) == (400, "format.value")
    assert scorer.get(f"{address}/line", query_string={"text": "pass", "board": 5}).status_code == 422

"""What a director types where a result belongs: on the sheet of results and at the board, it leads to the ruling."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

import pytest

from cardledger.record.readmodels.questions.evening_list import boards_of_match
from cardledger.rules.engine import events as ev
from cardledger.rules.evenings.award_words import decision_of
from cardledger_web.app import ledger_of
from tests.evenings.bridge import open_round, pairs
from tests.web.test_evening_pages import OURS, hidden, page, send, state

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


def sent(client: FlaskClient, ledger: Ledger, match: str, ns: list[str], ew: list[str], **more: str) -> TestResponse:
    form = {"seq": str(ledger.stream(match).seq), "record": "", "points-0": ns, "points-1": ew, **more}
    return client.post(f"/matches/{match}/sheet", data=form, headers=OURS)


@pytest.mark.parametrize(
    ("text", "decision"),
    [
        ("A+", ("A+", "A+")),
        ("a−", ("A-", "A-")),
        ("ave plus", ("A+", "A+")),
        ("A+/A-", ("A+", "A-")),
        ("60/40", ("60%", "40%")),
        ("62.5 % : 37,5 %", ("62.5%", "37,5%")),
        ("Not  played", "not-played"),
        ("NP", "not-played"),
        *((text, None) for text in ("", "420", "-50", "4S N =", "60", "60/40/0", "a/b", "pass", "/")),
    ],
)
def test_what_a_director_writes_is_told_from_a_result(text: str, decision: object) -> None:
    assert decision_of(text) == decision


def test_a_sheet_has_a_row_for_each_board_that_is_left(scorer: FlaskClient, ledger: Ledger) -> None:
    match = open_round(ledger, pairs(ledger, 3, 3))[1]
    boards = len(boards_of_match(ledger, match))
    for played in range(boards):
        text = page(scorer, f"/matches/{match}/sheet")
        assert text.count('name="points-0"') == boards - played
        assert f'data-most="{boards}"' in text
        assert text.count('name="points-0"') == page(scorer, f"/matches/{match}/sheet?more=1").count('name="points-0"')
        assert sent(scorer, ledger, match, ["-100"], ["100"]).status_code == 303


def test_an_average_typed_into_the_sheet_leads_to_the_ruling_of_its_board(scorer: FlaskClient, ledger: Ledger) -> None:
    session = pairs(ledger, 3, 3)
    match = open_round(ledger, session)[2]
    assert "A+, A-, 60/40 or not played" in page(scorer, f"/matches/{match}/sheet")
    checked = scorer.post(
        f"/matches/{match}/sheet",
        data={"check": "", "points-0": ["420", "A+"], "points-1": ["-420", "A-"]},
        headers=OURS,
    )
    assert "The director decides on board 5" in checked.text
    answer = sent(scorer, ledger, match, ["420", "A+", "50"], ["-420", "A-", "-50"])
    assert [hand.board for hand in ledger.stream(match).table.hands] == [4, 6], "the board is left out"
    assert answer.location == f"/evenings/{session}/director?round=1&table=2&board=5&said=A%2B%2FA-"
    text = page(scorer, answer.location)
    assert "What changes" in text
    assert send(scorer, f"/evenings/{session}/director", **hidden(text)).status_code == 303
    ((_, ruling),) = state(ledger, session).rulings
    assert (ruling.round, ruling.table, ruling.board, ruling.ns, ruling.ew) == (1, 2, 5, 60, 40)


def test_a_board_decided_on_is_not_asked_for_again(scorer: FlaskClient, ledger: Ledger) -> None:
    session = pairs(ledger, 3, 3)
    match = open_round(ledger, session)[1]
    answer = sent(scorer, ledger, match, ["not played"], [""])
    text = page(scorer, answer.location)
    assert send(scorer, f"/evenings/{session}/director", **hidden(text)).status_code == 303
    assert (1, 1, 1) in state(ledger, session).absences
    sent(scorer, ledger, match, ["420"], ["-420"])
    assert [hand.board for hand in ledger.stream(match).table.hands] == [2]


def test_decisions_come_one_at_a_time_and_nothing_is_recorded_before(scorer: FlaskClient, ledger: Ledger) -> None:
    session = pairs(ledger, 3, 3)
    match = open_round(ledger, session)[1]
    answer = sent(scorer, ledger, match, ["A+", "A-"], ["", ""])
    assert (answer.status_code, ledger.stream(match).seq) == (400, 1)
    assert "One decision at a time: board 1 comes first." in answer.text


@pytest.mark.parametrize(
    ("said", "fields"),
    [
        ("A+", {"ns": "A+", "ew": "A+"}),
        ("65/35", {"ns": "other", "ns_other": "65%", "ew": "other", "ew_other": "35%"}),
        ("np", {"what": "not-played"}),
    ],
)
def test_the_page_of_the_director_is_filled_in_as_said(
    scorer: FlaskClient, ledger: Ledger, said: str, fields: dict[str, str]
) -> None:
    session = pairs(ledger, 3, 1)
    open_round(ledger, session)
    text = scorer.get(
        f"/evenings/{session}/director", query_string={"round": 1, "table": 1, "board": 1, "said": said}
    ).text
    shown = {name: unescape(value) for name, value in re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', text)}
    assert fields.items() <= shown.items()


def test_what_is_no_decision_is_said_and_nothing_is_chosen(scorer: FlaskClient, ledger: Ledger) -> None:
    session = pairs(ledger, 3, 1)
    open_round(ledger, session)
    answer = scorer.get(f"/evenings/{session}/director?round=1&table=1&board=1&said=60%2F40%2F2")
    assert answer.status_code == 400
    assert "is no decision. Write A+, A-, 60/40 or not played" in answer.text


def test_a_match_of_no_evening_has_no_director(scorer: FlaskClient, ledger: Ledger) -> None:
    match = open_round(ledger, pairs(ledger, 3, 1))[1]
    assert 'data-director="/evenings/session-' in page(scorer, f"/matches/{match}/score")
    alone = ledger.record(None, [ev.Open(game="bridge", players=("ana", "ben", "cai", "dan"))], 0).match
    assert 'data-director=""' in page(scorer, f"/matches/{alone}/score")
    assert "is no whole number" in sent(scorer, ledger, alone, ["A+"], [""]).text

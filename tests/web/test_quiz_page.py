"""The page of a quiz, as a reader without scripts goes through it."""

from __future__ import annotations

import re
from dataclasses import asdict
from html import unescape
from random import Random
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from cardledger.rules.bots.simulation import simulate
from cardledger.rules.stream import Stream
from cardledger.study.stats.review.decision_words import said
from cardledger.study.stats.review.review import Decision
from cardledger_web.app import ledger_of
from cardledger_web.views.choices import choice_in_words
from cardledger_web.views.replay import ReplayView

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient


def send(client: FlaskClient, address: str, page: str, choose: dict[str, list[str]] | None = None) -> str:
    """Send the form of a page, with what is chosen; return the address."""
    form = re.findall('<form method="get">(.*?)</form>', page, re.DOTALL)[-1]
    kept = re.findall('<input type="hidden" name="(.*?)" value="(.*?)">', form)
    query = [(name, unescape(value)) for name, value in kept]
    query += [(name, value) for name, values in (choose or {}).items() for value in values]
    answer = client.get(address, query_string=query)
    assert answer.status_code == 200, answer.text
    return answer.text


@pytest.mark.parametrize(("game", "seat"), [("ruff", 1), ("poison-hearts", 2), ("oh-hell", 0)])
def test_a_hand_is_played_to_its_end(empty: Flask, game: str, seat: int) -> None:
    match = ledger_of(empty).record(None, simulate(game, 4, Random(6), ["random"], max_hands=1), 0).match
    client, address = empty.test_client(), f"/matches/{match}/hands/1/quiz"
    assert "Whose hand do you play?" in client.get(address).text
    page, asked = client.get(f"{address}?seat={seat}&stops=each").text, 0
    while offers := re.findall('<button type="submit" name="choice" value="(.*?)"', page):
        told = send(client, address, page, {"choice": [unescape(offers[0])], "see": ["1"]})
        assert "You chose" in told and "possible worlds" in told
        page, asked = send(client, address, told), asked + 1
    assert asked > 3
    assert "Points given up: you" in page
    assert page.count(f"?view={seat}") == asked, "each answer leads to its event"


def test_several_cards_are_ticked_and_a_wrong_number_of_them_is_said(empty: Flask) -> None:
    match = ledger_of(empty).record(None, simulate("hearts", 4, Random(6), ["random"], max_hands=1), 0).match
    client, address = empty.test_client(), f"/matches/{match}/hands/1/quiz"
    page = client.get(f"{address}?seat=0&stops=each").text
    cards = re.findall('name="card" value="(.*?)"', page)
    assert len(cards) == 13
    for wrong in ([], cards[:2]):
        refused = send(client, address, page, {"card": wrong})
        assert "could not be chosen there" in refused and "Choose 3 cards" in refused
    assert "You chose" in send(client, address, page, {"card": cards[2::-1]})


def test_answers_to_questions_that_are_not_asked_are_refused(empty: Flask) -> None:
    match = ledger_of(empty).record(None, simulate("ruff", 3, Random(6), ["random"], max_hands=1), 0).match
    client, address = empty.test_client(), f"/matches/{match}/hands/1/quiz?seat=0&stops=1"
    assert "had nothing to decide" in client.get(address).text
    assert client.get(f"{address}&choice=AS").status_code == 400
    assert client.get(f"{address.replace('stops=1', 'at=x')}").status_code == 400


def test_hand_and_replay_lead_there(empty: Flask) -> None:
    match = ledger_of(empty).record(None, simulate("ruff", 3, Random(6), ["random"], max_hands=1), 0).match
    client = empty.test_client()
    assert f'href="/matches/{match}/hands/1/quiz"' in client.get(f"/matches/{match}/hands/1").text
    assert f'href="/matches/{match}/hands/1/quiz?seat=2"' in client.get(f"/matches/{match}/replay/5?view=2").text
    assert "/quiz" not in client.get(f"/matches/{match}/replay/5?view=2&until=9").text
    assert "/quiz" not in client.get(f"/matches/{match}/replay/5?embed=1").text


def test_a_review_says_choices_as_a_quiz_does(empty: Flask) -> None:
    """`seat 2` is no way to say from whom cards are collected."""
    table = Stream.of(simulate("hecto-diversity", 4, Random(1), ["random"], max_hands=1)).table
    made = Decision(9, 0, "collect", "seat 2", "seat 1", 3, 1.0, 0.1)
    decision = asdict(made) | {"sentence": said(made, "ana")}
    view = SimpleNamespace(replay={"names": ["ana", "ben", "chloe", "dev"]}, table=table)
    with empty.test_request_context("/"):
        told = ReplayView.decided(view, decision)  # type: ignore[arg-type]  # what it needs of one
        assert choice_in_words("collect", "seat 2", table, view.replay["names"]) in told
    assert "chloe" in told and "ben" in told and "seat" not in told

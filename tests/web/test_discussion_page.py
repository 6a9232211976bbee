"""The page of what people say about a match: a form without scripts, lines as a tree, nothing of hands in play."""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING

import pytest

from cardledger.record.recording.discussions import comment, keep_line, told
from cardledger.rules.bots.simulation import simulate
from cardledger_web.app import ledger_of
from tests.api.recording import as_role
from tests.api.test_answers import client_of

if TYPE_CHECKING:
    from flask import Flask


@pytest.fixture
def match(empty: Flask) -> str:
    return ledger_of(empty).record(None, simulate("whist", 4, Random(1), ["cautious"], max_hands=1), 0).match


def test_a_scorer_speaks_and_takes_it_back_and_readers_read(empty: Flask, match: str) -> None:
    ledger, scorer, reader = ledger_of(empty), as_role(empty, "scorer"), as_role(empty, "reader")
    address = f"/matches/{match}/discussion"
    assert "Keep it" not in reader.get(address).text
    said = scorer.post(address, data={"event": "5", "author": " Ana  Lima ", "text": "Why not the <ten>?"})
    assert said.status_code == 303, said.text
    for page in (address, f"/matches/{match}/replay/3", f"/matches/{match}/replay/5"):
        assert "Why not the &lt;ten&gt;?" in reader.get(page).text, page
    for page in (
        f"/matches/{match}/replay/5?view=0",
        f"/matches/{match}/replay/5?until=9",
        f"/matches/{match}/replay/5?embed=1",
    ):
        assert "Why not" not in reader.get(page).text, page
    (one,) = told(ledger, match)
    assert (one.entry.event, one.entry.author) == (5, "Ana Lima")
    assert reader.post(address, data={"withdraw": one.number}).status_code == 403
    assert scorer.post(address, data={"withdraw": one.number}).status_code == 303
    assert "Why not" not in reader.get(address).text


def test_the_form_knows_who_speaks(empty: Flask, match: str) -> None:
    scorer, address = client_of(empty, "Zoe", "scorer"), f"/matches/{match}/discussion"

    def filled() -> str:
        (name,) = re.findall(r'name="author" value="([^"]*)"', scorer.get(address).text)
        return str(name)

    assert filled() == "Zoe", "the player that the user is"
    refused = scorer.post(address, data={"event": "999", "author": "Eva", "text": "Where was that?"})
    assert 'name="author" value="Eva"' in refused.text and filled() == "Zoe"
    assert scorer.post(address, data={"event": "5", "author": "Ana  Lima", "text": "Why?"}).status_code == 303
    assert filled() == "Ana Lima", "who spoke last in this browser"
    assert scorer.post(address, data={"event": "5", "author": "", "text": "Why?"}).status_code == 400
    assert filled() == "Ana Lima"


def test_lines_that_meet_are_shown_as_one(empty: Flask, match: str) -> None:
    ledger, reader = ledger_of(empty), as_role(empty, "reader")
    events = ledger.events(match)
    first, second = events[2], events[3]
    moves = [f"play.{one.seat}.{one.card}" for one in (first, second)]
    keep_line(ledger, match, 2, "ana", moves, "test", name="As it was")
    keep_line(ledger, match, 3, "ben", moves[1:], "test", text="From here")
    text = reader.get(f"/matches/{match}/discussion").text
    assert text.count("#what-if=") == 1, "both leave the record at the last move that they share with it"
    assert "As it was" in text
    assert "From here" in text


def test_the_form_keeps_what_was_typed_if_it_is_refused(empty: Flask, match: str) -> None:
    scorer, address = as_role(empty, "scorer"), f"/matches/{match}/discussion"
    for data in (
        {"event": "999", "author": "ana", "text": "Where was that?"},
        {"event": "x", "author": "ana", "text": "Where was that?"},
        {"event": "3", "author": "", "text": "Where was that?"},
        {"event": "3", "author": "ana", "text": "Where was that?", "line": "play.0.9X"},
    ):
        refused = scorer.post(address, data=data)
        assert refused.status_code == 400, data
        assert "Where was that?" in refused.text, data
    assert told(ledger_of(empty), match) == []


def test_what_is_said_of_a_hand_in_play_is_for_scorers(empty: Flask) -> None:
    ledger = ledger_of(empty)
    match = ledger.record(None, simulate("whist", 4, Random(1), ["cautious"], max_hands=1)[:20], 0).match
    comment(ledger, match, 9, "ana", "North has the ace", "test")
    for page in (f"/matches/{match}/discussion", f"/matches/{match}/replay/9", f"/matches/{match}"):
        assert "North has the ace" not in as_role(empty, "reader").get(page).text
    assert "North has the ace" in as_role(empty, "scorer").get(f"/matches/{match}/discussion").text

"""Kept answers: made once for all readers, and never older than the ledger."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from flask.testing import FlaskClient

from cardledger.record.recording.erasing import erase, examine
from cardledger.rules.engine import events as ev
from cardledger_web.app import access_of, ledger_of
from cardledger_web.pages import kept
from cardledger_web.pages.kept import KeptAnswers
from tests.web.club import opened

if TYPE_CHECKING:
    from flask import Flask


def test_an_answer_is_made_once_for_each_moment_of_the_ledger() -> None:
    made: list[str] = []
    answers = KeptAnswers(lambda: 0.0)

    def make(text: str) -> str:
        made.append(text)
        return text

    for stamp, text in ((1, "one"), (1, "again"), (2, "two"), (2, "again")):
        answers.get("question", stamp, lambda text=text: make(text))
    assert made == ["one", "two"]
    assert answers.get("another", 2, lambda: make("three")) == "three"


def test_answers_grow_old_and_there_is_a_limit_to_their_number_and_their_size() -> None:
    now = 0.0
    answers = KeptAnswers(lambda: now)
    assert answers.get(0, 1, lambda: "young") == "young"
    now = kept.FRESH
    assert answers.get(0, 1, lambda: "made again") == "made again"
    for number in range(3 * kept.MOST):
        answers.get(number, 1, lambda: "x")
    assert len(answers) == kept.MOST
    answers.get("large", 1, lambda: "x" * (kept.LARGEST + 1))
    assert answers.get("large", 1, lambda: "small") == "small"


@pytest.fixture
def reader(empty: Flask) -> FlaskClient:
    """Somebody without a token."""
    return FlaskClient(empty, empty.response_class)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The home pages that were made, none of them old."""
    made: list[str] = []
    before = kept.KeptAnswers.get

    def get(self: KeptAnswers, question: object, stamp: object, make: object, _fresh: float) -> object:
        def noted() -> object:
            made.append("made")
            return make()  # type: ignore[operator]

        return before(self, question, stamp, noted, float("inf"))

    monkeypatch.setattr(kept.KeptAnswers, "get", get)
    return made


def test_home_is_made_once_until_something_is_recorded(empty: Flask, reader: FlaskClient, counted: list[str]) -> None:
    ledger = ledger_of(empty)
    for _ in range(5):
        assert reader.get("/").status_code == 200
    assert len(counted) == 1
    match = ledger.record(None, [opened(players=("Zenobia", "b", "c", "d"))], 0).match
    assert "Zenobia" in reader.get("/").text
    assert len(counted) == 2
    ledger.record(match, [ev.Void(reason="a test")], 1)
    assert "Zenobia" not in reader.get("/").text
    assert reader.get("/", headers={"Accept-Language": "de"}).text != reader.get("/").text


def test_an_erased_name_is_on_no_kept_page(empty: Flask, reader: FlaskClient) -> None:
    ledger = ledger_of(empty)
    ledger.record(None, [opened(players=("Zenobia", "b", "c", "d"))], 0)
    assert "Zenobia" in reader.get("/").text
    erase(ledger, examine(ledger, "Zenobia"), "admin")
    assert "Zenobia" not in reader.get("/").text


def test_pictures_are_made_once_and_never_for_one_reader_what_a_scorer_may_see(
    empty: Flask, reader: FlaskClient, counted: list[str]
) -> None:
    ledger = ledger_of(empty)
    match = ledger.record(None, [opened()], 0).match
    token = access_of(empty).lend("tests", "scorer")
    answers = [reader.get(f"/matches/{match}.png") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200] * 3
    assert len({answer.data for answer in answers}) == len(counted) == 1
    assert reader.get(f"/matches/{match}.png", headers={"If-None-Match": answers[0].headers["ETag"]}).status_code == 304
    reader.get(f"/matches/{match}.png", headers={"Authorization": f"Bearer {token}"})
    assert len(counted) == 1, "what scorers see is not kept"

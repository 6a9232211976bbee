"""Answers over HTTP and on the pages: recorded for those who choose it, in their own name, and nothing of anybody else."""

from __future__ import annotations

import re
from html import unescape
from random import Random
from typing import TYPE_CHECKING

import pytest

from cardledger.rules.bots.simulation import simulate
from cardledger.study.stats.review.answers import answers_of
from cardledger.study.stats.review.quiz import Quiz
from cardledger_web.app import access_of, ledger_of

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient

API = "/api/v1"


def client_of(app: Flask, name: str, role: str = "reader", scope: str | None = None) -> FlaskClient:
    client = app.test_client()
    client.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {access_of(app).lend(name, role, scope)}"  # type: ignore[arg-type]
    return client


def anybody(app: Flask) -> FlaskClient:
    client = app.test_client()
    client.environ_base.pop("HTTP_AUTHORIZATION", None)
    return client


@pytest.fixture
def played(empty: Flask) -> str:
    """A match of ruff by ana, ben and cem."""
    events = simulate("ruff", 3, Random(1), ["random"], players=("ana", "ben", "cem"), max_hands=1)
    return ledger_of(empty).record(None, events, 0).match


def test_an_answer_is_recorded_for_its_own_player_alone(empty: Flask, played: str) -> None:
    ledger = ledger_of(empty)
    asked, then, *_ = Quiz(ledger.stream(played), 1).questions(0)
    address, body = f"{API}/matches/{played}/hands/1/answers", {"seq": asked.seq, "choice": asked.choices[0]}
    assert anybody(empty).post(address, json=body).status_code == 401
    assert client_of(empty, "Table 1", scope=played).post(address, json=body).status_code == 403
    zoe = client_of(empty, "zoe")
    assert zoe.post(address, json=body | {"player": "ana"}).status_code == 403
    told = zoe.post(address, json=body)
    assert (told.status_code, told.json["player"], told.json["choice"]) == (201, "zoe", asked.choices[0])
    again = zoe.post(address, json=body)
    assert (again.status_code, again.json["code"]) == (409, "lesson.twice")
    assert zoe.post(address, json={"seq": then.seq, "choice": "the moon"}).json["code"] == "quiz.choice"
    assert client_of(empty, "desk", "scorer").post(address, json=body | {"player": "ana"}).status_code == 201
    found = zoe.get(f"{API}/players/zoe/progress").json
    assert [(one["game"], one["answers"], one["pending"]) for one in found["games"]] == [("ruff", 1, 1)]


def test_readers_see_who_answered_but_not_what(empty: Flask, played: str) -> None:
    asked = Quiz(ledger_of(empty).stream(played), 1).questions(0)[0]
    body = {"seq": asked.seq, "choice": asked.choices[0]}
    client_of(empty, "zoe").post(f"{API}/matches/{played}/hands/1/answers", json=body)
    lines = {}
    for role in ("reader", "scorer"):
        answer = client_of(empty, role, role).get(
            f"{API}/live?after=0&kind=lessons", headers={"Accept": "application/x-ndjson"}, buffered=False
        )
        chunks = iter(answer.response)
        next(chunks)
        lines[role] = next(chunks)
    assert '"choice":"?"' in str(lines["reader"]) and f'"choice":"{asked.choices[0]}"' in str(lines["scorer"])


def test_the_page_records_only_for_who_chooses_it(empty: Flask, played: str) -> None:
    ledger, zoe = ledger_of(empty), client_of(empty, "zoe")
    asked = Quiz(ledger.stream(played), 1).questions(0)[0]
    address = f"/matches/{played}/hands/1/quiz"
    query = f"seat=0&stops={asked.seq}"
    assert "Record my answers" not in anybody(empty).get(f"{address}?{query}").text
    page = zoe.get(f"{address}?{query}").text
    assert "Record my answers for" in page and f'action="{address}"' not in page
    (record,) = (unescape(one) for one in re.findall(r'href="([^"]*record=1)"', page))
    assert f'method="post" action="{address}"' in zoe.get(record).text
    form = {"seat": "0", "stops": str(asked.seq), "record": "1", "see": "1", "choice": asked.choices[0]}
    assert anybody(empty).post(address, data=form).status_code == 401
    for noted in ("", "You answered this before"):
        sent = zoe.post(address, data=form)
        assert sent.status_code == 303
        seen = zoe.get(sent.headers["Location"]).text
        assert "You chose" in seen and noted in seen
    assert [one.choice for one in answers_of(ledger, "zoe")] == [asked.choices[0]]
    wrong = zoe.post(address, data=form | {"choice": "the moon"})
    assert "could not be chosen there" in zoe.get(wrong.headers["Location"]).text
    page = zoe.get("/players/zoe/progress").text
    assert "Answers to questions about hands" in page and "1 answer is weighed" in page


def test_a_player_says_whether_hands_are_posed(empty: Flask, played: str) -> None:
    people = ledger_of(empty).people
    ana, ben = client_of(empty, "ana"), client_of(empty, "ben")
    assert anybody(empty).post(f"{API}/players/ana/posed", json={"posed": False}).status_code == 401
    assert ben.post(f"{API}/players/ana/posed", json={"posed": False}).status_code == 403
    assert ana.post(f"{API}/players/ana/posed", json={"posed": False}).json == {"player": "ana", "posed": False}
    assert not people().poses("ana")
    assert "No hand of this player is a puzzle" in ana.get("/players/ana").text
    assert "Leave them out" not in ben.get("/players/ana").text
    assert ben.post("/players/ana/posed", data={"posed": "yes"}).status_code == 403
    assert ana.post("/players/ana/posed", data={"posed": "yes"}).status_code == 303
    assert people().poses("ana")
    assert client_of(empty, "desk", "admin").post(f"{API}/players/ana/posed", json={"posed": False}).status_code == 200
    assert "are no puzzles" in client_of(empty, "desk2", "admin").get("/people").text

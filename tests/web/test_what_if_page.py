"""The page of what if: in words what the API counts, each hand with its way into the replayer, and links from the game's pages."""

from __future__ import annotations

import re
import threading
from typing import TYPE_CHECKING, Any

import pytest

from cardledger.study.analyse import what_if_answers
from cardledger.study.analyse.what_if import UNFIT, WhatIf
from cardledger.study.analyse.what_if_answers import MatchesCompared, WhatIfAnswer, WhatIfAnswers
from cardledger_web.app import ledger_of
from cardledger_web.views.what_if import left_out
from tests.waiting import LIMIT
from tests.web.test_pages import links, page
from tests.web.test_players_page import cells

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient

PATH = "/stats/ruff/what-if?rules=ruff-2/2"
API = "/api/v1/stats/what-if?game=ruff&rules=ruff-2/2&limit=200"


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A client of the club's application, which waits for answers."""
    WhatIfAnswers.of(ledger_of(app)).patience = None
    return app.test_client()


def words(text: str) -> str:
    """Return the words of a page, without markup."""
    return " ".join(re.sub(r"<[^>]+>", " ", text.partition("<main")[2]).split())


def test_the_page_says_what_the_api_counts(client: FlaskClient) -> None:
    told, text = client.get(API).json, words(page(client, PATH))
    assert f"Of {told['hands']} hands, {told['same']} would have ended the same." in text
    assert f"{told['stops']} hands could not go on: a trick falls to somebody else" in text
    assert f"{told['points']} hand could be played on" in text
    matches = told["matches"]
    assert (
        f"Of {matches['complete']} matches played to the end, {matches['stops']} could not go on at some hand." in text
    )
    assert ("somebody else ahead" in text) == (matches["complete"] > matches["stops"])
    assert f"number {told['position']:,} of the ledger" in text
    assert "The cards stay as they fell" in text


def test_each_hand_leads_to_its_replay_at_the_first_difference(client: FlaskClient) -> None:
    told = client.get(API).json["otherwise"]
    rows = cells(page(client, PATH), "Hands that are judged otherwise")
    assert [row[0][1] for row in rows] == [f"/matches/{one['match']}/hands/{one['hand']}" for one in told]
    assert [row[1][1] for row in rows] == [f"/matches/{one['match']}/replay/{one['seq']}" for one in told]
    for row, one in zip(rows, told, strict=True):
        assert client.get(row[1][1]).status_code == 200
        assert f"trick {one['trick']}" in row[1][0]
        assert ("stops there" in row[1][0]) == (one["outcome"] == "stops")
        changed = [
            number for number in zip(one["scores"], one["other"] or one["scores"], strict=True) if len({*number}) > 1
        ]
        assert row[2][0].count("→") == len(changed)


def test_hands_are_chosen_by_what_becomes_of_them_and_come_in_pages(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cardledger_web.pages.what_if.ON_A_PAGE", 2)
    for outcome in ("", "&outcome=stops", "&outcome=points", "&outcome=rulings"):
        wanted = [one["seq"] for one in client.get(API + outcome).json["otherwise"]]
        seen, path = [], PATH + outcome
        while path:
            text = page(client, path)
            seen += [int(row[1][1].rpartition("/")[2]) for row in cells(text, "Hands that are judged otherwise")]
            following = re.search(r'<a rel="next" href="([^"]+)"', text)
            path = following[1].replace("&amp;", "&") if following else ""
        assert seen == wanted, outcome


def test_the_rulebook_and_the_statistics_lead_to_it_where_there_is_a_choice(client: FlaskClient) -> None:
    for path in ("/games/ruff", "/stats/ruff", "/stats/ruff/what-if"):
        found = [link for link in links(page(client, path)) if "what-if?" in link]
        assert found == ["/stats/ruff/what-if?rules=ruff-2/2", "/stats/ruff/what-if?rules=ruff/1"], path
    assert "what-if" not in page(client, "/games/whist") + page(client, "/stats/whist")
    assert "no other edition or variant" in page(client, "/stats/whist/what-if")
    assert client.get("/stats/skat/what-if").status_code == 404
    assert client.get("/stats/ruff/what-if?rules=whist/1").status_code == 404


def test_while_the_hands_are_judged_the_page_says_so_and_asks_again(
    empty: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    go = threading.Event()
    monkeypatch.setattr(what_if_answers, "what_if", lambda *_: go.wait(LIMIT) and WhatIf())
    monkeypatch.setattr(what_if_answers, "LARGE", 0)
    WhatIfAnswers.of(ledger_of(empty)).patience = 0.01
    answer = empty.test_client().get(PATH)
    go.set()
    assert answer.status_code == 503
    assert "are being computed" in answer.text
    assert 'http-equiv="refresh"' in answer.text


def test_every_reason_for_leaving_hands_out_is_said_in_words(app: Flask) -> None:
    found = WhatIf(problems=1)
    found.left_out.update({"claim": 3, "hidden": 1200, "events": 1})
    found.unfit.update(dict.fromkeys((*UNFIT, "table.turn"), 2))
    answer = WhatIfAnswer("ruff", "ruff-2/2", 9, found, MatchesCompared(0, 0, 0, 0), 1, ())
    with app.test_request_context():
        said = left_out(answer)
    assert said[:3] == [
        "3 hands ended by a claim",
        "1 hands whose own edition refuses an event, now that the cards are known",
        "1,200 hands whose deal is not known",
    ]
    assert "2 matches with options that the edition does not have" in said
    assert "2 matches that the edition refuses (table.turn)" in said
    assert said[-2:] == ["1 match whose cards another table has yet to play", "1 match that cannot be read"]


def test_the_table_can_be_taken_away(client: FlaskClient) -> None:
    told: list[dict[str, Any]] = client.get(API).json["otherwise"]
    lines = client.get("/tables/what-if.csv?game=ruff&rules=ruff-2/2").text.split("\r\n")
    assert lines[0].endswith("match,hand,date,outcome,seq,trick,scores,other")
    assert len(lines) == len(told) + 2
    assert client.get("/tables/what-if.csv?game=ruff").status_code == 404

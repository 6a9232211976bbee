"""Tables as the scoring page gets them: what the API tells, with the drawing of the server, for scorers only."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from cardledger.rules.engine import events as ev
from cardledger.rules.games import games
from cardledger_api.auth.limits import Limits
from cardledger_web.app import access_of, create_app, ledger_of
from tests.web.club import opened
from tests.web.test_scoring import OURS, card_of, signed_in

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flask import Flask
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    """An application whose clients have no token unless they sign in."""
    app = create_app(tmp_path / "club.db", limits=Limits.of(0))
    yield app
    access_of(app).close()
    ledger_of(app).close()


@pytest.fixture
def scorer(app: Flask) -> FlaskClient:
    """A browser signed in as a scorer."""
    return signed_in(app, "scorer")


def without_drawing(answer: TestResponse) -> tuple[str, object]:
    """Return the drawing of an answer, and the rest of it."""
    told = answer.json
    told.pop("worth")
    return told.pop("drawn"), told


def test_every_table_for_the_scoring_page_has_its_drawing(app: Flask, scorer: FlaskClient) -> None:
    ledger = ledger_of(app)
    match = ledger.record(None, [opened(), ev.Deal(dealer=0, hands=None)], 0).match
    page, api = f"/matches/{match}/score", f"/api/v1/matches/{match}"
    drawn, told = without_drawing(scorer.get(f"{page}/table"))
    assert told == scorer.get(f"{api}/table?view=all").json
    assert drawn in scorer.get(page).text
    play = {"type": "play", "seat": 1, "card": "9S"}
    for event in (play, {"type": "score", "scores": [9, 9, 9, 9]}):
        body = {"events": [event], "at": 2}
        drawn, told = without_drawing(scorer.post(f"{page}/what-if", json=body, headers=OURS))
        assert told == scorer.post(f"{api}/what-if", json=body, headers=OURS).json
        assert told["warnings"] or event is play
        if event is play:
            assert re.search(
                r'<ol class="trick" [^>]*><li class="from-1"><span class="card spades" data-face="9S"', drawn
            )
            assert "12 cards" in drawn
    cards = enumerate(("5D", "6H", "7S", "8C"), 1)
    ledger.record(match, [ev.Play(seat=seat % 4, card=card) for seat, card in cards], 2)
    assert 'class="trick over"' in scorer.get(f"{page}/table").json["drawn"]
    assert "8C" not in scorer.get(f"{page}/table?at=5").json["drawn"]


def test_what_is_wrong_with_a_table_or_a_trial_is_said_as_the_api_says_it(app: Flask, scorer: FlaskClient) -> None:
    match = ledger_of(app).record(None, [opened(), ev.Deal(dealer=0, hands=None)], 0).match
    page = f"/matches/{match}/score"
    late = scorer.get(f"{page}/table?at=9")
    assert (late.status_code, late.json["code"]) == (422, "table.range")
    turn = {"events": [{"type": "play", "seat": 2, "card": "9S"}], "at": 2}
    for body in (turn, {"events": [{"type": "play"}]}, {"events": 1}, {}):
        wrong = scorer.post(f"{page}/what-if", json=body, headers=OURS)
        told = scorer.post(f"/api/v1/matches/{match}/what-if", json=body, headers=OURS)
        assert wrong.status_code == told.status_code
        assert [wrong.json[key] for key in ("code", "detail")] == [told.json[key] for key in ("code", "detail")]


def test_readers_get_no_drawing_of_a_scoring_page(app: Flask) -> None:
    match = ledger_of(app).record(None, [opened(), ev.Deal(dealer=0, hands=None)], 0).match
    for client in (app.test_client(), signed_in(app, "reader")):
        for asked in (
            client.get(f"/matches/{match}/score/table"),
            client.post(f"/matches/{match}/score/what-if", json={"events": []}, headers=OURS),
        ):
            assert asked.status_code in (401, 403)
            assert "card-table" not in asked.text


def test_the_page_brings_every_card_of_the_pack_along(app: Flask, scorer: FlaskClient) -> None:
    for game in games().values():
        match = ledger_of(app).record(None, [opened(game.id, tuple("abcdefgh"[: game.players[0]]))], 0).match
        text = scorer.get(f"/matches/{match}/score").text
        pack = re.findall(r'data-face="([^"]+)"', text[text.index('<template id="pack">') : text.index("</template>")])
        assert pack == [*dict.fromkeys(pack)]
        assert {*pack} == {*card_of(text)["faces"], "?"}


def test_after_a_hand_the_page_says_what_it_was_worth_and_why(app: Flask, scorer: FlaskClient) -> None:
    ledger = ledger_of(app)
    match = ledger.record(None, [opened("whist"), ev.Deal(dealer=0, hands=None, upcard=None)], 0).match
    page = f"/matches/{match}/score"
    assert "Hand 1" not in scorer.get(f"{page}/table").json["worth"], "it is under way"
    ledger.record(match, [ev.Claim(tricks=(5, 2, 4, 2))], 2)
    worth = scorer.get(f"{page}/table").json["worth"]
    text = " ".join(re.sub(r"<[^>]+>", " ", worth).split())
    assert text.startswith("Hand 1 a and c +3 b and d 0 Why")
    assert "A side scores one point for each trick it takes beyond six." in text
    assert worth.strip() in scorer.get(page).text
    ledger.record(match, [ev.Deal(dealer=1, hands=None, upcard=None), ev.Score(scores=(0, 4, 0, 4))], 3)
    assert "The points come from the score sheet." in scorer.get(f"{page}/table").json["worth"]

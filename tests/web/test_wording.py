"""What a game calls its seats and calls, on every page that shows them."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import TYPE_CHECKING

import pytest

from cardledger.rules.engine import events as ev
from cardledger.rules.games import game, games
from cardledger.rules.stream import Stream
from cardledger_web.app import ledger_of
from cardledger_web.views.match import violation_rows
from cardledger_web.views.wording import wording
from tests.web.test_pages import page

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient

PLAYERS = ("ana", "ben", "2S", "dev")
"""One of them is called like a bid: a name is never drawn as a call."""
CALLS = ("1H", "2C", "double", "redouble", "pass", "3NT", "pass", "pass", "pass")


def auction(app: Flask) -> str:
    """Return a match of bridge whose auction is over, South being the dealer."""
    events = [ev.Open(game="bridge", players=PLAYERS), ev.Deal(hands=None, board=7)]
    events += [ev.Call(seat=(2 + place) % 4, call=call) for place, call in enumerate(CALLS)]
    return ledger_of(app).record(None, events, 0).match


def plain(text: str) -> str:
    """Return what a page shows, without markup and invisible signs."""
    return re.sub(r"[\ufe0e\u2068\u2069]", "", " ".join(unescape(re.sub(r"<[^>]+>", " ", text)).split()))


def test_calls_and_contracts_are_shown_with_signs_of_suits() -> None:
    words = wording(game("bridge"))
    assert [words.call(said).replace("\ufe0e", "") for said in ("1C", "7NT", "4SX", "3NTXX", "redouble")] == [
        "1♣", "7NT", "4♠X", "3NTXX", "XX",
    ]  # fmt: skip
    assert words.in_text("ana says pass, all four pass, ben may call double") == (
        "ana says Pass, all four pass, ben may call X"
    )
    assert wording(game("euchre")).call("order alone") == "order alone"


def test_legal_calls_that_follow_each_other_are_a_span() -> None:
    words, bids = wording(game("bridge")), [word.call for word in game("bridge").shown.words[3:]]
    shown = [text.replace("\ufe0e", "") for text in words.legal(["double", "pass", *bids[6:]])]
    assert shown == ["Pass", "X", "2♦\u00a0– 7NT"]
    assert words.legal(["7S", "7NT", "pass"]) == ["Pass", "7♠\ufe0e", "7NT"]
    assert wording(game("euchre")).legal(["pass", "alone"]) == ["pass", "alone"]


def test_every_game_names_all_of_its_seats_or_none() -> None:
    for one in games().values():
        assert len(one.shown.seats) in (0, one.players[-1])
        assert one.shown.bottom in range(one.players[0])


def test_the_replay_shows_seats_and_calls_as_players_write_them(empty: Flask) -> None:
    match, client = auction(empty), empty.test_client()
    text = page(client, f"/matches/{match}/replay/8")
    table = text[text.index('<div class="card-table') : text.index('<div class="dock"')]
    assert "N ana" in plain(table)
    assert re.search(r'class="seat at-0[^"]*" role="group" aria-label="South, 2S', table)
    assert re.findall(r"<td>([^<]*)</td>", table)[2:6] == ["1♥\ufe0e", "2♣\ufe0e", "X", "XX"]
    assert "dev says 2♣" in plain(text)
    assert "2S says 1♥" in plain(text)
    assert "Contract: 3NT" in plain(page(client, f"/matches/{match}/replay/11"))


def test_the_audit_shows_calls_as_players_write_them(empty: Flask) -> None:
    text = plain(page(empty.test_client(), f"/matches/{auction(empty)}/audit"))
    assert "dev says 2♣" in text
    assert "ana may call X" in text
    assert "2D" not in text


def test_the_scoring_page_has_the_wording_for_its_script(empty: Flask) -> None:
    match, client = auction(empty), empty.test_client()
    text = page(client, f"/matches/{match}/score")
    card = json.loads(unescape(re.search(r'data-card="([^"]+)"', text)[1]))
    assert card["wording"]["calls"]["1S"] == "1♠\ufe0e"
    assert card["wording"]["rows"][6] == ["7C", "7D", "7H", "7S", "7NT"]
    assert card["wording"]["seats"][2] == ["South", "S"]
    assert "says 2♣" in plain(page(client, f"/matches/{match}/score/log"))


def test_the_page_of_a_match_shows_seats_and_contract(empty: Flask) -> None:
    text = plain(page(empty.test_client(), f"/matches/{auction(empty)}"))
    assert "Contract: 3NT Declarer: dev (W)" in text
    assert "N ana E ben S 2S W dev" in text


def test_seats_and_calls_speak_the_readers_language(empty: Flask) -> None:
    match = auction(empty)
    client: FlaskClient = empty.test_client()
    client.set_cookie("lang", "de")
    text = plain(client.get(f"/matches/{match}/replay/11").text)
    assert "O ben" in text
    assert "3SA" in text


@pytest.mark.long
def test_the_record_keeps_its_own_words(empty: Flask) -> None:
    match = auction(empty)
    lines = empty.test_client().get(f"/matches/{match}.jsonl").text
    assert '"call":"2C"' in lines
    assert "♣" not in lines


def test_legal_calls_stand_in_the_order_of_the_auction() -> None:
    opening = ev.Open(game="bridge", players=("a", "b", "c", "d"), policy="record")
    stream = Stream.of([opening, ev.Deal(board=1, hands=None), ev.Call(seat=0, call="1S"), ev.Call(seat=1, call="1H")])
    legal = violation_rows(stream)[0].legal
    assert legal == ("Pass", "X", "1NT\u00a0– 7NT")

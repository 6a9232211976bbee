"""The first page and the search: what goes on, what happened, who leads; and what nobody may know yet stays out."""

from __future__ import annotations

import re
import sqlite3
from random import Random
from typing import TYPE_CHECKING
from urllib.parse import quote

import msgspec
import pytest

from ledger import events as ev
from ledger.bots.simulation import simulate
from ledger.readmodels.leaderboards import MIN_HANDS
from tests.web.club import HOSTILE, opened, sign_in
from web.app import ledger_of

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient


def section(text: str, name: str) -> str:
    """Return the part of a page under a heading, or nothing."""
    found = re.search(
        rf'<section aria-labelledby="{name}">.*?</section>\s*(?=<section aria|</div>|</main>|<p)', text, re.S
    )
    return found[0] if found else ""


def under_way(app: Flask, events: int) -> str:
    match = simulate("diversity", 4, Random(1), ["random"], players=("ana", "ben", "chloe", "dev"))
    return ledger_of(app).record(None, match[:events], 0).match


def test_matches_under_way_say_how_far_they_are(empty: Flask) -> None:
    client = empty.test_client()
    for events, words in (
        (1, "before the first deal"),
        (2, "hand 1, trick 1"),
        (7, "hand 1, trick 2"),
        (54, "after hand 1"),
    ):
        match = under_way(empty, events)
        live = section(client.get("/").text, "live")
        assert words in live
        assert f'href="/matches/{match}"' in live
        assert match not in section(client.get("/").text, "lately"), "what is under way is not over"
        ledger_of(empty).record(match, [ev.End()], events)
    assert section(client.get("/").text, "live") == ""
    assert section(client.get("/").text, "lately").count('<li class="match">') == 4


def test_a_broken_rule_is_told_in_words(client: FlaskClient) -> None:
    told = section(client.get("/").text, "notable")
    assert re.search(r"Event \d+</a>: <bdi class=\"player\">\w+</bdi>\s+played <span class=\"card", told)
    assert re.search(r"against <a class=\"rule\" href=\"/games/[\w-]+#", told)


def test_a_correction_tells_what_it_changed(empty: Flask) -> None:
    sheet = [opened(), ev.Deal(dealer=0, hands=None), ev.Claim(tricks=(1, 2, 3, 7))]
    match = ledger_of(empty).record(None, sheet, 0).match
    amend = ev.Amend(about=3, event=ev.Claim(tricks=(7, 3, 2, 1)), reason="read the wrong way")
    ledger_of(empty).record(match, [amend], 3)
    for path in ("/", f"/matches/{match}"):
        text = re.sub(r"<[^>]+>", "", empty.test_client().get(path).text)
        assert "event 3 should have been: the table agrees on the last tricks: a 7, b 3, c 2, d 1" in text
        assert "(read the wrong way)" in text
        assert "it was: the table agrees on the last tricks: a 1, b 2, c 3, d 7" in text
        assert "a 1 → 7, b 2 → 3, c 3 → 2, d 7 → 1" in text


def test_leaders_are_ranked_and_who_has_too_few_hands_is_not(empty: Flask) -> None:
    deals = [
        event
        for number in range(MIN_HANDS)
        for event in (ev.Deal(dealer=number % 4, hands=None), ev.Score(scores=(3, 1, 2, 4)))
    ]
    ledger_of(empty).record(None, [ev.Open(game="diversity", players=tuple("wxyz"), options={"hands": 99}), *deals], 0)
    ledger_of(empty).record(None, [ev.Open(game="diversity", players=tuple("qrst")), *deals[:2]], 0)
    for path in ("/", "/games/diversity/leaders"):
        text = empty.test_client().get(path).text
        leaders = section(text, "leaders") or text.partition("<main")[2]
        assert re.findall(r'<bdi class="player">(\w)</bdi>', leaders) == ["x", "y", "w", "z"]
        assert f"fewer than {MIN_HANDS} hands" in leaders
        assert "1.00" in leaders


def test_a_match_that_cannot_be_read_does_not_hide_the_others(empty: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    good, bad = under_way(empty, 2), under_way(empty, 3)
    ledger, folded = ledger_of(empty), ledger_of(empty).stream

    def stream(match: str) -> object:
        return folded("no such match" if match == bad else match)

    empty.test_client().get("/")
    monkeypatch.setattr(ledger, "stream", stream)
    live = section(empty.test_client().get("/").text, "live")
    assert good in live
    assert bad not in live


def test_a_reader_learns_no_drawn_card_from_its_correction(empty: Flask) -> None:
    ledger, players = ledger_of(empty), ("ana", "ben", "chloe")
    opening, deal, draw, *_ = simulate("hecto-diversity", 3, Random(2), ["random"], players=players)
    assert isinstance(deal, ev.Deal)
    assert isinstance(draw, ev.Draw)
    assert draw.source == "stock"
    assert deal.hands is not None
    seen = {deal.upcard, *draw.cards, *(face for hand in deal.hands for face in hand)}
    other = next(face for face in map(str, range(1, 81)) if face not in seen)
    id = ledger.record(None, [opening, msgspec.structs.replace(deal, stock=None), draw], 0).match
    ledger.record(id, [ev.Amend(about=3, event=msgspec.structs.replace(draw, cards=(other,)))], 3)
    for role, before, after in (("reader", "?", "?"), ("scorer", draw.cards[0], other)):
        sign_in(empty, role)
        for path in ("/", f"/matches/{id}"):
            text = empty.test_client().get(path).text
            who = players[draw.seat]
            assert f"event 3 should have been: {who} draws {after} from the stock" in text
            assert f"it was: <bdi>{who} draws {before} from the stock" in text


@pytest.mark.parametrize("text", ["ana", "ANA", " an ", "AN"])
def test_the_search_finds_players_and_links_them(client: FlaskClient, text: str) -> None:
    found = section(client.get(f"/search?q={quote(text)}").text, "players")
    assert re.search(r'<a href="[^"]*ana"><bdi class="player">ana</bdi></a>', found)


def test_the_search_groups_what_it_finds(client: FlaskClient) -> None:
    text = client.get("/search?q=club").text
    assert "Autumn club night" in section(text, "events")
    assert '<li class="match">' in section(text, "matches")
    match = client.get("/api/v1/matches?limit=1").json["matches"][0]["id"]
    assert f'href="/matches/{match}"' in section(client.get(f"/search?q={match[:8]}").text, "matches")
    assert "/games/ruff" in section(client.get("/search?q=RUFF").text, "games")


@pytest.mark.parametrize(
    "text", ["", " ", "%", "no such thing", "\x00", "'; DROP TABLE matches; --", "é" * 5000, *HOSTILE]
)
def test_whatever_is_searched_for_is_only_text(client: FlaskClient, text: str) -> None:
    answer = client.get(f"/search?q={quote(text)}")
    assert answer.status_code == 200
    assert "<script>alert" not in answer.text
    assert "<img" not in answer.text.partition("<main")[2]


def test_the_search_box_works_without_a_question(client: FlaskClient) -> None:
    assert "Type a part" in client.get("/search").text


def test_the_first_page_reads_no_table_through(client: FlaskClient, app: Flask) -> None:
    """Whatever grows with the ledger is found by an index; standings and occasions grow with the club only."""
    reader = ledger_of(app).views.reader
    asked: list[str] = []
    reader.set_trace_callback(asked.append)
    for path in ("/", "/matches", "/matches?player=ana", "/matches?event=Autumn+club+night", "/matches?status=open"):
        client.get(path)
    reader.set_trace_callback(None)
    assert asked
    for sql in asked:
        try:
            plan = [row[3] for row in reader.execute(f"EXPLAIN QUERY PLAN {sql}")]
        except sqlite3.Error:
            continue
        scans = [step for step in plan if step.startswith("SCAN") and "USING" not in step]
        assert not [
            step for step in scans if re.search(r"SCAN (m|p|matches|players|seats|hands|tricks|violations)\b", step)
        ], sql

"""The list of matches with its filters, and the page of a match: corrections, downloads, integrity, long matches."""

from __future__ import annotations

import csv
import io
import re
import sqlite3
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest

from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger.rules.games import games
from cardledger_web.app import create_app, ledger_of
from cardledger_web.pages.downloads import harmless
from tests.web.club import HOSTILE, opened

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask
    from flask.testing import FlaskClient

LISTED = re.compile(r'<h2><a href="/matches/([^"?]+)"')


def listed(client: FlaskClient, **filters: str) -> list[str]:
    """Return the matches of all pages of a filtered list."""
    path, found = f"/matches?{urlencode(filters)}", []
    while path:
        text = client.get(path).text
        found += LISTED.findall(text)
        more = re.search(r'<a rel="next" href="([^"]+)"', text)
        path = more[1].replace("&amp;", "&") if more else ""
    return found


def rows(client: FlaskClient, **query: str) -> list[dict]:
    return client.get("/api/v1/matches", query_string={"limit": 200, **query}).json["matches"]


# --- the list


@pytest.mark.parametrize(
    "filters",
    [
        {}, {"game": "ruff"}, {"player": "ana"}, {"player": "ana", "game": "diversity"}, {"status": "ended"},
        {"status": "complete", "violations": "true"}, {"violations": "true"}, {"event": "Autumn club night"},
        {"since": "2026-01-01"}, {"until": "2025-12-31"}, {"since": "2025-01-01", "until": "2026-10-20", "player": "ben"},
    ],
)  # fmt: skip
def test_the_list_shows_the_matches_of_the_api(client: FlaskClient, filters: dict[str, str]) -> None:
    found = [row["id"] for row in rows(client, **filters)]
    assert listed(client, **filters) == found
    assert found, filters


def test_a_table_or_place_can_be_chosen_as_a_filter_and_removed(client: FlaskClient) -> None:
    place = next(row["place"] for row in rows(client) if row["place"] and "<" not in row["place"])
    assert listed(client, place=place) == [row["id"] for row in rows(client) if row["place"] == place]
    text = client.get("/matches", query_string={"place": place}).text
    assert re.search(r'<input type="checkbox" name="place" value="[^"]+" checked>', text)


def test_all_filters_are_in_the_form_and_in_the_links(client: FlaskClient) -> None:
    filters = {"player": "ana", "since": "2020-01-01", "until": "2030-01-01", "status": "complete"}
    text = client.get("/matches", query_string=filters).text
    for value in filters.values():
        assert re.search(rf'value="{value}"( selected)?', text)
    assert '<option value="complete" selected>' in text


def test_players_and_events_are_offered(client: FlaskClient) -> None:
    text = client.get("/matches").text
    assert '<option value="ana">' in text.partition('<datalist id="names">')[2].partition("</datalist>")[0]
    assert (
        '<option value="Autumn club night">' in text.partition('<datalist id="events">')[2].partition("</datalist>")[0]
    )


def test_an_empty_search_suggests_similar_names(client: FlaskClient) -> None:
    text = client.get("/matches?player=ANA&game=ruff").text
    assert "Did you mean" in text
    assert 'href="/matches?game=ruff&amp;player=ana"' in text


@pytest.mark.parametrize(
    "query", ["since=yesterday", "status=lost", "violations=perhaps", "until=2026-13-01", "after=1.5"]
)
def test_a_filter_that_makes_no_sense_is_a_friendly_400(client: FlaskClient, query: str) -> None:
    answer = client.get(f"/matches?{query}")
    assert answer.status_code == 400
    assert "does not make sense" in answer.text


# --- one match


def test_a_retract_says_how_much_it_took_back(empty: Flask) -> None:
    ledger = ledger_of(empty)
    match = ledger.record(None, [opened(), ev.Deal(dealer=0, hands=None), ev.Score(scores=(1, 2, 3, 4))], 0).match
    ledger.record(match, [ev.Retract(to=1, reason="another table's")], 3)
    text = re.sub(r"<[^>]+>", "", empty.test_client().get(f"/matches/{match}").text)
    assert "2 entries were taken back (another table&#39;s)" in text
    assert "a 1 → 0, b 2 → 0, c 3 → 0, d 4 → 0" in text


@pytest.mark.long
def test_the_page_of_a_sound_match_vouches_for_it(client: FlaskClient, app: Flask) -> None:
    for match in ledger_of(app).matches():
        text = client.get(f"/matches/{match}").text
        assert "all unchanged" in text
        assert ledger_of(app).folded(match).hash.hex() in text


@pytest.mark.parametrize("damage", ["line", "gap"])
def test_the_page_of_a_tampered_match_says_so(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "club.db"
    app = create_app(path)
    ledger = ledger_of(app)
    match = ledger.record(None, [opened(), ev.Note(text="one"), ev.Note(text="two"), ev.Note(text="three")], 0).match
    assert "all unchanged" in app.test_client().get(f"/matches/{match}").text
    with sqlite3.connect(path) as db:
        db.execute("DROP TRIGGER events_are_final")
        db.execute("DROP TRIGGER events_are_kept")
        if damage == "line":
            db.execute("UPDATE events SET line = replace(line, '~', '-') WHERE seq = 3")
        else:
            db.execute("DELETE FROM events WHERE seq = 3")
    db.close()
    text = app.test_client().get(f"/matches/{match}").text
    assert "has been changed since it was recorded" in text
    assert f"event 3 of {match}" in text
    assert "as they were recorded" not in text
    app.extensions["cardledger.access"].close()
    ledger.close()


def test_every_trick_links_to_its_position_in_the_replay(client: FlaskClient, app: Flask) -> None:
    for match in ledger_of(app).matches():
        plays = {seq: event for seq, event in enumerate(ledger_of(app).events(match), 1) if isinstance(event, ev.Play)}
        text = client.get(f"/matches/{match}").text
        table = ledger_of(app).stream(match).table
        if ledger_of(app).stream(match).corrections:
            continue
        leads = [int(seq) for seq in re.findall(r'/replay/(\d+)" aria-label="Trick', text)]
        assert [plays[seq].seat for seq in leads] == [trick[0][0] for hand in table.hands for trick in hand.tricks]
        assert [plays[seq].card for seq in leads] == [
            table.pack.faces[trick[1][0]] for hand in table.hands for trick in hand.tricks
        ]


def test_a_long_match_stays_light_and_its_hands_are_there(empty: Flask) -> None:
    from random import Random

    match = simulate("diamonds-bid", 4, Random(1), ["random"], {"target": 10**6}, max_hands=60)
    id = ledger_of(empty).record(None, match, 0).match
    client = empty.test_client()
    text = client.get(f"/matches/{id}").text
    assert len(text) < 100_000
    assert len(re.findall("<details[^>]*data-hand=", text)) == 60
    assert 'aria-label="King of hearts' not in text
    address = re.findall(r'data-hand="([^"]+)"', text)[41]
    hand = client.get(address).text
    assert "<h1>Hand 42</h1>" in hand
    assert 'aria-label="King of hearts' in hand
    assert client.get(f"/matches/{id}/hands/61").status_code == 404
    assert client.get(f"/matches/{id}/hands/0").status_code == 404


# --- downloads


def test_the_csv_has_a_row_a_hand_and_seat_with_the_numbers_of_the_result(client: FlaskClient) -> None:
    for row in rows(client):
        answer = client.get(f"/matches/{row['id']}.csv")
        assert answer.content_type == "text/csv; charset=utf-8"
        assert answer.headers["Content-Disposition"] == f'attachment; filename="{row["id"]}.csv"'
        lines = [*csv.DictReader(io.StringIO(answer.text.removeprefix("\ufeff")))]
        result = client.get(f"/api/v1/matches/{row['id']}").json["result"]
        assert len(lines) == len(result["hands"]) * len(row["players"])
        for line in lines:
            hand = result["hands"][int(line["hand"]) - 1]
            seat = int(line["seat"])
            assert line["player"].lstrip("'") == row["players"][seat].lstrip("'")
            assert line["score"] == ("" if hand["scores"] is None else str(hand["scores"][seat]))
            assert line["tricks_taken"] == str(hand["tricks_taken"][seat])
            assert (line["dealer"] == "1") == (hand["dealer"] == seat)


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "＝1+1", "\ufeff=1"])
def test_no_text_of_a_csv_is_a_formula(text: str) -> None:
    assert harmless(text) == f"'{text}"
    assert harmless(-5) == -5
    assert harmless("ana") == "ana"


def test_hostile_names_in_a_csv_stay_in_their_cell(empty: Flask) -> None:
    players = ("=HYPERLINK(1)", 'x",=1', *HOSTILE[:2])
    match = (
        ledger_of(empty)
        .record(None, [opened(players=players), ev.Deal(dealer=0, hands=None), ev.Score(scores=(-5, 1, 2, 3))], 0)
        .match
    )
    lines = [*csv.DictReader(io.StringIO(empty.test_client().get(f"/matches/{match}.csv").text[1:]))]
    assert [line["player"] for line in lines] == [f"'{players[0]}", *players[1:]]
    assert [line["score"] for line in lines] == ["-5", "1", "2", "3"]


def test_downloads_of_missing_things_are_404(client: FlaskClient) -> None:
    for end in ("csv", "jsonl"):
        assert client.get(f"/matches/11111111-1111-4111-8111-111111111111.{end}").status_code == 404


@pytest.mark.parametrize("game", games())
def test_every_option_of_a_match_is_explained(client: FlaskClient, game: str) -> None:
    (row, *_) = rows(client, game=game)
    text = client.get(f"/matches/{row['id']}").text
    for option in games()[game].options:
        assert option.name.replace("_", " ").capitalize() in text


def test_a_page_does_not_grow_with_the_texts_of_a_match(empty: Flask) -> None:
    opening = ev.Open(game="ruff", players=("a", "b", "c"), event="long " * 50_000, table="x" * 50_000, place="here")
    match = ledger_of(empty).record(None, [opening], 0).match
    for path in ("/", "/matches", "/search?q=long", "/search?q=here", f"/matches/{match}"):
        assert len(empty.test_client().get(path).text) < 20_000


def test_a_hand_is_summed_up_in_a_line(client: FlaskClient, app: Flask) -> None:
    """Who shot the moon, and what was trump, can be seen without opening the hand."""
    said = {}
    for game in ("hearts", "whist", "euchre"):
        for match in client.get(f"/api/v1/matches?game={game}").json["matches"]:
            text = client.get(f"/matches/{match['id']}").text
            for told in re.findall(r'<span class="hand-facts">(.*?)</span></summary>', text, re.S):
                said.setdefault(game, set()).update(re.findall(r"<bdi>(.*?)</bdi>", told))
    assert {"Shot the moon: ana", "Passing: to the left"} <= said["hearts"]
    assert "Trump: hearts" in said["whist"] | said["euchre"]
    assert any(words.startswith("Trump made: ") for words in said["euchre"])


# --- the picture


def test_the_totals_of_a_match_are_a_picture_at_an_address(client: FlaskClient) -> None:
    (match,) = (row["id"] for row in rows(client, game="ruff-2")[:1])
    drawn = client.get(f"/matches/{match}.svg")
    assert (drawn.status_code, drawn.mimetype) == (200, "image/svg+xml")
    assert f"/matches/{match}.svg" in client.get(f"/matches/{match}").text
    assert client.get("/matches/nothing.svg").status_code == 404


def test_a_match_without_a_complete_hand_has_no_picture(empty: Flask) -> None:
    match = ledger_of(empty).record(None, [opened()], 0).match
    assert empty.test_client().get(f"/matches/{match}.svg").status_code == 404

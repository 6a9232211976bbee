"""The pages, as a browser without script would get them."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import urljoin

import pytest
from markupsafe import escape

from cardledger.rules.engine.rulebook import COMMON
from cardledger.rules.games import games
from cardledger_web.app import ledger_of
from cardledger_web.views.match import hand_rows
from tests.documents import DOCUMENTS
from tests.thorough import THOROUGH
from tests.web.club import HOSTILE, opened

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient


def page(client: FlaskClient, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status, path
    assert answer.content_type == "text/html; charset=utf-8"
    return answer.text


def links(text: str) -> list[str]:
    return [unescape(href) for href in re.findall(r' (?:href|src)="([^"]*)"', text)]


def matches(client: FlaskClient, query: str = "") -> list[str]:
    return [match["id"] for match in client.get(f"/api/v1/matches?limit=200{query}").json["matches"]]


def test_an_empty_ledger_says_how_to_import(empty: Flask) -> None:
    text = page(empty.test_client(), "/")
    assert "cardledger import" in text
    assert "cardledger demo" in text
    assert 'role="search"' not in text


@pytest.mark.long
@pytest.mark.parametrize("of_each", ["match", *(["page"] if THOROUGH else [])])
def test_the_home_page_links_to_all_others(client: FlaskClient, of_each: str) -> None:
    waiting, seen, kinds = ["/"], {"/"}, {"/"}
    while waiting:
        asked = waiting.pop()
        answer = client.get(asked, follow_redirects=True)
        assert answer.status_code == 200, asked
        text = answer.text if answer.mimetype == "text/html" and not asked.startswith("/api/") else ""
        answer.close()
        for link in links(text):
            if asked.startswith("/help/") and link.startswith("https://"):
                continue  # a standard that a document cites
            assert link.startswith(("/", "#", "?")), f"{link} leads outside"
            address = urljoin(asked, link).partition("#")[0]
            seen.add(address)
            # Of the thousands of positions of a match one is enough, and of a page's filters each set of names;
            # every day, of the pages below a match, a player or a game those of one are.
            kind = re.sub(r"=[^&]*", "", re.sub(r"/replay/.*", "/replay/…", address))
            if of_each == "match":
                kind = re.sub(r"^(/\w+)/[^/?]+(?=[/?])", r"\1/…", kind)
            if address and kind not in kinds:
                kinds.add(kind)
                waiting.append(address)
    assert {f"/matches/{id}" for id in matches(client)} <= seen
    assert {f"/games/{id}" for id in games()} <= seen


@pytest.mark.long
def test_every_link_to_an_anchor_has_its_anchor(client: FlaskClient) -> None:
    anchors: dict[str, set[str]] = {}
    for id in matches(client):
        path = f"/matches/{id}"
        for link in links(page(client, path)):
            address, _, anchor = link.partition("#")
            address = address or path
            if anchor and address not in anchors:
                anchors[address] = set(re.findall(r' id="([^"]+)"', page(client, address)))
            assert not anchor or anchor in anchors[address], link


def test_matches_come_newest_first_in_pages(client: FlaskClient) -> None:
    path, seen = "/matches", []
    while path:
        text = page(client, path)
        seen += re.findall(r'<h2><a href="/matches/([^"?]+)"', text)
        found = re.search(r'<a rel="next" href="([^"]+)"', text)
        path = unescape(found[1]) if found else ""
    assert seen == matches(client)


def test_filters_are_kept_from_page_to_page(client: FlaskClient) -> None:
    text = page(client, "/matches?player=ana&game=")
    (older,) = re.findall(r'<a rel="next" href="([^"]+)"', text)
    assert "player=ana" in older
    assert "ana" in page(client, unescape(older))
    assert '<option value="ruff" selected>' in page(client, "/matches?game=ruff")


@pytest.mark.parametrize("query", ["player=nobody", "game=skat", "after=1", "player=%00"])
def test_a_filter_that_finds_nothing_offers_a_way_back(client: FlaskClient, query: str) -> None:
    assert "Show all matches" in page(client, f"/matches?{query}")


@pytest.mark.parametrize(
    "path", ["/matches?after=x", "/matches?after=-1", "/matches?after=99999999999999999999", "/matches?since=x"]
)
def test_a_wrong_cursor_is_a_friendly_400(client: FlaskClient, path: str) -> None:
    assert "does not make sense" in page(client, path, 400)


@pytest.mark.parametrize(
    "path",
    [
        "/matches/11111111-1111-4111-8111-111111111111",
        "/matches/x.jsonl",
        "/games/skat",
        "/nothing",
    ],
)
def test_a_missing_page_is_a_friendly_404(client: FlaskClient, path: str) -> None:
    text = page(client, path, 404)
    assert "There is nothing here" in text
    assert "All matches" in text


def test_a_server_error_is_a_friendly_500_without_traceback(empty: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardledger_web.pages.matches.list_matches", lambda *_, **__: 1 / 0)
    text = page(empty.test_client(), "/matches", 500)
    assert "Something went wrong" in text
    assert "ZeroDivisionError" not in text


def test_hostile_texts_are_shown_as_text(client: FlaskClient) -> None:
    (id,) = matches(client)[:1]
    for path in ("/", f"/matches/{id}", "/matches?player=%3Cscript%3Ealert(1)%3C/script%3E", "/search?q=%3Cscript"):
        text = page(client, path)
        assert "<script>alert" not in text
        assert "<img src=x" not in text
        assert "49<script>" not in text
        assert escape(HOSTILE[0]) in text


def test_names_cannot_turn_the_text_around_them(client: FlaskClient) -> None:
    for path in ("/", f"/matches/{matches(client)[0]}"):
        text = re.sub(r'data-figure="[^"]*"', "", page(client, path))
        marks = text.count("\u202e")
        assert marks
        pictured = len(re.findall("\u2068[^\u2069<]*\u202e[^\u2069<]*\u2069", text))
        assert len(re.findall(r"<bdi[^>]*>[^<]*\u202e[^<]*</bdi>", text)) + pictured == marks


def test_a_hand_shows_every_card_by_name(client: FlaskClient) -> None:
    text = page(client, f"/matches/{matches(client, '&game=diversity')[-1]}/hands/1")
    assert 'aria-label="King of hearts' in text
    assert "took the trick" in text
    assert "trick.four-suits" in text


def test_violations_are_listed_with_their_rule_and_the_legal_cards(client: FlaskClient) -> None:
    for id in matches(client):
        shown = client.get(f"/api/v1/matches/{id}").json["result"]
        text = page(client, f"/matches/{id}")
        for found in shown["violations"]:
            assert re.search(rf'<td><a href="[^"]+">{found["seq"]}</a></td>', text)
            assert str(escape(games()[shown["game"]].book[found["rule"]].text)) in text
        said = "Nothing else was violated" if shown["violations"] else "No rule was broken"
        assert said in text


def test_the_file_is_the_one_that_was_recorded(client: FlaskClient, app: Flask) -> None:
    for id in matches(client):
        answer = client.get(f"/matches/{id}.jsonl")
        assert answer.text == "".join(ledger_of(app).export([id]))
        assert answer.headers["Content-Disposition"] == f'attachment; filename="{id}.jsonl"'


def test_a_match_before_its_first_deal_has_a_page(empty: Flask) -> None:
    match = ledger_of(empty).record(None, [opened()], 0).match
    text = page(empty.test_client(), f"/matches/{match}")
    assert "No hand has been dealt yet" in text
    assert "data-figure" not in text


@pytest.mark.parametrize("game", games().values(), ids=games())
def test_a_rulebook_shows_every_rule_under_its_anchor(client: FlaskClient, game) -> None:
    text = page(client, f"/games/{game.id}")
    for rule in (*game.book, *COMMON):
        assert f'id="{rule.id}"' in text
        assert escape(rule.text) in text
    for option in game.options:
        assert f"<code>{option.name}</code>" in text
    assert escape(game.book.source) in text


def test_hands_say_how_they_ended(app: Flask, client: FlaskClient) -> None:
    ended, hidden = set(), set()
    for id in matches(client):
        rows = hand_rows(ledger_of(app).stream(id))
        ended |= {row.ended for row in rows}
        hidden |= {row.hidden for row in rows}
    assert ended >= {"played out", "ended by a claim", "from the score sheet"}
    assert hidden == {True, False}


def test_every_page_is_documented(app: Flask) -> None:
    table = DOCUMENTS["web/cardledger_web/README.md"].partition("\n## ")[0]
    listed = {address.partition("?")[0] for address in re.findall(r"`(/[^`]*)`", table)}
    served = {
        re.sub(r"<(?:\w+:)?(\w+)>", lambda part: "GAME" if part[1] == "id" else part[1].upper(), rule.rule)
        for rule in app.url_map.iter_rules()
        if "GET" in (rule.methods or ()) and not rule.rule.startswith(("/api/", "/static/", "/metrics"))
    }
    assert served == listed


def test_no_address_leads_to_another_site(app: Flask, client: FlaskClient) -> None:
    """Whatever a path is made of, a redirect stays on this server, and no path is said in a second way."""
    rules = {re.sub(r"<[^>]*>", "x", rule.rule) for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ())}
    rules = {rule for rule in rules if not rule.endswith("/live")}  # their answers do not end
    evil = "//evil.example/"
    paths = {
        path
        for rule in rules
        for path in (
            f"/{rule}",
            rule.replace("/", "//"),
            rule.replace("x", evil),
            f"{rule}{evil}..",
            f"{evil}..{rule}",
            f"{rule}/",
        )
    }
    assert len(paths) > 200
    for path in sorted(paths):
        answer = client.get("/", environ_overrides={"PATH_INFO": path}, buffered=True)
        where = answer.headers.get("Location", "/")
        assert re.match(r"(http://localhost)?/(?!/)", where), (path, where)
        assert "evil.example" not in where, (path, where)


def test_every_answer_carries_the_security_headers(client: FlaskClient) -> None:
    for path in ("/", "/nothing", "/api/v1/matches", "/api/v1/nothing", "/static/style.css"):
        answer = client.get(path)
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'self'; script-src 'self'; style-src 'self';" in policy
        assert "unsafe" not in policy
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Referrer-Policy"] == "same-origin"
        answer.close()


def test_no_page_has_script_or_style_within(client: FlaskClient) -> None:
    lists = ("/", "/matches", "/search?q=a", "/sign-in", "/games", "/games/ruff")
    for path in (*lists, *(f"/matches/{id}" for id in matches(client))):
        text = page(client, path)
        assert not re.search(
            r"<style|\sstyle=|\son\w+=|javascript:",
            " ".join(re.findall(r"<[^>]*>", re.sub(r'"[^"]*"', '""', text))),
        )
        ours = r'<script((?: type="module")? src="/static/[^"]+"(?: data-[a-z]+="/static/[^"]+")?(?: defer)?)>'
        assert re.findall(r"<script([^>]*)>", text) == re.findall(ours, text)


def test_plotly_comes_from_here_gzipped_for_good(client: FlaskClient) -> None:
    (id,) = matches(client, "&game=ruff-2")[:1]
    (source,) = re.findall(r'data-plotly="(/static/plotly-[^"]+)"', page(client, f"/matches/{id}"))
    zipped = client.get(source, headers={"Accept-Encoding": "gzip"})
    plain = client.get(source)
    assert zipped.headers["Content-Encoding"] == "gzip"
    assert "immutable" in zipped.headers["Cache-Control"]
    assert "Content-Encoding" not in plain.headers
    assert len(zipped.data) < 400_000, "as it is served to browsers"
    assert len(plain.data) < 1_100_000


def test_the_pages_can_be_installed_and_the_worker_keeps_static_files_only(client: FlaskClient) -> None:
    (address,) = re.findall(r'rel="manifest" href="([^"]+)"', page(client, "/"))
    with client.get(address) as answer:
        manifest = json.loads(answer.data)
    assert [urljoin(address, manifest[name]) for name in ("start_url", "scope")] == ["/", "/"]
    assert manifest["display"] == "standalone"
    worker = client.get("/worker.js")
    assert worker.mimetype == "text/javascript"
    assert re.match(r'const VERSION = "[0-9a-f]{16}";', worker.text)
    files = json.loads(re.findall(r"const FILES = (\[.*?\]);", worker.text)[0])
    (match,) = matches(client, "&game=ruff-2")[:1]
    for language in ("en", "de"):
        scoring = client.get(f"/matches/{match}/score", headers={"Accept-Language": language}).text
        asked = {*re.findall(r'<(?:script|link|img)[^>]+(?:src|href)="(/static/[^"]+\.(?:js|css|svg))"', scoring)}
        assert len(asked) > 5 and asked <= {*files}, "the worker keeps all that a scoring page asks for"
    for file in (*files, *(urljoin(address, icon["src"]) for icon in manifest["icons"])):
        assert file.startswith("/static/")
        with client.get(file) as answer:
            assert answer.status_code == 200

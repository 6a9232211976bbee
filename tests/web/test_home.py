"""The home page and the search: matches under way, recent matches, leaders; secret cards stay out."""

from __future__ import annotations

import re
import sqlite3
from random import Random
from typing import TYPE_CHECKING
from urllib.parse import quote

import msgspec
import pytest

from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger_web.app import ledger_of
from tests.api.recording import as_role
from tests.waiting import wait_until
from tests.web.club import HOSTILE, opened, sign_in

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


def test_a_broken_rule_is_described_in_words(client: FlaskClient) -> None:
    told = section(client.get("/").text, "notable")
    assert re.search(r"Hand \d+: <bdi class=\"player\">\w+</bdi> played <span class=\"card", told)
    assert re.search(r"against the rule “<a class=\"rule\" href=\"/games/[\w-]+#", told)


def test_a_correction_lists_what_it_changed(empty: Flask) -> None:
    sheet = [opened(), ev.Deal(dealer=0, hands=None), ev.Claim(tricks=(1, 2, 3, 7))]
    match = ledger_of(empty).record(None, sheet, 0).match
    amend = ev.Amend(about=3, event=ev.Claim(tricks=(7, 3, 2, 1)), reason="read the wrong way")
    ledger_of(empty).record(match, [amend], 3)
    for path in ("/", f"/matches/{match}"):
        text = re.sub(r"<[^>]+>", "", empty.test_client().get(path).text)
        assert "In hand 1, corrected: the table agrees on the last tricks: a 7, b 3, c 2, d 1" in text
        assert "(read the wrong way)" in text
        assert "(written first: the table agrees on the last tricks: a 1, b 2, c 3, d 7)" in text
        assert "a 1 → 7, b 2 → 3, c 3 → 2, d 7 → 1" in text


@pytest.mark.parametrize(("game", "order"), [("diversity", "xywz"), ("ruff", "zwyx")])
def test_every_page_lists_leaders_in_the_order_of_the_comparison(empty: Flask, game: str, order: str) -> None:
    options = {"hands": 99} if game == "diversity" else {"rounds": 99}
    for swing in (0, 1, -1):
        deals = [
            event
            for number in range(8)
            for event in (
                ev.Deal(dealer=number % 4, hands=None),
                ev.Score(scores=(5 + swing * (number % 2), 1, 3 - swing * (number % 2), 7)),
            )
        ]
        ledger_of(empty).record(None, [ev.Open(game=game, players=tuple("wxyz"), options=options), *deals], 0)
    ledger_of(empty).record(None, [ev.Open(game=game, players=tuple("qrst"), options=options), *deals[:2]], 0)
    client = empty.test_client()
    compared = [row["player"] for row in client.get(f"/api/v1/stats/players?game={game}").json["rows"]]
    assert "".join(compared[:4]) == order
    wait_until(lambda: section(client.get("/").text, "leaders"), "leaders: they are computed beside the page")
    for path in ("/", f"/games/{game}/leaders", f"/stats/{game}"):
        text = client.get(path).text
        leaders = section(text, "leaders" if path == "/" else "comparison") or text.partition("<main")[2]
        shown = re.findall(r'<a href="[^"]*player[^"]*"><bdi class="player">(\w)</bdi></a>', leaders)
        assert "".join(shown[:4]) == order, path
        assert "1st to 2nd of 4" in leaders
    assert "too few matches to compare" in client.get(f"/games/{game}/leaders").text


def test_the_first_page_lists_leaders_of_the_games_recorded_last_and_links_to_those_of_others(
    client: FlaskClient,
) -> None:
    found = ledger_of(client.application).views.reader.execute("SELECT game FROM matches ORDER BY position DESC")
    latest = list(dict.fromkeys(game for (game,) in found))
    wait_until(
        lambda: section(client.get("/").text, "leaders").count('id="board-') == 3,
        "the leaders of three games: they are computed beside the page",
    )
    leaders = section(client.get("/").text, "leaders")
    shown = re.findall(r'id="board-([\w-]+)"', leaders)
    assert len(shown) == 3
    linked = re.findall(r'<li><a href="/games/([\w-]+)/leaders">', leaders)
    assert linked
    assert shown + linked == [game for game in latest if game in {*shown, *linked}]


def test_leaders_can_be_limited_to_tables_of_one_size(empty: Flask) -> None:
    for dealer, players in enumerate(("abcd", "dabc", "cdab", "efg", "gef", "fge", "gfe")):
        scores = tuple(ord(player) + dealer % 3 * (player in "be") for player in players)
        deals = [ev.Deal(dealer=0, hands=None), ev.Score(scores=scores)]
        ledger_of(empty).record(None, [ev.Open(game="ruff", players=tuple(players)), *deals], 0)
    client = empty.test_client()
    for size, players in ((3, "gfe"), (4, "dcba")):
        text = client.get(f"/games/ruff/leaders?seats={size}").text.partition("<main")[2]
        shown = re.findall(r'<bdi class="player">(\w)</bdi>', text)
        assert shown[0] == players[0] and {*shown} == {*players}
        told = client.get(f"/api/v1/stats/players?game=ruff&size={size}").json["rows"]
        assert shown == [row["player"] for row in told]
    assert {*re.findall(r'<bdi class="player">(\w)</bdi>', client.get("/games/ruff/leaders").text)} == {*"abcdefg"}
    assert "No complete hand is recorded yet" in client.get("/games/diversity/leaders").text


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
            assert f"In hand 1, corrected: {who} draws {after} from the stock" in text
            assert f"(written first: {who} draws {before} from the stock)" in text


def test_what_a_scorer_tapped_wrong_and_took_back_is_nobodys_news(empty: Flask) -> None:
    ledger = ledger_of(empty)
    sheet = [ev.Open(game="hearts", players=("ana", "ben", "chloe", "dev")), ev.Deal(dealer=0, hands=None)]
    match = ledger.record(None, [*sheet, ev.Retract(to=1), ev.Deal(dealer=1, hands=None)], 0).match
    assert section(empty.test_client().get("/").text, "notable") == ""
    assert "1 entry was taken back" in empty.test_client().get(f"/matches/{match}").text
    ledger.record(match, [ev.Score(scores=(3, 5, 13, 5)), ev.Retract(to=4)], 4)
    assert "1 entry was taken back in hand 1" in section(empty.test_client().get("/").text, "notable"), "it had counted"


def test_a_corrected_score_is_told_as_members_tell_it(empty: Flask) -> None:
    ledger = ledger_of(empty)
    sheet = [ev.Open(game="hearts", players=("ana", "ben", "chloe", "dev")), ev.Deal(dealer=0, hands=None)]
    match = ledger.record(None, [*sheet, ev.Score(scores=(8, 5, 6, 7))], 0).match
    ledger.record(match, [ev.Amend(about=3, event=ev.Score(scores=(8, 5, 7, 6)), reason="swapped")], 3)
    ledger.record(match, [ev.Retract(to=2)], 4)
    ledger.record(match, [ev.Retract(to=4)], 5)
    text = re.sub(r"<[^>]+>", "", empty.test_client().get(f"/matches/{match}").text)
    assert (
        "Chloe: the score in hand 1 was corrected from 6 to 7; dev: the score in hand 1 was corrected from 7 to 6 (swapped)"
        in text
    )
    assert "1 entry was taken back in hand 1" in text
    assert "1 entry that was taken back counts again" in text


@pytest.mark.long
@pytest.mark.parametrize("text", ["ana", "ANA", " an ", "AN"])
def test_the_search_finds_players_and_links_them(client: FlaskClient, text: str) -> None:
    found = section(client.get(f"/search?q={quote(text)}").text, "players")
    assert re.search(r'<a href="[^"]*ana"><bdi class="player">ana</bdi></a>', found)


def test_the_search_groups_its_results(client: FlaskClient) -> None:
    text = client.get("/search?q=club").text
    assert "Autumn club night" in section(text, "events")
    assert '<li class="match">' in section(text, "matches")
    match = client.get("/api/v1/matches?limit=1").json["matches"][0]["id"]
    assert f'href="/matches/{match}"' in section(client.get(f"/search?q={match[:8]}").text, "matches")
    assert "/games/ruff" in section(client.get("/search?q=RUFF").text, "games")


def test_the_search_finds_rules_by_their_words_and_leads_to_them(client: FlaskClient) -> None:
    text = section(client.get("/search?q=bags").text, "rules")
    assert re.search(r'href="/games/spades#score.bag-penalty"', text)
    assert 'id="score.bag-penalty"' in client.get("/games/spades").text
    queen = section(client.get("/search?q=queen+of+spades").text, "rules")
    assert "/games/hearts#score.card" in queen
    turn = client.get("/api/v1/search?q=your+turn").json["rules"]
    assert next(one for one in turn if one["id"] == "table.turn")["games"] == []
    assert "every game" in section(client.get("/search?q=table.turn").text, "rules")
    # The title of a game alone finds the game, not all its rules.
    assert client.get("/api/v1/search?q=spades+bags").json["rules"]
    assert all(
        "euchre" in one["id"] + one["text"].lower() for one in client.get("/api/v1/search?q=euchre").json["rules"]
    )


@pytest.mark.parametrize(
    "text", ["", " ", "%", "no such thing", "\x00", "'; DROP TABLE matches; --", "é" * 5000, *HOSTILE]
)
def test_a_search_text_is_only_text(client: FlaskClient, text: str) -> None:
    answer = client.get(f"/search?q={quote(text)}")
    assert answer.status_code == 200
    assert "<script>alert" not in answer.text
    assert "<img" not in answer.text.partition("<main")[2]


def test_the_search_box_works_without_a_question(client: FlaskClient) -> None:
    assert "Type a part" in client.get("/search").text


def test_the_home_page_scans_no_table(client: FlaskClient, app: Flask) -> None:
    """Tables that grow with the ledger are searched by index; people, standings and occasions grow with the club only."""
    asked: list[str] = []
    with ledger_of(app).views.reader.snapshot() as reader:
        assert reader.held is not None
        reader.held.set_trace_callback(asked.append)
        for path in (
            "/",
            "/matches",
            "/matches?player=ana",
            "/matches?event=Autumn+club+night",
            "/matches?status=open",
        ):
            client.get(path)
        reader.held.set_trace_callback(None)
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


def test_a_new_ledger_asks_what_you_run_and_each_answer_leads_to_its_page(empty: Flask) -> None:
    scorer = as_role(empty, "scorer")
    page = scorer.get("/").text
    assert "What do you run?" in page
    ways = re.findall(r'<li><a href="([^"]+)"><b>', page)
    assert ways == ["/evenings/new", "/matches/new", "/evenings/import", "/boards/import"]
    assert [scorer.get(way).status_code for way in ways] == [200] * 4
    reader = as_role(empty, "reader").get("/").text
    assert "What do you run?" not in reader and "Nothing recorded yet" in reader
    ledger_of(empty).record(None, [ev.Open(game="ruff", players=("ana", "ben", "chloe"))], 0)
    assert "What do you run?" not in scorer.get("/").text


@pytest.mark.parametrize(
    ("text", "language", "face", "event"),
    [
        ("the last queen of spades of club night 18", "en", "QS", "Club night 18"),
        ("QUEEN OF SPADES", "en", "QS", None),
        ("QS", "en", "QS", None),
        ("Q\u2660 club night 18", "en", "QS", "Club night 18"),
        ("dame de pique du club night 18", "fr", "QS", "Club night 18"),
        ("as ana saw it", "en", None, None),
    ],
)
def test_a_card_is_found_by_its_name(
    empty: Flask, text: str, language: str, face: str | None, event: str | None
) -> None:
    opening, *events = simulate("hearts", 4, Random(1), ["cautious"], max_hands=1)
    ledger_of(empty).record(None, [msgspec.structs.replace(opening, event="Club night 18"), *events], 0)
    page = empty.test_client().get("/search", query_string={"q": text}, headers={"Accept-Language": language}).text
    links = re.findall(r'href="(/hands\?card=[^"]+)"', page)
    wanted = (
        []
        if face is None
        else [f"/hands?card={face}&amp;how=won" + (f"&amp;event={quote(event).replace('%20', '+')}" if event else "")]
    )
    assert links == wanted
    if face:
        assert "/replay/" in empty.test_client().get(links[0].replace("&amp;", "&")).text

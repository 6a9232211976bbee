"""A hand is passed on as text, as a drawing and as a frame: each shows what all readers may see, whoever asks."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from html import unescape
from random import Random
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest

from cardledger.record.recording.discussions import comment, keep_line
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.games import games
from cardledger.study.stats.review.quiz import Quiz
from cardledger_web.app import ledger_of
from cardledger_web.figures import pictures
from cardledger_web.serving.headers import HEADERS
from cardledger_web.views.replay import FRAME_HEIGHT

if TYPE_CHECKING:
    from flask import Flask

ADA = ("Ada <b>", "Ben", "Cleo 界界", "Dora")


@pytest.fixture
def bridge(empty: Flask) -> str:
    """A match of bridge."""
    return ledger_of(empty).record(None, simulate("bridge", 4, Random(4), ["cautious"], players=ADA), 0).match


def test_a_hand_is_printed_as_in_newspapers(empty: Flask, bridge: str) -> None:
    match = bridge
    answer = empty.test_client().get(f"/matches/{match}/hands/1.txt")
    assert answer.mimetype == "text/plain"
    lines = answer.text.splitlines()
    assert lines[0].startswith("Contract bridge, ") and lines[0].endswith("hand 1")
    for name in ADA:
        assert sum(name in line for line in lines) >= 1
    assert sum(len(re.findall(r"[♠♥♦♣] ", line)) for line in lines) >= 16, "four suits of four hands"
    west = next(number for number, line in enumerate(lines) if line.startswith("W "))
    east = lines[west].index("E ")
    for line in lines[west + 1 : west + 5]:
        assert line[0] in "♠♥♦♣" and line[east] in "♠♥♦♣"
    assert "\u2068" not in answer.text and "\ufe0e" not in answer.text
    assert lines[-1].endswith(f"/matches/{match}/hands/1")
    assert empty.test_client().get(f"/matches/{match}/hands/9.txt").status_code == 404
    page = empty.test_client().get(f"/matches/{match}/hands/1").text
    assert f"/matches/{match}/hands/1.txt" in page


@pytest.mark.parametrize("id", games())
def test_hands_of_every_game_are_text_and_drawings(empty: Flask, id: str) -> None:
    n = 4 if 4 in games()[id].sizes else max(games()[id].sizes)
    match = ledger_of(empty).record(None, simulate(id, n, Random(1), ["random"], max_hands=1), 0).match
    stream, client = ledger_of(empty).stream(match), empty.test_client()
    text = client.get(f"/matches/{match}/hands/1.txt").text
    names = ledger_of(empty).people().name
    assert all(names(player) in text for player in stream.table.players)
    for seq in (stream.table.hands[0].first, stream.seq):
        answer = client.get(f"/matches/{match}/replay/{seq}.svg")
        assert answer.mimetype == "image/svg+xml"
        ElementTree.fromstring(answer.data)
    assert client.get(f"/matches/{match}/replay/{stream.seq + 1}.svg").status_code == 404


def test_what_is_passed_on_of_a_hand_under_way_shows_no_cards_held(empty: Flask) -> None:
    events = [*simulate("bridge", 4, Random(4), ["cautious"], max_hands=1)]
    ledger, client = ledger_of(empty), empty.test_client()
    match = ledger.record(None, events[:-20], 0).match
    before = {kind: client.get(f"/matches/{match}/{kind}").data for kind in ("hands/1.txt", "replay/2.svg")}
    other = [*simulate("bridge", 4, Random(5), ["cautious"], max_hands=1)]
    assert before["replay/2.svg"] == client.get(f"/matches/{ledger.record(None, other[:2], 0).match}/replay/2.svg").data
    held = {card for hand in events[1].hands or () for card in hand}  # type: ignore[attr-defined]
    played = {event.card for event in events[:-20] if hasattr(event, "card")}
    shown = re.findall(r"(10|[2-9JQKA])(?= |$)", before["hands/1.txt"].decode(), re.MULTILINE)
    assert len(shown) <= len(played) + 4 < len(held)


def test_other_sites_are_told_what_to_show_for_a_link(empty: Flask) -> None:
    ledger, client = ledger_of(empty), empty.test_client()
    match = ledger.record(None, simulate("whist", 4, Random(4), ["cautious"], players=ADA, max_hands=2), 0).match
    firsts = [hand.first for hand in ledger.stream(match).table.hands]
    page = client.get(f"/matches/{match}/hands/2").text
    (asked,) = re.findall('<link rel="alternate" type="application/json\\+oembed" href="(.*?)">', page)
    told = client.get(unescape(asked)).json
    assert (told["version"], told["type"], told["width"], told["height"]) == ("1.0", "rich", 800, FRAME_HEIGHT)
    (frame,) = re.findall('src="(.*?)"', told["html"])
    assert f"/matches/{match}/replay/{firsts[1]}?embed=1" in unescape(frame)
    assert client.get(unescape(frame)).status_code == 200
    assert client.get(told["thumbnail_url"]).mimetype == "image/png"
    small = client.get(f"{unescape(asked)}&maxwidth=300&maxheight=90000").status_code
    assert small == 400
    small = client.get(f"{unescape(asked)}&maxwidth=300&maxheight=200").json
    assert (small["width"], small["height"]) == (300, 200)
    whole = client.get(f"/oembed?url=http://localhost/matches/{match}/replay/7").json
    assert "/replay/7?embed=1" in whole["html"]
    assert f"/replay/{firsts[0]}?embed=1" in client.get(f"/oembed?url=http://localhost/matches/{match}").json["html"]


@pytest.mark.parametrize(
    "url",
    [
        "", "x", "http://evil.example/matches/M", "http://localhost/", "http://localhost/matches/M/replay/9999",
        "http://localhost/matches/M/hands/9", "ftp://localhost/matches/M", "http://localhost/matches/nonsense",
        "http://localhost/matches/M/score",
    ],
)  # fmt: skip
def test_no_other_link_has_a_frame(empty: Flask, bridge: str, url: str) -> None:
    assert empty.test_client().get("/oembed", query_string={"url": url.replace("M", bridge, 1)}).status_code == 404


def test_a_form_that_is_not_there_is_said(empty: Flask, bridge: str) -> None:
    url = f"http://localhost/matches/{bridge}"
    assert empty.test_client().get("/oembed", query_string={"url": url, "format": "xml"}).status_code == 501


def test_a_trick_is_a_picture_that_moves_by_styles_which_alone_are_allowed(empty: Flask) -> None:
    ledger, client = ledger_of(empty), empty.test_client()
    events = simulate("whist", 4, Random(4), ["cautious"], players=ADA, max_hands=1)
    match = ledger.record(None, events, 0).match
    plays = [seq for seq, event in enumerate(events, 1) if hasattr(event, "card")]
    for seq, cards in ((plays[0], 1), (plays[2], 3), (plays[3], 4), (plays[4], 1), (len(events), 4)):
        answer = client.get(f"/matches/{match}/replay/{seq}/trick.svg")
        assert answer.mimetype == "image/svg+xml"
        ElementTree.fromstring(answer.data)
        assert answer.text.count('<g class="s s') == cards
        assert ("takes it" in answer.text) is (cards == 4), seq
        (style,) = re.findall("<style>(.*?)</style>", answer.text)
        assert style.startswith("@media (prefers-reduced-motion:no-preference)")
        named = b64encode(sha256(style.encode()).digest()).decode()
        assert f"'sha256-{named}'" in answer.headers["Content-Security-Policy"]
        assert answer.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
        assert "sha256" not in HEADERS["Content-Security-Policy"]
    assert "&lt;b&gt;" in answer.text
    for seq in (plays[0] - 1, len(events) + 1):
        assert client.get(f"/matches/{match}/replay/{seq}/trick.svg").status_code == 404
        url = f"http://localhost/matches/{match}/replay/{seq}/trick.svg"
        assert client.get("/oembed", query_string={"url": url}).status_code == 404
    url = f"http://localhost/matches/{match}/replay/{plays[3]}/trick.svg"
    photo = client.get("/oembed", query_string={"url": url, "maxwidth": 280}).json
    assert (photo["type"], photo["url"], photo["width"], photo["height"]) == ("photo", url, 280, 210)


def test_a_trick_of_a_hand_under_way_tells_only_what_was_played(empty: Flask) -> None:
    events = [*simulate("bridge", 4, Random(4), ["cautious"], max_hands=1)]
    plays = [seq for seq, event in enumerate(events, 1) if event.__class__.__name__ == "Play"]
    ledger, client = ledger_of(empty), empty.test_client()
    shown = []
    match, seq = ledger.record(None, events[: plays[1]], 0).match, plays[1]
    for more in ([], events[seq:]):
        if more:
            ledger.record(match, more, seq)
        shown.append(client.get(f"/matches/{match}/replay/{plays[1]}/trick.svg").data)
    assert shown[0] == shown[1] and shown[0].count(b'<g class="s s') == 2


def test_a_preview_of_a_quiz_has_nothing_of_its_answer(empty: Flask) -> None:
    ledger, client = ledger_of(empty), empty.test_client()
    match = ledger.record(None, simulate("whist", 4, Random(4), ["cautious"], players=ADA, max_hands=1), 0).match
    asked = Quiz(ledger.stream(match), 1).questions(1)[2]
    address = f"/matches/{match}/hands/1/quiz?seat=1&stops={asked.seq}"
    previews = []
    for more in ("", f"&choice={asked.choices[0]}", f"&choice={asked.choices[1]}&see=1"):
        page = client.get(address + more).text
        previews.append(re.findall(r'<meta (?:property="og|name="desc)[^>]*>|<link rel="alternate"[^>]*>', page))
        assert "What would you do as Ben?" in "".join(previews[-1])
    assert previews[0] == previews[1] == previews[2] and len(previews[0]) > 8
    (picture,) = re.findall('og:image" content="(.*?)"', page)
    assert "choice" not in picture
    assert client.get(unescape(picture)).mimetype == "image/png"
    told = client.get("/oembed", query_string={"url": f"http://localhost{address}&choice=x&see=1"}).json
    assert told["type"] == "link" and "html" not in told
    assert told["thumbnail_url"] == unescape(picture)


def test_the_picture_of_a_quiz_shows_the_hand_of_its_player_alone(
    empty: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = []
    monkeypatch.setattr(pictures, "hands", lambda *what: drawn.append(what) or b"")
    events = [*simulate("whist", 4, Random(4), ["cautious"], players=ADA, max_hands=1)]
    ledger, client = ledger_of(empty), empty.test_client()
    match = ledger.record(None, events, 0).match
    for seat in ("", "1"):
        assert client.get(f"/matches/{match}/hands/1/quiz.png?seat={seat}").status_code == 200
        rows = drawn[-1][2]
        open_hands = [
            row.name for row in rows if any(card.text and card.mark not in ("played", "trick") for card in row.cards)
        ]
        assert open_hands == (["Ben"] if seat else []), open_hands
    for query in ("seat=9", "seat=x", "seat=1&stops=x", "seat=1&stops=99999"):
        assert client.get(f"/matches/{match}/hands/1/quiz.png?{query}").status_code in (200, 400, 404, 409, 422), query


def test_a_kept_line_has_a_preview_and_a_frame_of_its_own(empty: Flask) -> None:
    ledger, client = ledger_of(empty), empty.test_client()
    events = simulate("whist", 4, Random(4), ["cautious"], players=ADA, max_hands=1)
    match = ledger.record(None, events, 0).match
    move = f"play.{events[2].seat}.{events[2].card}"  # type: ignore[attr-defined]
    line = keep_line(ledger, match, 2, "ana", [move], "test", name="The <other> way", text="See here")
    said = comment(ledger, match, 5, "ana", "Why?", "test")
    page = client.get(f"/matches/{match}/discussion?said={line}").text
    assert 'og:title" content="What if: The &lt;other&gt; way' in page and "See here" in page
    (asked,) = re.findall('<link rel="alternate" type="application/json\\+oembed" href="(.*?)">', page)
    told = client.get(unescape(asked)).json
    assert f"/replay/2?embed=1#what-if={move}" in told["html"] and told["title"].startswith("What if: ")
    url = f"http://localhost/matches/{match}/discussion?said={said}"
    assert "/replay/5?embed=1" in client.get("/oembed", query_string={"url": url}).json["html"]
    for number in ("", "1", "99", "x", "9" * 30):
        url = f"http://localhost/matches/{match}/discussion?said={number}"
        assert client.get("/oembed", query_string={"url": url}).status_code == 404, number
        assert "og:title" not in client.get(f"/matches/{match}/discussion?said={number}").text

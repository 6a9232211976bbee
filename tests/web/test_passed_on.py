"""A hand is passed on as text, as a drawing and as a frame: each shows what all readers may see, whoever asks."""

from __future__ import annotations

import re
from html import unescape
from random import Random
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest

from cardledger.rules.bots.simulation import simulate
from cardledger.rules.games import games
from cardledger_web.app import ledger_of

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
    assert (told["version"], told["type"], told["width"], told["height"]) == ("1.0", "rich", 800, 600)
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

"""The replayer's pages, as a browser without script would get them."""

from __future__ import annotations

import json
import re
from html import unescape
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from markupsafe import escape

from cardledger.record.matches.seat_view import full_view
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger.rules.games import games
from cardledger.rules.stream import Stream
from cardledger_web.app import ledger_of
from cardledger_web.figures.hand_course import counted, course
from tests.api.recording import as_role, match_of
from tests.web.club import HOSTILE, opened
from tests.web.test_pages import links, matches, page

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient


def hand_of(client: FlaskClient, match: str, hand: int = 1) -> dict[str, Any]:
    found: dict[str, Any] = client.get(f"/api/v1/matches/{match}/hands/{hand}/replay").json
    return found


def control(text: str, action: str) -> str | None:
    found = re.search(rf'data-go="{action}" aria-label="[^"]+"(?: formaction="([^"]+)")?', text)
    assert found is not None
    return found[1] and unescape(found[1])


@pytest.mark.long
@pytest.mark.parametrize("game", games())
def test_every_kind_of_event_has_a_page_of_its_position(client: FlaskClient, game: str) -> None:
    kinds: dict[tuple[str, bool, object], str] = {}
    for match in matches(client, f"&game={game}"):
        for hand in range(1, min(client.get(f"/api/v1/matches/{match}").json["hands"], 6) + 1):
            answer = hand_of(client, match, hand)
            for step in answer["steps"]:
                kinds[step["event"]["type"], answer["hidden"], step["counts"] is None] = f"{match}/replay/{step['seq']}"
    assert len(kinds) > 3
    for path in kinds.values():
        text = page(client, f"/matches/{path}")
        assert text.count('aria-current="step"') == 1
        assert text.count("<h1>") == 1


@pytest.mark.long
def test_the_controls_lead_through_the_hand_without_script(client: FlaskClient) -> None:
    (match,) = matches(client, "&game=ruff&player=eva")[:1]
    answer = hand_of(client, match)
    path, seen = f"/matches/{match}/replay/1", []
    while path:
        text = page(client, path)
        seen.append(int(path.rpartition("/")[2]))
        path = control(text, "after") or ""
    assert seen == [step["seq"] for step in answer["steps"] if step["counts"]]
    assert control(text, "last") is None
    stops = []
    while path := control(text, "trick_before") or "":
        text = page(client, path)
        stops.append(int(path.rpartition("/")[2]))
    # Trick by trick back; then the deal, the opening.
    assert stops == [*(trick["seq"] for trick in answer["tricks"][::-1] if trick["seq"] < seen[-1]), 2, 1]


def test_the_table_is_drawn_with_every_card_by_name(client: FlaskClient) -> None:
    (match,) = matches(client, "&game=diversity&player=hana")[:1]
    answer = hand_of(client, match)
    seq = next(step["seq"] for step in answer["steps"] if step["table"].get("trick"))
    text = page(client, f"/matches/{match}/replay/{seq}")
    table = text[text.index('<div class="card-table') : text.index('<div class="controls"')]
    for name in answer["players"]:
        assert str(escape(name)) in table
    assert ", legal" in table
    assert ", played" in table
    assert 'aria-label="Trick under way"' in table


def test_an_event_is_described_with_its_rules_and_links_to_them(client: FlaskClient) -> None:
    for match in matches(client, "&violations=true")[:3]:
        found = client.get(f"/api/v1/matches/{match}").json["result"]["violations"][0]
        text = page(client, f"/matches/{match}/replay/{found['seq']}")
        game = client.get(f"/api/v1/matches/{match}").json["game"]
        told = text[text.index('id="event"') : text.index('id="log"')]
        assert f'href="/games/{game}#{found["rule"]}"' in told
        assert 'class="broken"' in told


def test_a_correction_is_shown_with_a_link_to_its_event(empty: Flask) -> None:
    client = empty.test_client()
    events = match_of("diversity", hands=1)
    match = ledger_of(empty).record(None, [*events[:5], ev.Retract(to=4), events[4]], 0).match
    text = page(client, f"/matches/{match}/replay/5")
    assert "Taken back" in text
    assert f'href="/matches/{match}/replay/6"' in text
    assert re.search(r'<li class="gone"><a href="[^"]+/5"', text)
    assert re.search(r'<li class="correction"><a href="[^"]+/6"', text)
    assert control(text, "after") == f"/matches/{match}/replay/7"


def test_a_match_links_to_its_first_hand(client: FlaskClient, empty: Flask) -> None:
    (match,) = matches(client, "&game=ruff-2")[:1]
    assert client.get(f"/matches/{match}/replay?view=1").location == f"/matches/{match}/replay/2?view=1"
    before = ledger_of(empty).record(None, [opened()], 0).match
    where = empty.test_client().get(f"/matches/{before}/replay").location
    assert "Before the first hand" in page(empty.test_client(), where)


@pytest.mark.parametrize("path", ["replay/0", "replay/99999", "replay/x"])
def test_a_missing_position_is_a_friendly_404(client: FlaskClient, path: str) -> None:
    assert "There is nothing here" in page(client, f"/matches/{matches(client)[0]}/{path}", 404)


def test_a_missing_view_is_refused(client: FlaskClient) -> None:
    page(client, f"/matches/{matches(client)[0]}/replay/2?view=me", 400)
    page(client, f"/matches/{matches(client)[0]}/replay/2?view=9", 422)


def test_only_the_embed_page_may_be_embedded(client: FlaskClient) -> None:
    (match,) = matches(client, "&game=ruff-2")[:1]
    for query, ancestors in (("", "'none'"), ("?embed=1", "*"), ("?embed=0", "'none'")):
        answer = client.get(f"/matches/{match}/replay/5{query}")
        (policy,) = answer.headers.getlist("Content-Security-Policy")
        assert policy.endswith(f"frame-ancestors {ancestors}")
        assert ('<nav aria-label="Site"' in answer.text) == (query != "?embed=1")
    assert "frame-ancestors 'none'" in client.get("/?embed=1").headers["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in client.get(f"/matches/{match}?embed=1").headers["Content-Security-Policy"]


def test_a_hand_under_way_is_hidden_from_readers_and_from_frames(empty: Flask) -> None:
    scorer, reader = empty.test_client(), as_role(empty, "reader")
    match = ledger_of(empty).record(None, match_of("ruff", hands=1)[:6], 0).match
    path = f"/matches/{match}/replay/6"
    assert page(scorer, path).count('class="card back"') == 0
    for text in (page(reader, path), page(scorer, f"{path}?embed=1"), page(reader, f"{path}?view=spectator")):
        deal = ledger_of(empty).events(match)[1]
        assert isinstance(deal, ev.Deal)
        assert deal.hands is not None
        shown = set(re.findall(r'data-face="([^"]+)"', text))
        played = {event.card for event in ledger_of(empty).events(match)[2:] if isinstance(event, ev.Play)}
        assert shown == played
        assert 'class="card back"' in text
        assert "all hands" not in text
    for view in ("all", "0"):
        page(reader, f"{path}?view={view}", 403)
        page(scorer, f"{path}?view={view}&embed=1", 403)


def test_hostile_names_are_inert_in_the_replay(client: FlaskClient) -> None:
    (match,) = matches(client)[:1]
    text = page(client, f"/matches/{match}/replay/9")
    assert "<script>alert" not in text
    assert "<img src=x" not in text
    assert escape(HOSTILE[0]) in text
    assert not re.search(
        r"\son\w+=|javascript:|<style|\sstyle=", " ".join(re.findall(r"<[^>]*>", re.sub(r'"[^"]*"', '""', text)))
    )


def test_names_in_a_sentence_are_set_apart(client: FlaskClient) -> None:
    (match,) = matches(client)[:1]
    answer = hand_of(client, match)
    seq = next(step["seq"] for step in answer["steps"] if step["words"].startswith(HOSTILE[2]))
    text = unescape(page(client, f"/matches/{match}/replay/{seq}"))
    assert f"\u2068{HOSTILE[2]}\u2069 plays " in text


def test_the_snippet_is_a_frame_of_this_position(client: FlaskClient) -> None:
    (match,) = matches(client, "&game=ruff")[:1]
    text = page(client, f"/matches/{match}/replay/7")
    (snippet,) = re.findall(r'id="snippet" readonly value="([^"]+)"', text)
    (source,) = re.findall(r'src="([^"]+)"', unescape(snippet))
    assert unescape(source) == f"http://localhost/matches/{match}/replay/7?embed=1"
    assert [link for link in links(text) if link.startswith("http") and "/oembed?" not in link] == []


@pytest.mark.parametrize("game", games())
def test_the_figure_counts_the_aim_of_the_hand(game: str) -> None:
    n = games()[game].players[0]
    opening, *events = simulate(game, n, Random(1), ["random"], max_hands=1)
    stream, moments = Stream(opening), []
    for seq, event in enumerate(events, 2):
        stream.append(event)
        if not stream.table.hand.over:
            moments.append((seq, json.loads(json.dumps(full_view(stream.table)))))
    what, rows = counted(stream.table, moments)
    assert len(rows) == len(moments)
    figure = course([f"player {seat}" for seat in range(n)], what, rows)
    assert [line.x for line in figure.data] == [tuple(seq for seq, _ in rows)] * n
    wanted = {"hecto-diversity": "penalty if it ended here", "diamonds-draw": "cards left"}
    assert what == wanted.get(game, "tricks taken")


def test_calls_stand_by_seat_until_the_first_card(client: FlaskClient) -> None:
    """In rounds, the dealer's first: on the table before a card is played, and beside the tricks of the hand."""
    match = next(one for one in matches(client, "&game=bridge") if len(hand_of(client, one, 2)["steps"]) > 30)
    seqs = [step["seq"] for step in hand_of(client, match, 2)["steps"]]
    before, after = (" ".join(page(client, f"/matches/{match}/replay/{seqs[at]}").split()) for at in (3, -1))
    assert '<table class="calls" aria-label="Calls">' in before
    assert 'class="calls"' not in after
    assert '<table aria-label="Calls">' in page(client, f"/matches/{match}/hands/2")


def test_the_course_and_the_tricks_stand_there_when_the_hand_is_over(empty: Flask) -> None:
    ledger, client = ledger_of(empty), empty.test_client()
    opening, *events = simulate(
        "hearts", 4, Random(2), ["random"], {}, players=("ana", "ben", "chloe", "dev"), max_hands=1
    )
    going = [event for event in events if not isinstance(event, ev.End)]
    match = ledger.record(None, [opening, *going[:30]], 0).match
    under_way = page(client, f"/matches/{match}/replay/31")
    assert ('class="course"' in under_way, 'class="tricks"' in under_way) == (False, False)
    assert "stand here when it is over" in under_way
    ledger.record(match, going[30:], 31)
    over = page(client, f"/matches/{match}/replay/31")
    assert ('class="course"' in over, 'class="tricks"' in over) == (True, True)
    assert "stand here when it is over" not in over

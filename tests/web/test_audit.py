"""The audit trail of a match: every event with its rulings, what corrections changed, and nothing that is still secret."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

import pytest

from cardledger.rules.engine import events as ev
from cardledger_web.app import ledger_of
from cardledger_web.views.audit import page_of, spans
from cardledger_web.views.wording import in_glyphs
from tests.web.club import sign_in
from tests.web.test_pages import matches, page
from tests.web.test_secrecy import under_way

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient

PLAYERS = ("ana", "ben", "chloe", "dev")
OPEN = ev.Open(game="diversity", players=PLAYERS, policy="record")


def entries(text: str) -> dict[int, str]:
    """Return what a page shows of each event, without the markup."""
    parts = re.split(r'<li id="e(\d+)"', text)
    shown = (re.sub(r"<[^>]+>", " ", part.partition(">")[2]) for part in parts[2::2])
    return {int(seq): " ".join(unescape(part).split()) for seq, part in zip(parts[1::2], shown, strict=True)}


def whole(client: FlaskClient, match: str, query: str = "") -> str:
    """Return all pages of a trail, one after the other."""
    path, texts = f"/matches/{match}/audit{query}", []
    while path:
        texts.append(page(client, path))
        found = re.search(r'<a rel="next" href="([^"]+)"', texts[-1])
        path = unescape(found[1]) if found else ""
    return "".join(texts)


@pytest.mark.long
def test_every_event_is_there_with_its_rulings_linked_to_their_clauses(app: Flask, client: FlaskClient) -> None:
    for match in matches(client):
        trail = client.get(f"/api/v1/matches/{match}/audit").json["events"]
        table = ledger_of(app).stream(match).table
        text = whole(client, match)
        shown = entries(text)
        assert list(shown) == [entry["seq"] for entry in trail]
        for entry in trail:
            marks = {"allowed": "ok", "broken": "broken", "resolved": "decided"}
            for ruling in entry["rulings"]:
                words = in_glyphs(ruling["text"], table, table.players)
                said = f"{marks[ruling['verdict']]} {table.game.book[ruling['rule']].title} {words}"
                assert " ".join(said.split()) in shown[entry["seq"]]
            assert entry["event"]["by"] in shown[entry["seq"]]
            assert f'datetime="{entry["event"]["at"]}"' in text
        for link in set(re.findall(r'class="rule" href="([^"]+)"', text)):
            path, _, rule = link.partition("#")
            assert f'id="{rule}"' in page(client, path)


@pytest.mark.long
def test_the_filters_show_exactly_their_matches(client: FlaskClient) -> None:
    for match in matches(client):
        trail = client.get(f"/api/v1/matches/{match}/audit").json["events"]
        broken = [entry["seq"] for entry in trail if any(found["verdict"] == "broken" for found in entry["rulings"])]
        made = [entry["seq"] for entry in trail if entry["event"]["type"] in ("retract", "amend", "void")]
        assert list(entries(whole(client, match, "?show=broken"))) == broken
        assert list(entries(whole(client, match, "?show=corrections"))) == made


def test_a_match_opens_hand_by_hand_and_a_link_to_an_event_opens_its_hand(client: FlaskClient) -> None:
    match = matches(client, "&game=hearts")[0]
    text = page(client, f"/matches/{match}/audit")
    hands = re.findall(r'<details class="fold part"( open)?>\s*<summary><h2>Hand (\d+)</h2>', text)
    assert len(hands) > 1 and not any(opened for opened, _ in hands), "nothing is open until it is asked for"
    for seq in (*entries(text),)[5::40]:
        asked = page(client, f"/matches/{match}/audit?at={seq}")
        (part,) = re.findall(
            r'<details class="fold part" open>(.*?)(?=<details class="fold part"|</main>)', asked, re.S
        )
        assert f'id="e{seq}"' in part
        assert f'audit?at={seq}#e{seq}"' in asked, "the event's own link opens it elsewhere too"


def test_equal_rulings_in_a_row_are_one_row_that_opens(empty: Flask) -> None:
    plays = [ev.Play(seat=seat % 4, card=card) for seat, card in enumerate(("9S", "TH", "6C", "6D"), 1)]
    match = ledger_of(empty).record(None, [OPEN, ev.Deal(dealer=0, hands=None), *plays], 0).match
    path = f"/matches/{match}/audit"
    ledger_of(empty).record(match, [ev.Claim(tricks=(0, 4, 4, 4))], 6)
    text = page(empty.test_client(), path)
    runs = re.findall(r'<li class="run"><details( open)?>\s*<summary>(.*?)</summary>(.*?)</details>', text, re.S)
    said = [" ".join(re.sub(r"<[^>]+>", " ", summary).split()) for _, summary, _ in runs]
    assert len(said) == 1
    assert said[0].startswith("3 to 5 3 × ben plays 9")
    assert said[0].endswith("ok Only cards you hold ok Any card may be played")
    assert "Counts as" not in text
    assert re.findall(r'<li id="e(\d)"', runs[0][2]) == ["3", "4", "5"]
    assert list(entries(text)) == [1, 2, 3, 4, 5, 6, 7]
    assert "<details open>" in page(empty.test_client(), f"{path}?at=4")


def test_an_amendment_shows_before_and_after_and_all_that_changed_with_it(empty: Flask) -> None:
    plays = [ev.Play(seat=seat % 4, card=card) for seat, card in enumerate(("9S", "TH", "6C", "6D"), 1)]
    rest = [ev.Claim(tricks=(0, 4, 4, 4)), ev.Note(text="clear")]
    ledger = ledger_of(empty)
    match = ledger.record(None, [OPEN, ev.Deal(dealer=0, hands=None), *plays, *rest], 0, "sam").match
    ledger.record(match, [ev.Amend(about=6, event=ev.Play(seat=0, card="2D"), reason="misread")], 8, "kim")
    shown = entries(page(empty.test_client(), f"/matches/{match}/audit"))
    assert "ana plays 6♦" in shown[6].replace("\ufe0e", "")
    assert "Counts as: ana plays 2♦ , by event 9" in shown[6].replace("\ufe0e", "")
    said = shown[9].replace("\ufe0e", "")
    assert "event 6 should have been: ana plays 2♦ (misread)" in said
    assert "before ana plays 6♦" in said
    assert "trick 1: 9♠ 10♥ 6♣ 6♦ to dev , All four suits in the trick → became 9♠ 10♥ 6♣ 2♦ to ana" in said
    assert "points: ana 0 ben 4 chloe 4 dev 5 → became ana 1 ben 4 chloe 4 dev 4" in said
    assert "totals ana 0 ben 4 chloe 4 dev 5 → became ana 1 ben 4 chloe 4 dev 4" in said
    assert " kim " in said
    assert " sam " in shown[8]


def test_a_retract_shows_the_events_taken_back(empty: Flask) -> None:
    hand = [ev.Deal(dealer=0, hands=None), ev.Score(scores=(1, 2, 3, 7))]
    match = ledger_of(empty).record(None, [OPEN, *hand, ev.Retract(to=1, reason="wrong table")], 0).match
    shown = entries(page(empty.test_client(), f"/matches/{match}/audit"))
    assert "Taken back by event 4 : it no longer counts" in shown[3]
    assert "event 3 : the score sheet says: ana 1, ben 2, chloe 3, dev 7" in shown[4]
    assert "hand 1 the whole hand is gone" in shown[4]
    assert "points: ana 1 ben 2 chloe 3 dev 7 → became –" in shown[4]


def test_a_long_match_comes_in_pages_that_never_change(empty: Flask) -> None:
    hands = [[ev.Deal(dealer=hand % 4, hands=None), ev.Score(scores=(1, 2, 3, 7))] for hand in range(300)]
    opening = ev.Open(game="diversity", players=PLAYERS, options={"hands": 1000})
    events = [opening, *(event for hand in hands for event in hand)]
    match = ledger_of(empty).record(None, events, 0).match
    client = empty.test_client()
    assert list(entries(whole(client, match))) == list(range(1, 602))
    first = page(client, f"/matches/{match}/audit")
    assert len(entries(first)) < 200
    assert len(first) < 250_000
    for seq in (1, 150, 151, 152, 153, 601):
        assert seq in entries(page(client, f"/matches/{match}/audit?at={seq}"))
        assert page_of(events[:seq], seq)[0] == page_of(events, seq)[0]
    assert 601 in entries(page(client, f"/matches/{match}/audit?at=999999999"))


@pytest.mark.parametrize("query", ["at=0", "at=x", "show=nothing", "after=-1"])
def test_a_wrong_question_is_a_friendly_400(client: FlaskClient, query: str) -> None:
    assert "does not make sense" in page(client, f"/matches/{matches(client)[0]}/audit?{query}", 400)


def test_a_reader_learns_nothing_about_a_hand_under_way(empty: Flask) -> None:
    match, _ = under_way(empty)
    told = {}
    for role in ("reader", "scorer"):
        sign_in(empty, role)
        client = empty.test_client()
        told[role] = (
            entries(page(client, f"/matches/{match}/audit")),
            page(client, f"/matches/{match}/audit?show=broken"),
        )
    shown, broken = told["reader"]
    assert not any("Following suit" in text for text in shown.values())
    assert "shown when the hand is over" in shown[3]
    assert "No rule was broken" in broken
    shown, broken = told["scorer"]
    assert "broken Following suit" in shown[4]
    assert list(entries(broken)) == [4]


def test_points_that_were_taken_back_are_for_scorers_while_the_match_is_open(empty: Flask) -> None:
    hand = [ev.Deal(dealer=0, hands=None), ev.Score(scores=(1, 2, 3, 7))]
    match = ledger_of(empty).record(None, [OPEN, *hand, ev.Retract(to=2)], 0).match
    path = f"/matches/{match}/audit"
    assert "dev 7 → became" in entries(page(empty.test_client(), path))[4]
    sign_in(empty, "reader")
    shown = entries(page(empty.test_client(), path))[4]
    assert "became" not in shown
    assert "shown when the match is over" in shown


def test_hostile_texts_are_inert(client: FlaskClient) -> None:
    text = page(client, f"/matches/{matches(client)[0]}/audit")
    assert "<script>alert" not in text
    assert "<img src=x" not in text
    marks = text.count("\u202e")
    assert marks
    assert len(re.findall(r"<bdi[^>]*>[^<]*\u202e[^<]*</bdi>", text)) == marks


def test_numbers_are_written_as_people_write_them() -> None:
    assert [spans(numbers) for numbers in ([], [4], [1, 2], [1, 3, 4, 5, 9])] == ["", "4", "1 to 2", "1, 3 to 5, 9"]

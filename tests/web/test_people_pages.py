"""People on pages: names and merged ids are shown everywhere at once, only admins change them, and every change can be reversed."""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING
from urllib.parse import quote

import msgspec
import pytest
from click.testing import CliRunner

from cardledger.cli.main import main
from cardledger.record.people.people import Merge, Name, Sat
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger_web.app import access_of, ledger_of
from tests.web.club import HOSTILE, opened, sign_in
from tests.web.test_pages import links, page
from tests.web.test_players_page import cells

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

    from cardledger.record.recording.ledger import Ledger


@pytest.fixture
def night(empty: Flask) -> Ledger:
    """Two matches of ruff, one with ana and one with ann."""
    ledger = ledger_of(empty)
    for player, points in (("ana", 5), ("ann", 3)):
        opening = ev.Open(game="ruff", players=(player, "ben", "chloe"), options={"rounds": 1}, date="2026-11-21")
        ledger.record(None, [opening, ev.Deal(dealer=0, hands=None), ev.Score(scores=(points, 1, 2))], 0)
    return ledger


def told(ledger: Ledger, *events: object) -> None:
    ledger.record_people(events, ledger.people().seq, "test")


def send(client: FlaskClient, path: str, seq: int, **form: str) -> TestResponse:
    return client.post(path, data={"expected": str(seq), **form})


def test_a_merged_id_redirects_to_the_person(empty: Flask, night: Ledger) -> None:
    client = empty.test_client()
    assert "1 match<" in page(client, "/players/ana")
    answer = send(client, "/players/ann", 0, change="merge", player="ann", into="ana", reason="misspelt")
    assert (answer.status_code, answer.location) == (303, "/players/ana#person")
    for path, there in (
        ("/players/ann", "/players/ana"),
        ("/players/ann?game=ruff&by=seat", "/players/ana?game=ruff&by=seat"),
        ("/players/ann/against/ben", "/players/ana/against/ben"),
        ("/players/ben/against/ann", "/players/ben/against/ana"),
    ):
        answer = client.get(path)
        assert (answer.status_code, answer.location) == (302, there)
    text = page(client, "/players/ana")
    assert "2 matches<" in text
    assert "Recorded as" in text
    rows = cells(text, "Measures")
    assert rows[0][1][0] == "4.00"
    assert len(cells(page(client, "/players/ana/against/ben"), "Matches together")) == 2
    assert client.get("/tables/player.csv?player=ann&game=ruff").text.count("\n") > 2
    assert [row[0][0] for row in cells(page(client, "/players?q=ann"), "Players")] == ["ana"]
    assert "/players/ana" in links(page(client, "/search?q=ann"))


def test_a_split_undoes_it(empty: Flask, night: Ledger) -> None:
    told(night, Merge(player="ann", into="ana"))
    client = empty.test_client()
    answer = send(client, "/players/ana", 1, change="split", player="ann")
    assert answer.status_code == 303
    assert "1 match<" in page(client, "/players/ann")


def test_a_name_is_shown_wherever_the_player_is(empty: Flask, night: Ledger) -> None:
    client = empty.test_client()
    send(client, "/players/ana", 0, change="name", player="ana", name="Ana Lima")
    match = night.matches()[0]
    night.record(match, [ev.Note(text="x"), ev.Amend(about=3, event=ev.Score(scores=(4, 2, 2)))], 3)
    for path in (
        "/", "/matches", f"/matches/{match}", f"/matches/{match}/hands/1", f"/matches/{match}/audit", "/players",
        f"/matches/{match}/replay/3", "/players/ana", "/players/ben", "/players/ana/against/ben", "/stats/ruff",
        "/season", "/search?q=lima", "/hands", "/people",
    ):  # fmt: skip
        text = page(client, path)
        assert "Ana Lima" in text, path
        assert not re.search(r">\s*ana\s*</", text.replace("<code><bdi>ana</bdi></code>", "")), path
    assert "<title>Ana Lima" in page(client, "/players/ana")
    figures = re.findall(r'data-figure="([^"]*)"', page(client, f"/matches/{match}"))
    assert figures
    assert all("Ana Lima" in figure for figure in figures)
    assert '<option value="ana" label="Ana Lima">' in page(client, "/matches")
    assert '<option value="ana" label="Ana Lima">' in page(client, "/matches/new")
    assert client.get("/tables/attendance.csv").text.splitlines()[0].startswith("\ufeffplayer,name,")


def test_a_match_shows_who_sat_and_how_it_was_recorded(empty: Flask, night: Ledger) -> None:
    match = night.matches()[0]
    told(night, Sat(match=match, seat=0, player="ana of Porto", reason="another Ana"))
    client = empty.test_client()
    for path in (f"/matches/{match}", "/matches", f"/matches/{match}/audit", f"/matches/{match}/hands/1"):
        assert '<bdi class="player" title="ana">ana of Porto</bdi>' in page(client, path), path
    assert page(client, "/players/ana%20of%20Porto")
    assert page(client, "/players/ana", 404)
    assert "ana of Porto" in page(client, "/players/ben")


def test_every_change_is_listed_and_can_be_reversed(empty: Flask, night: Ledger) -> None:
    match = night.matches()[0]
    changes = (
        Name(player="ben", name="Ben"), Name(player="ben", name="Benedict"), Merge(player="ann", into="ana"),
        Sat(match=match, seat=0, player="someone"),
    )  # fmt: skip
    client = empty.test_client()
    for event in changes:
        told(night, event)
    text = page(client, "/people")
    assert text.count("Reverse change") == 3, "a name that was replaced has nothing to reverse"
    forms = re.findall(r'<form method="post" action="/people">(.*?)</form>', text, re.S)
    for form in forms:
        fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form))
        fields["expected"] = str(night.people().seq)
        assert client.post("/people", data=fields).status_code == 303
    people = night.people()
    assert people.name("ben") == "Ben"
    assert people.person("ann") == "ann"
    assert people.at(match, 0, "ana") == "ana"
    again = re.findall(r'<form method="post" action="/people">(.*?)</form>', page(client, "/people"), re.S)
    assert len(again) == 3


def test_an_impossible_change_is_explained_beside_the_form(empty: Flask, night: Ledger) -> None:
    client = empty.test_client()
    for form, status, said in (
        ({"change": "merge", "player": "ana", "into": "ben"}, 422, "same table"),
        ({"change": "merge", "player": "ana", "into": "nobody"}, 422, "No one has played"),
        ({"change": "name", "player": "ana", "name": "x" * 65}, 422, "1 to 64"),
        ({"change": "split", "player": "ana"}, 422, "not merged"),
        ({"change": "dance", "player": "ana"}, 400, "not complete"),
        ({"change": "name"}, 400, "not complete"),
    ):
        answer = send(client, "/players/ana", 0, **form)
        assert answer.status_code == status, form
        alarm = re.search(r'role="alert">(.*?)</p>', answer.text)
        assert alarm, form
        assert said in alarm[1].replace("Nobody", "nobody")
    told(night, Name(player="ben", name="Ben"))
    answer = send(client, "/players/ana", 0, change="name", player="ana", name="Ana")
    assert answer.status_code == 409
    assert "Another admin" in answer.text
    assert night.people().seq == 1


@pytest.mark.parametrize("role", ["reader", "scorer"])
def test_only_admins_may_say_who_is_who(empty: Flask, night: Ledger, role: str) -> None:
    sign_in(empty, role)
    client = empty.test_client()
    for path in ("/players/ana", "/people"):
        assert "<form method=" not in page(client, path).partition("<main")[2]
        assert send(client, path, 0, change="name", player="ana", name="Ana").status_code == 403
    assert night.people().seq == 0


def test_a_page_of_another_server_cannot_say_it(empty: Flask, night: Ledger) -> None:
    token = access_of(empty).lend("boss", "admin")
    from flask.testing import FlaskClient

    client = FlaskClient(empty, empty.response_class)
    client.get(f"/?token={token}")
    form = {"expected": "0", "change": "name", "player": "ana", "name": "Ana"}
    for path in ("/players/ana", "/people"):
        for headers in ({"Origin": "https://example.org"}, {}):
            assert client.post(path, data=form, headers=headers).status_code == 403
    assert night.people().seq == 0
    assert client.post("/people", data=form, headers={"Origin": "http://localhost"}).status_code == 303
    assert msgspec.to_builtins(night.people().events[0])["by"] == "boss"


def test_a_hostile_name_is_text(empty: Flask, night: Ledger) -> None:
    told(night, Name(player="ana", name=HOSTILE[0]), Name(player="ben", name=HOSTILE[1][:60]))
    client = empty.test_client()
    for path in ("/players/ana", "/people", "/stats/ruff", "/season", f"/matches/{night.matches()[0]}", "/players/ben"):
        text = page(client, path)
        assert "<script>alert" not in text
        assert "<img src=x" not in text


def test_an_open_match_shows_its_players_too(empty: Flask) -> None:
    ledger = ledger_of(empty)
    match = ledger.record(None, [opened("ruff", ("a", "b", "c"))], 0).match
    told(ledger, Name(player="a", name="Ada"))
    client = empty.test_client()
    assert "Ada" in page(client, f"/matches/{match}/replay/1")
    assert "Ada" in page(client, "/")
    assert page(client, f"/players/{quote('a')}")


def test_a_person_is_erased_only_after_a_second_confirmation(empty: Flask, night: Ledger) -> None:
    told(night, Merge(player="ann", into="ana"), Name(player="ana", name="Ana Lima"))
    client = empty.test_client()
    paths = (
        "/",
        "/players",
        "/stats/ruff",
        "/season",
        "/matches",
        f"/matches/{night.matches()[0]}/audit",
        "/search?q=a",
    )
    for path in paths:  # fill every cache of the pages
        assert "Ana" in page(client, path) or "audit" in path, path
    assert "Erase a person" in page(client, "/people")
    answer = client.post("/people/erase", data={"player": " ann "})
    assert answer.status_code == 200
    assert "This erases for good the ids ana, ann and their names (Ana Lima)." in answer.text
    assert night.people().name("ana") == "Ana Lima"
    form = dict(re.findall(r'<input type="hidden" name="(player|sure)" value="([^"]*)"', answer.text))
    told(night, Name(player="ben", name="Ben"))
    asked = client.post("/people/erase", data=form)  # the list has changed: a new confirmation is needed
    assert "This erases for good" in asked.text
    form = dict(re.findall(r'<input type="hidden" name="(player|sure)" value="([^"]*)"', asked.text))
    other = client.post("/people/erase", data=form | {"player": "ben"})  # that was not agreed to
    assert "This erases for good the id ben and their names (Ben)." in other.text
    assert client.post("/people/erase", data=form).status_code == 303
    left = night.people().events[-1].player  # type: ignore[attr-defined]
    text = page(client, "/people")
    assert f"{left[:5]}…</bdi></code> was erased, for good" in text
    assert "Ana Lima" not in text
    assert re.findall(r'aria-label="Reverse change (\d)"', text) == [
        "3",
        "1",
    ]  # the name is gone: nothing to go back to
    assert f"erased player {left[1:5]}" in page(client, f"/players/{quote(left)}")
    assert f"erased player {left[1:5]}" in page(client, f"/matches/{night.matches()[0]}")
    page(client, "/players/ana", 404)
    for path in paths:
        text = page(client, path)
        assert "Ana" not in text, path
        assert ">ana<" not in text, path
    assert client.get(f"/matches/{night.matches()[0]}.jsonl").text.count(left) == 1


def test_the_page_shows_what_stays_and_remembers_other_words(empty: Flask, night: Ledger) -> None:
    opening = ev.Open(game="ruff", players=("w", "x", "y", "z"), event="Nanny's cup", place="The Lima house")
    night.record(None, [opening], 0)
    told(night, Name(player="ana", name="Ana Lima"))
    client = empty.test_client()
    answer = client.post("/people/erase", data={"player": "ana", "also": "Nanny,  Mrs  L"})
    assert "what things are called that contain one of these (“Nanny&#39;s cup”)" in answer.text
    assert "This stays:" in answer.text
    assert "a text with a part of the name: &#39;The Lima house&#39;" in answer.text
    form = dict(re.findall(r'<input type="hidden" name="(player|sure|also)" value="([^"]*)"', answer.text))
    assert form["also"] == "Nanny, Mrs L"
    assert client.post("/people/erase", data=form | {"also": ""}).status_code == 200, "that was not agreed to"
    assert client.post("/people/erase", data=form).status_code == 303
    assert "Nanny" not in page(client, "/matches")


@pytest.mark.parametrize("player", ["nobody", "", "~" + "A" * 26, HOSTILE[0]])
def test_the_page_explains_why_a_person_cannot_be_erased(empty: Flask, night: Ledger, player: str) -> None:
    answer = empty.test_client().post("/people/erase", data={"player": player, "sure": "0.1"})
    assert answer.status_code == 422
    assert "No one has played as" in answer.text
    assert "<script>alert" not in answer.text
    assert night.people().seq == 0


def test_only_admins_erase(empty: Flask, night: Ledger) -> None:
    from flask.testing import FlaskClient

    anybody = FlaskClient(empty, empty.response_class)
    assert "Erase a person" not in anybody.get("/people").text
    assert anybody.post("/people/erase", data={"player": "ana", "sure": "0.1"}).status_code in (401, 403)
    scorer = FlaskClient(empty, empty.response_class)
    scorer.get(f"/?token={access_of(empty).lend('s', 'scorer')}")
    headers = {"Origin": "http://localhost"}
    assert scorer.post("/people/erase", data={"player": "ana", "sure": "0.1"}, headers=headers).status_code == 403
    assert night.people().seq == 0


def test_rulings_name_players_by_their_names(empty: Flask) -> None:
    ledger, client = ledger_of(empty), empty.test_client()
    opening, *events = simulate(
        "whist", 4, Random(1), ["random"], {}, players=("p71", "p72", "p73", "p74"), max_hands=1
    )
    match = ledger.record(None, [opening, *events], 0).match
    told(ledger, *(Name(player=f"p7{seat}", name=name) for seat, name in enumerate(("Ann", "Ben", "Cai", "Dee"), 1)))
    page_of_audit = client.get(f"/matches/{match}/audit").text
    answer = client.get(f"/api/v1/matches/{match}/audit").json
    said = " ".join(ruling["text"] for item in answer["events"] for ruling in item["rulings"])
    replayed = client.get(f"/api/v1/matches/{match}/hands/1/replay").json
    replay = " ".join(ruling["text"] for step in replayed["steps"] for ruling in step["rulings"])
    shown = CliRunner().invoke(main, ["show", match, "--audit", "--db", str(ledger.store.file.path)]).output
    rulings = "".join(line for line in shown.splitlines(keepends=True) if not line[:4].strip())
    for text in (said, replay, rulings):
        assert "p7" not in text
        assert "Ann" in text
    cited = re.findall('class="rulings">(.*?)</ul>', page_of_audit, re.DOTALL)
    read = re.sub("<[^<>]*>", " ", " ".join(cited))
    assert "Ann" in read and "p7" not in read

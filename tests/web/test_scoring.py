"""Scoring: the form that opens a match, who may see it, and the scorer's page as the server sends it."""

from __future__ import annotations

import json
import re
from html import unescape
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from cardledger.record.people.people import Name
from cardledger.rules.engine import events as ev
from cardledger.rules.games import games
from cardledger.rules.stream import unroll
from cardledger_api.auth.limits import Limits
from cardledger_web.app import access_of, create_app, ledger_of
from cardledger_web.views.form import option_name
from tests.evenings.bridge import PASSED, board
from tests.web.club import HOSTILE, opened

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flask import Flask
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

FOUR = ["ana", "ben", "chloe", "dev"]


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    """An application whose clients have no token unless they sign in."""
    app = create_app(tmp_path / "club.db", limits=Limits.of(0))
    yield app
    access_of(app).close()
    ledger_of(app).close()


@pytest.fixture
def scorer(app: Flask) -> FlaskClient:
    """A browser signed in as a scorer."""
    return signed_in(app, "scorer")


def signed_in(app: Flask, role: Any) -> FlaskClient:
    client = app.test_client()
    assert client.get(f"/?token={access_of(app).lend(f'a {role}', role)}").status_code == 303
    return client


OURS = {"Origin": "http://localhost"}


def send(client: FlaskClient, headers: dict[str, str] = OURS, **form: Any) -> TestResponse:
    given = {"game": "diversity", "player": FOUR, "policy": "record"} | {
        name.replace("__", "."): value for name, value in form.items()
    }
    return client.post("/matches/new", data=given, headers=headers)


def latest(app: Flask) -> ev.Open:
    ledger = ledger_of(app)
    opening = ledger.events(ledger.matches()[-1])[0]
    assert isinstance(opening, ev.Open)
    return opening


# --- who may


def test_the_form_and_the_page_are_for_scorers_and_others_learn_how_to_become_one(app: Flask) -> None:
    match = ledger_of(app).record(None, [opened()], 0).match
    for client, status in ((app.test_client(), 401), (signed_in(app, "reader"), 403), (signed_in(app, "admin"), 200)):
        for path in ("/matches/new", f"/matches/{match}/score", f"/matches/{match}/score/log"):
            answer = client.get(path)
            assert answer.status_code == status, path
            assert ("Scoring is for scorers" in answer.text) == (status != 200)
            if status == 401:
                assert "/sign-in?next=" in answer.text


def test_nobody_but_scorers_opens_a_match(app: Flask) -> None:
    before = ledger_of(app).matches()
    assert send(app.test_client()).status_code == 401
    assert send(signed_in(app, "reader")).status_code == 403
    assert ledger_of(app).matches() == before


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "null"},
        {"Origin": "https://evil.example"},
        {"Origin": "http://localhost:8001"},
        {"Origin": "http://localhost.evil.example"},
        {"Origin": "http://localhost", "Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Referer": "http://localhost/matches/new"},
    ],
)
def test_a_form_on_another_page_opens_no_match(app: Flask, scorer: FlaskClient, headers: dict[str, str]) -> None:
    before = ledger_of(app).matches()
    assert send(scorer, headers).status_code == 403
    assert ledger_of(app).matches() == before


def test_readers_see_no_links_for_writing(app: Flask, scorer: FlaskClient) -> None:
    assert "/matches/new" in scorer.get("/").text
    assert "/matches/new" not in app.test_client().get("/").text


# --- opening


def test_the_form_opens_a_match_in_the_name_of_the_scorer_and_goes_on_to_score_it(
    app: Flask, scorer: FlaskClient
) -> None:
    answer = send(scorer, event="Club night", table="2", place="Town hall", date="2026-03-01", diversity__hands="6")
    opening = latest(app)
    assert answer.status_code == 303
    assert answer.location == f"/matches/{ledger_of(app).matches()[-1]}/score"
    assert (opening.players, opening.options, opening.policy) == (tuple(FOUR), {"hands": 6}, "record")
    assert (opening.event, opening.table, opening.place, opening.date) == ("Club night", "2", "Town hall", "2026-03-01")
    assert opening.by == "a scorer"


@pytest.mark.parametrize("game", games().values(), ids=games())
def test_every_game_opens_with_its_defaults_at_its_smallest_and_largest_table(
    app: Flask, scorer: FlaskClient, game: Any
) -> None:
    for n in (game.players[0], game.players[-1]):
        players = [f"p{seat}" for seat in range(n)]
        # Without script every field of the form is sent, those of other games and empty seats as well.
        ticked = {option_name(game, option): "yes" for option in game.options if option.default is True}
        answer = send(
            scorer, game=game.id, player=players + [""] * (8 - n), diversity__hands="", ruff__rounds="2", **ticked
        )
        assert answer.status_code == 303, answer.text
        opening = latest(app)
        assert (opening.game, len(opening.players)) == (game.id, n)
        assert opening.options == ({"rounds": 2} if game.id == "ruff" and n != 2 else {})


def test_options_are_sent_as_their_type(app: Flask, scorer: FlaskClient) -> None:
    send(scorer, game="poison-hearts", **{"poison-hearts.double_suits": "yes", "poison-hearts.target": "40"})
    assert latest(app).options == {"double_suits": True, "target": 40}
    send(scorer, game="hecto-diversity", **{"hecto-diversity.layout": "10x8"}, policy="strict")
    assert (latest(app).options, latest(app).policy) == ({"layout": "10x8"}, "strict")


@pytest.mark.parametrize(
    ("form", "field", "said"),
    [
        ({"game": "skat"}, "game", "Choose one of the games"),
        ({"game": ""}, "game", "Choose one of the games"),
        ({"player": ["ana", "ben"]}, "players", "is for 4 players; you have entered 2"),
        ({"player": ["ana", "ben", "ana", "dev"]}, "players", "sits at two seats"),
        ({"player": ["ana", "ben", "a\x00b", "dev"]}, "players", "no control characters"),
        ({"player": ["ana", "ben", "x" * 65, "dev"]}, "players", "1 to 64 characters"),
        ({"diversity__hands": "0"}, "diversity.hands", "at least 1"),
        ({"diversity__hands": "many"}, "diversity.hands", "whole number"),
        ({"diversity__hands": "9" * 40}, "diversity.hands", "whole number"),
        ({"policy": "lenient"}, "policy", "Choose one of the two"),
        ({"date": "yesterday"}, "date", "2026-01-31"),
        ({"date": "20260131"}, "date", "2026-01-31"),
        ({"event": "x" * 121}, "event", "At most 120"),
    ],
)
def test_errors_are_shown_beside_their_fields_and_the_input_stays(
    app: Flask, scorer: FlaskClient, form: dict[str, Any], field: str, said: str
) -> None:
    before = ledger_of(app).matches()
    answer = send(scorer, place="Town <hall>", **form)
    assert answer.status_code == 400
    assert ledger_of(app).matches() == before
    found = re.search(rf'id="wrong-{re.escape(field)}">([^<]*)<', answer.text)
    assert found is not None
    assert said in unescape(found[1])
    assert 'value="Town &lt;hall&gt;"' in answer.text
    if "player" not in form:
        assert 'name="player" value="chloe"' in answer.text


def test_sending_a_form_twice_opens_one_match(app: Flask, scorer: FlaskClient) -> None:
    page = scorer.get("/matches/new").text
    (id,) = re.findall(r'name="id" value="([^"]+)"', page)
    first, second = send(scorer, id=id), send(scorer, id=id)
    assert (first.status_code, first.location) == (second.status_code, second.location) == (303, f"/matches/{id}/score")
    changed = send(scorer, id=id, player=["eve", *FOUR[1:]])
    assert changed.status_code == 400
    assert "already opened a match" in changed.text
    (fresh,) = re.findall(r'name="id" value="([^"]+)"', changed.text)
    assert fresh != id
    assert 'value="eve"' in changed.text


def test_earlier_players_and_places_are_offered_and_hostile_ones_are_inert(app: Flask, scorer: FlaskClient) -> None:
    written = [name.lstrip("\u202e") for name in HOSTILE]  # a name that turns the text around is refused
    send(scorer, player=written, place='"><script>alert(1)</script>')
    page = scorer.get("/matches/new").text
    offered = [unescape(name) for name in re.findall(r'<option value="([^"]*)"[^>]*></option>', page)]
    assert set(written) <= set(offered)
    assert "<script>alert" not in page


def test_a_game_can_be_chosen_in_the_address(scorer: FlaskClient) -> None:
    chosen = r'value="{}"[^>]* checked'
    assert re.search(chosen.format("ruff"), scorer.get("/matches/new?game=ruff").text)
    assert len(re.findall(r'name="game"[^>]* checked', scorer.get("/matches/new?game=none").text)) == 1


def test_the_last_table_is_proposed_with_its_names_game_and_options(app: Flask, scorer: FlaskClient) -> None:
    ledger = ledger_of(app)
    own = ev.Open(game="ruff", players=("ann", "bob", "cem"), options={"rounds": 2}, event="Friday", place="Hall")
    ledger.record(None, [own], 0, "a scorer")
    ledger.record(None, [ev.Open(game="whist", players=("e", "f", "g", "h"))], 0, "somebody else")
    page = scorer.get("/matches/new").text
    assert [name for name in re.findall(r'name="player" value="([^"]*)"', page) if name] == ["ann", "bob", "cem"]
    assert re.search(r'value="ruff"[^>]* checked', page)
    assert re.search(r'name="ruff.rounds" value="2"', page)
    assert 'value="Hall"' in page
    assert 'name="event" value=""' in page, "an evening is not repeated by itself"
    assert 'name="date" value=""' in page
    whist = scorer.get("/matches/new?game=whist").text
    assert [name for name in re.findall(r'name="player" value="([^"]*)"', whist) if name] == ["e", "f", "g", "h"]
    assert not re.findall(r'name="player" value="[^"]+"', scorer.get("/matches/new?players=none").text)
    (id,) = re.findall(r'name="id" value="([^"]+)"', page)
    assert id not in ledger.matches()


# --- the scorer's page


def card_of(page: str) -> dict[str, Any]:
    found = re.search(r'data-card="([^"]*)"', page)
    assert found is not None
    card: dict[str, Any] = json.loads(unescape(found[1]))
    return card


def test_the_page_knows_the_cards_kinds_and_deal_of_every_game(app: Flask, scorer: FlaskClient) -> None:
    for game in games().values():
        for n in game.players:
            players = tuple(f"p{seat}" for seat in range(n))
            match = ledger_of(app).record(None, [opened(game.id, players)], 0).match
            card = card_of(scorer.get(f"/matches/{match}/score").text)
            deal = card["deal"]
            assert len(deal["deck"]) >= n * deal["each"] + (deal["turned_up"] == "table")
            assert set(deal["deck"]) <= set(card["faces"]) == {face for row in card["rows"] for face in row}
            assert set(card["faces"]) == set(card["cards"])
            assert {"draw", "discard", "close", "layoff", "pass"} == set(card["kinds"]) or card["kinds"]["play"] == [
                "seat",
                "card",
            ]
            assert card["kinds"].get("call", ["seat", "call"]) == [
                "seat",
                "call",
            ]  # what is said beside it may be left out


def test_the_log_says_how_many_events_an_undo_to_here_takes_back(app: Flask, scorer: FlaskClient) -> None:
    plays = [ev.Play(seat=seat, card=card) for seat, card in ((1, "5D"), (2, "6H"), (3, "7S"))]
    deal = ev.Deal(dealer=0, hands=None)
    match = ledger_of(app).record(None, [opened(), deal, *plays, ev.Retract(to=4), ev.Note(text="so")], 0).match
    text = scorer.get(f"/matches/{match}/score/log").text
    assert re.findall(r'data-left="(\d)" data-later="(\d)" aria-label="Undo to here, event (\d)"', text) == [
        ("3", "1", "3"), ("2", "2", "2"), ("1", "3", "1"),
    ]  # fmt: skip


def test_seats_count_from_1_for_people(app: Flask, scorer: FlaskClient) -> None:
    form = scorer.get("/matches/new").text
    assert "Seat 1</span>" in form
    assert "Seat 0" not in form
    match = ledger_of(app).record(None, [opened(), ev.Deal(dealer=0, hands=None)], 0).match
    tried = {"events": [{"type": "play", "seat": 2, "card": "9S"}], "at": 2}
    refused = scorer.post(f"/api/v1/matches/{match}/what-if", json=tried, headers=OURS).json
    assert refused["detail"] == "it is the turn of b, not of c"


def test_players_are_called_by_their_names(app: Flask, scorer: FlaskClient) -> None:
    ledger = ledger_of(app)
    match = ledger.record(None, [opened("diversity", ("x1", "x2", "x3", "x4")), ev.Deal(dealer=1, hands=None)], 0).match
    ledger.record_people([Name(player="x2", name="Bea Lima")], ledger.people().seq, "test")
    assert card_of(scorer.get(f"/matches/{match}/score").text)["players"] == ["x1", "Bea Lima", "x3", "x4"]
    assert "Bea Lima" in scorer.get(f"/matches/{match}/score/log").text


def test_a_missing_match_is_reported_as_missing(scorer: FlaskClient) -> None:
    assert scorer.get("/matches/00000000-0000-4000-8000-000000000000/score").status_code == 404
    assert scorer.get("/matches/nonsense/score").status_code == 404


def log(client: FlaskClient, match: str, query: str = "") -> tuple[dict[str, str], list[tuple[int, str]]]:
    text = client.get(f"/matches/{match}/score/log{query}").text
    found = re.search(r"<ol ([^>]*)>", text)
    assert found is not None
    rows = re.findall(r'<li value="(\d+)" class="([^"]*)"', text)
    return dict(re.findall(r'data-(\w+)="([^"]*)"', found[1])), [(int(seq), kind.strip()) for seq, kind in rows]


def test_undo_goes_back_a_step_at_a_time_however_often(app: Flask, scorer: FlaskClient) -> None:
    ledger = ledger_of(app)
    match = ledger.record(None, [opened(), ev.Deal(dealer=0, hands=None)], 0).match
    for number, face in enumerate(("2C", "3D", "4H"), 2):
        ledger.record(match, [ev.Play(seat=number - 1, card=face)], number)
    seq = 5
    for to in (4, 3, 2, 1):
        head, _ = log(scorer, match)
        assert head["undo"] == str(to)
        seq = ledger.record(match, [ev.Retract(to=int(head["undo"]))], seq).seq
    head, rows = log(scorer, match)
    assert "undo" not in head
    assert [kind for _, kind in rows[-4:]] == ["gone", "gone", "gone", ""]


def test_undo_takes_back_a_note_or_an_amendment_alone(app: Flask, scorer: FlaskClient) -> None:
    ledger = ledger_of(app)
    plays = [ev.Play(seat=1, card="2C"), ev.Note(text="a remark")]
    match = ledger.record(None, [opened(), ev.Deal(dealer=0, hands=None), *plays], 0).match
    ledger.record(match, [ev.Amend(about=3, event=ev.Play(seat=1, card="9S"))], 4)
    assert log(scorer, match)[0]["undo"] == "4"
    ledger.record(match, [ev.Retract(to=4)], 5)
    assert log(scorer, match)[0]["undo"] == "3"


@pytest.mark.parametrize("made", [("4S", 0, 10), PASSED])
def test_a_board_entered_in_one_go_is_taken_back_in_one_and_entered_again_in_one(
    app: Flask, scorer: FlaskClient, made: tuple[str, int, int]
) -> None:
    ledger = ledger_of(app)
    match = ledger.record(
        None,
        [msgspec.structs.replace(opened("bridge"), options={"boards": 3}), *board(1, ("3NT", 2, 9)), *board(2, made)],
        0,
    ).match
    seq = ledger.stream(match).seq
    for _ in range(2):
        assert log(scorer, match)[0]["undo"] == "3", "the board before it stays"
        ledger.record(match, [ev.Retract(to=3)], ledger.stream(match).seq)
        assert log(scorer, match)[0]["redo"] == str(seq)
        ledger.record(match, [ev.Retract(to=seq)], ledger.stream(match).seq)
        assert len(ledger.stream(match).table.hands) == 2


@pytest.mark.parametrize("chance", range(12))
def test_redo_enters_again_what_undo_took_back_as_every_editor_does(
    app: Flask, scorer: FlaskClient, chance: int
) -> None:
    """A model of an editor: what is done, and what was undone since the last new entry."""
    rng, ledger = Random(chance), ledger_of(app)
    match = ledger.record(None, [opened(), ev.Deal(dealer=0, hands=None)], 0).match
    done: list[str] = []
    undone: list[str] = []
    for _ in range(40):
        head, _rows = log(scorer, match)
        assert (head["undo"] != "1", "redo" in head) == (bool(done), bool(undone))
        stream = ledger.stream(match)
        what = rng.choice(["new", *(["undo"] * 2 if done else []), *(["redo"] * 2 if undone else [])])
        if what == "new":
            card = rng.choice([face for face in stream.table.pack.faces if face not in done])
            event: ev.Event = ev.Play(seat=scorer.get(f"/api/v1/matches/{match}/table").json["turn"], card=card)
            done.append(card)
            undone.clear()
        else:
            event = ev.Retract(to=int(head[what]))
            source, target = (done, undone) if what == "undo" else (undone, done)
            target.append(source.pop())
        ledger.record(match, [event], stream.seq)
        assert [each.card for _, each in unroll(ledger.stream(match).heads[-1])[2:]] == done


def test_redo_enters_a_note_or_an_amendment_again(app: Flask, scorer: FlaskClient) -> None:
    ledger = ledger_of(app)
    match = ledger.record(None, [opened(), ev.Deal(dealer=0, hands=None), ev.Play(seat=1, card="2C")], 0).match
    ledger.record(match, [ev.Amend(about=3, event=ev.Play(seat=1, card="9S")), ev.Note(text="a remark")], 3)
    ledger.record(match, [ev.Retract(to=4), ev.Retract(to=3)], 5)
    assert log(scorer, match)[0]["redo"] == "4"
    ledger.record(match, [ev.Retract(to=4)], 7)
    assert log(scorer, match)[0]["redo"] == "5"
    assert [event.card for _, event in unroll(ledger.stream(match).heads[-1])[2:]] == ["9S"]


def test_the_log_shows_the_last_two_hands_or_all(app: Flask, scorer: FlaskClient) -> None:
    ledger = ledger_of(app)
    hands = [
        event for dealer in range(3) for event in (ev.Deal(dealer=dealer, hands=None), ev.Score(scores=(1, 2, 3, 7)))
    ]
    match = ledger.record(None, [opened(), *hands], 0).match
    assert [seq for seq, _ in log(scorer, match)[1]] == [7, 6, 5, 4]
    assert [seq for seq, _ in log(scorer, match, "?all")[1]] == [7, 6, 5, 4, 3, 2, 1]


# --- names that are nearly known


def asked(answer: TestResponse) -> dict[str, list[str]]:
    """Names that need confirmation, with the suggested people; the last one is a new player."""
    found: dict[str, list[str]] = {}
    for name, value in re.findall(r'name="meant:([^"]*)" value="([^"]*)"', answer.text):
        found.setdefault(unescape(name), []).append(unescape(value))
    return found


@pytest.fixture
def known(app: Flask) -> Flask:
    """The application, where Zoé and others have played."""
    ledger = ledger_of(app)
    for players in (("Zoé", "quentin", "Ruth", "ssu"), ("Zoé", "quentin", "vic", "ssu")):
        ledger.record(None, [opened(players=players)], 0)
    return app


@pytest.mark.parametrize(
    ("typed", "likely"),
    [("zoé", ["Zoé"]), ("Zoe", ["Zoé"]), ("ZOE", ["Zoé"]), ("quentln", ["quentin"]), ("quentni", ["quentin"]),
     ("Rut", ["Ruth"]), ("Vic", ["vic"])],
)  # fmt: skip
def test_a_name_similar_to_a_known_one_is_not_recorded_before_confirmation(
    known: Flask, typed: str, likely: list[str]
) -> None:
    before = len(ledger_of(known).matches())
    answer = send(signed_in(known, "scorer"), player=[typed, "wanda", "xenia", "yves"])
    assert answer.status_code == 400
    assert asked(answer) == {typed: [*likely, typed]}
    assert "Choose who is meant" in answer.text
    assert len(ledger_of(known).matches()) == before


@pytest.mark.parametrize("typed", ["Zoé", "quentin", "norbert", "s", "  Zoé  "])
def test_known_names_and_unlike_names_need_no_confirmation(known: Flask, typed: str) -> None:
    answer = send(signed_in(known, "scorer"), player=[typed, "wanda", "xenia", "yves"])
    assert answer.status_code == 303
    assert latest(known).players[0] == typed.strip()


def test_the_chosen_person_is_seated(known: Flask) -> None:
    scorer, players = signed_in(known, "scorer"), ["ZOE", "wanda", "ruht", "yves"]
    answer = send(scorer, player=players, **{"meant:ZOE": "Zoé"})
    assert asked(answer) == {"ruht": ["Ruth", "ruht"]}  # and the other is in place already
    assert 'value="Zoé"' in answer.text
    answer = send(scorer, player=["Zoé", "wanda", "ruht", "yves"], **{"meant:ruht": "Ruth"})
    assert answer.status_code == 303
    assert latest(known).players == ("Zoé", "wanda", "Ruth", "yves")


def test_a_new_name_is_confirmed_once(known: Flask) -> None:
    scorer, players = signed_in(known, "scorer"), ["Ruthe", "wanda", "xenia", "yves"]
    # An error elsewhere causes no second question.
    answer = send(scorer, player=players, date="soon", **{"meant:Ruthe": "Ruthe"})
    assert answer.status_code == 400
    assert "checked> <span>No, <bdi>Ruthe</bdi> is a new player" in answer.text
    assert send(scorer, player=players, **{"meant:Ruthe": "Ruthe"}).status_code == 303
    assert latest(known).players[0] == "Ruthe"
    assert send(scorer, player=players).status_code == 303


def test_only_an_offered_person_can_be_chosen(known: Flask) -> None:
    answer = send(signed_in(known, "scorer"), player=["ruht", "wanda", "xenia", "yves"], **{"meant:ruht": "quentin"})
    assert answer.status_code == 400
    assert "ruht" in asked(answer)


def test_a_known_name_needs_no_confirmation_at_the_same_table(known: Flask) -> None:
    ledger = ledger_of(known)
    ledger.record_people([Name(player="ssu", name="Su Song")], ledger.people().seq, "an admin")
    scorer = signed_in(known, "scorer")
    for typed in ("Su Song", "su song", "Su Sonk"):
        assert asked(send(scorer, player=[typed, "wanda", "xenia", "yves"]))[typed] == ["ssu", typed], typed
    assert send(scorer, player=["sssu", "ssu", "xenia", "yves"]).status_code == 303


def test_names_are_tidied_and_those_that_cannot_be_read_are_refused_beside_the_players(known: Flask) -> None:
    scorer = signed_in(known, "scorer")
    assert send(scorer, player=["Jose\u0301  Lima ", "wanda", "xenia", "yves"]).status_code == 303
    assert latest(known).players[0] == "José Lima"


# --- void


def recorded(app: Flask) -> str:
    return (
        ledger_of(app).record(None, [opened(), ev.Deal(dealer=0, hands=None), ev.Score(scores=(1, 2, 5, 5))], 0).match
    )


def voided(client: FlaskClient, match: str, headers: dict[str, str] = OURS, **form: str) -> TestResponse:
    return client.post(f"/matches/{match}/void", data=form, headers=headers)


def test_a_scorer_declares_a_match_void_on_its_page_and_brings_it_back(app: Flask, scorer: FlaskClient) -> None:
    match = recorded(app)
    assert "Declare it void" in scorer.get(f"/matches/{match}").text
    answer = voided(scorer, match, reason="played with <b>51</b> cards")
    assert (answer.status_code, answer.location) == (303, f"/matches/{match}")
    shown = scorer.get(f"/matches/{match}").text
    assert "The match is void and counts nowhere (played with &lt;b&gt;51&lt;/b&gt; cards)" in shown
    assert "Bring it back" in shown
    assert "Declare it void" not in shown
    assert ledger_of(app).events(match)[-1].by == "a scorer"
    voided(scorer, match, reason="sent twice")
    assert ledger_of(app).stream(match).seq == 4
    assert voided(scorer, match, back="yes").status_code == 303
    voided(scorer, match, back="yes")
    assert [ev.type_of(event) for event in ledger_of(app).events(match)[3:]] == ["void", "retract"]
    assert "counts nowhere" not in scorer.get(f"/matches/{match}").text.partition('<h2 id="scores">')[0]


def test_only_our_own_page_can_declare_a_match_void(app: Flask, scorer: FlaskClient) -> None:
    match = recorded(app)
    for client in (app.test_client(), signed_in(app, "reader")):
        assert voided(client, match, reason="x").status_code in (401, 403)
        assert "Declare it void" not in client.get(f"/matches/{match}").text
    assert voided(scorer, match, {"Origin": "http://evil.example"}, reason="x").status_code == 403
    assert voided(scorer, "5a0ea0c2-77f1-4c8e-8cc2-9b4dbe6f0a55", reason="x").status_code == 404
    assert ledger_of(app).stream(match).seq == 3

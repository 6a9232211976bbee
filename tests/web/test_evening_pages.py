"""The pages that run an evening: opening it, who is here, the next round, results, closing and publishing."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import TYPE_CHECKING, Any

import pytest

from cardledger.record.people.recorders import Recorder
from cardledger.rules.engine import events as match_events
from cardledger.rules.evenings import evening_events as ev
from cardledger.rules.evenings.session import SessionState
from cardledger_api.auth.limits import Limits
from cardledger_web.app import access_of, create_app, ledger_of
from tests.evenings.bridge import begun as pairs_of_bridge
from tests.evenings.night import opening, record, table
from tests.web.paths import path_of
from tests.web.test_pages import page
from tests.web.test_scoring import OURS, asked, signed_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

    from cardledger.record.recording.ledger import Ledger

BY = Recorder("tests")
TWELVE = ["Ada", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hal", "Ivo", "Jan", "Kim", "Lea"]


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """An application whose clients have no token unless they sign in."""
    app = create_app(tmp_path_factory.mktemp("evenings") / "club.db", limits=Limits.of(0))
    yield app
    access_of(app).close()
    ledger_of(app).close()


@pytest.fixture
def ledger(app: Flask) -> Ledger:
    """The ledger of the application."""
    return ledger_of(app)


@pytest.fixture
def scorer(app: Flask) -> FlaskClient:
    """A browser signed in as a scorer."""
    return signed_in(app, "scorer")


@pytest.fixture
def club(ledger: Ledger) -> str:
    """A club with twelve members, which opened an evening last."""
    members = ({"type": "member", "player": name, "from": "2020-01-01"} for name in TWELVE)
    id = record(ledger, None, {"type": "club", "name": "Whist on Tuesday", "place": "Town hall"}, *members)
    record(ledger, None, opening(club=id, date="2026-01-01"))
    return id


def send(client: FlaskClient, path: str, headers: dict[str, str] = OURS, **form: Any) -> TestResponse:
    return client.post(path, data=form, headers=headers)


def hidden(text: str) -> dict[str, str]:
    """Return the hidden fields of a form that have one value."""
    return {name: unescape(value) for name, value in re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', text)}


def sessions(ledger: Ledger) -> list[str]:
    return ledger.evenings.ids("session")


def state(ledger: Ledger, session: str) -> SessionState:
    found = ledger.evenings.stream(session).state
    assert isinstance(found, SessionState)
    return found


def begun(ledger: Ledger, *players: str, **keys: Any) -> str:
    arrivals = ({"type": "arrive", "player": player} for player in players)
    return record(ledger, None, opening(**{"game": "hearts", **keys}), *arrivals)


def tables_of(text: str) -> dict[str, list[str]]:
    """Return the players chosen at each table of the form of a round."""
    found: dict[str, list[str]] = {}
    for name, options in re.findall(r'<select name="(table-\d+)"[^>]*>(.*?)</select>', text, re.S):
        found.setdefault(name, []).extend(re.findall(r'value="([^"]*)" selected', options))
    return found


# --- who may


def test_only_scorers_run_evenings_and_their_forms_are_held_to_their_own_origin(
    app: Flask, ledger: Ledger, scorer: FlaskClient
) -> None:
    session = begun(ledger, *TWELVE[:8])
    ledger.evenings.rounds.open(session, BY)
    rules = [rule for rule in app.url_map.iter_rules() if rule.rule.startswith("/evenings") and "POST" in rule.methods]
    assert len(rules) >= 8
    position = ledger.store.last_position()
    forms = {"club_name": "X", "here": TWELVE, "round": "2", "game": "hearts", "value-0": "1"}
    for rule in rules:
        path = path_of(rule, evening=session)
        assert send(app.test_client(), path, **forms).status_code == 401, path
        reader = signed_in(app, "reader")
        assert send(reader, path, **forms).status_code == 403, path
        assert send(scorer, path, {"Origin": "https://evil.example"}, **forms).status_code == 403, path
        if "GET" in rule.methods:
            assert "Scoring is for scorers" in page(reader, path, 403)
    assert ledger.store.last_position() == position


def test_who_is_invited_to_an_evening_runs_that_one_alone(app: Flask, ledger: Ledger) -> None:
    mine, other = (begun(ledger, *TWELVE[:4]) for _ in range(2))
    token = access_of(app).tokens.invite("phone", mine, datetime.now(UTC) + timedelta(days=1))
    phone = app.test_client()
    phone.get(f"/?token={token}")
    text = page(phone, f"/evenings/{mine}/round")
    assert send(phone, f"/evenings/{mine}/round", **hidden(text), **tables_of(text)).status_code == 303
    assert len(state(ledger, mine).results) == 1
    for path in (f"/evenings/{other}/round", "/evenings/new"):
        assert "Scoring is for scorers" in page(phone, path, 403)


def test_readers_see_no_forms_and_scorers_do(app: Flask, ledger: Ledger, scorer: FlaskClient) -> None:
    session = begun(ledger, *TWELVE[:4])
    for path in ("/evenings", f"/evenings/{session}"):
        plain = page(app.test_client(), path)
        assert "<form" not in plain.partition("<main")[2]
        assert "/evenings/new" not in plain
    assert "/evenings/new" in page(scorer, "/evenings")
    assert "Propose the tables" in page(scorer, f"/evenings/{session}")


# --- opening


def test_one_form_records_a_new_club_its_evening_and_who_is_here(ledger: Ledger, scorer: FlaskClient) -> None:
    form = hidden(page(scorer, "/evenings/new?club=new"))
    answer = send(
        scorer, "/evenings/new", **form, club_name=" Spades  Club ", date="2026-01-06", place="Inn", game="hearts",
        scoring="total", more="Zoltan, Yannis;\r\nXaver", **{"hearts.target": "50", "hearts.break_hearts": "yes", "hearts.clean_first_trick": "yes"},
    )  # fmt: skip
    session = sessions(ledger)[-1]
    assert (answer.status_code, answer.location) == (303, f"/evenings/{session}/round")
    found = state(ledger, session)
    club = ledger.evenings.events(str(found.opening.club))[0]
    assert isinstance(club, ev.Club)
    assert (club.name, club.place, club.by) == ("Spades Club", "Inn", "a scorer")
    assert (found.opening.name, found.opening.date, found.opening.game) == ("Tuesday", "2026-01-06", "hearts")
    assert (found.opening.scoring.kind, found.opening.options) == ("total", {"target": 50})
    assert [*found.here] == ["Zoltan", "Yannis", "Xaver"]
    # The next evening of this club is as this one.
    again = page(scorer, "/evenings/new")
    assert '<option value="hearts" selected>' in again
    assert 'name="hearts.target" value="50"' in again
    assert re.search(r'name="scoring" value="total" checked', again)
    assert re.findall(r'name="here" value="(\w+)"', again) == ["Xaver", "Yannis", "Zoltan"]


def test_sending_the_form_twice_opens_one_evening(ledger: Ledger, scorer: FlaskClient, club: str) -> None:
    form = hidden(page(scorer, "/evenings/new"))
    assert form["club"] == club
    before = len(sessions(ledger))
    first = send(scorer, "/evenings/new", **form, here=TWELVE)
    position = ledger.store.last_position()
    second = send(scorer, "/evenings/new", **form, here=TWELVE)
    assert (first.status_code, first.location) == (second.status_code, second.location)
    assert (len(sessions(ledger)), ledger.store.last_position()) == (before + 1, position)
    changed = send(scorer, "/evenings/new", **form, here=TWELVE[:4])
    assert changed.status_code == 400
    assert "already opened an evening" in changed.text
    assert hidden(changed.text)["id"] != form["id"]


def test_members_and_those_who_came_lately_are_there_to_tap_and_others_are_guests(
    ledger: Ledger, scorer: FlaskClient, club: str
) -> None:
    text = page(scorer, "/evenings/new")
    assert re.findall(r'name="here" value="(\w+)"', text) == TWELVE
    send(scorer, "/evenings/new", **hidden(text), here=["Ada", "Ben"], more="Zyprian")
    assert state(ledger, sessions(ledger)[-1]).here == {"Ada": False, "Ben": False, "Zyprian": True}
    assert re.findall(r'name="here" value="(\w+)"', page(scorer, "/evenings/new")) == [*TWELVE, "Zyprian"]


def test_a_name_like_that_of_a_member_is_asked_about(ledger: Ledger, scorer: FlaskClient, club: str) -> None:
    form = hidden(page(scorer, "/evenings/new"))
    before = sessions(ledger)
    answer = send(scorer, "/evenings/new", **form, here=["Ada"], more="Cloe, Quirin")
    assert answer.status_code == 400
    assert asked(answer) == {"Cloe": ["Cleo", "Cloe"]}
    assert re.search(r'value="Ada" checked', answer.text)
    assert sessions(ledger) == before
    answer = send(scorer, "/evenings/new", **form, here=["Ada"], more="Cloe, Quirin", **{"meant:Cloe": "Cleo"})
    assert answer.status_code == 303
    assert [*state(ledger, sessions(ledger)[-1]).here] == ["Ada", "Cleo", "Quirin"]


@pytest.mark.parametrize(
    "names",
    [
        {"more": "Zora, Yves, Zora"}, {"here": ["Ada", "Ben"], "more": "Ada"}, {"more": "Zora", "field": "Zora\nYves"},
    ],
    ids=["typed", "ticked and typed", "typed and pasted"],
)  # fmt: skip
def test_one_name_for_two_people_is_refused(
    ledger: Ledger, scorer: FlaskClient, club: str, names: dict[str, Any]
) -> None:
    before = ledger.store.last_position()
    blank = hidden(page(scorer, f"/evenings/new?club={club}"))
    answer = send(scorer, "/evenings/new", **blank | {"club": club, "game": "hearts", "date": "2026-01-06"} | names)
    assert (answer.status_code, "is named twice: write more of the name" in answer.text) == (400, True)
    assert ledger.store.last_position() == before, "nothing is recorded"


def test_one_name_for_two_latecomers_is_refused(ledger: Ledger, scorer: FlaskClient, club: str) -> None:
    session = begun(ledger, *TWELVE[:4], club=club)
    path = f"/evenings/{session}/players"
    for more in ("Zora, Zora", TWELVE[0]):
        answer = send(scorer, path, here=TWELVE[:4], shown=TWELVE[:4], more=more)
        assert (answer.status_code, "is named twice" in answer.text) == (400, True)
    assert {*state(ledger, session).here} == {*TWELVE[:4]}


@pytest.mark.parametrize(
    ("form", "field", "said"),
    [
        ({"club": "", "club_name": " "}, "club_name", "Write the name"),
        ({"club": "club-1"}, "club_name", "no such club"),
        ({"date": "soon"}, "date", "2026-01-31"),
        ({"name": "x" * 121}, "name", "At most 120"),
        ({"game": "poker"}, "game", "Choose one of the games"),
        ({"scoring": "best"}, "scoring", "Choose one of the two"),
        ({"points": "4 3 two"}, "points", "such as 4 3 2 1"),
        ({"league": "league-1"}, "league", "does not run on that day"),
        ({"game": "hearts", "hearts.target": "many"}, "hearts.target", "whole number"),
        ({"more": "x" * 65}, "players", "write 1 to 64"),
    ],
)
def test_errors_of_the_form_are_beside_their_fields(
    ledger: Ledger, scorer: FlaskClient, club: str, form: dict[str, Any], field: str, said: str
) -> None:
    position = ledger.store.last_position()
    answer = send(scorer, "/evenings/new", **{"club": club, "place": "Town <hall>", "here": ["Ada"], **form})
    assert answer.status_code == 400
    found = re.search(rf'id="wrong-{re.escape(field)}">([^<]*)<', answer.text)
    assert found is not None
    assert said in unescape(found[1])
    assert 'value="Town &lt;hall&gt;"' in answer.text
    assert ledger.store.last_position() == position


def test_the_evening_counts_for_the_league_of_the_club(ledger: Ledger, scorer: FlaskClient, club: str) -> None:
    league = record(
        ledger, None,
        {"type": "league", "club": club, "name": "All days", "from": "2000-01-01", "until": "2100-01-01", "count": {"best": 3}},
    )  # fmt: skip
    text = page(scorer, "/evenings/new")
    assert f'<option value="{league}" selected>All days' in text
    form = {**hidden(text), "league": league, "here": TWELVE}
    for _ in range(2):
        assert send(scorer, "/evenings/new", **form).status_code == 303
    session = sessions(ledger)[-1]
    assert state(ledger, session).opening.league == league
    assert [event.session for event in ledger.evenings.events(league)[1:]] == [session]  # type: ignore[attr-defined]


# --- the next round


def test_the_proposed_tables_are_opened_with_one_button_and_sending_twice_opens_nothing_twice(
    ledger: Ledger, scorer: FlaskClient
) -> None:
    session = begun(ledger, *TWELVE[:9], game="oh-hell")
    text = page(scorer, f"/evenings/{session}/round")
    tables = tables_of(text)
    assert [len(players) for players in tables.values()] == [5, 4]
    assert "have not met this season" in text
    form = {**hidden(text), **tables}
    first = send(scorer, f"/evenings/{session}/round", **form)
    assert (first.status_code, first.location) == (303, f"/evenings/{session}")
    matches = ledger.matches()
    assert send(scorer, f"/evenings/{session}/round", **form).status_code == 303
    assert ledger.matches() == matches
    shown = page(scorer, f"/evenings/{session}")
    assert [f"/matches/{match}/score" in shown for match in matches[-2:]] == [True, True]
    assert "Score table 2" in shown
    answer = send(scorer, f"/evenings/{session}/round", **form | {"table-1": tables["table-1"][::-1]})
    assert answer.status_code == 400
    assert "Round 2 comes next" in answer.text


def test_a_table_stands_once_on_the_evening_of_a_scorer(ledger: Ledger, scorer: FlaskClient) -> None:
    session = begun(ledger, *TWELVE[:8], game="hearts")
    one, two = ledger.evenings.rounds.open(session, BY)

    def seen() -> list[tuple[int, int]]:
        text = page(scorer, f"/evenings/{session}")
        cards, rounds = text.partition('class="of-rounds"')[::2]
        return [(cards.count(f"Score table {n}<"), rounds.count(f"<b>Table {n}</b>")) for n in (1, 2)]

    assert seen() == [(1, 0), (1, 0)]
    deal, score = match_events.Deal(dealer=0, hands=None), match_events.Score(scores=(0, 20, 5, 1))
    ledger.record(str(one.match), [deal, score, match_events.End()], 1, "tests")
    assert seen() == [(0, 1), (1, 0)]
    assert two.match


def test_a_round_without_a_hand_can_be_set_again(ledger: Ledger, scorer: FlaskClient) -> None:
    session = begun(ledger, *TWELVE[:4])
    (table,) = ledger.evenings.rounds.open(session, BY)
    assert "Set round 1 again" in page(scorer, f"/evenings/{session}")
    answer = send(scorer, f"/evenings/{session}/round/back", round="1")
    assert (answer.status_code, answer.location) == (303, f"/evenings/{session}/round")
    assert ledger.stream(str(table.match)).void
    (table,) = ledger.evenings.rounds.open(session, BY)
    hand = [match_events.Deal(dealer=0, hands=None), match_events.Score(scores=(0, 20, 5, 1))]
    ledger.record(str(table.match), hand, 1, "tests")
    assert "Set round 1 again" not in page(scorer, f"/evenings/{session}")
    answer = send(scorer, f"/evenings/{session}/round/back", round="1")
    assert answer.status_code == 422
    assert "Table 1 has begun" in answer.text


def test_seats_can_be_exchanged_and_who_sits_out_can_come_in(ledger: Ledger, scorer: FlaskClient) -> None:
    session = begun(ledger, *TWELVE[:9])
    text = page(scorer, f"/evenings/{session}/round?size=%3D4")
    tables = tables_of(text)
    out = re.findall(r'data-player="(\w+)"', text)
    assert out == ["Ivo"]
    tables["table-1"][1], tables["table-2"][3] = "Ivo", tables["table-1"][1]
    assert send(scorer, f"/evenings/{session}/round", **hidden(text), **tables).status_code == 303
    found = state(ledger, session)
    seated = [[found.players(entry, 1)[0] for entry in each.seats] for each in found.tables(1).values()]
    assert seated == [*tables.values()]


def test_one_player_at_two_seats_is_refused_and_the_form_stays(ledger: Ledger, scorer: FlaskClient) -> None:
    session = begun(ledger, *TWELVE[:8])
    text = page(scorer, f"/evenings/{session}/round")
    tables = tables_of(text)
    stays, tables["table-2"][0] = tables["table-2"][0], tables["table-1"][0]
    position = ledger.store.last_position()
    answer = send(scorer, f"/evenings/{session}/round", **hidden(text), **tables)
    assert answer.status_code == 400
    assert 'role="alert"' in answer.text
    assert tables_of(answer.text) == tables
    assert re.findall(r'data-player="(\w+)"', answer.text) == [stays]
    assert ledger.store.last_position() == position


def test_an_evening_of_any_game_asks_for_the_game_of_the_round(ledger: Ledger, scorer: FlaskClient) -> None:
    session = begun(ledger, *TWELVE[:8], game=None)
    text = page(scorer, f"/evenings/{session}/round")
    answer = send(scorer, f"/evenings/{session}/round", **hidden(text), **tables_of(text))
    assert "A round needs a game: choose one" in answer.text
    text = page(scorer, f"/evenings/{session}/round?game=whist")
    assert '<option value="whist" selected>' in text
    assert send(scorer, f"/evenings/{session}/round", **hidden(text), **tables_of(text)).status_code == 303
    assert "<small>Whist</small>" in page(scorer, f"/evenings/{session}")
    assert '<option value="whist" selected>' in page(scorer, f"/evenings/{session}/round")


def test_too_few_players_are_said_and_the_way_to_who_is_here_is_open(ledger: Ledger, scorer: FlaskClient) -> None:
    session = begun(ledger, "Ada", "Ben")
    text = page(scorer, f"/evenings/{session}/round")
    assert "2 are here, and a table needs 4: wait for more players" in text
    assert f"/evenings/{session}/players" in text


def test_the_tables_of_a_movement_are_opened_as_they_are(ledger: Ledger, scorer: FlaskClient) -> None:
    pairs = [{"type": "entry", "number": n, "players": [f"{name}{n}" for name in "ab"]} for n in range(1, 5)]
    movement = {"type": "movement", "kind": "howell", "entries": 4}
    session = record(
        ledger, None, opening(unit="pair", game="whist", scoring={"kind": "total"}), *pairs, movement
    )  # fmt: skip
    text = page(scorer, f"/evenings/{session}/round")
    assert tables_of(text) == {}
    assert send(scorer, f"/evenings/{session}/round", **hidden(text)).status_code == 303
    assert len(state(ledger, session).results) == 2


def test_tables_keep_their_numbers_where_one_sits_out(ledger: Ledger, scorer: FlaskClient) -> None:
    """Of seven pairs in a Howell one has nobody to play: its table is not counted away."""
    session = pairs_of_bridge(ledger, 7, {"kind": "howell", "entries": 7, "boards": 2})
    text = page(scorer, f"/evenings/{session}/round")
    proposed = [int(number) for number in re.findall(r"<h2>Table (\d+)</h2>", text)]
    assert send(scorer, f"/evenings/{session}/round", **hidden(text)).status_code == 303
    opened = state(ledger, session).tables(1)
    assert proposed == [number for number, seated in opened.items() if seated.plays] == [2, 3, 4]


# --- who comes and who leaves


def test_players_come_and_leave_during_the_evening(ledger: Ledger, scorer: FlaskClient, club: str) -> None:
    session = begun(ledger, *TWELVE[:4], club=club)
    path = f"/evenings/{session}/players"
    text = page(scorer, path)
    shown = re.findall(r'name="shown" value="(\w+)"', text)
    assert shown == TWELVE[:4]
    # Meanwhile another scorer says that Kim came.
    record(ledger, session, {"type": "arrive", "player": "Kim"})
    form = {"shown": shown, "here": ["Ada", "Ben", "Cleo", "Jan"], "more": "Loa"}
    answer = send(scorer, path, **form)
    assert asked(answer) == {"Loa": ["Lea", "Loa"]}
    for _ in range(2):
        answer = send(scorer, path, **form, **{"meant:Loa": "Lea"})
        assert (answer.status_code, answer.location) == (303, f"/evenings/{session}/round")
    assert [*state(ledger, session).here] == ["Ada", "Ben", "Cleo", "Kim", "Jan", "Lea"]
    assert ledger.evenings.events(session)[-1].by == "a scorer"


# --- results


def on_paper(ledger: Ledger, **keys: Any) -> str:
    session = begun(ledger, *TWELVE[:4], **keys)
    record(ledger, session, table(1, tuple(TWELVE[:4])))
    return session


def values(*numbers: object, **more: str) -> dict[str, str]:
    return {"round": "1", "table": "1"} | {f"value-{seat}": str(each) for seat, each in enumerate(numbers)} | more


def test_tables_that_keep_score_on_paper_get_their_results_here(ledger: Ledger, scorer: FlaskClient) -> None:
    session = begun(ledger, *TWELVE[:8])
    text = page(scorer, f"/evenings/{session}/round")
    form = {**hidden(text), **tables_of(text), "by_hand": "yes"}
    matches = ledger.matches()
    for _ in range(2):
        assert send(scorer, f"/evenings/{session}/round", **form).status_code == 303
    assert ledger.matches() == matches
    assert [*state(ledger, session).tables(1)] == [1, 2]
    assert "Enter the result of table 2" in page(scorer, f"/evenings/{session}")
    sheet = page(scorer, f"/evenings/{session}/results?round=1&table=1")
    assert "Fewest points win" in sheet
    answer = send(scorer, f"/evenings/{session}/results", **values(3, 15, 15, 45), form="points")
    assert answer.status_code == 303
    position = ledger.store.last_position()
    assert send(scorer, f"/evenings/{session}/results", **values(3, 15, 15, 45), form="points").status_code == 303
    assert ledger.store.last_position() == position
    assert [row["total"] for row in ledger.evenings.rankings.ranking(session).rows[:4]] == [
        "4.00",
        "2.50",
        "2.50",
        "1.00",
    ]


def test_totals_that_the_game_cannot_give_are_recorded_only_if_the_sheet_says_so(
    ledger: Ledger, scorer: FlaskClient
) -> None:
    session = on_paper(ledger)
    answer = send(scorer, f"/evenings/{session}/results", **values(3, 15, 15, 44), form="points")
    assert answer.status_code == 400
    assert "no number of hands of Hearts gives totals of 77 together" in answer.text
    assert 'name="as_written"' in answer.text
    assert not state(ledger, session).results
    sent = send(scorer, f"/evenings/{session}/results", **values(3, 15, 15, 44), form="points", as_written="yes")
    assert sent.status_code == 303
    assert [result.points for _, result in state(ledger, session).results.values()] == [(3, 15, 15, 44)]


def test_a_result_is_corrected_on_the_same_sheet(ledger: Ledger, scorer: FlaskClient) -> None:
    session = on_paper(ledger)
    send(scorer, f"/evenings/{session}/results", **values(3, -1, 15, 45), form="points", as_written="yes")
    text = page(scorer, f"/evenings/{session}/results?round=1&table=1")
    assert re.findall(r'name="value-\d" value="([^"]*)"', text) == ["3", "-1", "15", "45"]
    send(scorer, f"/evenings/{session}/results", **values(2, 1, 3, 4), form="places")
    (result,) = [result for _, result in state(ledger, session).results.values()]
    assert (result.places, result.points) == ((2, 1, 3, 4), None)


@pytest.mark.parametrize(
    ("form", "said"),
    [
        (values(1, 2, "x", 4, form="points"), "Write a whole number"),
        (values(1, 2, "", 4, form="points"), "A number is missing here"),
        (values(1, 1, 2, 4, form="places"), "Places count all before them"),
        (values(1, 2, 3, 4, form="stars"), "Choose one of the two"),
    ],
)
def test_wrong_results_are_refused_beside_their_fields(
    ledger: Ledger, scorer: FlaskClient, form: dict[str, str], said: str
) -> None:
    session = on_paper(ledger)
    answer = send(scorer, f"/evenings/{session}/results", **form)
    assert answer.status_code == 400
    assert said in answer.text
    assert f'value="{form["value-2"]}"' in answer.text
    assert state(ledger, session).results == {}


def test_there_is_no_sheet_for_a_table_with_a_match_or_without_players(ledger: Ledger, scorer: FlaskClient) -> None:
    session = begun(ledger, *TWELVE[:4])
    ledger.evenings.rounds.open(session, BY)
    for number in (1, 2):
        assert scorer.get(f"/evenings/{session}/results?round=1&table={number}").status_code == 404


# --- the end


def test_the_evening_is_closed_published_and_opened_again(app: Flask, ledger: Ledger, scorer: FlaskClient) -> None:
    session = on_paper(ledger)
    send(scorer, f"/evenings/{session}/results", **values(3, 15, 15, 45), form="points")
    for _ in range(2):
        assert send(scorer, f"/evenings/{session}/close").status_code == 303
        assert send(scorer, f"/evenings/{session}/publish").status_code == 303
    kinds = [match_events.type_of(event) for event in ledger.evenings.events(session)[-2:]]
    assert kinds == ["close", "publish"]
    listed = page(app.test_client(), "/evenings")
    assert re.search(r'class="won">.*?Ada', listed, re.S)
    refused = send(scorer, f"/evenings/{session}/players", more="Zacharias")
    assert "The evening is closed" in refused.text
    for _ in range(2):
        assert send(scorer, f"/evenings/{session}/reopen").status_code == 303
    assert state(ledger, session).status == "open"
    assert match_events.type_of(ledger.evenings.events(session)[-1]) == "retract"


def test_who_closes_publishes_or_goes_on_sees_which_tables_are_not_finished(
    ledger: Ledger, scorer: FlaskClient
) -> None:
    session = begun(ledger, *TWELVE[:8])
    record(ledger, session, table(1, tuple(TWELVE[:4])), table(1, tuple(TWELVE[4:8])) | {"table": 2})
    send(scorer, f"/evenings/{session}/results", **values(3, 15, 15, 45), form="points")
    warning = "Not finished yet: table 2."
    assert page(scorer, f"/evenings/{session}").count(warning) == 2, "before it is published, and before it is closed"
    assert page(scorer, f"/evenings/{session}/round").count(warning) == 1
    send(scorer, f"/evenings/{session}/results", **values(3, 15, 15, 45, table="2"), form="points")
    text = page(scorer, f"/evenings/{session}")
    assert "Close the evening" in text
    assert "Not finished yet" not in text + page(scorer, f"/evenings/{session}/round")


def test_a_ruling_after_the_end_keeps_the_evening_closed(ledger: Ledger, scorer: FlaskClient) -> None:
    session = on_paper(ledger)
    record(ledger, session, {"type": "close"}, {"type": "adjust", "entry": 1, "penalty": 1})
    answer = send(scorer, f"/evenings/{session}/reopen")
    assert answer.status_code == 422
    assert "A ruling was recorded after the evening was closed" in answer.text
    assert state(ledger, session).status == "closed"


@pytest.mark.parametrize("after", ["x", "-1", "9" * 40, "\u0663"])
def test_a_wrong_place_in_the_list_shows_the_newest(scorer: FlaskClient, club: str, after: str) -> None:
    listed = re.compile(r'href="/evenings/((?:club|session)-[0-9a-f-]+)"')
    newest = listed.findall(page(scorer, "/evenings"))
    assert newest
    assert listed.findall(page(scorer, f"/evenings?after={after}")) == newest


def test_a_missing_evening_is_a_friendly_404(scorer: FlaskClient, ledger: Ledger, club: str) -> None:
    missing = "session-11111111-1111-4111-8111-111111111111"
    for path in (f"/evenings/{missing}/round", f"/evenings/{club}/players", "/evenings/x/results"):
        assert "There is nothing here" in page(scorer, path, 404)
    for what in ("close", "reopen", "publish", "players", "round", "results"):
        for id in (missing, club):
            assert send(scorer, f"/evenings/{id}/{what}", round="1").status_code == 404


# --- around the match


def test_the_scoring_page_of_a_match_shows_its_evening_and_who_leads_there(
    app: Flask, ledger: Ledger, scorer: FlaskClient
) -> None:
    session = begun(ledger, *TWELVE[:8], scoring={"kind": "total"})
    matches = [str(table.match) for table in ledger.evenings.rounds.open(session, BY)]
    text = page(scorer, f"/matches/{matches[1]}/score")
    assert re.search(rf'href="/evenings/{session}">Back to <bdi>Tuesday</bdi></a> <span>Table 2, round 1<', text)
    assert "Standing of the evening" not in text
    for match, points in zip(matches, ((0, 20, 5, 1), (2, 3, 9, 12)), strict=True):
        hand = [match_events.Deal(dealer=0, hands=None), match_events.Score(scores=points)]
        ledger.record(match, hand, 1, "tests")
    players = [[*ledger.stream(match).table.players] for match in matches]
    rows = re.findall(
        r'<li( class="wins")?><span>(\S+)</span> <span><bdi class="player">(\w+)</bdi></span> <b>(.*?)</b>',
        page(scorer, f"/matches/{matches[1]}/score/evening"),
    )
    assert [(place, name, total) for _, place, name, total in rows] == [
        ("1", players[0][0], "0.00"), ("2", players[0][3], "1.00"), ("3", players[1][0], "2.00"),
        ("4", players[1][1], "3.00"), ("5", players[0][2], "5.00"),
    ]  # fmt: skip
    assert [bool(ours) for ours, *_ in rows] == [False, False, True, True, False]
    assert "Table 2, round 1 of" in page(app.test_client(), f"/matches/{matches[1]}")
    assert app.test_client().get(f"/matches/{matches[1]}/score/evening").status_code == 401


def test_a_match_of_no_evening_says_nothing_of_one(ledger: Ledger, scorer: FlaskClient) -> None:
    opened = match_events.Open(game="hearts", players=tuple(TWELVE[:4]), event="Open night", table="7")
    match = ledger.record(None, [opened], 0).match
    assert 'id="evening"' not in page(scorer, f"/matches/{match}/score")
    assert scorer.get(f"/matches/{match}/score/evening").status_code == 404
    assert "Open night" in page(scorer, f"/matches/{match}")

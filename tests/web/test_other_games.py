"""The pages with which a club runs an evening of a game without rules: opened, entered, published, and found again."""

from __future__ import annotations

import io
import re
from random import Random
from typing import TYPE_CHECKING

import pytest

from cardledger.record.recording.rounds import pairs_can_meet
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine.events import End
from cardledger.rules.games import games
from cardledger_web.app import ledger_of
from tests.spreadsheets.paper import SAMPLES
from tests.web.test_evening_pages import OURS, TWELVE, hidden, page, send, sessions, state, tables_of

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient

    from cardledger.record.recording.ledger import Ledger

FORM = {
    "club_name": "Canasta Moorheim", "date": "2026-03-17", "competes": "players", "scoring": "total", "game": "other",
    "other_game": "Canasta", "wins": "most", "partners": "yes", "sizes": "4", "more": ", ".join(TWELVE),
}  # fmt: skip


@pytest.fixture
def ledger(empty: Flask) -> Ledger:
    return ledger_of(empty)


@pytest.fixture
def scorer(empty: Flask) -> FlaskClient:
    return empty.test_client()


def entered(client: FlaskClient, session: str, table: int, *values: int) -> int:
    given = {f"value-{place}": str(value) for place, value in enumerate(values)}
    return send(client, f"/evenings/{session}/results", round="1", table=str(table), form="points", **given).status_code


def begun(client: FlaskClient, ledger: Ledger) -> str:
    assert send(client, "/evenings/new", **FORM).status_code == 303
    (session,) = sessions(ledger)
    text = page(client, f"/evenings/{session}/round")
    assert "Only the results will be entered" not in text
    assert "Partners sit opposite." in text
    assert send(client, f"/evenings/{session}/round", **hidden(text), **tables_of(text)).status_code == 303
    return session


def test_an_evening_is_opened_entered_published_and_found_again(scorer: FlaskClient, ledger: Ledger) -> None:
    session = begun(scorer, ledger)
    opening = state(ledger, session).opening
    assert (opening.other_game, opening.sizes, opening.partners, opening.scoring.fewest) == (
        "Canasta",
        (4,),
        True,
        False,
    )
    sheet = page(scorer, f"/evenings/{session}/results?round=1&table=1")
    assert len(re.findall(r'name="value-\d"', sheet)) == 2
    for table, points in ((1, (3250, 1890)), (2, (-120, 4100)), (3, (2000, 2000))):
        assert entered(scorer, session, table, *points) == 303
    assert send(scorer, f"/evenings/{session}/publish").status_code == 303
    seats = state(ledger, session).by_seat(1, state(ledger, session).tables(1)[2])
    winner = ledger.people().name(seats[1])
    shown = page(scorer, f"/evenings/{session}")
    assert "Canasta" in shown
    assert "4100" in shown
    for path in ("/evenings", "/evenings?other_game=CANASTA", f"/players/{winner}"):
        assert "Canasta" in page(scorer, path).partition("<main")[2], path
    assert "No evening of this game" in page(scorer, "/evenings?other_game=Skat")
    assert "/evenings?other_game=Canasta" in page(scorer, "/search?q=CANAS")
    for path in ("/season", f"/evenings?other_game=Canasta&player={winner}"):
        compared = page(scorer, path)
        assert "50% is chance" in compared, path
        assert "No match is recorded yet" not in compared, path
    assert "and the others" in compared


def test_the_next_evening_proposes_the_game_by_one_choice(scorer: FlaskClient, ledger: Ledger) -> None:
    begun(scorer, ledger)
    text = page(scorer, "/evenings/new")
    assert re.search(r'<option value="other:Canasta"[^>]* selected>', text)
    (club,) = ledger.evenings.ids("club")
    again = {
        "club": club,
        "date": "2026-03-24",
        "competes": "players",
        "game": "other:canasta",
        "more": ", ".join(TWELVE),
    }
    assert send(scorer, "/evenings/new", **again).status_code == 303
    first, second = sessions(ledger)
    keys = ("other_game", "sizes", "partners")
    one, other = (state(ledger, each).opening for each in (first, second))
    assert [getattr(one, key) for key in keys] == [getattr(other, key) for key in keys]


@pytest.mark.parametrize(
    ("wrong", "field", "said"),
    [
        ({"wins": ""}, "wins", "Say whether most or fewest points win."),
        ({"other_game": ""}, "other_game", "Write the name of the game."),
        ({"other_game": "Herzen"}, "other_game", "rules for Hearts here"),
        ({"other_game": "x" * 61}, "other_game", "at most 60 characters"),
        ({"sizes": "1-4"}, "sizes", "from 2 to 20"),
        ({"sizes": "many"}, "sizes", "from 2 to 20"),
        ({"sizes": "3"}, "sizes", "Partners need tables"),
        ({"game": "other:Skat"}, "game", "Choose one of the games"),
        ({"competes": "teams", "more": ""}, "game", "Boards are compared here"),
        ({"competes": "individual", "sizes": "6"}, "sizes", "for four at each table"),
    ],
)
def test_what_is_missing_is_said_beside_its_field(
    scorer: FlaskClient, ledger: Ledger, wrong: dict[str, str], field: str, said: str
) -> None:
    answer = send(scorer, "/evenings/new", **FORM | wrong)
    assert answer.status_code == 400
    assert re.search(rf'id="wrong-{field}">[^<]*{said}', answer.text)
    assert ledger.store.last_position() == 0


def test_partners_are_corrected_together_and_places_count_both(scorer: FlaskClient, ledger: Ledger) -> None:
    send(scorer, "/evenings/new", **FORM | {"scoring": "places"})
    (session,) = sessions(ledger)
    text = page(scorer, f"/evenings/{session}/round")
    send(scorer, f"/evenings/{session}/round", **hidden(text), **tables_of(text))
    given = {"round": "1", "table": "1", "form": "places", "value-0": "2", "value-1": "1"}
    assert send(scorer, f"/evenings/{session}/results", **given).status_code == 303
    (_, result) = state(ledger, session).results[1, 1, None]
    assert result.places == (3, 1, 3, 1)
    again = page(scorer, f"/evenings/{session}/results?round=1&table=1")
    assert re.findall(r'name="value-\d" value="([^"]*)"', again) == ["2", "1"]


def test_a_sheet_asks_on_the_page_who_wins(scorer: FlaskClient, ledger: Ledger) -> None:
    content = (SAMPLES / "canasta.csv").read_bytes()

    def sent(**more: str) -> str:
        file = (io.BytesIO(content), "canasta.csv")
        return scorer.post("/evenings/import", data={"file": file, "other_game": "Canasta", **more}, headers=OURS).text

    asked = sent()
    assert "A game without rules here?" in asked
    assert "Store this evening" not in asked
    assert "Store this evening" in sent(wins="most")
    sent(wins="most", store="yes")
    (session,) = sessions(ledger)
    assert state(ledger, session).opening.other_game == "Canasta"


def test_the_list_of_players_and_who_plays_best_say_where_such_a_game_is_compared(
    scorer: FlaskClient, ledger: Ledger
) -> None:
    for address in ("/players", "/stats/hearts"):
        assert "compared by places at the tables" not in page(scorer, address)
    begun(scorer, ledger)
    for address in ("/players", "/stats/hearts"):
        text = page(scorer, address)
        assert "compared by places at the tables" in text
        assert '<a href="/evenings?other_game=Canasta"><bdi>Canasta</bdi></a>' in text


def test_fixed_pairs_meet_on_the_form(scorer: FlaskClient, ledger: Ledger) -> None:
    sent = FORM | {"competes": "pairs", "more": "", "field": "Ada / Bo\nCleo / Dan\nEva / Finn\nGwen / Hal"}
    answer = send(scorer, "/evenings/new", **sent)
    (session,) = sessions(ledger)
    assert answer.location == f"/evenings/{session}/round"
    opening = state(ledger, session).opening
    assert (opening.unit, opening.sizes, opening.partners, opening.scoring.kind) == ("pair", (), False, "total")
    text = page(scorer, f"/evenings/{session}/round")
    assert "Partners sit opposite." in text
    assert send(scorer, f"/evenings/{session}/round", **hidden(text)).status_code == 303
    assert len(re.findall(r'name="value-\d"', page(scorer, f"/evenings/{session}/results?round=1&table=1"))) == 2
    for table, points in ((1, (3250, 1890)), (2, (700, 800))):
        assert entered(scorer, session, table, *points) == 303
    assert send(scorer, f"/evenings/{session}/publish").status_code == 303
    assert "3250" in page(scorer, f"/evenings/{session}")
    again = page(scorer, "/evenings/new?as_last=1")
    assert re.search(r'name="competes" value="pairs" checked', again)
    assert "1. Ada / Bo" in again


@pytest.mark.parametrize("game", [game.id for game in games().values() if pairs_can_meet(game)])
def test_fixed_pairs_meet_at_a_game_without_boards(scorer: FlaskClient, ledger: Ledger, game: str) -> None:
    field = "Ada / Bo\nCleo / Dan\nEva / Finn\nGwen / Hal"
    sent = {
        "club": "",
        "club_name": "T",
        "date": "2026-03-17",
        "competes": "pairs",
        "game": game,
        "scoring": "total",
        "field": field,
    }
    answer = send(scorer, "/evenings/new", **sent)
    (session,) = sessions(ledger)
    assert answer.location == f"/evenings/{session}/round"
    met = set()
    for _ in range(3):
        assert (
            send(scorer, f"/evenings/{session}/round", **hidden(page(scorer, f"/evenings/{session}/round"))).status_code
            == 303
        )
        now = state(ledger, session)
        for number, table in now.tables(now.round).items():
            met.add(frozenset(table.seats))
            match = now.results[now.round, number, None][1].match
            players = ledger.stream(match).table.players
            assert {frozenset(players[::2]), frozenset(players[1::2])} == {
                frozenset(now.players(one, now.round)) for one in table.seats
            }
            _, *played = simulate(game, 4, Random(number), ["random"], {}, players=players, max_hands=1)
            hand = [event for event in played if not isinstance(event, End)]
            ledger.record(match, [*hand, End()], 1)
    assert len(met) == 6, "each pair has met each other"
    ranking = ledger.evenings.rankings.standings(session)
    assert [len(each.players) for each in ranking] == [2, 2, 2, 2]
    assert all(each.place for each in ranking)


def test_pairs_without_names_are_entered_on_the_next_page(scorer: FlaskClient, ledger: Ledger) -> None:
    answer = send(scorer, "/evenings/new", **FORM | {"competes": "pairs", "more": ""})
    (session,) = sessions(ledger)
    assert answer.location.startswith(f"/evenings/{session}/entries")
    names = {"number-1": "1", "line-1": "", "number-2": "2", "line-2": ""}
    pairs = {"name-1": ["Ada", "Bo"], "name-2": ["Cleo", "Dan"]}
    assert "N/S" not in page(scorer, f"/evenings/{session}/entries")
    answer = scorer.post(f"/evenings/{session}/entries", data=names | pairs, headers=OURS)
    assert answer.location == f"/evenings/{session}/round"
    assert "Ada" in page(scorer, answer.location)


def test_a_drive_of_the_game_is_run_on_its_pages(scorer: FlaskClient, ledger: Ledger) -> None:
    answer = send(
        scorer, "/evenings/new", **FORM | {"competes": "individual", "wins": "least", "more": ", ".join(TWELVE[:8])}
    )
    (session,) = sessions(ledger)
    assert state(ledger, session).opening.scoring.fewest
    assert answer.location == f"/evenings/{session}/drive/begin"
    begin = page(scorer, answer.location)
    assert "the points of each person are added up" in begin
    assert "Trumps" not in begin
    assert send(scorer, f"/evenings/{session}/drive/begin", hands="2", moves="winners_up").status_code == 303
    sheet = page(scorer, f"/evenings/{session}/drive")
    assert len(re.findall(r'<input id="?[^>]*name="tricks-1"|<input name="tricks-1"', sheet)) == 2
    given = {"round": "1", "tricks-1": ["3250", "\N{MINUS SIGN}120"], "tricks-2": ["5"]}
    answer = scorer.post(f"/evenings/{session}/drive/tricks", data=given, headers=OURS)
    assert "Write a whole number for each pair." in answer.text
    given |= {"tricks-2": ["5", "60"]}
    assert scorer.post(f"/evenings/{session}/drive/tricks", data=given, headers=OURS).status_code == 303
    assert state(ledger, session).results[1, 1, None][1].points == (3250, -120, 3250, -120)
    assert send(scorer, f"/evenings/{session}/drive/hand", round="2").status_code == 303
    assert "winning pair goes up" in page(scorer, f"/evenings/{session}/drive")


def test_the_list_of_players_is_filtered_by_such_a_game(scorer: FlaskClient, ledger: Ledger) -> None:
    begun(scorer, ledger)
    send(
        scorer,
        "/evenings/new",
        **FORM | {"club_name": "Rummy", "other_game": "Rummy", "more": "Zoe, Yves", "partners": ""},
    )
    text = page(scorer, "/players?game=other:canasta")
    assert TWELVE[0] in text
    assert "Zoe" not in text.partition("<table")[2]
    assert "Zoe" in page(scorer, "/players?game=other:Rummy").partition("<table")[2]
    assert "Nobody fits." in page(scorer, "/players?game=other:Skat")

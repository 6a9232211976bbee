"""A game for two or four is for two or four everywhere, and not for three."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from flask import Flask
from flask.testing import FlaskClient

from cardledger.cli.main import main
from cardledger.errors import RuleError
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.rulebook import Rulebook
from cardledger.rules.evenings.table_sizes import sizes_asked_for, usual_sizes
from cardledger.rules.games import game, games, start
from cardledger_api.auth.limits import Limits
from cardledger_web.app import access_of, create_app, ledger_of
from tests.bringing import brought
from tests.plugin.high_card import GAME as HIGH_CARD
from tests.web.club import sign_in

BOOK = Rulebook("two-or-four", 1, "Made up for a test", HIGH_CARD.book.rules)
TWO_OR_FOUR = replace(HIGH_CARD, id="two-or-four", title="Two or Four", players={4, 2}, book=BOOK)


@pytest.fixture(autouse=True)
def known() -> Iterator[None]:
    """The game is known."""
    with brought(TWO_OR_FOUR):
        yield


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    """An application on an empty ledger."""
    made = create_app(tmp_path / "club.db", limits=Limits.of(0))
    sign_in(made)
    yield made
    access_of(made).close()
    ledger_of(made).close()


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """An admin's."""
    return app.test_client()


@pytest.mark.parametrize(
    ("players", "sizes", "text"),
    [
        ({4}, (4,), "4"), ({4, 2}, (2, 4), "2 or 4"), (range(3, 8), (3, 4, 5, 6, 7), "3 to 7"),
        ((5, 4, 2, 3), (2, 3, 4, 5), "2 to 5"), ({2, 3}, (2, 3), "2 or 3"), ([2, 4, 6], (2, 4, 6), "2, 4 or 6"),
    ],
)  # fmt: skip
def test_a_game_is_for_any_numbers_of_players(players, sizes, text) -> None:
    made = replace(HIGH_CARD, players=players)
    assert (made.sizes, made.players_text) == (sizes, text)


@pytest.mark.parametrize("players", [4, set(), "24", {"2"}, {0, 2}, {True, 2}, None])
def test_numbers_of_players_are_whole_numbers(players) -> None:
    with pytest.raises(TypeError, match="for a game for four, "):
        replace(HIGH_CARD, players=players)


def test_a_number_between_is_refused() -> None:
    assert start(ev.Open(game="two-or-four", players=("a", "b"))).n == 2
    with pytest.raises(RuleError, match="two-or-four is for 2 or 4 players, not 3") as refused:
        start(ev.Open(game="two-or-four", players=("a", "b", "c")))
    assert refused.value.code == "table.range"


def test_the_api_says_the_exact_numbers(client: FlaskClient) -> None:
    for described in client.get("/api/v1/games").json["games"]:
        sizes = [*game(described["id"]).sizes]
        assert described["players"] == {"min": sizes[0], "max": sizes[-1], "sizes": sizes}
    assert client.get("/api/v1/games/two-or-four").json["players"]["sizes"] == [2, 4]
    document = client.get("/api/v1/openapi.json").json["components"]["schemas"]
    assert {*document["Game"]["properties"]["players"]["properties"]} == {"min", "max", "sizes"}


def test_commands_say_the_exact_numbers() -> None:
    run = CliRunner().invoke
    assert "Two or Four, 2 or 4 players." in run(main, ["games"]).output
    assert {one["id"]: one["players"] for one in json.loads(run(main, ["games", "--json"]).output)} == {
        one.id: [*one.sizes] for one in games().values()
    }
    refused = run(main, ["simulate", "two-or-four", "--players", "3", "--bots", "random"])
    assert refused.exit_code == 2
    assert "2 or 4 players, not 3" in refused.stderr


@pytest.mark.parametrize(
    ("language", "said", "many"),
    [
        ("en", "2 or 4 players", "3 to 7 players"),
        ("de", "2 oder 4 Spieler", "3 bis 7 Spieler"),
        ("fr", "2 ou 4 joueurs", "3 à 7 joueurs"),
    ],
)
def test_pages_say_the_exact_numbers(client: FlaskClient, language: str, said: str, many: str) -> None:
    headers = {"Accept-Language": language}
    for page in ("/games", "/matches/new"):
        text = client.get(page, headers=headers).text
        assert said in text and many in text, page
    assert said in client.get("/games/two-or-four", headers=headers).text
    assert 'data-sizes="[2, 4]"' in client.get("/matches/new").text
    wrong = client.post(
        "/matches/new",
        headers=headers,
        data={"game": "two-or-four", "player": ["ana", "ben", "cai"], "policy": "record"},
    )
    assert wrong.status_code == 400
    message = wrong.text.partition('id="wrong-players"')[2].partition("</p>")[0]
    assert re.search(r"\b2 (or|oder|ou) 4\b", message), message


def test_a_spreadsheet_with_a_table_of_three_is_refused_with_the_numbers(client: FlaskClient) -> None:
    answer = client.post(
        "/api/v1/sessions/import?date=2026-01-06&game=two-or-four", data="player,1,2\nana,1,0\nben,0,1\ncai,0,0\n",
        headers={"Content-Type": "text/csv"},
    )  # fmt: skip
    assert "Two or Four is for 2 or 4 players" in answer.text


@pytest.mark.parametrize(
    ("smallest", "largest", "sizes"),
    [(None, None, (4,)), (2, None, (2, 4)), (None, 2, (2,)), (2, 3, (2,)), (3, 5, (4,))],
)
def test_tables_of_an_evening_have_one_of_the_numbers(smallest, largest, sizes) -> None:
    assert sizes_asked_for(TWO_OR_FOUR, smallest, largest) == sizes


@pytest.mark.parametrize(("smallest", "largest"), [(3, 3), (5, 9), (4, 2), (1, 1)])
def test_an_evening_with_tables_that_the_game_has_not_is_refused(smallest, largest) -> None:
    with pytest.raises(RuleError, match="choose 2 or 4 players") as refused:
        sizes_asked_for(TWO_OR_FOUR, smallest, largest)
    assert refused.value.code == "session.seats"


@pytest.mark.parametrize(
    ("players", "usual"), [({2}, (2,)), ({2, 6}, (2,)), ({6, 7}, (6,)), (range(2, 9), (3, 4, 5)), ({2, 5}, (5,))]
)
def test_usual_tables_have_three_to_five_players_if_the_game_allows(players, usual) -> None:
    assert usual_sizes(replace(HIGH_CARD, players=players)) == usual


def test_a_round_of_six_is_a_table_of_four_and_one_of_two(tmp_path: Path) -> None:
    from tests.evenings.test_rounds import begun

    with Ledger(tmp_path / "club.db") as ledger:
        session = begun(ledger, "ana", "ben", "cai", "dan", "eva", "fay", game="two-or-four")
        proposal = ledger.evenings.rounds.propose(session, smallest=2)
        assert [len(table.players) for table in proposal.tables] == [4, 2]
        assert proposal.sitting_out == ()

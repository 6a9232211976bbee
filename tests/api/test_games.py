"""The resource of games: every rule and option of every rulebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardledger.rules.engine.rulebook import COMMON
from cardledger.rules.games import games

if TYPE_CHECKING:
    from flask.testing import FlaskClient


def test_the_list_holds_every_game_with_every_rule(client: FlaskClient) -> None:
    answer = client.get("/api/v1/games").json
    assert {game["id"]: [rule["id"] for rule in game["rules"]] for game in answer["games"]} == {
        id: [rule.id for rule in game.book] for id, game in games().items()
    }
    assert [rule["id"] for rule in answer["common_rules"]] == [rule.id for rule in COMMON]


def test_a_whole_game_is_described(client: FlaskClient) -> None:
    by_id = {game["id"]: game for game in client.get("/api/v1/games").json["games"]}
    hearts = by_id["poison-hearts"]
    assert hearts["players"] == {"min": 3, "max": 6, "sizes": [3, 4, 5, 6]}
    assert hearts["better"] == "fewest"
    assert hearts["edition"] == "poison-hearts/2"
    defaults = {option["name"]: option["default"] for option in hearts["options"]}
    assert defaults == {"rounds": "players", "target": None, "double_suits": False}
    rules = {rule["id"]: rule for rule in hearts["rules"]}
    assert rules["follow.suit"]["breakable"]
    assert rules["lead.different"]["ours"]


def test_the_options_of_a_game_have_types(client: FlaskClient) -> None:
    hearts = client.get("/api/v1/games/poison-hearts").json
    assert {option["name"]: (option["type"], option["optional"]) for option in hearts["options"]} == {
        "rounds": ("integer", False), "target": ("integer", True), "double_suits": ("boolean", False),
    }  # fmt: skip
    (layout,) = [
        option for option in client.get("/api/v1/games/hecto-diversity").json["options"] if option["name"] == "layout"
    ]
    assert (layout["type"], layout["choices"]) == ("choice", ["8x10", "10x8"])


def test_a_game_shows_its_cards(client: FlaskClient) -> None:
    (pack,) = client.get("/api/v1/games/diversity").json["packs"]
    assert (pack["options"], pack["suits"], len(pack["cards"])) == ({}, ["C", "D", "H", "S"], 52)
    assert pack["cards"][0] == {"face": "2C", "suits": ["C"], "rank": 0}
    plain, doubled = client.get("/api/v1/games/poison-hearts").json["packs"]
    assert (plain["options"], doubled["options"]) == ({}, {"double_suits": True})
    assert len(plain["cards"]) == len(doubled["cards"]) == 60
    assert {"face": "RY6", "suits": ["R", "Y"], "rank": 6} in doubled["cards"]


def test_every_game_can_be_described(client: FlaskClient) -> None:
    for id in games():
        assert client.get(f"/api/v1/games/{id}").json["id"] == id
    answer = client.get("/api/v1/games/skat")
    assert (answer.status_code, answer.json["code"]) == (404, "store.unknown")


def test_a_default_that_depends_on_the_number_of_players_is_listed_for_each(client: FlaskClient) -> None:
    options = {option["name"]: option for option in client.get("/api/v1/games/oh-hell").json["options"]}
    assert options["most"]["default"] == "players"
    assert options["most"]["by_players"] == {"3": 10, "4": 10, "5": 10, "6": 8, "7": 7}
    assert "by_players" not in options["hook"]


def test_a_game_lists_its_sides_its_calls_and_its_facts(client: FlaskClient) -> None:
    by_id = {game["id"]: game for game in client.get("/api/v1/games").json["games"]}
    assert by_id["euchre"]["sides"] == [[0, 2], [1, 3]]
    assert by_id["hearts"]["sides"] == []
    assert by_id["spades"]["words"] == [
        {"call": "nil", "text": "bids nil"}, {"call": "blind nil", "text": "bids nil blind"}
    ]  # fmt: skip
    assert {"key": "trump", "title": "Trump", "per": "hand", "kind": "suit"} in by_id["whist"]["facts"]

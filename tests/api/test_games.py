"""The resource of games: every rule and option of every rulebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.games import games
from ledger.rulebook import COMMON

if TYPE_CHECKING:
    from flask.testing import FlaskClient


def test_the_list_holds_every_game_with_every_rule(client: FlaskClient) -> None:
    answer = client.get("/api/v1/games").json
    assert {game["id"]: [rule["id"] for rule in game["rules"]] for game in answer["games"]} == {
        id: [rule.id for rule in game.book] for id, game in games().items()
    }
    assert [rule["id"] for rule in answer["common_rules"]] == [rule.id for rule in COMMON]


def test_a_game_is_told_whole(client: FlaskClient) -> None:
    by_id = {game["id"]: game for game in client.get("/api/v1/games").json["games"]}
    hearts = by_id["poison-hearts"]
    assert hearts["players"] == {"min": 3, "max": 6}
    assert hearts["better"] == "fewest"
    assert hearts["edition"] == "poison-hearts/1"
    defaults = {option["name"]: option["default"] for option in hearts["options"]}
    assert defaults == {"rounds": "players", "target": None, "double_suits": False}
    rules = {rule["id"]: rule for rule in hearts["rules"]}
    assert rules["follow.suit"]["breakable"]
    assert rules["lead.different"]["ours"]

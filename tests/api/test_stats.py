"""The resource of statistics: the same tables as on the command line, as JSON and as CSV."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from cardledger.rules.engine import events as ev
from cardledger.rules.games import games
from cardledger.study.stats import Query, Statistics
from cardledger.study.stats.estimators import INTERVALS
from cardledger.study.stats.export import as_json
from cardledger_web.app import ledger_of
from tests.web.club import HOSTILE, opened

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient

API = "/api/v1"


@pytest.mark.parametrize("game", games())
def test_the_comparison_of_players_equals_that_of_the_ledger(app: Flask, client: FlaskClient, game: str) -> None:
    told = client.get(f"{API}/stats/players?game={game}").json
    table = Statistics.of(ledger_of(app).views).players(game, Query())
    assert told == json.loads(json.dumps(as_json(table)))
    assert told["rows"]


def test_filters_and_dimension_are_in_the_url(client: FlaskClient) -> None:
    told = client.get(f"{API}/stats/players?game=diversity&size=4&option=hands:1&by=turn&measure=tricks").json
    assert told["query"] == "size=4&option=hands:1&by=turn"
    assert {row["group"] for row in told["rows"]} <= {1, 2, 3, 4}
    whole = client.get(f"{API}/stats/players?game=diversity").json
    assert 0 < told["basis"]["diversity"]["hands"] < whole["basis"]["diversity"]["hands"]


def test_a_dimension_that_is_given_twice_is_one(client: FlaskClient) -> None:
    for address, by in (("stats/players?game=diversity", "turn"), ("players/ana/habits?game=ruff", "choice")):
        once, twice = (client.get(f"{API}/{address}&by={text}") for text in (by, f"{by},{by}"))
        assert once.status_code == 200 and once.json == twice.json


@pytest.mark.parametrize("player", HOSTILE)
def test_any_legal_name_has_statistics(client: FlaskClient, player: str) -> None:
    told = client.get(f"{API}/players/{quote(player, safe='')}/stats").json
    assert {row["game"] for row in told["rows"]} == {"diversity"}
    course = client.get(f"{API}/stats/ratings", query_string={"game": "diversity", "player": player}).json
    assert len(course["rows"]) == 1


def test_every_table_comes_as_csv_too(client: FlaskClient) -> None:
    for address in (
        "stats/measures",
        "stats/players?game=ruff",
        "players/ana/stats?by=month",
        "players/ana/change?since=2026-01-01",
        "stats/ratings?game=ruff",
    ):
        plain = client.get(f"{API}/{address}").json
        answer = client.get(f"{API}/{address}", headers={"Accept": "text/csv"})
        assert answer.content_type == "text/csv; charset=utf-8"
        assert answer.headers["Vary"] == "Accept"
        rows = list(csv.DictReader(io.StringIO(answer.text)))
        assert len(rows) == len(plain["rows"])
        assert rows or "change" in address, "too few matches here"
        added = ["definitions"] if plain["definitions"] else []
        assert not rows or list(rows[0]) == [*plain["rows"][0], *added]
        assert all(row["definitions"].split() == plain["definitions"] for row in rows if added)


@pytest.mark.parametrize(
    ("address", "status", "code"),
    [
        ("stats/players", 400, "format.value"),
        ("stats/players?game=chess", 400, "format.game"),
        ("stats/players?game=ruff&by=colour", 400, "format.value"),
        ("stats/players?game=ruff&by=bid", 404, "store.unknown"),
        ("stats/players?game=ruff&measure=made", 404, "store.unknown"),
        ("stats/players?game=ruff&seat=-1", 400, "format.value"),
        ("stats/players?game=ruff&option=hands", 400, "format.value"),
        ("players/nobody/change", 404, "store.unknown"),
        ("players/ana/change?by=month", 400, "format.value"),
        ("players/nobody/stats", 404, "store.unknown"),
        ("stats/ratings?game=ruff&player=nobody", 404, "store.unknown"),
    ],
)
def test_every_error_has_a_code(client: FlaskClient, address: str, status: int, code: str) -> None:
    answer = client.get(f"{API}/{address}")
    assert (answer.status_code, answer.json["code"]) == (status, code)


def test_a_hand_counts_when_it_is_over(empty: Flask) -> None:
    """Until then not even a broken rule counts, because it would reveal the cards held."""
    ledger = ledger_of(empty)
    match = ledger.record(None, [opened("diamonds-bid"), ev.Deal(dealer=0, hands=None)], 0).match
    client = empty.test_client()
    told = client.get(f"{API}/stats/players?game=diamonds-bid").json
    assert told["rows"] == []
    assert told["basis"]["diamonds-bid"]["under_way"] == 1
    ledger.record(match, [ev.Score(scores=(1, 2, 3, 4))], 2)
    assert len(client.get(f"{API}/stats/players?game=diamonds-bid").json["rows"]) == 4


def test_every_form_of_a_table_names_the_editions_of_its_definitions(client: FlaskClient) -> None:
    told = client.get(f"{API}/stats/players?game=ruff").json["definitions"]
    assert told[:3] == ["points-1", "wins-1", "comparison-2"] and INTERVALS.edition in told
    assert client.get(f"{API}/tables/players?game=ruff").json["definitions"] == told
    (first, *_) = csv.DictReader(io.StringIO(client.get("/tables/players.csv?game=ruff").text.lstrip("\ufeff")))
    assert first["definitions"].split() == told
    assert client.get(f"{API}/luck?game=ruff").json["basis"]["definitions"] == ["cautious-3", "review-4"]
    answer = client.get(f"{API}/stats/definitions?game=ruff")
    assert answer.status_code == 200, answer.text
    rows = answer.json["rows"]
    assert {row["edition"] for row in rows} >= {*told, "ruffs-1"}
    assert client.get(f"{API}/stats/definitions?game=chess").status_code == 400

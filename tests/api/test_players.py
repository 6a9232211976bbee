"""The resource of players: counted from the matches, found by any legal id."""

from __future__ import annotations

import http.client
from collections import Counter
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

import pytest

from cardledger.record.matches.replay import result
from cardledger_web.app import ledger_of
from tests.web.club import HOSTILE, LONG_AGO, opened
from tests.web.server import command, running

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flask import Flask
    from flask.testing import FlaskClient

    from cardledger.record.recording.ledger import Ledger

STRANGE = (
    "a/b",
    "/",
    "//",
    "../x",
    "a//b/",
    "?",
    "#",
    "%2F",
    "%",
    "a b",
    " ",
    "+",
    "&=",
    "\u00e9",
    "\U0001f0a1",
    "a/live",
)


def counted(app: Flask) -> dict[str, Counter[tuple[str, str]]]:
    """Return matches, complete ones, hands and wins by player and game, counted from replay results."""
    found: dict[str, Counter[tuple[str, str]]] = {}
    ledger = ledger_of(app)
    for match in ledger.matches():
        told = result(ledger.stream(match).table)
        for seat, player in enumerate(told["players"]):
            counts = found.setdefault(player, Counter())
            counts[told["game"], "matches"] += 1
            counts[told["game"], "complete"] += told["status"] == "complete"
            counts[told["game"], "hands"] += sum(hand["complete"] for hand in told["hands"])
            counts[told["game"], "wins"] += seat in told["winners"]
    return found


def test_the_record_of_a_player_agrees_with_the_matches(app: Flask, client: FlaskClient) -> None:
    expected = counted(app)
    assert len(expected) > 8
    for player, counts in expected.items():
        told = client.get(f"/api/v1/players/{quote(player, safe='')}").json
        assert told["id"] == player
        assert {(row["game"], what): row[what] for row in told["games"] for what in ("matches", "complete", "hands", "wins")} == {
            (game, what): counts[game, what]
            for game in {game for game, _ in counts}
            for what in ("matches", "complete", "hands", "wins")
        }  # fmt: skip
        for what in ("matches", "complete", "hands", "wins"):
            assert told[what] == sum(row[what] for row in told["games"])


@pytest.mark.parametrize("limit", [1, 4, 200])
def test_pages_of_players_follow_one_another(app: Flask, client: FlaskClient, limit: int) -> None:
    seen: list[str] = []
    query: dict[str, object] = {"limit": limit}
    while query.get("after", True) is not None:
        page = client.get("/api/v1/players", query_string=query).json
        seen += [player["id"] for player in page["players"]]
        query["after"] = page["next"]
    assert seen == sorted(counted(app))


def test_hostile_names_are_only_names(client: FlaskClient) -> None:
    for player in HOSTILE:
        assert client.get(f"/api/v1/players/{quote(player, safe='')}").json["matches"] == 1
        assert client.get("/api/v1/hands", query_string={"player": player}).json["hands"]


def test_an_unknown_player_is_not_found(client: FlaskClient) -> None:
    answer = client.get("/api/v1/players/nobody")
    assert (answer.status_code, answer.json["code"]) == (404, "store.unknown")
    assert client.get("/api/v1/players?player=nobody").json == {"players": [], "next": None}


@pytest.fixture
def served(ledger: Ledger, tmp_path: Path) -> Iterator[str]:
    """The host and port of a server on a ledger of strange players."""
    for player in (*STRANGE, "..", "."):
        ledger.record(None, [opened(players=(player, "b", "c", "d"), at=LONG_AGO)], 0)
    with running(command("serve", "--db", str(tmp_path / "club.db"), "--port", "0")) as (address, _):
        yield urlsplit(address).netloc


@pytest.mark.long
def test_every_legal_id_is_found_by_its_address_on_a_real_server(served: str) -> None:
    connection = http.client.HTTPConnection(served)
    for player in (*STRANGE, "..", "."):
        for path in (f"/api/v1/players/{quote(player, safe='')}", f"/api/v1/players?player={quote(player, safe='')}"):
            connection.request("GET", path)
            answer = connection.getresponse()
            text = answer.read().decode()
            assert answer.status == 200, (path, text)
            assert '"matches":1' in text
    connection.close()

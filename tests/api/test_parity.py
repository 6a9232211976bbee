"""What only pages could do before: search, season, tables as files, tokens, integrity, filters, order and totals; what a deal needs."""

from __future__ import annotations

import io
from collections import Counter
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from cardledger.rules.games import games
from cardledger_api.auth.invitations import today
from cardledger_api.resources.tables import TABLES
from cardledger_web.app import ledger_of
from tests.api.recording import OPENING, append, as_role, opened
from tests.api.test_shared_deals import A, B, at, deal, dealt
from tests.waiting import wait_until

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient

API = "/api/v1"


def test_a_search_finds_what_the_page_finds(client: FlaskClient) -> None:
    player = client.get(f"{API}/players?limit=1").json["players"][0]
    found = client.get(f"{API}/search", query_string={"q": player["id"].upper()}).json
    assert player["id"] in [one["id"] for one in found["players"]]
    match = client.get(f"{API}/matches?limit=1").json["matches"][0]
    assert [one["id"] for one in client.get(f"{API}/search?q={match['id']}").json["matches"]] == [match["id"]]
    assert [one["id"] for one in client.get(f"{API}/search?q=poison").json["games"]] == ["poison-hearts"]
    assert client.get(f"{API}/search?q=").status_code == 400


def test_a_search_by_a_reader_hides_what_the_list_hides(empty: Flask) -> None:
    events = dealt()
    ledger_of(empty).record(None, at(events, A)[: deal(events, 1) + 1], 0)
    hashes = {
        role: as_role(empty, role).get(f"{API}/search?q={A}").json["matches"][0]["hash"]
        for role in ("reader", "scorer")
    }
    assert hashes["reader"] is None and hashes["scorer"]


def test_a_season_is_that_of_the_page(client: FlaskClient) -> None:
    season = client.get(f"{API}/season?since=2020-01-01&until=2030-12-31").json
    assert season["matches"] == sum(day["matches"] for day in season["days"]) > 0
    assert {one["game"] for one in season["standings"]} <= games().keys()
    year = client.get(f"{API}/season").json
    assert year["since"].endswith("-01-01") and year["until"][:4] == year["since"][:4] == year["last"][:4]


def test_tables_come_in_four_formats(client: FlaskClient) -> None:
    assert client.get(f"{API}/tables").json["tables"] == [*TABLES]
    path = f"{API}/tables/standings?since=2020-01-01"
    told = client.get(path).json
    text = client.get(f"{path}&format=csv").text
    assert text.splitlines()[0].split(",") == told["columns"]
    assert len(text.splitlines()) == len(told["rows"]) + 1
    assert client.get(path, headers={"Accept": "text/csv"}).text == text
    assert client.get(f"{API}/tables/nothing").status_code == 404
    whole = pytest.importorskip("pyarrow").ipc.open_stream(client.get(f"{path}&format=arrow").data).read_all()
    again = pytest.importorskip("pyarrow.parquet").read_table(io.BytesIO(client.get(f"{path}&format=parquet").data))
    assert whole.to_pylist() == again.to_pylist() == told["rows"]


def test_admins_make_list_and_end_tokens(empty: Flask) -> None:
    admin = as_role(empty, "admin")
    match = opened(admin)
    made = admin.post(f"{API}/tokens", json={"name": "ana", "role": "scorer", "days": 2}).json
    alike = admin.post(f"{API}/tokens", json={"name": "Ana", "days": 2}).json
    assert (made["similar"], alike["similar"], alike["role"]) == ([], ["ana"], "reader")
    again = admin.post(f"{API}/tokens", json={"name": "ana"})
    assert (again.status_code, again.json["code"]) == (409, "access.name")
    unknown = admin.post(f"{API}/tokens/revocations", json={"name": "nobody"})
    assert (unknown.status_code, unknown.json["code"]) == (404, "access.unknown")
    bearer = {"Authorization": f"Bearer {made['token']}"}
    anybody = empty.test_client()
    assert anybody.get(f"{API}/me", headers=bearer).json["role"] == "scorer"
    until = str(today() + timedelta(days=3))
    invited = admin.post(f"{API}/invitations", json={"scope": match, "name": "Table 3", "until": until}).json
    assert anybody.get(f"{API}/me", headers={"Authorization": f"Bearer {invited['token']}"}).json["scope"] == match
    listed = admin.get(f"{API}/tokens")
    assert [(one["name"], one["scope"], one["state"]) for one in listed.json["tokens"]] == [
        ("ana", None, "valid"),
        ("Ana", None, "valid"),
        ("Table 3", match, "valid"),
    ]
    assert made["token"] not in listed.text and listed.headers["Cache-Control"] == "no-store"
    assert admin.post(f"{API}/tokens/revocations", json={"name": "ana"}).status_code == 200
    assert anybody.get(f"{API}/me", headers=bearer).status_code == 401
    assert admin.post(f"{API}/invitations", json={"scope": "nothing", "name": "x"}).status_code == 404
    late = {"scope": match, "name": "x", "until": "2999-01-01"}
    assert admin.post(f"{API}/invitations", json=late).json["code"] == "format.value"


def test_a_check_of_the_ledger_is_started_and_followed(empty: Flask) -> None:
    scorer = as_role(empty, "scorer")
    opened(scorer)
    assert scorer.get(f"{API}/integrity").json["last"] is None
    assert scorer.post(f"{API}/integrity").status_code == 202
    wait_until(lambda: scorer.get(f"{API}/integrity").json["running"] is None, "the end of the check")
    state = scorer.get(f"{API}/integrity").json
    assert (state["last"]["done"], state["last"]["wrong"], state["last"]["by"]) == (1, None, "scorer")
    assert (state["matches"], state["behind"], state["findings"], state["running"]) == (1, 0, [], None)


def test_lists_have_an_order_a_total_and_the_filters_of_their_pages(client: FlaskClient) -> None:
    newest = [one["id"] for one in client.get(f"{API}/matches?limit=200").json["matches"]]
    oldest = client.get(f"{API}/matches?sort=oldest&limit=2&total=true").json
    assert [one["id"] for one in oldest["matches"]] == newest[:-3:-1]
    assert oldest["total"] == len(newest)
    following = client.get(f"{API}/matches?sort=oldest&limit=1&after={oldest['next']}").json["matches"]
    assert following[0]["id"] == newest[-3]
    named = next((one for one in client.get(f"{API}/matches?limit=200").json["matches"] if one["table"]), None)
    if named:
        found = client.get(f"{API}/matches", query_string={"table": named["table"], "limit": 200}).json["matches"]
        assert {one["table"] for one in found} == {named["table"]}
    player = newest and client.get(f"{API}/matches/{newest[0]}").json["players"][0]
    own = client.get(f"{API}/matches", query_string={"player": player, "total": "true", "limit": 200}).json
    assert own["total"] == len(own["matches"]) < len(newest)
    violations = client.get(f"{API}/violations?limit=1&total=true&since=2020-01-01").json
    assert violations["total"] >= 1
    assert client.get(f"{API}/violations?since=2999-01-01&total=true").json == {
        "violations": [],
        "next": None,
        "total": 0,
    }


def test_players_are_searched_sorted_and_counted_as_on_the_page(client: FlaskClient) -> None:
    everyone = client.get(f"{API}/players?limit=200&total=true").json
    assert everyone["total"] == len(everyone["players"])
    seen, after = [], None
    while after is not None or not seen:
        more = {"after": after} if after else {}
        page = client.get(f"{API}/players", query_string={"sort": "hands", "limit": 7, **more}).json
        seen += page["players"]
        after = page["next"]
    assert sorted(one["id"] for one in seen) == sorted(one["id"] for one in everyone["players"])
    hands = [one["hands"] for one in seen]
    assert hands == sorted(hands, reverse=True)
    first = everyone["players"][0]["id"]
    found = client.get(f"{API}/players", query_string={"q": first, "total": "true"}).json
    assert first in [one["id"] for one in found["players"]] and found["total"] == len(found["players"])
    assert client.get(f"{API}/players?sort=hands&after=x").json["code"] == "format.value"
    of_game = client.get(f"{API}/players?game=ruff&limit=200").json["players"]
    assert of_game and all("ruff" in [game["game"] for game in one["games"]] for one in of_game)


def test_filtered_players_come_once_while_others_are_recorded(empty: Flask) -> None:
    recorder = as_role(empty, "scorer")

    def seated(*players: str) -> None:
        body = {"events": [{"type": "open", "game": "diversity", "players": players}]}
        assert recorder.post(f"{API}/matches", json=body).status_code == 201

    seated("ana", "ben", "chloe", "dev")
    for number, more in enumerate(({"game": "diversity"}, {"q": "e"})):
        first = recorder.get(f"{API}/players", query_string=more | {"limit": 2}).json
        seated(f"aae{number}", f"abe{number}", "chloe", "dev")
        rest = recorder.get(f"{API}/players", query_string=more | {"limit": 100, "after": first["next"]}).json
        shown = [player["id"] for page in (first, rest) for player in page["players"]]
        assert len(shown) == len(set(shown))


@pytest.mark.parametrize("game", ["ruff", "euchre", "oh-hell", "hecto-diversity"])
def test_a_deal_made_from_its_choice_alone_is_taken(empty: Flask, game: str) -> None:
    client = empty.test_client()
    players = [*"abcdefgh"][: games()[game].players[-1]]
    match = opened_by(client, game, players)
    (choice,) = client.get(f"{API}/matches/{match}/table").json["choices"]
    dealing, pack = choice["dealing"], choice["dealing"]["cards"]
    assert choice["type"] == "deal" and sum(dealing["hand_sizes"]) + dealing["left_over"] == len(pack)
    hands = []
    for size in dealing["hand_sizes"]:
        hands.append(pack[:size])
        pack = pack[size:]
    event = {"type": "deal", dealing["first"]: choice.get("seat", 0), "hands": hands}
    if "upcard" in dealing["required"]:
        event["upcard"] = pack.pop(0)
    if pack and "stock" in dealing["keys"]:
        event["stock"] = pack
    answer = append(client, match, [event], 1)
    assert answer.status_code == 201, answer.text
    assert client.get(f"{API}/matches/{match}/table").json["phase"] != "deal"


def opened_by(client: FlaskClient, game: str, players: list[str]) -> str:
    """Open a match of a game and return its id."""
    body = {"events": [OPENING | {"game": game, "players": players}]}
    return str(client.post(f"{API}/matches", json=body).json["match"])


def test_an_audit_is_narrowed_to_rules_broken_or_to_corrections(client: FlaskClient) -> None:
    found: Counter[str] = Counter()
    for match in client.get(f"{API}/matches?limit=200").json["matches"]:
        path = f"{API}/matches/{match['id']}/audit"
        whole = client.get(path).json["events"]
        broken, corrected = (client.get(f"{path}?show={kind}").json["events"] for kind in ("broken", "corrections"))
        assert {one["seq"] for one in broken} == {
            violation["seq"] for violation in client.get(f"{API}/matches/{match['id']}").json["result"]["violations"]
        }
        assert corrected == [one for one in whole if one["event"]["type"] in ("retract", "amend", "void")]
        assert all(one in whole for one in broken)
        found.update(broken=len(broken), corrected=len(corrected))
    assert found["broken"] and found["corrected"]
    assert client.get(f"{path}?show=nothing").status_code == 400


def test_violations_are_counted_as_on_their_page(client: FlaskClient) -> None:
    listed = client.get(f"{API}/violations?limit=200&since=2020-01-01").json["violations"]
    answer = client.get(f"{API}/violations/counts?since=2020-01-01").json
    assert sum(row["count"] for row in answer["counts"]) == len(listed) > 0
    rule = listed[0]["rule"]
    of_rule = client.get(f"{API}/violations/counts", query_string={"rule": rule}).json["counts"]
    assert {row["rule"] for row in of_rule} == {rule}
    assert {row["game"] for row in answer["counts"] if row["judged"]} <= answer["hands"].keys()


def test_deals_played_at_several_tables_are_listed_and_lead_to_each(empty: Flask) -> None:
    ledger, events = ledger_of(empty), dealt()
    client = empty.test_client()
    for match in (A, B):
        ledger.record(None, at(events, match), 0)
    deals = client.get(f"{API}/deals").json["deals"]
    assert deals and all(one["tables"] == 2 for one in deals)
    shown = client.get(f"{API}/deals/{deals[0]['deal']}").json
    assert [table["match"] for table in shown["tables"]] == [A, B]
    assert client.get(f"{API}/deals?game=whist").json["deals"] == []
    assert len(client.get(f"{API}/deals?limit=1").json["deals"]) == 1

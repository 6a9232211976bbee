"""The API of clubs, sessions and leagues: recorded as matches are, a round opened with one call, rankings as of any moment."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator

from cardledger.record.recording.full_ranking import full_ranking
from cardledger.rules.engine import events as match_events
from cardledger_web.app import ledger_of
from tests.api.recording import NOTE, as_role
from tests.evenings.night import FOUR, OPENINGS, Night, made, opening, record, result, table

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

    from cardledger.record.recording.ledger import Ledger

API = "/api/v1"
UUID = "0b54a1a2-0000-4000-8000-000000000001"
ARRIVE = {"type": "arrive", "player": "eva"}


@pytest.fixture
def ledger(empty: Flask) -> Ledger:
    return ledger_of(empty)


@pytest.fixture
def night(ledger: Ledger) -> Night:
    return made(ledger)


@pytest.fixture
def client(empty: Flask) -> FlaskClient:
    return empty.test_client()


def post(client: FlaskClient, path: str, *events: dict[str, Any], **headers: str) -> TestResponse:
    return client.post(f"{API}{path}", json={"events": events}, headers=headers)


def refusal(answer: TestResponse) -> tuple[int, str]:
    return answer.status_code, answer.get_json(force=True)["code"]


# --- recording


def test_an_opened_evening_shows_its_address_and_how_it_stands(client: FlaskClient) -> None:
    for kind, event in OPENINGS.items():
        answer = post(client, f"/{kind}s", event, NOTE)
        assert (answer.status_code, answer.headers["ETag"]) == (201, '"2"')
        told = answer.json
        read = client.get(answer.headers["Location"])
        assert (read.json["id"], read.json["hash"]) == (told["evening"], told["hash"])
        assert read.json["opening"]["name"] == read.json["name"] == event["name"]
        assert read.headers["ETag"].startswith('"2.')
        assert [each["id"] for each in client.get(f"{API}/{kind}s").json[f"{kind}s"]] == [told["evening"]]


def test_an_address_records_only_its_own_kind(client: FlaskClient, night: Night) -> None:
    assert refusal(post(client, "/clubs", OPENINGS["league"])) == (400, "format.open")
    assert refusal(post(client, "/sessions", ARRIVE)) == (400, "format.open")
    for path in (f"/clubs/{night.session}", f"/sessions/{night.matches[0]}", f"/leagues/league-{UUID}", "/sessions/x"):
        assert refusal(client.get(f"{API}{path}")) == (404, "store.unknown")
        assert refusal(client.get(f"{API}{path}/events")) == (404, "store.unknown")
        assert refusal(post(client, f"{path}/events", NOTE, **{"If-Match": "*"})) == (404, "store.unknown")


def test_events_of_an_evening_are_appended_under_a_condition(client: FlaskClient, night: Night) -> None:
    path, seq = f"/sessions/{night.session}/events", client.get(f"{API}/sessions/{night.session}").json["seq"]
    assert refusal(post(client, path, ARRIVE)) == (428, "api.if-match")
    stale = post(client, path, ARRIVE, **{"If-Match": '"1"'})
    assert (refusal(stale), stale.get_json(force=True)["current"]) == ((412, "store.conflict"), seq)
    assert post(client, path, ARRIVE, **{"If-Match": f'"{seq}"'}).json["seq"] == seq + 1
    assert post(client, path, NOTE, **{"If-Match": "*"}).json["seq"] == seq + 2
    twice = post(client, path, NOTE, ARRIVE, **{"If-Match": "*"})
    assert (refusal(twice), twice.get_json(force=True)["index"]) == ((422, "session.player"), 1)
    assert client.get(f"{API}/sessions/{night.session}").json["seq"] == seq + 2


def test_a_request_repeated_with_its_key_is_recorded_once(client: FlaskClient) -> None:
    first, again = (post(client, "/sessions", opening(), ARRIVE, **{"Idempotency-Key": "k"}) for _ in range(2))
    assert (first.status_code, again.json) == (201, first.json)
    assert first.json["ids"][0] == first.json["evening"]
    path = f"/sessions/{first.json['evening']}/events"
    both = [post(client, path, NOTE, **{"Idempotency-Key": "k", "If-Match": '"2"'}).json for _ in range(2)]
    assert both[0]["seq"] == both[1]["seq"] == 3
    assert refusal(post(client, "/sessions", opening(name="Monday"), **{"Idempotency-Key": "k"}))[1] == "api.key-reused"
    assert post(client, "/clubs", OPENINGS["club"], **{"Idempotency-Key": "k"}).status_code == 201


def test_a_scorer_cannot_say_who_recorded_an_evening_and_when(empty: Flask) -> None:
    scorer = as_role(empty, "scorer")
    session = post(scorer, "/sessions", opening()).json["evening"]
    path, condition = f"/sessions/{session}/events", {"If-Match": "*"}
    for words in ({"by": "adm"}, {"at": "1999-01-01T00:00:00Z"}, {"imported_by": "adm"}):
        for answer in (
            post(scorer, "/sessions", opening() | words),
            post(scorer, path, ARRIVE | words, **condition),
            post(scorer, path, {"type": "amend", "about": 1, "event": opening(name="Mon") | words}, **condition),
        ):
            assert refusal(answer) == (403, "store.recorder")
    assert post(as_role(empty, "admin"), path, ARRIVE | {"by": "adm"}, **condition).status_code == 201
    event = ledger_of(empty).evenings.events(session)[-1]
    assert event.imported_by == "admin"
    assert refusal(post(as_role(empty, "reader"), path, NOTE, **condition)) == (403, "access.role")


def test_an_event_of_the_wrong_shape_is_refused(client: FlaskClient) -> None:
    shapes: list[dict[str, Any]] = [
        {"id": "zzz"}, {"at": "yesterday"}, {"place": None}, {"id": UUID}, {"id": f"club-{UUID}"}, {"more": 1}, {"type": {}},
    ]  # fmt: skip
    for wrong in shapes:
        status, code = refusal(post(client, "/sessions", opening() | wrong))
        assert (status, code.partition(".")[0]) == (400, "format"), wrong
    assert client.get(f"{API}/sessions").json == {"sessions": [], "next": None}


def test_the_events_of_an_evening_can_be_stored_again(client: FlaskClient, night: Night, ledger: Ledger) -> None:
    path = f"{API}/sessions/{night.session}/events"
    lines = client.get(path, headers={"Accept": "application/x-ndjson"})
    read = client.get(path).json
    assert [json.loads(line) for line in lines.text.splitlines()] == read["events"]
    assert (read["seq"], read["next"]) == (len(read["events"]), None)
    page = client.get(path, query_string={"after": 2, "limit": 3}).json
    assert ([event["seq"] for event in page["events"]], page["next"]) == ([3, 4, 5], 5)
    again = client.post(f"{API}/sessions", data=lines.data, content_type="application/x-ndjson")
    assert (again.status_code, again.json["evening"], again.json["seq"]) == (201, night.session, read["seq"])
    assert client.get(path, headers={"If-None-Match": client.get(path).headers["ETag"]}).status_code == 304


# --- reading


def test_sessions_are_listed_by_day_and_filtered(client: FlaskClient, ledger: Ledger, night: Night) -> None:
    late = record(ledger, None, opening(name="Later", date="2026-03-03", game=None))
    early = record(ledger, None, opening(name="Earlier", date="2025-12-30"), {"type": "close"})

    def ids(**query: object) -> list[str]:
        return [each["id"] for each in client.get(f"{API}/sessions", query_string=query).json["sessions"]]

    assert ids() == [late, night.session, early]
    assert ids(club=night.club) == [night.session]
    assert ids(status="closed") == [early]
    assert ids(game="diversity") == [night.session, early]
    assert ids(since="2026-01-06", until="2026-01-31") == [night.session]
    for sort, order in (("newest", 1), ("oldest", -1)):
        seen, query = [], {"limit": 1, "sort": sort, "total": "true"}
        while query.get("after", True) is not None:
            page = client.get(f"{API}/sessions", query_string=query).json
            seen += [each["id"] for each in page["sessions"]]
            query["after"] = page["next"]
            assert page["total"] == 3
        assert seen == ids()[::order]
    assert client.get(f"{API}/sessions", query_string={"status": "closed", "total": "1"}).json["total"] == 1
    assert client.get(f"{API}/clubs?sort=oldest&total=true").json["total"] == 1
    assert client.get(f"{API}/leagues", query_string={"since": "2026-07-01"}).json["leagues"] == []
    assert refusal(client.get(f"{API}/sessions?status=void")) == (400, "format.value")


def test_a_session_shows_who_is_here_and_its_tables_with_results(client: FlaskClient, night: Night) -> None:
    record_absence = {"type": "absent", "round": 3, "table": 1, "why": "bye"}
    post(client, f"/sessions/{night.session}/events", table(3, ("ben",)), record_absence, **{"If-Match": "*"})
    post(
        client, f"/sessions/{night.session}/events", {"type": "adjust", "entry": 2, "penalty": 1, "reason": "late"},
        **{"If-Match": "*"},
    )  # fmt: skip
    shown = client.get(f"{API}/sessions/{night.session}").json
    assert [each["player"] for each in shown["here"]] == [*FOUR]
    assert [each["players"] for each in shown["entries"]] == [[player] for player in FOUR]
    assert shown["round"] == 3
    first, _, third = shown["rounds"]
    (here,) = first["tables"]
    assert (here["players"], here["entries"]) == ([[player] for player in FOUR], [1, 2, 3, 4])
    assert here["results"] == [{"event": 7, "type": "result", "match": night.matches[0]}]
    assert third["tables"][0]["results"][0]["why"] == "bye"
    assert [(each["entry"], each["reason"]) for each in shown["rulings"]] == [(2, "late")]
    assert client.get(f"{API}/leagues/{night.league}").json["sessions"] == [{"session": night.session, "weight": 1}]


def test_numbers_of_members_are_shown_to_scorers_only(empty: Flask, night: Night) -> None:
    for role in ("reader", "scorer", "admin"):
        client = as_role(empty, role)
        for path in (f"clubs/{night.club}", f"clubs/{night.club}/events", "clubs"):
            text = client.get(f"{API}/{path}").text
            assert ("Nr. 4711" in text) == (role != "reader" and path != "clubs"), (role, path)
        lines = client.get(f"{API}/clubs/{night.club}/events", headers={"Accept": "application/x-ndjson"}).text
        assert ("Nr. 4711" in lines, "Annabella" in lines) == (role != "reader", True)


# --- rounds


def test_a_round_is_proposed_with_reasons_and_opened_with_one_call(client: FlaskClient, ledger: Ledger) -> None:
    session = record(
        ledger, None, opening(game="hearts"), *({"type": "arrive", "player": f"p{n}"} for n in range(8))
    )  # fmt: skip
    path = f"{API}/sessions/{session}/round"
    proposal = client.get(path).json
    assert (proposal["round"], proposal["game"], proposal["sitting_out"]) == (1, "hearts", [])
    assert [len(each["players"]) for each in proposal["tables"]] == [4, 4]
    assert any("have not met" in reason for reason in proposal["reasons"])
    assert [len(each["players"]) for each in client.get(f"{path}?game=oh-hell&largest=3").json["tables"]] == [3, 3]
    tables = [each["players"] for each in proposal["tables"]][::-1]
    opened = client.post(path, json={"round": 1, "tables": tables, "policy": "strict"})
    assert opened.status_code == 201
    matches = [each["match"] for each in opened.json["tables"]]
    assert [ledger.stream(match).table.players for match in matches] == [tuple(row) for row in tables]
    assert client.post(path, json={"round": 1, "tables": tables}).json == opened.json
    assert refusal(client.post(path, json={"round": 3})) == (422, "session.phase")
    assert refusal(client.post(path, json={"round": 2, "tables": [["p0", "p0", "p1", "p2"]]}))[0] == 422
    assert ledger.events(matches[0])[0].by == "admin"


def test_a_round_that_cannot_be_is_refused(client: FlaskClient, night: Night) -> None:
    for query, status, code in (
        ("game=chess", 400, "format.game"),
        ("smallest=1", 400, "format.value"),
        ("smallest=5&largest=3", 422, "session.seats"),
        ("smallest=9&largest=9", 422, "session.seats"),
    ):
        assert refusal(client.get(f"{API}/sessions/{night.session}/round?{query}")) == (status, code)
    for tables, place in (([["ana", "ben"], []], "tables.1: "), ([["ana", -1]], "tables.0.1: "), ([], "tables: ")):
        answer = client.post(f"{API}/sessions/{night.session}/round", json={"round": 3, "tables": tables})
        assert refusal(answer) == (400, "format.value")
        assert answer.get_json(force=True)["detail"].startswith(place)


# --- rankings


def test_a_ranking_is_published_and_read_as_of_then(client: FlaskClient, ledger: Ledger, night: Night) -> None:
    for kind, id in (("session", night.session), ("league", night.league)):
        path = f"{API}/{kind}s/{id}"
        before = client.get(f"{path}/ranking").json
        published = client.post(f"{path}/publication", json={"text": "well played"}, headers={"Idempotency-Key": "k"})
        assert published.status_code == 201
        again = client.post(f"{path}/publication", json={"text": "well played"}, headers={"Idempotency-Key": "k"})
        assert again.json == published.json
        then = client.get(published.headers["Location"]).json
        assert (then["hash"], then["ranking"], then["position"]) == (
            before["hash"], before["ranking"], before["position"],
        )  # fmt: skip
        now = client.get(f"{path}/ranking").json
        (one,) = now["published"]
        assert (one["fits"], one["text"], one["ranking"]) == (True, "well played", before["ranking"])
    ledger.record(
        night.matches[0], [match_events.Retract(to=1, reason="wrong cards")], ledger.stream(night.matches[0]).seq
    )
    now = client.get(f"{API}/sessions/{night.session}/ranking").json
    assert {event["reason"] for row in now["differences"] for event in row["events"]} == {"wrong cards"}


def test_a_ranking_is_one_shape_on_the_command_line_and_in_the_api(
    client: FlaskClient, ledger: Ledger, night: Night
) -> None:
    for kind, id in (("session", night.session), ("league", night.league)):
        client.post(f"{API}/{kind}s/{id}/publication", json={})
        record(ledger, night.session, {"type": "adjust", "entry": 1, "penalty": 1})
        found = client.get(f"{API}/{kind}s/{id}/ranking").json
        assert json.loads(json.dumps(full_ranking(ledger.evenings, id).as_json())) == found


def test_a_ranking_as_of_a_time_is_that_of_the_last_position_before(client: FlaskClient, night: Night) -> None:
    path = f"{API}/sessions/{night.session}/ranking"
    last = client.get(path).json
    assert client.get(path, query_string={"as_of": "2099-01-01T00:00"}).json == last
    assert refusal(client.get(path, query_string={"as_of": "2000-01-01"})) == (404, "store.unknown")
    assert refusal(client.get(path, query_string={"as_of": "yesterday"})) == (400, "format.value")
    assert refusal(client.get(path, query_string={"as_of": "2026-02-30"})) == (422, "session.position")
    assert refusal(client.get(path, query_string={"as_of": last["position"] + 1})) == (422, "session.position")


def test_where_a_ranking_needs_a_void_match_the_published_one_is_offered(
    client: FlaskClient, ledger: Ledger, night: Night
) -> None:
    path = f"{API}/sessions/{night.session}"
    client.post(f"{path}/publication", json={})
    position = client.get(f"{path}/ranking").json["published"][0]["position"]
    match = night.matches[0]
    ledger.record(match, [match_events.Void(reason="marked deck")], ledger.stream(match).seq)
    refused = client.get(f"{path}/ranking")
    assert refusal(refused) == (422, "session.phase")
    detail = refused.get_json(force=True)["detail"]
    assert detail.startswith(f"at table 1 in round 1, match {match} is void")
    assert detail.endswith(f"(as of position {position} it is as published)")
    assert client.get(f"{path}/ranking?as_of={position}").json["position"] == position


def test_travellers_give_every_result_of_a_board_with_its_points(client: FlaskClient, ledger: Ledger) -> None:
    pairs = [{"type": "entry", "number": n, "players": [f"a{n}", f"b{n}"]} for n in range(1, 5)]
    seats = [
        {"type": "table", "round": 1, "table": number, "seats": couple, "boards": [7]}
        for number, couple in enumerate(([1, 2], [3, 4]), 1)
    ]
    scores = [{**result(1, ""), "table": n, "board": 7, "score": 420 * (n - 1)} for n in (1, 2)]
    for score in scores:
        del score["match"]
    ruling = {"type": "adjust", "round": 1, "table": 2, "board": 7, "ew": 60, "law": "L12C2"}
    session = record(
        ledger, None, opening(unit="pair", game=None, scoring={"kind": "matchpoints"}), *pairs, *seats, *scores
    )  # fmt: skip
    path = f"{API}/sessions/{session}/travellers"
    before = client.get(path).json
    record(ledger, session, ruling)
    (board,) = before["boards"]
    assert board["board"] == 7
    assert [(line["ns"], line["ew"], line["ns_points"], line["ew_points"]) for line in board["lines"]] == [
        ([1], [2], "0.00", "2.00"), ([3], [4], "2.00", "0.00"),
    ]  # fmt: skip
    assert board["lines"][1]["ns_award"] == {"scores": [{"weight": "100.00", "score": 420}]}
    ruled = client.get(path).json["boards"][0]["lines"][1]
    assert (ruled["ew_award"], ruled["events"]) == ({"percent": "60.00"}, [9, 10])
    assert client.get(path, query_string={"as_of": before["position"]}).json == before


def test_an_evening_without_boards_has_no_travellers(client: FlaskClient, night: Night) -> None:
    assert client.get(f"{API}/sessions/{night.session}/travellers").json["boards"] == []


def test_cards_of_an_evening_without_boards_are_as_described(client: FlaskClient, night: Night) -> None:
    card = client.get(f"{API}/sessions/{night.session}/cards/1").json
    assert card["lines"]
    components = client.get(f"{API}/openapi.json").json["components"]
    Draft202012Validator({"$ref": "#/components/schemas/EntryCard", "components": components}).validate(card)


def test_nothing_of_a_hand_under_way_is_told_to_readers_of_an_evening(empty: Flask, ledger: Ledger) -> None:
    session = record(ledger, None, opening(game="hearts"), *({"type": "arrive", "player": player} for player in FOUR))
    (opened,) = as_role(empty, "scorer").post(f"{API}/sessions/{session}/round", json={"round": 1}).json["tables"]
    deals = [tuple(f"{rank}{suit}" for rank in "23456789TJQKA") for suit in "CDHS"]
    reader = as_role(empty, "reader")
    paths = [f"sessions/{session}{rest}" for rest in ("", "/events", "/ranking", "/round", "/travellers")]
    before = [reader.get(f"{API}/{path}").json for path in paths]
    ledger.record(opened["match"], [match_events.Deal(dealer=0, hands=tuple(deals))], 1)
    after = [reader.get(f"{API}/{path}").json for path in paths]
    for one, other in zip(before, after, strict=True):
        assert one | {"position": 0} == other | {"position": 0}


# --- totals from paper


def test_totals_that_no_hands_can_give_are_asked_about_as_on_the_page(client: FlaskClient) -> None:
    arrivals = ({"type": "arrive", "player": player} for player in FOUR)
    told = post(client, "/sessions", opening(game="hearts", scoring={"kind": "total"}), *arrivals)
    session = told.json["evening"]
    seated = post(client, f"/sessions/{session}/events", table(1), **{"If-Match": told_tag(client, session)})
    assert seated.status_code == 201, seated.json
    at = f"{API}/sessions/{session}"
    said = {"round": 1, "points": [8, 5, 6, 9]}
    about = int(told_tag(client, session).strip('"').partition(".")[0]) + 1
    result = {"type": "result", "round": 1, "table": 1, "points": [8, 5, 6, 8]}
    for address, body in (
        (f"{at}/tables/1/result", said),
        (f"{at}/events", {"events": [{"type": "amend", "about": about, "event": result}]}),
    ):
        tag = told_tag(client, session)
        assert refusal(client.post(address, json=body, headers={"If-Match": tag})) == (422, "session.sum")
        assert told_tag(client, session) == tag
        taken = client.post(address, json=body | {"as_written": True}, headers={"If-Match": tag})
        assert taken.status_code == 201, taken.json
    totals = {row["total"] for row in client.get(f"{at}/ranking").json["ranking"]}
    assert totals == {"8.00", "5.00", "6.00"}


# --- a game without rules


def test_an_evening_of_a_game_without_rules_is_played_over_http(client: FlaskClient) -> None:
    canasta = opening(game=None, scoring={"kind": "total", "decimals": 0}, other_game="Canasta", partners=True)
    arrivals = ({"type": "arrive", "player": player} for player in FOUR)
    told = post(client, "/sessions", canasta, *arrivals)
    assert told.status_code == 201
    session = told.json["evening"]
    opened = client.post(f"{API}/sessions/{session}/round", json={"round": 1, "policy": "record"})
    assert opened.json["tables"] == [{"table": 1, "match": None}]
    unequal = {"type": "result", "round": 1, "table": 1, "points": [900, 20, 800, 20]}
    assert refusal(post(client, f"/sessions/{session}/events", unequal, **{"If-Match": told_tag(client, session)})) == (
        422, "session.partners",
    )  # fmt: skip
    equal = unequal | {"points": [900, 20, 900, 20]}
    assert (
        post(client, f"/sessions/{session}/events", equal, **{"If-Match": told_tag(client, session)}).status_code == 201
    )
    rows = client.get(f"{API}/sessions/{session}/ranking").json["ranking"]
    assert [(row["place"], row["total"]) for row in rows] == [("1=", "900"), ("1=", "900"), ("3=", "20"), ("3=", "20")]
    listed = client.get(f"{API}/sessions", query_string={"other_game": "CANASTA"}).json["sessions"]
    assert [(row["id"], row["other_game"], row["game"]) for row in listed] == [(session, "Canasta", None)]
    assert client.get(f"{API}/sessions", query_string={"other_game": "Skat"}).json["sessions"] == []
    compared = client.get(f"{API}/sessions/results", query_string={"other_game": "canasta", "player": FOUR[0]}).json
    assert (compared["evenings"], compared["tables"], compared["players"][0]["ahead"]) == (1, 1, 1.0)
    assert {row["other"]: row["ahead"] for row in compared["met"]} == {FOUR[1]: 1, FOUR[2]: 0, FOUR[3]: 1}
    assert client.get(f"{API}/search", query_string={"q": "canas"}).json["other_games"] == ["Canasta"]
    assert refusal(client.get(f"{API}/sessions/results", query_string={"other_game": "Skat"})) == (404, "store.unknown")


def told_tag(client: FlaskClient, session: str) -> str:
    return str(client.get(f"{API}/sessions/{session}").headers["ETag"])


@pytest.mark.parametrize(
    ("keys", "code"),
    [
        ({"other_game": "Hearts"}, "format.value"),
        ({"other_game": "x" * 61}, "format.value"),
        ({"other_game": "Can\u202easta"}, "people.name"),
        ({"other_game": None}, "format.value"),
        ({"partners": True}, "format.key"),
    ],
)
def test_a_game_without_rules_that_cannot_be_is_refused(client: FlaskClient, keys: dict[str, Any], code: str) -> None:
    answer = post(client, "/sessions", opening(game=None) | keys)
    assert refusal(answer) == (422 if code == "people.name" else 400, code)


def test_masterpoints_are_read_for_a_session_and_added_up(client: FlaskClient) -> None:
    table = {"type": "masterpoints", "name": "Club", "rows": [{"entries": 4, "points": [0.2, 0.1]}]}
    club = post(client, "/clubs", {"type": "club", "name": "Cards"}, table).json["evening"]
    assert [each["name"] for each in client.get(f"{API}/clubs/{club}").json["masterpoints"]] == ["Club"]
    keys = {"club": club, "game": None, "scoring": {"kind": "total"}}
    assert refusal(post(client, "/sessions", opening(**keys, masterpoints="Cup"))) == (404, "store.unknown")
    seats = {"type": "table", "round": 1, "table": 1, "seats": [*FOUR]}
    points = {"type": "result", "round": 1, "table": 1, "points": [4, 3, 2, 1]}
    session = post(client, "/sessions", opening(**keys, masterpoints="Club"), seats, points).json["evening"]
    before = client.get(f"{API}/sessions/{session}/masterpoints").json
    assert (before["table"], before["published"], before["awards"]) == ("Club", False, [])
    client.post(f"{API}/sessions/{session}/publication", json={}, headers={"If-Match": "*"})
    awards = client.get(f"{API}/sessions/{session}/masterpoints").json["awards"]
    assert [(each["players"], each["points"]) for each in awards] == [([FOUR[0]], "0.20"), ([FOUR[1]], "0.10")]
    found = client.get(f"{API}/masterpoints", query_string={"club": club}).json["players"]
    assert found[0] == {"player": FOUR[0], "points": "0.20", "evenings": 1}
    assert refusal(client.get(f"{API}/masterpoints", query_string={"league": club})) == (404, "store.unknown")

"""Recording through the API: opened, appended under a condition, repeated under a key, and read back."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from cardledger.record.matches.matchfile import write
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.engine import events as ev
from cardledger_web.app import create_app, ledger_of
from tests.api.recording import GAMES, NOTE, OPENING, append, as_role, match_of, opened, plain

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient

ID = "0b54a1a2-0000-4000-8000-000000000001"


@pytest.fixture
def recorder(empty: Flask) -> FlaskClient:
    return empty.test_client()


def test_an_opened_match_shows_its_address_and_its_state(recorder: FlaskClient) -> None:
    answer = recorder.post("/api/v1/matches", json={"events": [OPENING, NOTE]})
    assert answer.status_code == 201
    assert answer.headers["ETag"] == '"2"'
    told = answer.json
    assert told["seq"] == 2
    assert told["ids"][0] == told["match"]
    assert len(told["ids"]) == 2
    read = recorder.get(answer.headers["Location"])
    assert read.json["id"] == told["match"]
    assert read.json["hash"] == told["hash"]
    assert read.headers["ETag"].startswith('"2.')


def test_an_opening_may_bring_the_id_of_the_match(recorder: FlaskClient) -> None:
    first, second = (recorder.post("/api/v1/matches", json={"events": [OPENING | {"id": ID}]}) for _ in range(2))
    assert first.json["match"] == ID
    assert (second.status_code, second.json) == (201, first.json)
    other = recorder.post("/api/v1/matches", json={"events": [OPENING | {"id": ID, "policy": "record"}]})
    assert (other.status_code, other.get_json(force=True)["code"]) == (409, "store.duplicate")


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_a_match_recorded_event_by_event_is_the_match_file(game: str, empty: Flask) -> None:
    client, events = empty.test_client(), match_of(game, hands=1)
    match = opened(client, events[:1])
    for seq, event in enumerate(events[1:], 1):
        answer = append(client, match, plain([event]), seq)
        assert (answer.status_code, answer.headers["ETag"]) == (201, f'"{seq + 1}"')
    read = client.get(f"/api/v1/matches/{match}/events", headers={"Accept": "application/x-ndjson"})
    assert read.content_type.startswith("application/x-ndjson")
    (file,) = ledger_of(empty).export([match])
    assert read.text == file
    as_json = client.get(f"/api/v1/matches/{match}/events").json
    assert as_json["events"] == [json.loads(line) for line in file.splitlines()]
    assert as_json["seq"] == len(events)


def test_lines_of_a_match_file_are_taken_too(recorder: FlaskClient) -> None:
    events = match_of("ruff", hands=1)
    answer = recorder.post("/api/v1/matches", data=write(events), content_type="application/x-ndjson")
    assert (answer.status_code, answer.json["seq"]) == (201, len(events))


def test_without_a_condition_nothing_is_appended(recorder: FlaskClient) -> None:
    match = opened(recorder)
    answer = append(recorder, match, [NOTE])
    problem = answer.get_json(force=True)
    assert (answer.status_code, problem["code"], problem["current"]) == (428, "api.if-match", 1)


@pytest.mark.parametrize("stale", ['"1"', '"0"', '"9"', "1", 'W/"1"', '"1", "7"'])
def test_a_stale_condition_says_the_current_seq(recorder: FlaskClient, stale: str) -> None:
    match = opened(recorder)
    append(recorder, match, [NOTE], 1)
    answer = append(recorder, match, [NOTE], stale)
    problem = answer.get_json(force=True)
    assert (answer.status_code, problem["code"], problem["current"]) == (412, "store.conflict", 2)
    assert answer.headers["ETag"] == '"2"'


@pytest.mark.parametrize("tag", ['"1"', "1", 'W/"1"', "*", '"7", "1"', ' "1" '])
def test_conditional_headers_are_read_correctly(recorder: FlaskClient, tag: str) -> None:
    assert append(recorder, opened(recorder), [NOTE], tag).status_code == 201


@pytest.mark.parametrize("tag", ["", '"a"', '"1', "-1", "1.0", '"1";"2"', '"²"'.encode().decode("latin-1")])
def test_an_invalid_condition_is_refused(recorder: FlaskClient, tag: str) -> None:
    answer = append(recorder, opened(recorder), [NOTE], tag)
    assert (answer.status_code, answer.get_json(force=True)["code"]) == (400, "api.if-match")


@pytest.mark.parametrize("match", [ID, "nonsense", ID.upper()])
def test_nothing_is_appended_to_a_missing_match(recorder: FlaskClient, match: str) -> None:
    for tag in ('"0"', '"1"', "*"):
        answer = append(recorder, match, [OPENING], tag)
        assert (answer.status_code, answer.get_json(force=True)["code"]) == (404, "store.unknown")


def test_a_refused_event_is_named_with_its_rule_and_nothing_is_stored(recorder: FlaskClient) -> None:
    match = opened(recorder)
    answer = append(recorder, match, [NOTE, {"type": "play", "seat": 0, "card": "AS"}], 1)
    problem = answer.get_json(force=True)
    assert (answer.status_code, problem["code"], problem["index"]) == (422, "table.phase", 1)
    assert recorder.get(f"/api/v1/matches/{match}").json["seq"] == 1


def test_a_broken_rule_comes_with_the_legal_cards(recorder: FlaskClient) -> None:
    # Every legal play of a simulated match is tried with another card until one is refused.
    events = match_of("ruff", hands=1)
    match = opened(recorder, events[:2])
    seen = False
    for seq, event in enumerate(events[2:], 2):
        assert isinstance(event, ev.Play)
        deal = events[1]
        assert isinstance(deal, ev.Deal)
        assert deal.hands is not None
        for card in deal.hands[event.seat]:
            answer = append(recorder, match, [{"type": "play", "seat": event.seat, "card": card}, OPENING], seq)
            problem = answer.get_json(force=True)
            if problem["code"] == "follow.suit":
                assert problem["index"] == 0
                assert problem["seat"] == event.seat
                assert event.card in problem["legal"]
                seen = True
        if seen:
            break
        assert append(recorder, match, plain([event]), seq).status_code == 201
    assert seen


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"events": [{"type": "wave"}]}, "format.type"),
        ({"events": [{"type": "note"}]}, "format.key"),
        ({"events": []}, "store.empty"),
        ({"events": "x"}, "format.value"),
        ({}, "format.value"),
        ({"events": [NOTE], "more": 1}, "format.value"),
    ],
)
def test_a_wrong_body_is_refused_with_its_code(recorder: FlaskClient, body: object, code: str) -> None:
    match = opened(recorder)
    answer = recorder.post(f"/api/v1/matches/{match}/events", json=body, headers={"If-Match": "*"})
    assert (answer.status_code, answer.get_json(force=True)["code"]) == (400, code)


def test_a_wrong_line_is_named_by_its_index(recorder: FlaskClient) -> None:
    text = json.dumps(OPENING) + "\n\n{"
    answer = recorder.post("/api/v1/matches", data=text, content_type="application/x-ndjson")
    problem = answer.get_json(force=True)
    assert (answer.status_code, problem["code"], problem["index"]) == (400, "format.json", 1)


def test_another_media_type_is_not_taken(recorder: FlaskClient) -> None:
    assert recorder.post("/api/v1/matches", data="x", content_type="text/plain").status_code == 415


def test_corrections_come_through_the_same_door(recorder: FlaskClient) -> None:
    match = opened(recorder, match_of("ruff", hands=1)[:6])
    assert append(recorder, match, [{"type": "retract", "to": 2}, NOTE], 6).json["seq"] == 8
    answer = append(recorder, match, [{"type": "retract", "to": 99}], 8)
    assert (answer.status_code, answer.get_json(force=True)["code"]) == (422, "table.range")


def test_the_same_key_and_body_get_the_first_answer_again_even_from_another_process(empty: Flask) -> None:
    client = empty.test_client()
    match = opened(client)
    first = append(client, match, [NOTE, NOTE], 1, key="k1")
    append(client, match, [NOTE], 3)
    again = append(client, match, [NOTE, NOTE], 1, key="k1")
    assert (again.status_code, again.json, dict(again.headers)["ETag"]) == (201, first.json, first.headers["ETag"])
    other = create_app(ledger_of(empty).store.file.path)
    try:
        third = append(as_role(other, "admin"), match, [NOTE, NOTE], 1, key="k1")
        assert (third.status_code, third.json) == (201, first.json)
    finally:
        ledger_of(other).close()
    assert client.get(f"/api/v1/matches/{match}").json["seq"] == 4


@pytest.mark.parametrize(
    "body", [[NOTE], [NOTE, NOTE, NOTE], [NOTE, NOTE | {"text": "other"}], [NOTE | {"text": "other"}, NOTE]]
)
def test_the_same_key_with_another_body_is_refused(recorder: FlaskClient, body: list[object]) -> None:
    match = opened(recorder)
    append(recorder, match, [NOTE, NOTE], 1, key="k1")
    for seq in (1, 3):
        answer = append(recorder, match, body, seq, key="k1")
        assert (answer.status_code, answer.get_json(force=True)["code"]) == (422, "api.key-reused")
    assert recorder.get(f"/api/v1/matches/{match}").json["seq"] == 3


def test_a_key_belongs_to_a_match_and_its_user(empty: Flask) -> None:
    client = empty.test_client()
    one, two = opened(client), opened(client)
    assert append(client, one, [NOTE], 1, key="k").json["match"] == one
    assert append(client, two, [NOTE | {"text": "other"}], 1, key="k").json["match"] == two
    assert append(as_role(empty, "scorer"), one, [NOTE | {"text": "third"}], 2, key="k").status_code == 201


def test_a_match_is_opened_once_under_a_key(recorder: FlaskClient) -> None:
    headers = {"Idempotency-Key": "open-1"}
    first, again = (recorder.post("/api/v1/matches", json={"events": [OPENING, NOTE]}, headers=headers) for _ in "ab")
    assert (again.status_code, again.json, again.headers["Location"]) == (201, first.json, first.headers["Location"])
    for body in ([OPENING], [OPENING | {"policy": "record"}, NOTE], [OPENING, NOTE, NOTE]):
        answer = recorder.post("/api/v1/matches", json={"events": body}, headers=headers)
        assert (answer.status_code, answer.get_json(force=True)["code"]) == (422, "api.key-reused")
    assert len(recorder.get("/api/v1/matches").json["matches"]) == 1


@pytest.mark.parametrize("key", ["", "x" * 256])
def test_a_key_has_a_size(recorder: FlaskClient, key: str) -> None:
    answer = append(recorder, opened(recorder), [NOTE], 1, key=key)
    assert (answer.status_code, answer.get_json(force=True)["code"]) == (400, "api.key")


def test_an_event_with_an_id_of_its_own_is_safe_to_repeat_and_takes_no_key(recorder: FlaskClient) -> None:
    match = opened(recorder)
    first, again = (append(recorder, match, [NOTE | {"id": ID}], 1) for _ in "ab")
    assert (first.status_code, again.json) == (201, first.json)
    assert first.json["ids"] == [ID]
    answer = append(recorder, match, [NOTE | {"id": ID}], 2, key="k")
    assert (answer.status_code, answer.get_json(force=True)["code"]) == (400, "api.key")


def test_events_are_read_a_part_at_a_time(recorder: FlaskClient) -> None:
    events = match_of("hecto-diversity", hands=1)[:20]
    match = opened(recorder, events)
    seen: list[object] = []
    after: int | None = 0
    while after is not None:
        page = recorder.get(f"/api/v1/matches/{match}/events?after={after}&limit=7").json
        seen += page["events"]
        after = page["next"]
    assert [event["seq"] for event in seen] == list(range(1, 21))  # type: ignore[index]
    assert recorder.get(f"/api/v1/matches/{match}/events?after=20").json["events"] == []


def test_events_are_given_as_json_or_lines_and_nothing_else(recorder: FlaskClient) -> None:
    path = f"/api/v1/matches/{opened(recorder)}/events"
    assert recorder.get(path, headers={"Accept": "*/*"}).mimetype == "application/json"
    assert recorder.get(path, headers={"Accept": "image/png"}).status_code == 406
    assert recorder.get("/api/v1/matches/nonsense/events").status_code == 404


def test_the_recorder_is_stored(empty: Flask) -> None:
    match = opened(as_role(empty, "scorer"))
    assert [event.by for event in ledger_of(empty).events(match)] == ["scorer"]


def test_readers_record_nothing(empty: Flask) -> None:
    match = opened(empty.test_client())
    reader = as_role(empty, "reader")
    assert append(reader, match, [NOTE], 1).status_code == 403
    assert reader.post("/api/v1/matches", json={"events": [OPENING]}).status_code == 403


def test_a_key_used_in_one_process_is_known_in_the_other_at_once(empty: Flask) -> None:
    client = empty.test_client()
    match = opened(client)
    path = ledger_of(empty).store.file.path
    other = create_app(path)
    try:
        first = append(as_role(other, "admin"), match, [NOTE], 1, key="k")
        assert append(as_role(empty, "admin"), match, [NOTE], 1, key="k").json == first.json
    finally:
        ledger_of(other).close()
    with Ledger(path) as ledger:
        assert ledger.stream(match).seq == 2


def test_a_retract_may_name_the_event_that_is_wrong_and_is_told_how_it_was_read(empty: Flask) -> None:
    client = empty.test_client()
    match = opened(client, match_of("diversity", hands=1)[:6])
    answer = append(client, match, [NOTE, {"type": "retract", "about": 5, "reason": "misread"}], 6)
    assert answer.status_code == 201
    (hint,) = answer.json["hints"]
    assert hint["index"] == 1 and "`to` 4" in hint["detail"]
    recorded = client.get(f"/api/v1/matches/{match}/events?after=7").json["events"][0]
    assert (recorded["type"], recorded["to"], "about" in recorded) == ("retract", 4, False)
    assert client.get(f"/api/v1/matches/{match}/table").json["counted"] == 4
    assert "hints" not in append(client, match, [{"type": "retract", "to": 3}], "*").json
    for wrong in ({"about": 5, "to": 4}, {"about": "5"}, {"about": 1}, {"about": True}):
        assert append(client, match, [{"type": "retract", **wrong}], "*").status_code == 400, wrong
    opening = {"type": "club", "name": "Old Mill"}
    club = client.post("/api/v1/clubs", json={"events": [opening, NOTE, {"type": "retract", "about": 2}]})
    assert club.status_code == 201 and club.json["hints"][0]["index"] == 2

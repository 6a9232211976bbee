"""Nobody can record as somebody else: recorder and time come from the server, or from an importer, who is noted."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from cardledger.errors import StoreError
from cardledger.record.matches.matchfile import MatchInFile, read_matches
from cardledger.record.people.recorders import written
from cardledger.record.recording.erasing import erase, examine
from cardledger.rules.engine import events as ev
from cardledger_web.app import ledger_of
from tests.api.recording import NOTE, OPENING, append, as_role, opened

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

    from cardledger.record.recording.ledger import Ledger

OWN_WORDS: list[dict[str, Any]] = [
    {"by": "adm", "at": "1999-01-01T00:00:00Z"},
    {"by": "adm"},
    {"at": "1999-01-01T00:00:00Z"},
    {"imported_by": "adm"},
    {"imported_at": "1999-01-01T00:00:00Z"},
]


def later(seconds: float) -> str:
    return written(datetime.now(UTC) + timedelta(seconds=seconds))


def opening(client: FlaskClient, event: dict[str, Any]) -> TestResponse:
    return client.post("/api/v1/matches", json={"events": [OPENING | event]})


def appending(client: FlaskClient, event: dict[str, Any]) -> TestResponse:
    return append(client, opened(client), [NOTE | event], 1)


def amending(client: FlaskClient, event: dict[str, Any]) -> TestResponse:
    return append(client, opened(client), [{"type": "amend", "about": 1, "event": OPENING | event}], 1)


def importing(client: FlaskClient, event: dict[str, Any]) -> TestResponse:
    lines = [json.dumps(OPENING), json.dumps(NOTE | event)]
    return client.post("/api/v1/import", data="\n".join(lines), content_type="application/x-ndjson")


@pytest.mark.parametrize("words", OWN_WORDS, ids=str)
@pytest.mark.parametrize("way", [opening, appending, amending])
def test_a_scorer_cannot_say_who_recorded_and_when(empty: Flask, way: Any, words: dict[str, Any]) -> None:
    answer = way(as_role(empty, "scorer"), words)
    assert (answer.status_code, answer.json["code"], answer.json["index"]) == (403, "store.recorder", 0)
    stored = [row.line for row in ledger_of(empty).cleared([*ledger_of(empty).store.read_all()])]
    assert not [line for line in stored if '"adm"' in line or '"1999-' in line]


@pytest.mark.parametrize("words", OWN_WORDS, ids=str)
def test_a_scorer_cannot_import_a_file_that_states_who_recorded_and_when(empty: Flask, words: dict[str, Any]) -> None:
    report = importing(as_role(empty, "scorer"), words).json
    assert [(wrong["code"], wrong["line"]) for wrong in report["problems"]] == [("store.recorder", 1)]
    assert "event 2" in report["problems"][0]["detail"]
    assert ledger_of(empty).matches() == []


@pytest.mark.parametrize("way", [opening, appending])
def test_the_scorer_is_stored_as_the_recorder(empty: Flask, way: Any) -> None:
    for words in ({}, {"by": "scorer"}):
        match = way(as_role(empty, "scorer"), words).json["match"]
        for event in ledger_of(empty).events(match):
            assert (event.by, event.imported_by, event.imported_at) == ("scorer", None, None)
            assert later(-3600) < str(event.at) <= later(1)


@pytest.mark.parametrize("way", [opening, appending, amending])
@pytest.mark.parametrize("words", OWN_WORDS, ids=str)
def test_an_admin_is_noted_as_the_importer_of_what_others_recorded(
    empty: Flask, way: Any, words: dict[str, Any]
) -> None:
    answer = way(as_role(empty, "admin"), words)
    assert answer.status_code == 201
    event = ledger_of(empty).events(answer.json["match"])[-1]
    assert event.imported_by == "admin"
    assert later(-3600) < str(event.imported_at) <= later(1)
    if way is not amending:
        assert event.by == words.get("by", "admin")
        assert event.at == words.get("at", event.imported_at)


def test_events_recorded_by_an_admin_at_the_table_are_not_an_import(empty: Flask) -> None:
    match = opening(as_role(empty, "admin"), {"by": "admin"}).json["match"]
    (event,) = ledger_of(empty).events(match)
    assert (event.by, event.imported_by) == ("admin", None)


def test_stored_events_may_be_sent_and_imported_again_by_anybody(empty: Flask) -> None:
    admin, scorer = as_role(empty, "admin"), as_role(empty, "scorer")
    assert importing(admin, OWN_WORDS[0]).json["problems"] == []
    exported = admin.get("/api/v1/export").data
    report = scorer.post("/api/v1/import", data=exported, content_type="application/x-ndjson").json
    assert (report["problems"], report["matches"][0]["new"]) == ([], 0)
    events = [json.loads(line) for line in exported.splitlines()]
    again = append(scorer, events[0]["id"], events[1:], 1)
    assert (again.status_code, again.json["seq"]) == (201, 2)
    assert admin.get("/api/v1/export").data == exported


@pytest.mark.parametrize("way", [opening, appending, amending])
@pytest.mark.parametrize("key", ["at", "imported_at"])
def test_no_event_comes_from_the_future(empty: Flask, way: Any, key: str) -> None:
    admin = as_role(empty, "admin")
    answer = way(admin, {key: later(86_400)})
    assert (answer.status_code, answer.json["code"]) == (422, "store.time")
    assert way(admin, {key: later(30)}).status_code == 201


def test_no_file_brings_an_event_from_the_future(ledger: Ledger, tmp_path: Path) -> None:
    for seconds, codes in ((86_400, ["store.time"]), (30, [])):
        path = tmp_path / "night.jsonl"
        path.write_text("\n".join(map(json.dumps, (OPENING, NOTE | {"at": later(seconds)}))))
        with path.open("rb") as file:
            done = list(ledger.import_matches(read_matches(file, "night.jsonl")))
        assert [one.error.code for one in done if not hasattr(one, "new")] == codes
    with pytest.raises(StoreError) as refused:
        ledger.record(None, [ev.Open(game="ruff", players=("a", "b", "c"), at=later(3600))], 0)
    assert (refused.value.code, refused.value.index) == ("store.time", 0)


def test_an_owners_file_may_state_who_recorded_and_when(ledger: Ledger, tmp_path: Path) -> None:
    path = tmp_path / "night.jsonl"
    path.write_text(
        "\n".join(
            map(json.dumps, (OPENING | OWN_WORDS[0], NOTE | {"imported_by": "kim", "at": "2001-01-01T00:00:00Z"}))
        )
    )
    with path.open("rb") as file:
        (found,) = read_matches(file, "night.jsonl")
        assert isinstance(found, MatchInFile)
        list(ledger.import_matches([found]))
    first, second = ledger.events(ledger.matches()[0])
    assert (first.by, first.at, first.imported_by) == ("adm", "1999-01-01T00:00:00Z", None)
    assert (second.by, second.at, second.imported_by) == ("import", "2001-01-01T00:00:00Z", "kim")


def test_merges_are_recorded_with_their_author(empty: Flask) -> None:
    admin = as_role(empty, "admin")
    opened(admin)
    name = {"type": "name", "player": "ana", "name": "Ana Lima"}
    for words in ({"by": "kim"}, {"at": "1999-01-01T00:00:00Z"}, {"imported_by": "kim"}):
        answer = admin.post("/api/v1/people", json={"events": [name | words]}, headers={"If-Match": "*"})
        assert (answer.status_code, answer.json["code"]) == (403, "store.recorder")
    assert ledger_of(empty).people().events == []


def test_the_name_of_an_importer_is_kept_apart_and_erased_like_any_other(empty: Flask) -> None:
    match = opening(as_role(empty, "admin"), OWN_WORDS[0]).json["match"]
    ledger = ledger_of(empty)
    assert '"admin"' not in ledger.store.read(match)[0].line
    erase(ledger, examine(ledger, "admin"), "owner")
    (event,) = ledger.events(match)
    assert event.by == "adm"
    assert str(event.imported_by).startswith("~")


def test_the_audit_says_who_imported(empty: Flask) -> None:
    admin = as_role(empty, "admin")
    match = opening(admin, OWN_WORDS[0]).json["match"]
    assert "adm, imported by admin" in admin.get(f"/matches/{match}/audit").text

"""Live streams with filters, and as lines of JSON: a follower gets what it asked for, and resumes past what it did not."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from cardledger.record.people.people import Name
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.evenings.shape import event_of
from cardledger_api.http.feed import LedgerFeed
from cardledger_api.http.streams import Filter, Topic, streams_of
from cardledger_web.app import ledger_of
from tests.api.recording import as_role
from tests.api.test_webhooks import key
from tests.evenings.night import OPENINGS

if TYPE_CHECKING:
    from flask import Flask

    from cardledger.record.recording.ledger import Ledger

LINES = "application/x-ndjson"


@pytest.fixture
def club(empty: Flask) -> Flask:
    """A match of diversity, one of poison hearts under way, a session, and a name; streams end soon."""
    ledger = ledger_of(empty)
    events = [*simulate("diversity", 4, Random(1), ["random"], {"hands": 1}, max_hands=1)]
    ledger.record(None, events, 0)
    ledger.record(None, [*simulate("poison-hearts", 4, Random(1), ["random"], max_hands=1)][:6], 0)
    ledger.evenings.record(None, [event_of(OPENINGS["session"])], 0, as_written=False)
    ledger.record_people([Name(player=events[0].players[0], name="Zoe")], 0, "tests")
    streams = streams_of(empty)
    streams.lifetime, streams.heartbeat, streams.poll = 0.04, 0.02, 0.01
    return empty


def rows(ledger: Ledger) -> list[dict[str, Any]]:
    """Every event with its match and position."""
    stored = ledger.cleared([*ledger.store.read_all(0)])
    return [{"position": row.position, key(row.match): row.match} | json.loads(row.line) for row in stored]


def followed(app: Flask, query: str, role: str = "scorer", **headers: str) -> list[dict[str, Any]]:
    """The lines of the stream of the whole ledger."""
    answer = as_role(app, role).get(f"/api/v1/live?{query}", headers={"Accept": LINES, **headers})
    assert answer.status_code == 200 and answer.mimetype == LINES, answer.text
    return [json.loads(line) for line in answer.text.splitlines()]


def events(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [line for line in lines if "type" in line]


@pytest.mark.parametrize("game", ["diversity", "poison-hearts"])
def test_a_filter_by_game_gives_its_matches_and_evenings_only(club: Flask, game: str) -> None:
    ledger = ledger_of(club)
    of = {row.get("stream") or row["match"]: row.get("game") for row in reversed(rows(ledger))}
    wanted = [row for row in rows(ledger) if of[row.get("stream") or row["match"]] == game]
    assert wanted and events(followed(club, f"after=0&game={game}")) == wanted


def test_filters_by_type_and_kind_give_what_fits_both(club: Flask) -> None:
    ledger = ledger_of(club)
    said = events(followed(club, "after=0&type=open,session,name"))
    assert [one["type"] for one in said] == ["open", "open", "session", "name"]
    assert [one["type"] for one in events(followed(club, "after=0&type=open,session,name&kind=evenings,people"))] == [
        "session",
        "name",
    ]
    assert events(followed(club, "after=0")) == rows(ledger)
    for wrong in ("type=opne", "kind=match", "type=", "type=open,,end", "game=chess"):
        assert as_role(club, "scorer").get(f"/api/v1/live?{wrong}").status_code == 400, wrong


def test_a_filtered_stream_resumes_past_what_is_filtered_out(club: Flask) -> None:
    last = ledger_of(club).store.last_position()
    lines = followed(club, "after=0&type=open")
    assert lines[0] == {"position": 0}
    assert lines[-1] == {"position": last}
    assert all(line == {"position": last} for line in followed(club, f"after={last}&type=open"))
    text = as_role(club, "scorer").get("/api/v1/live?after=0&type=open").text
    assert text.endswith(f": still here\nid: {last}\n\n")


def test_lines_and_server_sent_events_say_the_same(club: Flask) -> None:
    for role in ("reader", "scorer"):
        for path in ("live", f"matches/{ledger_of(club).matches()[1]}/live"):
            told = as_role(club, role).get(f"/api/v1/{path}?after=2").text
            blocks = [dict(line.split(": ", 1) for line in block.split("\n")) for block in told.split("\n\n")[:-1]]
            lines = as_role(club, role).get(f"/api/v1/{path}?after=2", headers={"Accept": LINES}).text.splitlines()
            number = "position" if path == "live" else "seq"
            assert [json.loads(line) for line in lines if '"type"' in line] == [
                {number: int(block["id"])} | json.loads(block["data"]) for block in blocks if "data" in block
            ]
            assert json.loads(lines[0]) == {number: 2}


def test_filters_and_lines_keep_hidden_cards_from_readers(club: Flask) -> None:
    query = "after=0&type=deal&game=poison-hearts"
    (hidden,), (seen,) = events(followed(club, query, "reader")), events(followed(club, query))
    assert hidden["hands"] is None and seen["hands"]


def test_a_lines_reader_resumes_with_after_or_the_header(club: Flask) -> None:
    ledger = ledger_of(club)
    assert events(followed(club, "after=5")) == rows(ledger)[5:]
    assert events(followed(club, "", **{"Last-Event-ID": "7"})) == rows(ledger)[7:]
    assert as_role(club, "scorer").get("/api/v1/live", headers={"Accept": "image/png"}).status_code == 406


def test_streams_with_other_filters_share_the_reading(club: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger, times = ledger_of(club), []
    read = ledger.store.read_all
    monkeypatch.setattr(ledger.store, "read_all", lambda after: times.append(after) or read(after))
    feed = LedgerFeed(ledger)
    for kind in ("open", "deal", "play", "session"):
        assert feed.news(Topic(None, True, Filter(types=frozenset({kind}))), 0)
    assert times == [0]

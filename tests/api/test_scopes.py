"""Invitations: a scorer of one table or one evening is a reader everywhere else, at every door there is."""

from __future__ import annotations

import json
import re
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection
from threading import Thread
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, urlsplit

import pytest
from werkzeug.serving import make_server

from cardledger.rules.engine import events as ev
from cardledger.rules.evenings.shape import event_of
from cardledger_api.auth.limits import Limits
from cardledger_api.auth.scopes import Scope
from cardledger_api.auth.tokens import Tokens, digest_of
from cardledger_api.http.streams import streams_of
from cardledger_web.app import access_of, create_app, ledger_of
from tests.evenings.night import play_on, record, table, under_way
from tests.web.club import opened

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flask import Flask
    from flask.testing import FlaskClient

HERE = {"Sec-Fetch-Site": "same-origin"}
INVITED = ("table", "place", "evening")
"""Those invited to the match of the first table, to the first table in all rounds, and to the evening."""
HARMLESS = {"sign_in", "sign_out"}
"""Pages with forms that record nothing."""
READ_BY_ALL = {
    *HARMLESS,
    "pages.integrity",
    "pages.people",
    "pages.player",
    "pages.quiz",
    "pages.evening_table",
    "pages.evening_handicaps",
    "pages.club_masterpoints",
    "pages.discussion",
}
"""Pages with forms that show something to readers too, or lead them to what they may read."""


class World(NamedTuple):
    """An application with an evening, another evening, a match of neither, and clients of everybody."""

    app: Flask
    session: str
    matches: list[str]
    elsewhere: str
    other: str

    def client(self, who: str) -> FlaskClient:
        """Return a client of a reader, a scorer, an admin, or somebody invited to the first table or the evening."""
        scope = {"table": self.matches[0], "place": f"{self.session}/1", "evening": self.session}.get(who)
        token = access_of(self.app).lend(who, "reader" if scope else who, scope)  # type: ignore[arg-type]
        client = self.app.test_client()
        client.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {token}"
        return client


@pytest.fixture
def world(empty: Flask) -> World:
    """Matches with a hand under way: two of an evening, one of another."""
    ledger = ledger_of(empty)
    session, matches = under_way(ledger, 2, 9)
    elsewhere, (other,) = under_way(ledger, 1, 9)
    for match in matches[1:]:
        play_on(ledger, match, 9)
    return World(empty, session, matches, elsewhere, other)


def append(client: FlaskClient, match: str, event: dict[str, object] | None = None) -> tuple[int, str]:
    body = {"events": [event or {"type": "note", "text": "a remark"}]}
    answer = client.post(f"/api/v1/matches/{match}/events", json=body, headers={"If-Match": "*"})
    return answer.status_code, answer.json.get("code", "")


def operations(app: Flask) -> list[tuple[str, str, str]]:
    """Return method, address and role of every operation."""
    paths = app.test_client().get("/api/v1/openapi.json").json["paths"]
    return [
        (method.upper(), path, operation["x-role"])
        for path, item in paths.items()
        for method, operation in item.items()
        if method in {"get", "post", "put", "patch", "delete"}
    ]


def about(path: str, world: World) -> str:
    """Return the address of a thing outside every invitation of a world."""
    parts = {
        "match": world.other, "session": world.elsewhere, "evening": world.elsewhere, "id": world.elsewhere,
        "game": "diversity", "player": "player A", "other": "player B", "seq": "1", "number": "1", "hand": "1",
        "round": "1", "table": "1", "deal": "0" * 32,
    }  # fmt: skip
    return re.sub(r"[{<](?:\w+:)?(\w+)[>}]", lambda part: parts.get(part[1], "x"), path)


def pages(app: Flask, method: str) -> list[tuple[str, str]]:
    """Return endpoint and address of every page that takes a method."""
    return [
        (rule.endpoint, rule.rule)
        for rule in app.url_map.iter_rules()
        if method in (rule.methods or ()) and not rule.endpoint.startswith(("api.", "static"))
    ]


@pytest.mark.parametrize("who", INVITED)
def test_every_writing_operation_refuses_the_invited_outside_their_scope(world: World, who: str) -> None:
    client, before, tried = world.client(who), ledger_of(world.app).store.last_position(), 0
    for method, path, role in operations(world.app):
        if role != "reader":
            answer = client.open(about(path, world), method=method, json={"events": []})
            assert (answer.status_code, answer.json["code"]) == (403, "access.role"), (method, path)
            tried += 1
    assert tried >= 3
    assert ledger_of(world.app).store.last_position() == before


@pytest.mark.parametrize("who", INVITED)
def test_every_form_refuses_the_invited_outside_their_scope(world: World, who: str) -> None:
    client, before, tried = world.client(who), ledger_of(world.app).store.last_position(), 0
    for endpoint, path in pages(world.app, "POST"):
        if endpoint not in HARMLESS:
            answer = client.post(about(path, world), headers=HERE)
            assert answer.status_code == 403, (endpoint, path, answer.status_code)
            tried += 1
    assert tried >= 7
    assert ledger_of(world.app).store.last_position() == before
    forms = {path for _, path in pages(world.app, "POST")}
    scoring = [
        path
        for endpoint, path in pages(world.app, "GET")
        if "/score" in path or path in forms and endpoint not in READ_BY_ALL
    ]
    assert len(scoring) >= 14
    for path in (about(path, world) for path in scoring):
        assert client.get(path).status_code == 403
        assert path == "/invitations" or "The invitation does not include this" in client.get(path).text


def test_the_invited_record_to_their_table_under_the_name_of_the_invitation(world: World) -> None:
    first, second = world.matches
    assert append(world.client("table"), first) == (201, "")
    assert append(world.client("table"), second) == (403, "access.role")
    assert append(world.client("evening"), second) == (201, "")
    assert ledger_of(world.app).events(first)[-1].by == "table"
    assert ledger_of(world.app).events(second)[-1].by == "evening"
    stated = {"type": "note", "text": "by another", "by": "sam", "at": "2026-01-01T00:00:00Z"}
    assert append(world.client("table"), first, stated)[1] == "store.recorder"


def test_a_form_of_their_table_is_open_to_the_invited(world: World) -> None:
    client, match = world.client("table"), world.matches[0]
    assert client.get(f"/matches/{match}/score").status_code == 200
    assert client.get(f"/matches/{match}/score/log").status_code == 200
    assert "Score</a>" in client.get(f"/matches/{match}").text
    assert "Score</a>" not in client.get(f"/matches/{world.other}").text
    assert client.post(f"/matches/{match}/void", data={"reason": "misdeal"}, headers=HERE).status_code == 303
    assert ledger_of(world.app).stream(match).void


def test_a_table_opened_later_is_covered_and_one_named_by_mistake_no_longer(world: World) -> None:
    ledger, client = ledger_of(world.app), world.client("evening")
    players = ledger.stream(world.matches[0]).table.players
    (later,) = ledger.evenings.rounds.open(world.session, "tests", tables=[players])
    assert append(client, str(later.match)) == (201, "")
    mistaken = world.matches[1]
    results = ledger.evenings.stream(world.session).state.results
    amend = {
        "type": "amend", "about": results[1, 2, None][0],
        "event": {"type": "result", "round": 1, "table": 2, "points": [1, 2, 3, 7]},
    }  # fmt: skip
    seq = ledger.evenings.stream(world.session).seq
    ledger.evenings.record(world.session, [event_of(amend)], seq, "tests", as_written=False)
    assert append(client, mistaken) == (403, "access.role")


def told(client: FlaskClient, path: str) -> tuple[int, str]:
    """Return what a person sees at an address, without the frame of the page, which says who they are, and without their own name in a form."""
    answer = client.get(path)
    text = answer.data.decode(errors="replace")
    answer.close()
    page = re.sub(r'(name="author"[^>]*) value="[^"]*"', r"\1", text.partition("<main")[2] or text)
    return answer.status_code, page


@pytest.mark.parametrize("who", ["table", "place"])
def test_outside_their_scope_the_invited_read_what_readers_read_and_inside_what_scorers_do(
    world: World, who: str
) -> None:
    invited, reader, scorer = map(world.client, (who, "reader", "scorer"))
    addresses = [path for method, path, _ in operations(world.app) if method == "GET"]
    addresses += [path for _, path in pages(world.app, "GET")]
    differs = 0
    for path in addresses:
        if re.search(r"[{<]match[}>]", path) and not re.search(
            "/live|/score|/sheet|/swap|/opening|/correct|/line", path
        ):
            outside, inside = about(path, world), about(path, world._replace(other=world.matches[0]))
            assert told(invited, outside) == told(reader, outside), outside
            seen = told(scorer, inside)
            assert told(invited, inside) == seen, inside
            differs += seen != told(reader, inside)
    assert differs >= 5, "there was something to hide"


def test_lists_hide_from_the_invited_what_they_hide_from_readers(world: World) -> None:
    secret, client = ledger_of(world.app).folded(world.other).hash.hex(), world.client("table")
    for path in ("/", "/matches", "/api/v1/matches", "/api/v1/export", "/api/v1/hands", "/api/v1/violations"):
        assert secret in told(world.client("scorer"), path)[1] or path != "/api/v1/matches"
        assert secret not in told(client, path)[1], path
    exported = {name: told(world.client(name), "/api/v1/export") for name in ("table", "reader")}
    assert exported["table"] == exported["reader"]


def test_what_if_and_hidden_views_are_open_at_their_table_only(world: World) -> None:
    client = world.client("table")
    for match, status in ((world.matches[0], 200), (world.matches[1], 403), (world.other, 403)):
        body = {"events": [{"type": "note", "text": "what if"}]}
        assert client.post(f"/api/v1/matches/{match}/what-if", json=body).status_code == status
        assert client.get(f"/api/v1/matches/{match}/table?view=all").status_code == status


def test_a_replay_in_a_frame_hides_from_the_invited_what_it_hides_from_all(world: World) -> None:
    match = world.matches[0]
    seq = ledger_of(world.app).stream(match).seq
    path = f"/matches/{match}/replay/{seq}"
    assert told(world.client("table"), path) == told(world.client("scorer"), path)
    framed = f"{path}?embed=1"
    assert told(world.client("table"), framed) == told(world.client("reader"), framed)
    assert world.client("table").get(f"{framed}&view=all").status_code == 403


@pytest.mark.parametrize("who", INVITED)
def test_streams_hold_hidden_cards_only_within_the_scope(world: World, who: str) -> None:
    client = world.client(who)

    def whole(path: str) -> bool:
        answer = client.get(f"/api/v1{path}?after=0")
        lines = iter(answer.response)
        next(lines)
        text = next(lines)
        answer.close()
        return b'"deal"' in text and b'"hands":null' not in text

    assert whole(f"/matches/{world.matches[0]}/live")
    assert whole(f"/matches/{world.matches[1]}/live") == (who == "evening")
    assert not whole(f"/matches/{world.other}/live")
    assert not whole("/live")


@pytest.fixture
def stored(tmp_path: Path) -> Iterator[tuple[Flask, Tokens]]:
    """An application, and its tokens as another program sees them."""
    app = create_app(tmp_path / "club.db", limits=Limits.of(0))
    tokens = Tokens(tmp_path / "club.db")
    yield app, tokens
    tokens.close()
    access_of(app).close()
    ledger_of(app).close()


@contextmanager
def served(app: Flask) -> Iterator[str]:
    """Serve an application over HTTP; yield its address."""
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def asked(method: str, url: str, token: str, body: object = None) -> int:
    """Return the status of an answer over HTTP; where it leads is not followed."""
    connection = HTTPConnection(urlsplit(url).netloc)
    head = {"Authorization": f"Bearer {token}", "If-Match": "*", "Content-Type": "application/json", **HERE}
    with closing(connection):
        connection.request(method, quote(urlsplit(url).path), json.dumps(body or {"events": []}), head)
        return connection.getresponse().status


def test_a_table_is_all_that_its_invitation_covers_over_http(world: World) -> None:
    """Every operation and form, about the evening, the other table, and another evening: refused, and nothing is recorded."""
    app, ledger = world.app, ledger_of(world.app)
    token = access_of(app).lend("table 1", "reader", f"{world.session}/1")
    note, void = ({"events": [{"type": kind, **more}]} for kind, more in (("note", {"text": "a"}), ("void", {})))
    # The evening itself, and the match at its other table.
    near = world._replace(elsewhere=world.session, other=world.matches[1])
    before, tried = ledger.store.last_position(), 0
    with served(app) as address:
        for at in (near, world):
            for method, path, role in operations(app):
                if role != "reader":
                    assert asked(method, address + about(path, at), token) == 403, (method, path)
                    tried += 1
            for endpoint, path in pages(app, "POST"):
                if endpoint not in HARMLESS:
                    assert asked("POST", address + about(path, at), token) == 403, path
                    tried += 1
            for body in (note, void):
                assert asked("POST", f"{address}/api/v1/matches/{at.other}/events", token, body) == 403
        assert ledger.store.last_position() == before
        assert tried >= 60
        assert asked("POST", f"{address}/api/v1/matches/{world.matches[0]}/events", token, note) == 201


def test_a_table_is_covered_in_the_round_that_is_played_and_in_no_other(world: World) -> None:
    ledger, client, first = ledger_of(world.app), world.client("place"), world.matches[0]
    assert append(client, first) == (201, "")
    assert client.get(f"/evenings/{world.session}/tables/1").headers["Location"] == f"/matches/{first}/score"
    seats = [ledger.stream(match).table.players for match in world.matches]
    later, other = (str(each.match) for each in ledger.evenings.rounds.open(world.session, "tests", tables=seats))
    assert append(client, later) == (201, "")
    assert client.get(f"/evenings/{world.session}/tables/1").headers["Location"] == f"/matches/{later}/score"
    assert {append(client, match) for match in (first, other, world.matches[1])} == {(403, "access.role")}
    record(ledger, world.session, {"type": "close"})
    assert append(client, later) == (403, "access.role")


@pytest.mark.parametrize("scope", ["session-x/1", "{}/0", "{}/1/2", "{}/9", "{}/x", "league-1/1", ""])
def test_a_scope_that_is_no_place_covers_nothing(world: World, scope: str) -> None:
    covered = Scope(ledger_of(world.app), scope.format(world.session))
    assert not [match for match in (*world.matches, world.other, world.session, world.elsewhere) if match in covered]
    assert None not in covered


def test_a_withdrawn_invitation_ends_its_streams(stored: tuple[Flask, Tokens]) -> None:
    app, tokens = stored
    match = ledger_of(app).record(None, [opened()], 0).match
    text = tokens.invite("Table 2, Tuesday", match, datetime.now(UTC) + timedelta(days=1))
    streams_of(app).poll = 0.01
    answer = app.test_client().get(f"/api/v1/matches/{match}/live", headers={"Authorization": f"Bearer {text}"})
    ledger_of(app).record(match, [ev.Note(text="seen")], 1)
    lines = iter(answer.response)
    assert b"retry" in next(lines)
    assert b"seen" in next(lines)
    tokens.revoke("Table 2, Tuesday")
    assert [*lines] == []
    assert app.test_client().get("/", headers={"Authorization": f"Bearer {text}"}).status_code == 401


def test_a_stream_ends_when_its_match_leaves_the_evening(stored: tuple[Flask, Tokens]) -> None:
    app, tokens = stored
    ledger = ledger_of(app)
    session, (match,) = under_way(ledger, 1)
    text = tokens.invite("Tuesday", session, datetime.now(UTC) + timedelta(days=1))
    streams_of(app).poll = 0.01
    answer = app.test_client().get(f"/api/v1/matches/{match}/live", headers={"Authorization": f"Bearer {text}"})
    lines = iter(answer.response)
    next(lines)
    seq = ledger.evenings.stream(session).seq
    ledger.evenings.record(session, [ev.Retract(to=seq - 1)], seq, "tests", as_written=False)
    assert [*lines] == []


def test_an_invitation_ends_to_the_moment_and_is_a_readers_token(tmp_path: Path) -> None:
    now = [datetime(2026, 1, 6, 20, tzinfo=UTC)]
    with closing(Tokens(tmp_path / "club.db", lambda: now[0])) as tokens:
        digest = digest_of(tokens.invite("Table 2", "session-x", now[0] + timedelta(hours=2)))
        token = tokens.find(digest)
        assert token is not None
        assert (token.role, token.scope) == ("reader", "session-x"), "an earlier version knows a reader"
        assert [each.scope for each, _ in tokens.all()] == ["session-x"]
        now[0] += timedelta(hours=2)
        assert tokens.find(digest) is None


def test_an_evening_cannot_be_widened_by_what_is_recorded_there(world: World) -> None:
    """A result may name any match; an invited scorer may name only those that the invitation covers."""
    client, ledger = world.client("evening"), ledger_of(world.app)
    record(ledger, world.session, table(2, ledger.stream(world.other).table.players))
    result = {"type": "result", "round": 2, "table": 1, "match": world.other}
    where = f"/api/v1/sessions/{world.session}/events"
    amend = {"type": "amend", "about": ledger.evenings.stream(world.session).seq - 1, "event": result}
    for event in (result, amend):
        answer = client.post(where, json={"events": [event]}, headers={"If-Match": "*"})
        assert (answer.status_code, answer.json["code"]) == (403, "access.role"), answer.json
    assert append(client, world.other) == (403, "access.role")
    arrive = {"type": "arrive", "player": "zoe"}
    assert client.post(where, json={"events": [arrive]}, headers={"If-Match": "*"}).status_code == 201

"""Answers are packed for the way, and never where a secret and what a client sends meet."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING, Any

import pytest
from flask.testing import FlaskClient

from cardledger_web.app import access_of
from cardledger_web.serving import compression
from cardledger_web.serving.compression import ENCODINGS, LEAST, encoded, wanted_encoding

if TYPE_CHECKING:
    from flask import Flask
    from werkzeug.test import TestResponse

GZIP = {"Accept-Encoding": "gzip"}
LARGE = ("/season", "/matches", "/players", "/api/v1/matches", "/api/v1/games", "/api/v1/openapi.json")


def nobody(app: Flask) -> FlaskClient:
    """Return a client without a token."""
    return FlaskClient(app, app.response_class, use_cookies=True)


def packed(answer: TestResponse) -> bool:
    return answer.headers.get("Content-Encoding") in ENCODINGS


@pytest.mark.parametrize("path", LARGE)
def test_large_answers_to_anybody_are_packed(app: Flask, path: str) -> None:
    client = nobody(app)
    plain, small = client.get(path), client.get(path, headers=GZIP)
    assert not packed(plain) and packed(small)
    assert gzip.decompress(small.data) == plain.data or path == "/season"
    assert int(small.headers["Content-Length"]) == len(small.data) < len(plain.data) / 3
    for answer in (plain, small):
        assert "Accept-Encoding" in answer.headers.get_all("Vary")


def test_no_answer_to_a_token_or_a_session_is_packed(app: Flask) -> None:
    token = access_of(app).lend("ana", "reader")
    signed_in = nobody(app)
    assert signed_in.get(f"/?token={token}", headers=GZIP).status_code == 303
    for path in (*LARGE, "/sign-in"):
        assert not packed(nobody(app).get(path, headers=GZIP | {"Authorization": f"Bearer {token}"})), path
        assert not packed(nobody(app).get(path, headers=GZIP | {"Authorization": "Bearer wrong"})), path
        assert not packed(nobody(app).get(path, headers=GZIP | {"Authorization": "Basic eDp5"})), path
        assert not packed(signed_in.get(path, headers=GZIP)), path
    (style,) = {part for part in signed_in.get("/").text.split('"') if part.startswith("/static/style.")}
    assert packed(signed_in.get(style, headers=GZIP)), "what is the same for everybody holds no secret"


def test_an_answer_for_which_nobody_asked_who_asks_is_not_packed() -> None:
    headers = [("Content-Type", "text/html"), ("Content-Length", "5000")]
    assert not compression.may_be_packed({"REQUEST_METHOD": "GET"}, "200 OK", headers)


@pytest.mark.parametrize(
    ("status", "headers"),
    [
        ("200 OK", {"Content-Type": "text/event-stream"}),
        ("200 OK", {"Content-Type": "text/html", "Content-Length": None}),
        ("200 OK", {"Content-Type": "image/png"}),
        ("200 OK", {"Content-Type": "text/html", "Content-Length": str(LEAST - 1)}),
        ("200 OK", {"Content-Type": "text/html", "Content-Length": "90000000"}),
        ("200 OK", {"Content-Type": "text/html", "Content-Encoding": "gzip"}),
        ("200 OK", {"Content-Type": "text/html", "Set-Cookie": "a=b"}),
        ("206 Partial Content", {"Content-Type": "text/html"}),
    ],
)
def test_streams_parts_and_what_is_packed_already_stay_as_they_are(status: str, headers: dict[str, Any]) -> None:
    environ: dict[str, Any] = {"REQUEST_METHOD": "GET"}
    compression.free_of_secrets(environ)
    given = [(name, value) for name, value in ({"Content-Length": "5000"} | headers).items() if value is not None]
    assert not compression.may_be_packed(environ, status, given)
    assert compression.may_be_packed(
        environ, "200 OK", [("Content-Type", "text/html; charset=utf-8"), ("Content-Length", "5000")]
    )


def test_tags_differ_by_encoding_and_are_both_known(app: Flask) -> None:
    client = nobody(app)
    plain, small = client.get("/api/v1/matches"), client.get("/api/v1/matches", headers=GZIP)
    assert small.headers["ETag"] == plain.headers["ETag"][:-1] + '-gzip"'
    for answer, accepted in ((plain, {}), (small, GZIP)):
        again = client.get("/api/v1/matches", headers={"If-None-Match": answer.headers["ETag"], **accepted})
        assert (again.status_code, again.data) == (304, b"")
        assert again.headers["ETag"] == answer.headers["ETag"]
    other = client.get("/api/v1/matches", headers=GZIP | {"If-None-Match": '"other-gzip"'})
    assert other.status_code == 200 and packed(other)


def test_the_tag_of_a_packed_answer_is_a_condition_for_recording(empty: Flask) -> None:
    writer = empty.test_client()
    events = [{"type": "open", "game": "diversity", "players": ["ana", "ben", "chloe", "dev"]}]
    match = writer.post("/api/v1/matches", json={"events": events}).json["match"]
    (game,) = {nobody(empty).get(f"/api/v1/matches/{match}", headers=GZIP).headers["ETag"]}
    held = game if "-gzip" in game else game[:-1] + '-gzip"'
    note = {"events": [{"type": "note", "text": "a"}]}
    assert writer.post(f"/api/v1/matches/{match}/events", json=note, headers={"If-Match": held}).status_code == 201
    assert writer.post(f"/api/v1/matches/{match}/events", json=note, headers={"If-Match": held}).status_code == 412


def test_the_best_encoding_that_is_accepted_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compression, "ENCODINGS", {"br": lambda body, _: b"br", "gzip": ENCODINGS["gzip"]})
    assert wanted_encoding("gzip, deflate, br") == "br"
    assert wanted_encoding("GZIP;q=0.8, br;q=0") == "gzip"
    assert [wanted_encoding(text) for text in (None, "", "identity", "*;q=0", "x" * 300 + ", gzip")] == [None] * 5


def test_packing_gives_the_same_bytes_each_time() -> None:
    for name in ENCODINGS:
        assert encoded(b"cards " * 500, name) == encoded(b"cards " * 500, name)
    assert gzip.decompress(encoded(b"cards", "gzip")) == b"cards"

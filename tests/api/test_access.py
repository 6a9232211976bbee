"""Access: identity by token or browser session, and protection from requests that foreign pages trigger."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from flask import g

from cardledger_api.auth import sessions
from cardledger_api.auth import users as module
from cardledger_api.auth.limits import Limits
from cardledger_api.auth.sessions import IDLE, Sessions
from cardledger_api.auth.tokens import Tokens, digest_of, new_text
from cardledger_web.app import access_of, create_app, ledger_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flask import Flask
    from flask.testing import FlaskClient

WHO = "/who"
HERE = {"Sec-Fetch-Site": "same-origin"}


def make(path: Path, **more: object) -> Iterator[Flask]:
    app = create_app(path, **{"limits": Limits.of(0), **more})

    @app.route(WHO, methods=["GET", "POST"])
    def who() -> dict[str, str | None]:
        access = access_of(app)
        return {"role": access.role(), "name": access.name(), "shown": g.role, "recorder": g.recorder}

    @app.post("/score")
    def score() -> str:
        access_of(app).require("scorer")
        return "scored"

    yield app
    access_of(app).close()
    ledger_of(app).close()


@pytest.fixture
def open_app(tmp_path: Path) -> Iterator[Flask]:
    """An application where everybody may read."""
    yield from make(tmp_path / "club.db")


@pytest.fixture
def shut_app(tmp_path: Path) -> Iterator[Flask]:
    """An application where reading takes a token."""
    yield from make(tmp_path / "club.db", open_reading=False)


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def signed_in(app: Flask, role: str = "scorer") -> FlaskClient:
    client = app.test_client()
    answer = client.get(f"/?token={access_of(app).lend('ana', role)}")
    assert answer.status_code == 303
    return client


def cookie_of(client: FlaskClient) -> str:
    cookie = client.get_cookie("cardledger")
    assert cookie is not None
    return cookie.value


# --- identity


def test_a_token_says_role_and_name(open_app: Flask) -> None:
    token = access_of(open_app).lend("ana", "scorer")
    for scheme in ("Bearer", "bearer", "BEARER"):
        said = open_app.test_client().get(WHO, headers={"Authorization": f"{scheme} {token}"}).json
        assert said == {"role": "scorer", "name": "ana", "shown": "scorer", "recorder": "ana"}


def test_with_open_reading_everybody_is_a_reader(open_app: Flask) -> None:
    said = open_app.test_client().get(WHO).json
    assert said == {"role": "reader", "name": None, "shown": "reader", "recorder": None}


def test_everybody_can_ask_who_they_are(open_app: Flask) -> None:
    client, access = open_app.test_client(), access_of(open_app)
    assert client.get("/api/v1/me").json == {
        "name": None,
        "role": "reader",
        "scope": None,
        "expires": None,
        "shown": None,
    }
    invited = access.lend("ben", "reader", "5a0ea0c2-77f1-4c8e-8cc2-9b4dbe6f0a55")
    said = client.get("/api/v1/me", headers=bearer(invited)).json
    assert (said["name"], said["role"], said["scope"]) == ("ben", "reader", "5a0ea0c2-77f1-4c8e-8cc2-9b4dbe6f0a55")
    lasting = access.tokens.create("chloe", "scorer", 1)
    assert client.get("/api/v1/me", headers=bearer(lasting)).json["expires"].endswith("Z")


def test_without_open_reading_a_request_without_a_token_is_refused(shut_app: Flask) -> None:
    answer = shut_app.test_client().get(WHO)
    assert (answer.status_code, answer.mimetype) == (401, "text/html")
    assert answer.headers["WWW-Authenticate"] == 'Bearer realm="this ledger"'
    with shut_app.test_request_context("/"):
        assert access_of(shut_app).role() is None
        assert access_of(shut_app).name() is None


def test_an_expired_token_is_reported_even_where_reading_is_open(open_app: Flask) -> None:
    assert open_app.test_client().get(WHO, headers=bearer(new_text())).status_code == 401
    with open_app.test_request_context("/", headers=bearer(new_text())):
        assert access_of(open_app).role() is None


@pytest.mark.parametrize("text", ["", " ", "x", "é\u0000", "cl_" + "A" * 43, "A" * 100_000, "\udcff", "' OR 1=1 --"])
def test_only_created_tokens_are_tokens(shut_app: Flask, text: str) -> None:
    access_of(shut_app).lend("ana", "admin")
    client = shut_app.test_client()
    value = f"Bearer {text}".encode("utf-8", "surrogateescape").decode("latin-1")
    assert client.get(WHO, headers={"Authorization": value}).status_code == 401
    assert client.get(f"/?token={quote(text.encode('utf-8', 'surrogateescape'))}").status_code == 401


def test_a_stored_token_works_until_another_process_revokes_it(open_app: Flask, tmp_path: Path) -> None:
    with closing(Tokens(tmp_path / "club.db")) as elsewhere:
        token = elsewhere.create("ben", "scorer", 1)
        client = open_app.test_client()
        assert client.post("/score", headers=bearer(token)).status_code == 200
        browser = open_app.test_client()
        browser.get(f"/?token={token}")
        assert browser.post("/score", headers=HERE).status_code == 200
        elsewhere.revoke("ben")
        assert client.post("/score", headers=bearer(token)).status_code == 401
        assert browser.post("/score", headers=HERE).status_code == 401
        assert browser.get(WHO).json["role"] == "reader"


def test_temporary_tokens_are_stored_nowhere_and_compared_in_constant_time(
    open_app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = access_of(open_app).lend("ana", "admin")
    assert open_app.test_client().get(WHO, headers=bearer(token)).json["role"] == "admin"
    held = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert token.encode() not in held
    assert digest_of(token) not in held
    assert not (tmp_path / "club.access.db").exists()
    asked = []
    monkeypatch.setattr(module, "compare_digest", lambda *given: asked.append(given))
    assert open_app.test_client().get(WHO, headers=bearer(token)).status_code == 401
    assert asked == [(digest_of(token), digest_of(token))]


# --- the session of a browser


def test_the_link_signs_a_browser_in_and_redirects_to_the_url_without_the_token(shut_app: Flask) -> None:
    client = shut_app.test_client()
    token = access_of(shut_app).lend("ana", "scorer")
    answer = client.get(f"/?game=ruff&token={token}&player=a%26b")
    assert (answer.status_code, answer.headers["Location"]) == (303, "/?game=ruff&player=a%26b")
    assert answer.headers["Cache-Control"] == "no-store"
    assert token not in answer.text
    assert client.get(answer.headers["Location"]).status_code == 200
    assert client.get(WHO).json["name"] == "ana"


def test_the_cookie_is_for_this_server_only_and_holds_no_token(open_app: Flask) -> None:
    token = access_of(open_app).lend("ana", "admin")
    answer = open_app.test_client().get(f"/?token={token}")
    (cookie,) = answer.headers.getlist("Set-Cookie")
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "Domain" not in cookie
    assert token not in cookie


def test_a_cookie_cannot_be_made_up_or_taken_to_another_server(open_app: Flask, tmp_path: Path) -> None:
    good = cookie_of(signed_in(open_app, "admin"))
    said, _, sign = good.rpartition(".")
    # Not the last character: some of its bits mean nothing.
    for value in (f"{said}.{'A' if sign[0] != 'A' else 'B'}{sign[1:]}", "x" + good, good.split(".")[0], "", "{}"):
        client = open_app.test_client()
        client.set_cookie("cardledger", value)
        assert client.get(WHO).json["role"] == "reader"
    for other in make(tmp_path / "other.db"):
        client = other.test_client()
        client.set_cookie("cardledger", good)
        assert client.get(WHO).json["role"] == "reader"


def test_an_expired_link_signs_nobody_in(open_app: Flask) -> None:
    client = open_app.test_client()
    answer = client.get(f"/?token={new_text()}")
    assert (answer.status_code, answer.mimetype) == (401, "text/html")
    assert client.get(WHO).json["name"] is None


@pytest.mark.parametrize("lent", [True, False])
def test_no_link_puts_another_user_in_the_place_of_the_one_who_is_signed_in(open_app: Flask, lent: bool) -> None:
    client = signed_in(open_app)
    token = access_of(open_app).lend("mallory", "admin") if lent else new_text()
    answer = client.get(f"/matches?token={token}&game=ruff")
    assert (answer.status_code, answer.headers["Location"]) == (303, "/sign-in?next=/matches?game%3Druff")
    assert token not in answer.text
    assert "signed in as <bdi>ana</bdi>" in client.get(answer.headers["Location"]).text
    assert client.get(WHO).json["name"] == "ana"
    client.post("/sign-out", headers={"Origin": "http://localhost"})
    assert client.get(f"/?token={token}").status_code == (303 if lent else 401)


def test_the_link_of_the_user_who_is_signed_in_changes_nothing(open_app: Flask) -> None:
    token = access_of(open_app).lend("ana", "scorer")
    client = open_app.test_client()
    for _ in range(2):
        assert client.get(f"/matches?token={token}").headers["Location"] == "/matches"
    assert client.get(WHO).json["name"] == "ana"


@pytest.mark.parametrize(
    "path", ["//evil.example/", "/\\evil.example/", "/%5Cevil.example", "/%2F/evil.example", "///x"]
)
def test_the_link_redirects_to_no_other_site(open_app: Flask, path: str) -> None:
    token = access_of(open_app).lend("ana", "scorer")
    answer = open_app.test_client().get(f"{path}?token={token}")
    where = answer.headers.get("Location", "/")
    assert where.startswith(("/", "http://localhost/"))
    assert not where.startswith(("//", "/\\"))
    assert not answer.headers.getlist("Set-Cookie")


def test_a_header_goes_before_a_cookie(open_app: Flask) -> None:
    client = signed_in(open_app, "admin")
    token = access_of(open_app).lend("ben", "reader")
    assert client.get(WHO, headers=bearer(token)).json["name"] == "ben"
    assert client.post("/score", headers=bearer(token) | HERE).status_code == 403
    assert client.get(WHO, headers=bearer(new_text())).status_code == 401


def test_signing_out_ends_the_session(open_app: Flask) -> None:
    client = signed_in(open_app)
    assert client.post("/sign-out", headers=HERE).status_code == 303
    assert client.get(WHO).json["name"] is None


def test_a_copied_cookie_is_invalid_after_signing_out(open_app: Flask) -> None:
    client, thief = signed_in(open_app, "admin"), open_app.test_client()
    thief.set_cookie("cardledger", cookie_of(client))
    assert thief.get(WHO).json["role"] == "admin"
    client.post("/sign-out", headers=HERE)
    assert thief.get(WHO).json["role"] == "reader"
    assert thief.post("/score", headers=HERE).status_code == 401


def test_signing_in_again_ends_the_session_before(open_app: Flask) -> None:
    client, thief = signed_in(open_app, "admin"), open_app.test_client()
    thief.set_cookie("cardledger", cookie_of(client))
    token = access_of(open_app).lend("ben", "scorer")
    client.post("/sign-in", data={"token": token}, headers={"Origin": "http://localhost"})
    assert thief.get(WHO).json["name"] is None
    assert client.get(WHO).json["name"] == "ben"


def test_a_session_that_nobody_uses_ends_and_one_in_use_does_not(open_app: Flask) -> None:
    time = 0.0
    access_of(open_app).sessions = Sessions(clock=lambda: time)
    idle, busy = signed_in(open_app), signed_in(open_app)
    for _ in range(20):
        time += IDLE / 10
        assert busy.get(WHO).json["name"] == "ana"
    assert idle.get(WHO).json["name"] is None


def test_the_stream_of_an_open_page_does_not_keep_a_session_alive(open_app: Flask) -> None:
    time = 0.0
    access_of(open_app).sessions = Sessions(clock=lambda: time)
    client = signed_in(open_app)
    for _ in range(9):
        time += IDLE / 8
        client.get(WHO, headers={"Accept": "text/event-stream"})
    assert client.get(WHO).json["name"] is None


def test_there_are_never_more_sessions_than_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "MOST", 3)
    known = Sessions()
    ids = [known.begin(b"%d" % number) for number in range(3)]
    assert known.find(ids[0]) == b"0"
    known.begin(b"3")
    assert [known.find(id) for id in ids] == [b"0", None, b"2"]
    assert len(known) == 3


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_behind_https_cookies_are_for_https_only_and_hsts_is_sent(tmp_path: Path, scheme: str) -> None:
    for app in make(tmp_path / "proxied.db", proxies=1):
        client, outside = app.test_client(), {"X-Forwarded-Proto": scheme}
        answer = client.get(f"/?token={access_of(app).lend('ana', 'scorer')}", headers=outside)
        (cookie,) = answer.headers.getlist("Set-Cookie")
        assert ("; Secure" in cookie) == (scheme == "https")
        for path in ("/", "/api/v1/games", "/static/style.css", "/nowhere", "/health/live"):
            with client.get(path, headers=outside) as answer:
                told = answer.headers.get("Strict-Transport-Security")
            assert (told is not None and int(told.partition("=")[2]) >= 31536000) == (scheme == "https"), path


def test_https_headers_of_strangers_are_ignored(open_app: Flask) -> None:
    answer = open_app.test_client().get("/", headers={"X-Forwarded-Proto": "https"})
    assert "Strict-Transport-Security" not in answer.headers


@pytest.mark.parametrize("role", ["scorer", "admin"])
def test_answers_to_scorers_are_not_kept_by_anybody(open_app: Flask, role: str) -> None:
    client, token = signed_in(open_app, role), bearer(access_of(open_app).lend("ben", role))
    for path in ("/", "/players", "/nowhere", "/api/v1/matches", "/api/v1/export"):
        for answer in (client.get(path), open_app.test_client().get(path, headers=token)):
            assert answer.headers.getlist("Cache-Control") == ["no-store"], path
    with client.get("/static/style.css") as style:
        assert "no-store" not in style.headers.get("Cache-Control", "")


def test_answers_that_depend_on_the_cookie_say_so(open_app: Flask) -> None:
    assert "Cookie" in open_app.test_client().get(WHO).headers["Vary"]


# --- foreign pages


@pytest.mark.parametrize(
    ("headers", "allowed"),
    [
        ({"Sec-Fetch-Site": "same-origin"}, True),
        ({"Sec-Fetch-Site": "same-origin", "Origin": "http://localhost"}, True),
        ({"Origin": "http://localhost"}, True),
        ({"Sec-Fetch-Site": "same-site", "Origin": "http://localhost"}, False),
        ({"Sec-Fetch-Site": "cross-site"}, False),
        ({"Sec-Fetch-Site": "none"}, False),
        ({"Sec-Fetch-Site": ""}, False),
        ({"Origin": "http://localhost:8001"}, False),
        ({"Origin": "http://localhost.evil.example"}, False),
        ({"Origin": "https://evil.example"}, False),
        ({"Origin": "null"}, False),
        ({"Origin": ""}, False),
        ({}, False),
    ],
)
def test_a_signed_in_browser_can_change_data_only_from_our_own_pages(
    open_app: Flask, headers: dict[str, str], allowed: bool
) -> None:
    client = signed_in(open_app, "admin")
    for path in ("/score", "/sign-out"):
        answer = client.post(path, headers=headers)
        assert (answer.status_code != 403) == allowed, path
    reading = signed_in(open_app, "admin").get(WHO, headers=headers)
    assert reading.status_code == 200


def test_the_api_explains_the_refusal_of_a_foreign_page(open_app: Flask) -> None:
    found = [
        rule.rule for rule in open_app.url_map.iter_rules() if rule.rule == "/api/v1/matches" and "POST" in rule.methods
    ]
    for path in found:
        answer = signed_in(open_app).post(path, headers={"Sec-Fetch-Site": "cross-site"})
        assert answer.get_json(force=True)["code"] == "access.origin"


def test_programs_with_a_token_need_no_origin(open_app: Flask) -> None:
    token = access_of(open_app).lend("ana", "scorer")
    for headers in ({}, {"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"}):
        assert open_app.test_client().post("/score", headers=headers | bearer(token)).status_code == 200


# --- names of the server


@pytest.mark.parametrize("host", ["localhost", "localhost:8000", "LOCALHOST", "127.0.0.1:8000", "[::1]:8000"])
def test_a_local_server_answers_to_its_own_names(open_app: Flask, host: str) -> None:
    assert open_app.test_client().get(WHO, headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "192.0.2.1", "x y", "localhost@evil.example"])  # fmt: skip
@pytest.mark.parametrize("path", [WHO, "/", "/api/v1/games", "/static/style.css", "/nothing"])
def test_a_request_under_a_foreign_host_name_is_refused(open_app: Flask, host: str, path: str) -> None:
    client = signed_in(open_app, "admin")
    answer = client.get(path, headers={"Host": host})
    assert answer.status_code == 400
    if path.startswith("/api/"):
        assert answer.get_json(force=True)["status"] == 400


def test_a_server_for_a_network_answers_to_any_name(tmp_path: Path) -> None:
    for app in make(tmp_path / "club.db", hosts=None):
        assert app.test_client().get(WHO, headers={"Host": "cards.club.example"}).status_code == 200

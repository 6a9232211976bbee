"""No request makes the server fail: tens of thousands of requests, from a seed."""

from __future__ import annotations

import gc
import os
import re
import socket
import threading
from contextlib import closing, contextmanager, suppress
from random import Random
from typing import TYPE_CHECKING

import pytest

from cardledger_api.auth.limits import Limits
from cardledger_api.http.streams import streams_of
from cardledger_web.app import access_of, create_app, ledger_of
from cardledger_web.serving.server import listen
from tests.api.abuse import Answer, Request, Requester, ask
from tests.store.conftest import cache, cluster, fresh, url  # noqa: F401 - a PostgreSQL for the long tier
from tests.thorough import many
from tests.waiting import LIMIT
from tests.web.club import fill

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flask import Flask

# A form that breaks off leaves the file it was read into to werkzeug's memory, which is cleared at once.
pytestmark = pytest.mark.filterwarnings("ignore:Unclosed file:ResourceWarning")
SEED = os.environ.get("ABUSE_SEED", "1")


@contextmanager
def opened(at: Path | str, views: Path | None = None) -> Iterator[Flask]:
    """Yield an application of its own, because some of the requests change it."""
    app = create_app(at, views=views, limits=Limits.of(0))
    fill(ledger_of(app))
    streams_of(app).lifetime = 0.001
    yield app
    access_of(app).close()
    ledger_of(app).close()
    gc.collect()  # what is found unclosed is excused here, and not in the test that comes next


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Flask]:
    """An application on a file."""
    with opened(tmp_path / "club.db") as app:
        yield app


def failed(answer: Answer, asked: Request) -> str | None:
    """Return what an answer should never say."""
    status, headers, body = answer
    if status >= 500 and not (status == 503 and "Retry-After" in headers):
        return f"{status}: {body[:300]!r}"
    if b"Traceback (most recent" in body:
        return "a traceback"
    problem = headers.get("Content-Type") == "application/problem+json"
    if asked.path.startswith("/api/v1/") and status >= 400 and asked.method != "HEAD" and not problem:
        return f"{status} without problem details"
    if problem and body and not re.search(rb'"code": *"[a-z]+\.[a-z-]+[.a-z-]*"', body):
        return f"{status} without a code"
    return None


def abuse(app: Flask, seed: str, count: int) -> dict[int, int]:
    requester, statuses, wrong = Requester(app), dict[int, int](), list[str]()
    for number in range(count):
        asked = requester.request(Random(f"{seed}/{number}"))
        try:
            answer = ask(app, asked)
        except Exception as error:  # noqa: BLE001 - any error is reported with its request
            wrong.append(f"request {number} of seed {seed}: {error!r} from ask(app, {asked})")
            continue
        statuses[answer.status] = statuses.get(answer.status, 0) + 1
        if said := failed(answer, asked):
            wrong.append(f"request {number} of seed {seed}: {said} to ask(app, {asked})"[:2000])
    gc.collect()
    assert not wrong, f"{len(wrong)} of {count}\n" + "\n".join(wrong[:30])
    return statuses


@pytest.mark.long
def test_thousands_of_requests_never_give_a_server_error(own: Flask) -> None:
    statuses = abuse(own, SEED, 1_000)
    assert {200, 201, 303, 400, 401, 403, 404, 405, 415, 422} <= statuses.keys(), (
        "all sorts of answers, or this shows nothing"
    )


@pytest.mark.parametrize(
    "host", ["a" * 64 + ".b", "[1:2]", "[", "127.0.0.1:99999", "a b", "\xff", "..", "user@localhost"]
)
def test_an_invalid_host_is_refused(app: Flask, host: str) -> None:
    for path in ("/", "/api/v1/games", "/static/style.css"):
        assert ask(app, Request("GET", path, "", {"Host": host}, b"")).status == 400


@pytest.mark.parametrize("origin", ["http://[", "http://[zz]", "null", "", "//", "\xff"])
def test_an_invalid_origin_counts_as_foreign(app: Flask, origin: str) -> None:
    asked = Request("POST", "/sign-in", "", {"Host": "localhost", "Origin": origin}, b"")
    assert ask(app, asked).status == 403


@pytest.mark.long
@pytest.mark.timeout(many(400, 1800))
@pytest.mark.parametrize("part", range(4))
def test_very_many_requests_never_give_a_server_error(own: Flask, part: int) -> None:
    count = many(800, 25_000)
    statuses = abuse(own, f"{SEED}/{part}", count)
    assert sum(statuses.values()) == count


@pytest.mark.long
@pytest.mark.timeout(many(400, 1800))
def test_thousands_of_requests_to_a_ledger_in_postgresql_never_give_a_server_error(url: str, tmp_path: Path) -> None:  # noqa: F811
    with opened(url, tmp_path / "views.db") as app:
        abuse(app, f"{SEED}/postgresql", many(600, 5_000))


# --- over a socket: what a server makes of it before an application sees it


@pytest.fixture
def port(own: Flask) -> Iterator[int]:
    """The port of a server of the application, in a thread of this process."""
    server = listen(own, 0)
    running = threading.Thread(target=server.run)
    running.start()
    yield server.effective_port
    server.task_dispatcher.shutdown()
    server.trigger.pull_trigger(lambda: server.asyncore.close_all(server._map))
    running.join(LIMIT)
    assert not running.is_alive()


def send(port: int, asked: Request) -> Answer | None:
    """Send a request unchanged; None if the server hangs up, which it may do after half a request."""
    headers = {"Content-Length": str(len(asked.body))} | asked.headers | {"Connection": "close"}
    target = asked.path + f"?{asked.query}" * bool(asked.query)
    lines = [f"{asked.method} {target} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
    said = b""
    with closing(socket.create_connection(("127.0.0.1", port), timeout=LIMIT)) as line:
        with suppress(ConnectionError):
            line.sendall("\r\n".join([*lines, "", ""]).encode("latin-1") + asked.body)
            if {"Content-Length", "Transfer-Encoding", "Expect"} & asked.headers.keys():
                # More may seem to come: nothing does.
                line.shutdown(socket.SHUT_WR)
        with suppress(ConnectionError):
            while more := line.recv(1 << 16):
                said += more
    said = said.removeprefix(b"HTTP/1.1 100 Continue\r\n\r\n")
    if not said:
        return None
    head, _, body = said.partition(b"\r\n\r\n")
    first, *rest = head.decode("latin-1").split("\r\n")
    return Answer(int(first.split()[1]), dict(one.split(": ", 1) for one in rest), body)


def abuse_server(app: Flask, port: int, seed: str, count: int) -> None:
    requester, wrong, hung_up = Requester(app), list[str](), 0
    for number in range(count):
        asked = requester.request(Random(f"{seed}/{number}"))
        answer = send(port, asked)
        hung_up += answer is None
        # RFC 9112, 6.1: a transfer coding that a server does not know is answered with 501.
        if answer is None or answer.status == 501 and "Transfer-Encoding" in asked.headers:
            continue
        if answer.status >= 500 and not (answer.status == 503 and "Retry-After" in answer.headers):
            wrong.append(f"request {number} of seed {seed}: {answer.status} to send(port, {asked})"[:2000])
    assert not wrong, f"{len(wrong)} of {count}\n" + "\n".join(wrong[:30])
    assert hung_up < count / 2, "most are answered, or this shows nothing"


@pytest.mark.long
def test_requests_over_a_socket_never_give_a_server_error(own: Flask, port: int) -> None:
    abuse_server(own, port, SEED, 150)


@pytest.mark.long
@pytest.mark.timeout(many(400, 1800))
def test_thousands_of_requests_over_a_socket_never_give_a_server_error(own: Flask, port: int) -> None:
    abuse_server(own, port, f"{SEED}/socket", many(1_000, 4_000))

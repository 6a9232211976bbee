"""Bombs and slow clients on a real server: slow and endless requests are cut off, and other clients notice nothing."""

from __future__ import annotations

import gzip
import io
import json
import socket
import threading
import time
import zipfile
from contextlib import ExitStack, closing, suppress
from http.client import HTTPConnection, HTTPException
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from cardledger_web.serving import connections
from cardledger_web.serving.server import listen
from tests.waiting import LIMIT, together, wait_until
from tests.web.server import program, running

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flask import Flask

SERVER = """
import sys
from cardledger_api.auth.limits import Limits
from cardledger_web.serving import connections, server as serving
from cardledger_web.app import access_of, create_app
app = create_app(sys.argv[1], limits=Limits(reads=None, writes=None, body=1_000_000, files=1_000_000))
serving.MOST_BYTES = 4_000_000
connections.IDLE = 600
print(access_of(app).lend("tests", "admin"), flush=True)
floods = {"begun": 0, "given up": 0}
@app.get("/flood")
def flood():
    floods["begun"] += 1
    def parts():
        try:
            for _ in range(800):
                yield b"x" * 65536
        except GeneratorExit:
            floods["given up"] += 1
            raise
    return parts()
@app.get("/floods")
def told():
    return floods
with serving.stopping_on_signals():
    server = serving.listen(app, 0)
    connections.watch(server, server.broadcasters, float(sys.argv[2]))
    print(f"at http://127.0.0.1:{server.effective_port}/", flush=True)
    serving.run(server)
"""
ENDLESS = 64_000_000
"""Bytes after which nobody may still be listening; both ends keep some megabytes that nobody has read."""


class Server:
    """A server, with a token of an admin."""

    def __init__(self, address: str, token: str) -> None:
        self.host, _, port = address.removeprefix("http://").partition(":")
        self.port, self.token = int(port), token

    def open(self, sent: bytes = b"") -> socket.socket:
        """Return a connection on which something was sent already."""
        line = socket.create_connection((self.host, self.port), timeout=LIMIT)
        line.sendall(sent)
        return line

    def answers(self, times: int = 1) -> None:
        """Fail unless ordinary requests are answered."""
        for _ in range(times):
            self.get("/games")

    def get(self, path: str) -> bytes:
        """Return an answer."""
        with closing(HTTPConnection(self.host, self.port, timeout=LIMIT)) as line:
            line.request("GET", path)
            answer = line.getresponse()
            assert answer.status == 200
            return answer.read()

    def floods(self, what: str) -> int:
        """Return how many floods have begun, or were given up."""
        number: int = json.loads(self.get("/floods"))[what]
        return number

    def post(self, path: str, body: bytes, **headers: str) -> tuple[int, bytes]:
        headers = {"Authorization": f"Bearer {self.token}"} | {
            name.replace("_", "-"): value for name, value in headers.items()
        }
        with closing(HTTPConnection(self.host, self.port, timeout=LIMIT)) as line:
            line.request("POST", path, body, headers)
            answer = line.getresponse()
            return answer.status, answer.read()


def serving(folder: Path, patience: float) -> Iterator[Server]:
    with running(program("-c", SERVER, str(folder / "club.db"), str(patience))) as (address, said):
        yield Server(address, said[-2].strip())


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that hangs up on nobody for being slow while a test runs."""
    yield from serving(tmp_path_factory.mktemp("patient"), 600)


@pytest.fixture(scope="module")
def impatient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that looks at a second and not at thirty."""
    yield from serving(tmp_path_factory.mktemp("impatient"), 1)


def closed(line: socket.socket, within: float) -> bool:
    """Tell whether the other side hangs up in time."""
    line.settimeout(within)
    try:
        while line.recv(1 << 16):
            pass
    except TimeoutError:
        return False
    except OSError:
        return True
    return True


# --- slow clients


def slowly(server: Server, count: int, sent: bytes, rest: bytes, rounds: int) -> None:
    """Keep a number of requests under way, a byte each a round, and make ordinary requests meanwhile; end one with its rest."""
    with ExitStack() as stack:
        lines = [stack.enter_context(closing(server.open(sent))) for _ in range(count)]
        for _ in range(rounds):
            for line in lines:
                line.send(b"a")
            server.answers(3)
        lines[0].sendall(rest)
        assert lines[0].recv(100).startswith(b"HTTP/1."), "they are there still, or this shows nothing"


@pytest.mark.long
@pytest.mark.parametrize(
    ("sent", "rest"),
    [
        (b"GET /", b" HTTP/1.0\r\n\r\n"),
        (b"POST /api/v1/import HTTP/1.1\r\nContent-Length: 1000\r\n\r\n", b"a" * 1000),
    ],
)
def test_others_are_answered_beside_two_hundred_slow_connections(server: Server, sent: bytes, rest: bytes) -> None:
    slowly(server, 200, sent, rest, 3)


@pytest.mark.long
def test_others_are_answered_beside_four_hundred_lasting_slow_connections(server: Server) -> None:
    slowly(server, 400, b"GET / HTTP/1.1\r\nHost: ", b"\r\n\r\n", 20)


@pytest.mark.long
@pytest.mark.parametrize(
    "sent",
    [
        b"GET / HTTP/1.1\r\nHost: loc", b"GET / HT",
        b"POST /sign-in HTTP/1.1\r\nContent-Length: 1000\r\n\r\na=b",
        b"POST /sign-in HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1",
    ],
)  # fmt: skip
def test_a_client_that_never_ends_its_request_is_disconnected(impatient: Server, sent: bytes) -> None:
    with closing(impatient.open(sent)) as line:
        line.settimeout(0.2)

        def hung_up() -> bool:
            try:
                line.send(b"a")
                return not line.recv(100)
            except TimeoutError:
                return False
            except ConnectionError:
                return True

        wait_until(hung_up, "the end of the connection")


@pytest.mark.long
def test_a_client_that_never_reads_its_answer_is_disconnected(impatient: Server) -> None:
    before = impatient.floods("given up")

    def given_up() -> bool:
        with suppress(ConnectionError, HTTPException):  # a server that looks at a second may hang up on this too
            return impatient.floods("given up") > before
        return False

    with closing(impatient.open(b"GET /flood HTTP/1.1\r\nHost: localhost\r\n\r\n")) as line:
        wait_until(given_up, "the end of the answer")
        taken = 0
        with suppress(ConnectionError):
            while data := line.recv(1 << 20):
                taken += len(data)
        assert taken < 800 * 65536


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time by which a server in this process judges connections, moved by the test."""
    now = [0.0]
    monkeypatch.setattr(connections, "time", SimpleNamespace(monotonic=lambda: now[0]))
    return now


@pytest.mark.long
@pytest.mark.parametrize(("each", "served"), [(1_200, True), (800, False)])
def test_a_slow_client_is_served_as_long_as_it_is_steady(
    empty: Flask, clock: list[float], each: int, served: bool
) -> None:
    """A thousand bytes a second are enough, for however many seconds."""
    listening = listen(empty, 0)
    connections.watch(listening, listening.broadcasters, 1)
    thread = threading.Thread(target=listening.run)
    thread.start()
    try:
        line = Server(f"http://127.0.0.1:{listening.effective_port}", "").open(
            b"POST /sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Length: 24000\r\n\r\n"
        )
        with closing(line):
            (channel,) = wait_until(lambda: [*listening.active_channels.values()], "the connection")
            before = wait_until(lambda: channel.moved, "the headers")
            for second in range(24_000 // each if served else 2):
                listening.maintenance(time.time())
                with suppress(ConnectionError):
                    line.sendall(b" " * each)
                sent = before + (second + 1) * each
                wait_until(lambda sent=sent: channel.hung_up or channel.moved >= sent, "what was sent")
                clock[0] += 1
            listening.maintenance(time.time())
            assert channel.hung_up != served
            if served:
                assert line.recv(100).startswith(b"HTTP/1.1 4")
            else:
                assert closed(line, LIMIT)
    finally:
        listening.task_dispatcher.shutdown()
        listening.trigger.pull_trigger(lambda: listening.asyncore.close_all(listening._map))
        thread.join(LIMIT)


@pytest.mark.long
def test_others_are_answered_beside_clients_that_never_read(server: Server) -> None:
    """More of them than there are threads."""
    before = server.floods("begun")
    with ExitStack() as stack:
        for _ in range(20):
            line = stack.enter_context(closing(server.open()))
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            line.sendall(b"GET /flood HTTP/1.1\r\nHost: localhost\r\n\r\n")
        wait_until(lambda: server.floods("begun") == before + 20, "twenty answers begun")
        server.answers(5)


@pytest.mark.long
def test_a_client_that_reads_gets_a_long_answer_while_others_do_not_read(server: Server) -> None:
    flood = b"GET /flood HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    before = server.floods("begun")
    with ExitStack() as stack:
        for _ in range(12):
            stack.enter_context(closing(server.open(flood)))
        wait_until(lambda: server.floods("begun") == before + 12, "twelve answers begun")
        assert len(server.get("/flood")) == 800 * 65536


@pytest.mark.long
def test_unread_streams_use_no_threads_of_others(server: Server) -> None:
    with ExitStack() as stack:
        for _ in range(30):
            stack.enter_context(closing(server.open(b"GET /api/v1/live HTTP/1.1\r\nHost: localhost\r\n\r\n")))
        server.answers(5)


# --- bombs


def endless(server: Server, head: bytes, piece: bytes) -> tuple[int, bytes]:
    """Send pieces until the server has enough; return how many bytes it took, and what it said."""
    with closing(server.open(head)) as line:
        sent = 0
        with suppress(ConnectionError):
            while sent < ENDLESS:
                line.sendall(piece)
                sent += len(piece)
        said = b""
        with suppress(OSError):
            said = line.recv(1000)
        return sent, said


CHUNKED = b"POST /sign-in HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    ("head", "piece", "told"),
    [
        (CHUNKED, b"10000\r\n" + b"x" * 65536 + b"\r\n", b"413"),
        pytest.param(CHUNKED, b"1\r\nx\r\n" * 10_000, b"413", marks=pytest.mark.long),
        (CHUNKED + b"1;", b"x" * 65536, b""),
        (CHUNKED + b"0\r\n", b"x" * 65536, b""),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Large: ", b"x" * 65536, b"431"),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\n", b"X-Many: yes\r\n" * 5_000, b"431"),
        (b"GET /", b"x" * 65536, b"431"),
    ],
)
def test_an_endless_request_is_cut_off_and_others_are_answered(
    server: Server, head: bytes, piece: bytes, told: bytes
) -> None:
    cut_off: list[tuple[int, bytes]] = []
    together(lambda: cut_off.append(endless(server, head, piece)), lambda: server.answers(5))
    ((sent, said),) = cut_off
    assert sent < ENDLESS
    assert said[9:12] in (told, b""), "a client that is still sending may not read the answer"


@pytest.mark.long
@pytest.mark.parametrize("length", [b"10737418240", b"9" * 300])
def test_ten_gigabytes_are_refused_before_they_are_sent(server: Server, length: bytes) -> None:
    with closing(
        server.open(b"POST /sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + length + b"\r\n\r\n")
    ) as line:
        assert line.recv(100)[9:12] in (b"413", b"400")


@pytest.mark.long
@pytest.mark.parametrize(
    "head",
    [
        b"POST /sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"POST /sign-in HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n",
        b"POST /sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
        b"POST /sign-in HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"POST /sign-in HTTP/1.0\r\nConnection: keep-alive\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
    ],
)
def test_a_body_whose_length_is_in_doubt_is_the_end_of_the_connection(server: Server, head: bytes) -> None:
    """What one takes for a body, another takes for the next request."""
    smuggled = b"GET /api/v1/games HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with closing(server.open(head + b"0\r\n\r\n" + smuggled)) as line:
        said = b""
        with suppress(ConnectionError):
            while data := line.recv(65536):
                said += data
    assert said.startswith((b"HTTP/1.1 400 ", b"HTTP/1.0 400 "))
    assert b" 200 OK" not in said, "another request was heard"


@pytest.mark.long
def test_a_compressed_body_is_refused_without_unpacking(server: Server) -> None:
    packed = gzip.compress(gzip.compress(b"\0" * 50_000_000))
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("matches.jsonl", b"\0" * 50_000_000)
    for body in (packed, archive.getvalue()):
        for path in ("/api/v1/import", "/api/v1/matches", "/api/v1/people"):
            for kind in ("application/json", "application/x-ndjson"):
                status, said = server.post(path, body, Content_Type=kind, Content_Encoding="gzip")
                assert (status, b"http.unsupported-media-type" in said) == (415, True)
                # Unpacked or not, it is not a match file, and the server does not unpack it.
                status, said = server.post(path, body, Content_Type=kind)
                assert status in (200, 400, 415) and len(said) < 5_000
        status, _ = server.post(
            "/sign-in", body, Content_Encoding="gzip", Content_Type="application/x-www-form-urlencoded"
        )
        assert status == 415

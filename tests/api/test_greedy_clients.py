"""Greedy clients on a real server: one client cannot keep others from answers, and the health check still works."""

from __future__ import annotations

import socket
import threading
import time
from collections import Counter
from contextlib import ExitStack, closing
from http.client import HTTPConnection
from statistics import median
from typing import TYPE_CHECKING

import pytest

from tests.api.test_slow_clients import closed
from tests.web.server import program, running

if TYPE_CHECKING:
    from collections.abc import Iterator

SERVER = """
import sys, threading, time
from cardledger.api.http.gate import gate_of
from cardledger.api.http.limits import heavy
from cardledger.web.app import access_of, create_app
from cardledger.web.serving import connections, server as serving
connections.MOST, connections.LONG = 60, 0.5
app = create_app(sys.argv[1])
print(access_of(app).lend("tests", "scorer"), flush=True)
gate, inside = gate_of(app), [0, 0]
gate.patience = 1.5
@app.get("/export")
@heavy
def export():
    inside[0] += 1
    inside[1] = max(inside)
    def parts():
        try:
            for _ in range(20):
                until = time.thread_time() + 0.02
                while time.thread_time() < until:
                    pass
                yield b"x"
        finally:
            inside[0] -= 1
    return parts()
@app.get("/flood")
@heavy
def flood():
    return (b"x" * 65536 for _ in range(800))
@app.get("/inside")
def most():
    return str(inside[1])
@app.get("/blocks")
def blocks():
    time.sleep(2.5)
    return "done"
with serving.stopping_on_sigterm():
    server = serving.listen(app, 0)
    print(f"at http://127.0.0.1:{server.effective_port}/", flush=True)
    serving.run(server)
"""


class Server:
    """A server, and a token of a scorer."""

    def __init__(self, address: str, token: str) -> None:
        self.host, _, port = address.removeprefix("http://").partition(":")
        self.port, self.token = int(port), token

    def ask(self, path: str, client: str = "127.0.0.1", **headers: str) -> tuple[int, bytes, float]:
        """Return the status and the body of an answer, and how long it took."""
        began = time.monotonic()
        with closing(HTTPConnection(self.host, self.port, timeout=30, source_address=(client, 0))) as line:
            line.request("GET", path, headers=headers)
            answer = line.getresponse()
            return answer.status, answer.read(), time.monotonic() - began

    def many(self, number: int, path: str, client: str) -> tuple[list[threading.Thread], Counter[int]]:
        """Send this many requests at once; return the threads, and the statuses of the answers as they come."""
        statuses: Counter[int] = Counter()
        threads = [
            threading.Thread(target=lambda: statuses.update([self.ask(path, client)[0]])) for _ in range(number)
        ]  # fmt: skip
        for thread in threads:
            thread.start()
        return threads, statuses

    def open(self, client: str) -> socket.socket:
        """Return a connection on which nothing was asked."""
        line = HTTPConnection(self.host, self.port, timeout=10, source_address=(client, 0))
        line.connect()
        return line.sock


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with an address that is expensive, and one that blocks."""
    folder = tmp_path_factory.mktemp("greedy")
    with running(program("-c", SERVER, str(folder / "club.db"))) as (address, said):
        yield Server(address, said[-2].strip())


@pytest.mark.long
def test_sixteen_exports_of_one_client_block_no_other(server: Server) -> None:
    threads, statuses = server.many(16, "/export", "127.0.0.9")
    took, healthy = [], []
    while any(thread.is_alive() for thread in threads):
        status, _, seconds = server.ask("/api/v1/games")
        took.append(seconds)
        assert status == 200
        status, _, seconds = server.ask("/health/ready")
        healthy.append(seconds)
        assert status == 200
        time.sleep(0.05)
    assert median(took) < 2, "the exports take six seconds of processor, and nobody waits for their end"
    assert median(healthy) < 2
    assert set(statuses) == {200, 429}
    assert int(server.ask("/inside")[1]) <= 2


@pytest.mark.long
def test_a_scorer_can_export_while_readers_use_their_full_share(server: Server) -> None:
    asking = [server.many(6, "/export", f"127.0.0.{number}")[0] for number in range(20, 25)]
    status, body, _ = server.ask("/export", Authorization=f"Bearer {server.token}")
    assert (status, body) == (200, b"x" * 20)
    for thread in (thread for threads in asking for thread in threads):
        thread.join()
    assert int(server.ask("/inside")[1]) <= 4


@pytest.mark.long
def test_a_client_that_reads_an_expensive_answer_slowly_frees_its_place(server: Server) -> None:
    """Three readers have all the places for readers, and take nothing."""
    with ExitStack() as stack:
        for number in (30, 31, 32):
            line = stack.enter_context(closing(server.open(f"127.0.0.{number}")))
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            line.sendall(b"GET /flood HTTP/1.1\r\nHost: localhost\r\n\r\n")
        time.sleep(1)
        assert server.ask("/export", "127.0.0.33")[:2] == (200, b"x" * 20)


@pytest.mark.long
def test_health_is_answered_when_every_thread_is_busy(server: Server) -> None:
    threads, _ = server.many(30, "/blocks", "127.0.0.9")
    time.sleep(0.5)
    for path in ("/health/live", "/health/ready"):
        status, _, seconds = server.ask(path)
        assert (status, seconds < 1) == (200, True), path
    for thread in threads:
        thread.join()


@pytest.mark.long
def test_one_client_cannot_take_all_connections(server: Server) -> None:
    with ExitStack() as stack:
        greedy = [stack.enter_context(closing(server.open("127.0.0.9"))) for _ in range(100)]
        for _ in range(5):
            status, _, seconds = server.ask("/health/live")
            assert (status, seconds < 1) == (200, True)
        assert closed(greedy[0], 2), "who was quiet for longest goes first"
        assert not closed(greedy[-1], 0.1)

"""Greedy clients on a real server: one client cannot keep others from answers, and the health check still works."""

from __future__ import annotations

import json
import socket
import threading
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection
from typing import TYPE_CHECKING

import pytest

from cardledger_api.http.gate import Gate
from cardledger_web.serving.server import THREADS
from tests.api.test_slow_clients import closed
from tests.waiting import LIMIT, wait_until
from tests.web.server import program, running

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SERVER = """
import sys, time
from pathlib import Path
from flask import request
from cardledger_api.http.gate import gate_of
from cardledger_api.auth.limits import heavy
from cardledger_web.app import access_of, create_app
from cardledger_web.serving import connections, server as serving
connections.MOST, connections.LONG = 60, 0.5
app = create_app(sys.argv[1])
print(access_of(app).lend("tests", "scorer"), flush=True)
gate, inside = gate_of(app), [0, 0]
gate.patience = 600
go, blocked = Path(sys.argv[2], "go"), Path(sys.argv[2], "blocked")
def held():
    while not go.exists():
        time.sleep(0.01)
@app.get("/export")
@heavy
def export():
    now = "now" in request.args
    inside[0] += 1
    inside[1] = max(inside)
    def parts():
        try:
            if not now:
                held()
            yield b"x" * 20
        finally:
            inside[0] -= 1
    return parts()
@app.get("/flood")
@heavy
def flood():
    return (b"x" * 65536 for _ in range(800))
@app.get("/counts")
def counts():
    return {"most": inside[1], "inside": gate.inside, "queued": gate.queued}
@app.get("/blocks")
def blocks():
    with blocked.open("ab") as file:
        file.write(b"x")
    held()
    return "done"
with serving.stopping_on_signals():
    server = serving.listen(app, 0)
    print(f"at http://127.0.0.1:{server.effective_port}/", flush=True)
    serving.run(server)
"""


class Server:
    """A server, and a token of a scorer. What is held goes on when the test says so."""

    def __init__(self, address: str, token: str, folder: Path) -> None:
        self.host, _, port = address.removeprefix("http://").partition(":")
        self.port, self.token, self.folder = int(port), token, folder

    def ask(self, path: str, client: str = "127.0.0.1", **headers: str) -> tuple[int, bytes]:
        """Return the status and the body of an answer."""
        with closing(HTTPConnection(self.host, self.port, timeout=LIMIT, source_address=(client, 0))) as line:
            line.request("GET", path, headers=headers)
            answer = line.getresponse()
            return answer.status, answer.read()

    def counts(self) -> dict[str, int]:
        """Return how many expensive answers are under way, and wait; and how many were under way at most."""
        found: dict[str, int] = json.loads(self.ask("/counts")[1])
        return found

    @contextmanager
    def held(self, number: int, path: str, *clients: str) -> Iterator[list[int]]:
        """Send so many requests at once from each client; they go on at the end. Yield the statuses of those that are answered."""
        statuses: list[int] = []

        def ask(client: str) -> None:
            statuses.append(self.ask(path, client)[0])

        threads = [threading.Thread(target=ask, args=(client,)) for client in clients for _ in range(number)]
        for thread in threads:
            thread.start()
        try:
            yield statuses
        finally:
            (self.folder / "go").touch()
            for thread in threads:
                thread.join(LIMIT)
            (self.folder / "go").unlink()
        assert len(statuses) == len(threads), "everybody was answered"

    def open(self, client: str) -> socket.socket:
        """Return a connection on which nothing was asked."""
        line = HTTPConnection(self.host, self.port, timeout=LIMIT, source_address=(client, 0))
        line.connect()
        return line.sock


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server with an address that is expensive, and one that blocks."""
    with running(program("-c", SERVER, str(tmp_path / "club.db"), str(tmp_path))) as (address, said):
        yield Server(address, said[-2].strip(), tmp_path)


@pytest.mark.long
def test_sixteen_exports_of_one_client_block_no_other(server: Server) -> None:
    """Others are answered while not one of the exports is done."""
    with server.held(16, "/export", "127.0.0.9") as statuses:

        def settled() -> bool:
            counts = server.counts()
            return counts["inside"] + counts["queued"] + len(statuses) == 16

        wait_until(settled, "every export inside, waiting or refused")
        assert (server.counts()["inside"], {*statuses}) == (2, {429})
        for _ in range(10):
            assert server.ask("/api/v1/games")[0] == 200
            assert server.ask("/health/ready")[0] == 200
        assert server.counts()["inside"] == 2
    assert {*statuses} == {200, 429}
    assert server.counts()["most"] == 2


@pytest.mark.long
def test_a_scorer_can_export_while_readers_use_their_full_share(server: Server) -> None:
    with server.held(6, "/export", *(f"127.0.0.{number}" for number in range(20, 25))):
        wait_until(lambda: server.counts()["inside"] == 3, "as many readers as may be")
        wait_until(lambda: server.counts()["queued"] > 0, "readers that wait")
        assert server.ask("/export?now", Authorization=f"Bearer {server.token}") == (200, b"x" * 20)
        assert server.counts()["inside"] == 3
    assert server.counts()["most"] <= 4


@pytest.mark.long
def test_a_client_that_reads_an_expensive_answer_slowly_frees_its_place(server: Server) -> None:
    """Three readers have all the places for readers, and take nothing."""
    with ExitStack() as stack:
        for number in (30, 31, 32):
            line = stack.enter_context(closing(server.open(f"127.0.0.{number}")))
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            line.sendall(b"GET /flood HTTP/1.1\r\nHost: localhost\r\n\r\n")
        wait_until(lambda: server.counts()["inside"] == 3, "three readers inside")
        assert server.ask("/export?now", "127.0.0.33") == (200, b"x" * 20)


@pytest.mark.long
def test_health_is_answered_when_every_thread_is_busy(server: Server) -> None:
    threads = THREADS + Gate.most + Gate.waiting
    with server.held(threads + 10, "/blocks", "127.0.0.9") as statuses:
        blocked = server.folder / "blocked"
        wait_until(lambda: blocked.exists() and blocked.stat().st_size == threads, "every thread busy")
        for path in ("/health/live", "/health/ready"):
            assert server.ask(path)[0] == 200, path
        assert statuses == []


@pytest.mark.long
def test_one_client_cannot_take_all_connections(server: Server) -> None:
    with ExitStack() as stack:
        greedy = [stack.enter_context(closing(server.open("127.0.0.9"))) for _ in range(100)]
        for _ in range(5):
            assert server.ask("/health/live")[0] == 200
        assert closed(greedy[0], LIMIT), "who was quiet for longest goes first"
        greedy[-1].sendall(b"GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert greedy[-1].recv(100).startswith(b"HTTP/1.1 200 "), "who came last is there still"

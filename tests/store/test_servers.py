"""Several `cardledger serve` on one PostgreSQL, as processes: seen everywhere, harmed by nobody's end."""

from __future__ import annotations

import http.client
import json
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from cardledger.record.recording.ledger import Ledger
from cardledger_api.auth.tokens import Tokens
from tests.store.cluster import PASSWORD
from tests.waiting import LIMIT, together, wait_until
from tests.web.server import command, running

pytestmark = pytest.mark.long
OPEN = {"type": "open", "game": "diversity", "players": ["a", "b", "c", "d"]}


@dataclass
class Server:
    """A server and how to ask it."""

    address: str
    token: str
    process: subprocess.Popen[str]

    def ask(self, path: str, body: object = None, **headers: str) -> tuple[int, Any]:
        """Return status and answer; JSON where it is."""
        connection = http.client.HTTPConnection(self.address, timeout=LIMIT)
        with closing(connection):
            headers |= {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
            method = "GET" if body is None else "POST"
            connection.request(method, path, body and json.dumps(body), headers)
            answer = connection.getresponse()
            text = answer.read().decode()
            return answer.status, json.loads(text) if "json" in answer.headers["Content-Type"] else text

    def note(self, match: str, seq: int, text: str = "") -> tuple[int, Any]:
        """Record a note after an event."""
        events = [{"type": "note", "text": text or str(seq)}]
        return self.ask(f"/api/v1/matches/{match}/events", {"events": events}, **{"If-Match": f'"{seq}"'})

    @contextmanager
    def listening(self, path: str) -> Iterator[Iterator[dict[str, Any]]]:
        """Yield the events of a live stream."""
        connection = http.client.HTTPConnection(self.address, timeout=LIMIT)
        with closing(connection):
            connection.request("GET", path, headers={"Authorization": f"Bearer {self.token}"})
            answer = connection.getresponse()
            assert answer.status == 200
            yield (json.loads(line[6:]) for line in iter(answer.readline, b"") if line.startswith(b"data: "))


@pytest.fixture
def servers(url: str, tmp_path: Path) -> Iterator[list[Server]]:
    """Three servers, each with read models of its own, and one token for all."""
    with ExitStack() as stack:
        started = []
        with closing(Tokens(url)) as tokens:
            Ledger(url, views=tmp_path / "own.db").close()
            token = tokens.create("tester", "scorer", 1)
        for number in range(3):
            views = str(tmp_path / f"{number}.views.db")
            process = command("serve", "--port", "0", "--rate", "0", "--views", views, CARDLEDGER_DB=url)
            address, said = stack.enter_context(running(process))
            assert PASSWORD not in "".join(said)
            started.append(Server(address.removeprefix("http://"), token, process))
        yield started


def test_events_recorded_on_one_server_are_on_all(servers: list[Server]) -> None:
    with ExitStack() as stack:
        streams = [stack.enter_context(server.listening("/api/v1/live?after=0")) for server in servers]
        for turn in range(12):
            status, told = servers[turn % 3].ask("/api/v1/matches", {"events": [OPEN]})
            assert status == 201
            for server in servers:
                page = server.ask(f"/matches/{told['match']}")[1]
                assert told["match"] in page
                assert server.ask(f"/api/v1/matches/{told['match']}")[0] == 200
                assert told["match"] in server.ask("/matches")[1]
            for stream in streams:
                assert next(stream)["match"] == told["match"]


def test_killed_or_stalled_servers_disturb_no_other(servers: list[Server], url: str, tmp_path: Path) -> None:
    """Three servers record their own matches; one is killed, one stopped for a while, and every answer is true."""
    acknowledged: dict[str, int] = {}
    of: dict[str, Server] = {}
    fresh: list[str] = []
    done = threading.Event()

    def record(server: Server) -> None:
        match = server.ask("/api/v1/matches", {"events": [OPEN]})[1]["match"]
        of[match] = server
        acknowledged[match] = seq = 1
        try:
            while not done.is_set():
                status, told = server.note(match, seq)
                assert status == 201, told
                acknowledged[match] = seq = told["seq"]
        except (OSError, http.client.HTTPException):
            assert server.process is servers[0].process

    def more(*live: Server) -> None:
        """Wait until servers have recorded something more in each of their matches."""
        wait_until(lambda: len(of) == 6, "a match on every server, twice")
        before = acknowledged.copy()
        wait_until(lambda: all(acknowledged[match] > before[match] + 2 for match in of if of[match] in live))

    def disturb() -> None:
        try:
            more(*servers)
            servers[0].process.kill()
            more(*servers[1:])
            servers[1].process.send_signal(signal.SIGSTOP)
            try:  # all the while one is gone and one stands still
                fresh.append(servers[2].ask("/api/v1/matches", {"events": [OPEN]})[1]["match"])
                with servers[2].listening("/api/v1/live?after=0") as stream:
                    assert any(event["match"] == fresh[0] for event in stream)
                more(servers[2])
            finally:
                servers[1].process.send_signal(signal.SIGCONT)
            more(*servers[1:])
        finally:
            done.set()

    together(disturb, *(partial(record, server) for server in servers for _ in range(2)))
    with Ledger(url, views=tmp_path / "after.db") as ledger:
        for match, seq in acknowledged.items():
            # Requests under way when their server was killed may be stored without an answer.
            assert seq <= ledger.folded(match).stream.seq <= seq + 1
        assert [error for _, error in ledger.verify() if error] == []
    for server in servers[1:]:
        assert server.ask(f"/matches/{fresh[0]}")[0] == 200


def test_a_token_is_made_and_revoked_for_all_servers(servers: list[Server], url: str) -> None:
    with closing(Tokens(url)) as tokens:
        text = tokens.create("ana", "scorer", 1)
        for server in servers:
            server.token = text
            assert server.ask("/api/v1/matches", {"events": [OPEN]})[0] == 201
        tokens.revoke("ana")
        for server in servers:
            wait_until(lambda server=server: server.ask("/api/v1/matches", {"events": [OPEN]})[0] == 401)

"""A server hands over to its successor: no request fails, nothing is recorded twice, streams resume where they were."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from cardledger.errors import StoreError
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.engine import events as ev
from cardledger_web.serving.succession import Inheritance, inherited
from tests.waiting import LIMIT, wait_until
from tests.web.server import COMMAND, ENV, ROOT
from tests.web.test_serving import Served

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not hasattr(signal, "SIGUSR2") or not os.path.isdir("/proc"), reason="needs Linux"),
]


def alive(pid: int) -> bool:
    """Tell whether a process runs, not only waits to be collected."""
    with suppress(OSError), open(f"/proc/{pid}/stat") as stat:
        return stat.read().rpartition(")")[2].split()[0] != "Z"
    return False


_OPENING = json.loads(ev.encode(ev.Open(game="diversity", players=("ana", "ben", "chloe", "dev"))))


class Line:
    """A server and those that follow it, in a session of processes of its own."""

    def __init__(self, db: Path) -> None:
        self.db = db
        self.errors = db.with_suffix(".errors").open("w")
        words = ["serve", "--db", str(db), "--port", "0", "--rate", "0", "--no-reviews", "--log", "json"]
        self.first = subprocess.Popen(
            [sys.executable, "-c", COMMAND, *words], stdout=subprocess.PIPE, stderr=self.errors, text=True, env=ENV,
            cwd=ROOT, start_new_session=True,
        )  # fmt: skip
        self.served = Served(self.first)
        self.port = int(self.served.address.split(":")[-1].strip("/"))

    def said(self, event: str) -> list[dict[str, Any]]:
        """Return the entries of all their logs with this event."""
        lines = self.db.with_suffix(".errors").read_text().split("\n")[:-1]  # whole lines
        entries = [json.loads(line) for line in lines if line.startswith("{")]
        return [entry for entry in entries if entry["event"] == event]

    def successor(self) -> int:
        """Let the first server start its successor, and wait until that has taken over."""
        os.kill(self.first.pid, signal.SIGUSR2)
        (entry,) = wait_until(lambda: self.said("succeeded") or self.said("no successor"), self.errors.name)
        return int(entry["successor"])

    def ask(self, path: str, body: object = None) -> Any:
        """Ask once, over a connection of its own."""
        asked = urllib.request.Request(
            f"{self.served.address}{path}", None if body is None else json.dumps(body).encode(),
            {"Authorization": f"Bearer {self.served.token}", "Content-Type": "application/json", "If-Match": "0"},
        )  # fmt: skip
        try:
            with urllib.request.urlopen(asked, timeout=LIMIT) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            with error:
                raise AssertionError(f"{error.status} {error.read().decode()}") from None

    def end(self) -> None:
        """End all processes of the session."""
        with suppress(ProcessLookupError):
            os.killpg(self.first.pid, signal.SIGKILL)
        self.first.communicate()
        self.errors.close()


@pytest.fixture
def line(tmp_path: Path) -> Iterator[Line]:
    """A server."""
    servers = Line(tmp_path / "club.db")
    yield servers
    servers.end()


class Work:
    """Clients in a loop, until they are stopped: each must get every answer at the first attempt."""

    def __init__(self, line: Line) -> None:
        self.line, self.over = line, threading.Event()
        self.wrong: list[str] = []
        self.read = self.kept = 0
        self.made: list[str] = []
        self.seen: list[int] = []
        self.threads = [
            threading.Thread(target=self._safe, args=(each,), daemon=True)
            for each in (self._reading, self._keeping, self._recording, self._following)
        ]
        for thread in self.threads:
            thread.start()

    def _safe(self, work: Any) -> None:
        try:
            while not self.over.is_set():
                work()
        except Exception as error:  # noqa: BLE001 - the test names it
            self.wrong.append(f"{work.__name__}: {error!r}")

    def _reading(self) -> None:
        self.line.ask("api/v1/matches")
        self.read += 1

    def _keeping(self) -> None:
        """Ask many times over one connection, until the server says that it is the last time."""
        with closing(http.client.HTTPConnection("127.0.0.1", self.line.port, timeout=LIMIT)) as connection:
            while not self.over.is_set():
                connection.request("GET", "/health/live")
                answer = connection.getresponse()
                answer.read()
                assert answer.status == 200
                self.kept += 1
                if answer.will_close:
                    return

    def _recording(self) -> None:
        self.made.append(self.line.ask("api/v1/matches", {"events": [_OPENING]})["match"])

    def _following(self) -> None:
        """Follow the ledger as a browser does: connect again where it was."""
        after = str(self.seen[-1] if self.seen else 0)
        with closing(http.client.HTTPConnection("127.0.0.1", self.line.port, timeout=LIMIT)) as connection:
            token = {"Authorization": f"Bearer {self.line.served.token}"}
            connection.request("GET", "/api/v1/live", headers=token | {"Last-Event-ID": after})
            answer = connection.getresponse()
            assert answer.status == 200, answer.status
            number = 0
            while text := answer.readline():
                if text.startswith(b"id: "):
                    number = int(text[4:])
                elif text.startswith(b"data: "):
                    self.seen.append(number)

    def enough(self) -> None:
        """Wait until each has done something more."""
        read, kept, made, seen = self.read, self.kept, len(self.made), len(self.seen)
        wait_until(
            lambda: (
                self.wrong
                or (
                    self.read > read + 5
                    and self.kept > kept + 5
                    and len(self.made) > made + 5
                    and len(self.seen) > seen
                )
            ),
            "every client has answers",
        )
        assert self.wrong == []

    def done(self) -> None:
        """Stop, and expect that each match is there once, and that the stream told each event once, in order."""
        wait_until(lambda: self.wrong or len(self.seen) >= len(self.made) > 0, "the stream")
        self.over.set()
        for thread in self.threads[:3]:
            thread.join(LIMIT)
        assert self.wrong == []
        with closing(sqlite3.connect(self.line.db)) as db:
            matches = [row[0] for row in db.execute("SELECT DISTINCT match FROM events WHERE seq = 1")]
            last = db.execute("SELECT max(position) FROM events").fetchone()[0]
        assert sorted(matches) == sorted(self.made)
        wait_until(lambda: self.seen[-1] == last, "the last event")
        assert self.seen == sorted(set(self.seen))
        assert len(self.seen) == len(self.made)


def test_nothing_fails_while_a_successor_takes_over(line: Line) -> None:
    work = Work(line)
    work.enough()
    new = line.successor()
    assert line.first.wait(LIMIT) == 0
    work.enough()
    work.done()
    assert alive(new)
    with Ledger(line.db) as ledger:
        assert [problem for _, problem in ledger.verify() if problem is not None] == []


def child_of(pid: int) -> int | None:
    """Return the successor that a server has started."""
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            parent = (process / "stat").read_text().rpartition(")")[2].split()[1]
            if int(parent) == pid and b"CARDLEDGER_SUCCEEDS=" in (process / "environ").read_bytes():
                return int(process.name)
    return None


def test_a_successor_that_is_killed_before_it_is_ready_changes_nothing(line: Line) -> None:
    work = Work(line)
    work.enough()
    os.kill(line.first.pid, signal.SIGUSR2)
    os.kill(wait_until(lambda: child_of(line.first.pid)), signal.SIGKILL)
    wait_until(lambda: line.said("no successor"), "the old server says so")
    work.enough()
    work.done()
    assert line.first.poll() is None


def test_a_successor_goes_on_if_its_predecessor_is_killed(line: Line) -> None:
    os.kill(line.first.pid, signal.SIGUSR2)
    new = wait_until(lambda: child_of(line.first.pid))
    line.first.kill()
    line.first.wait(LIMIT)
    # The socket is in the successor's hands: who connects now waits for it, and is answered.
    with urllib.request.urlopen(f"{line.served.address}health/live", timeout=LIMIT) as answer:
        assert answer.status == 200
    assert alive(new)


def test_files_of_another_version_are_not_touched_under_a_predecessor(tmp_path: Path) -> None:
    with Ledger(tmp_path / "club.db"):
        pass
    here, there = socket.socketpair()
    with here, there:
        given = Inheritance(None, there)
        given.expect_same_editions(tmp_path / "club.db", None)
        for name in ("club.views.db", "club.db"):
            with closing(sqlite3.connect(tmp_path / name)) as db:
                db.execute("PRAGMA user_version = 999")
            with pytest.raises(StoreError, match=f"{name} has version 999.*restart"):
                given.expect_same_editions(tmp_path / "club.db", None)


def test_systemd_passes_on_one_socket() -> None:
    assert inherited({"LISTEN_PID": "1", "LISTEN_FDS": "1"}) == (None, None)
    with pytest.raises(OSError, match="2 sockets"):
        inherited({"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "2"})

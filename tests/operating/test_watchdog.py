"""The watchdog: systemd hears that the server is there, that it answers, and that it stops; nothing while it does not answer."""

from __future__ import annotations

import queue
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from cardledger_web.serving.watchdog import ALIVE, READY, STOPPING, answers, period, told, watched
from tests.operating.test_deploy import unit
from tests.waiting import LIMIT
from tests.web.server import command, running


@contextmanager
def systemd(at: str) -> Iterator[socket.socket]:
    """The socket at which systemd listens."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(at)
        listening.settimeout(LIMIT)
        yield listening


def test_a_server_says_that_it_is_there_that_it_answers_and_that_it_stops(tmp_path: Path) -> None:
    at = str(tmp_path / "notify")
    with systemd(at) as listening:
        server = command(
            "serve", "--db", str(tmp_path / "club.db"), "--port", "0", NOTIFY_SOCKET=at, WATCHDOG_USEC="300000"
        )
        with running(server):
            assert [listening.recv(100) for _ in range(4)] == [READY, ALIVE, ALIVE, ALIVE]
            server.send_signal(signal.SIGTERM)
            while (said := listening.recv(100)) != STOPPING:
                assert said == ALIVE
            assert server.wait(LIMIT) == 0


def test_a_server_that_does_not_answer_says_nothing(tmp_path: Path) -> None:
    at = str(tmp_path / "notify")
    asked: queue.Queue[socket.socket] = queue.Queue()
    with systemd(at) as listening, socket.create_server(("127.0.0.1", 0)) as hanging:
        _, port = hanging.getsockname()
        threading.Thread(target=lambda: [asked.put(hanging.accept()[0]) for _ in range(2)]).start()
        with watched("127.0.0.1", port, {"NOTIFY_SOCKET": at, "WATCHDOG_USEC": "150000"}):
            for _ in range(2):
                asked.get(timeout=LIMIT).close()
        assert listening.recv(100) == STOPPING


@pytest.mark.parametrize("name", ["{folder}/notify", "@cardledger-{folder}"])
def test_the_socket_has_a_path_or_a_name(tmp_path: Path, name: str) -> None:
    at = name.format(folder=tmp_path)
    with systemd("\0" + at[1:] if at.startswith("@") else at) as listening:
        assert told(READY, {"NOTIFY_SOCKET": at})
        assert listening.recv(100) == READY


def test_without_systemd_nothing_is_said_or_watched(tmp_path: Path) -> None:
    assert not told(READY, {})
    assert not told(READY, {"NOTIFY_SOCKET": str(tmp_path / "nobody")})
    threads = threading.active_count()
    with watched("127.0.0.1", 1, {}):
        assert threading.active_count() == threads
    assert not answers("127.0.0.1", 1, 1)


@pytest.mark.parametrize(
    ("env", "seconds"),
    [({}, None), ({"WATCHDOG_USEC": "60000000"}, 20), ({"WATCHDOG_USEC": "0"}, None), ({"WATCHDOG_USEC": "x"}, None),
     ({"WATCHDOG_USEC": "3000000", "WATCHDOG_PID": "1"}, None)],
)  # fmt: skip
def test_it_speaks_three_times_in_the_time_that_systemd_waits(env: dict[str, str], seconds: float | None) -> None:
    assert period(env) == seconds


def test_the_unit_waits_for_what_the_server_says() -> None:
    said = unit()
    assert (said["Type"], said["Restart"]) == (["notify"], ["on-failure"])
    assert int(said["WatchdogSec"][0]) >= 30
    assert "AF_UNIX" in said["RestrictAddressFamilies"][0]

"""The watchdog: systemd restarts a server that no longer answers, and hears from here only while it really does."""

from __future__ import annotations

import http.client
import os
import socket
import threading
from contextlib import contextmanager, suppress
from http import HTTPStatus
from typing import TYPE_CHECKING

from cardledger_web.serving.health import LIVE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

READY, ALIVE, STOPPING = b"READY=1", b"WATCHDOG=1", b"STOPPING=1"
"""The words of systemd's protocol (sd_notify)."""
_STARTING = 0.2


def told(message: bytes, env: Mapping[str, str] = os.environ) -> bool:
    """Send a message to systemd, if it started this program and asks for messages; return whether it could be sent."""
    at = env.get("NOTIFY_SOCKET", "")
    if not at:
        return False
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
        sender.sendto(message, "\0" + at[1:] if at.startswith("@") else at)
        return True
    return False


def answers(host: str, port: int, seconds: float) -> bool:
    """Tell whether a server answers its own health within some seconds, as a client sees it."""
    asked = http.client.HTTPConnection(host, port, timeout=seconds)
    try:
        asked.request("GET", LIVE)
        return asked.getresponse().status == HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        asked.close()


def period(env: Mapping[str, str] = os.environ) -> float | None:
    """Return the seconds between two messages: a third of what systemd waits for; None if it does not wait."""
    text, whose = env.get("WATCHDOG_USEC", ""), env.get("WATCHDOG_PID", "")
    if not (text.isascii() and text.isdecimal() and int(text)) or whose not in ("", str(os.getpid())):
        return None
    return int(text) / 3_000_000


@contextmanager
def watched(host: str, port: int, env: Mapping[str, str] = os.environ) -> Iterator[None]:
    """Tell systemd that the server is there as soon as it answers.

    From then on that it still does, and that it stops.
    """
    if not env.get("NOTIFY_SOCKET"):
        yield
        return
    over = threading.Event()
    every = period(env)

    def watch() -> None:
        while not answers(host, port, every or _STARTING):
            if over.wait(_STARTING):
                return
        told(READY, env)
        while every is not None and not over.is_set():
            if answers(host, port, every):
                told(ALIVE, env)
            over.wait(every)

    threading.Thread(target=watch, name="watchdog", daemon=True).start()
    try:
        yield
    finally:
        over.set()
        told(STOPPING, env)

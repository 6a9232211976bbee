"""Succession: a running server starts its successor, and gives it the listening socket once it is ready."""

from __future__ import annotations

import json
import logging
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from cardledger.errors import StoreError
from cardledger.record.readmodels.catalogue import VERSION as EDITION
from cardledger.record.store.paths import Family
from cardledger.record.store.readers import read_only
from cardledger.record.store.sqlite import VERSION
from cardledger_web.serving.logs import log_event
from cardledger_web.serving.watchdog import told

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, MutableMapping

    from cardledger.record.store.address import Where

_FILES = "CARDLEDGER_SUCCEEDS"
"""The variable by which a successor learns of the numbers of two open files: the listening socket, and its predecessor."""
_FIRST = 3
"""The number of the first file that systemd passes on (sd_listen_fds)."""
_READY = b"ready\n"
OPENING = 600.0
"""Seconds that a successor may take until it is ready; then it is ended, and the old server goes on."""
LEAVING = 90.0
"""Seconds that the old server may take to its end: longer than a connection may be idle."""
_LOOK = 0.05


class Inheritance(NamedTuple):
    """What a server gets from whoever started it: a socket that listens, and its predecessor, if there is one."""

    listening: socket.socket | None = None
    before: socket.socket | None = None

    def expect_same_editions(self, ledger: Where, views: Path | None) -> None:
        """Raise StoreError `store.version` if a predecessor could not go on beside this program.

        Opening the files of another version would change them under it.
        """
        if self.before is None:
            return
        if not isinstance(ledger, Path):
            raise StoreError("store.version", f"{ledger} is in a database: start a second server beside the first")
        for file, version in ((ledger, VERSION), (views or Family(ledger).database("views"), EDITION)):
            with closing(read_only(file)) as db:
                (found,) = db.execute("PRAGMA user_version").fetchone()
            if found != version:
                raise StoreError(
                    "store.version",
                    f"{file} has version {found}, and this program uses {version}: restart the server, as two of "
                    "different versions cannot share it",
                )

    def ready(self) -> Mapping[str, Any]:
        """Tell the predecessor that this server can begin; return what only that one knew.

        Nothing if there is none, or if it has ended meanwhile: its socket is here, and so are those who wait at it.
        """
        if self.before is None:
            return {}
        with suppress(OSError, ValueError), self.before, self.before.makefile("rb") as said:
            self.before.sendall(_READY)
            known: Mapping[str, Any] = json.loads(said.readline())
            return known
        return {}


def inherited(env: MutableMapping[str, str] = os.environ) -> Inheritance:
    """Return what this server has got; raises OSError if that is no socket, or if systemd passed on several."""
    if files := env.pop(_FILES, ""):
        listening, before = (socket.socket(fileno=int(number)) for number in files.split(","))
        return Inheritance(listening, before)
    if env.get("LISTEN_PID") != str(os.getpid()):
        return Inheritance()
    if env.get("LISTEN_FDS") != "1":
        raise OSError(0, f"systemd passed on {env.get('LISTEN_FDS')} sockets, and one is expected")
    return Inheritance(socket.socket(fileno=_FIRST))


class Succession:
    """The succession of a server, which begins once that `serves`. `known` returns what it alone knows, for the successor."""

    def __init__(self, server: Any, known: Callable[[], Mapping[str, Any]], serves: threading.Event) -> None:
        self._server, self._known, self._serves = server, known, serves
        self._one = threading.Lock()
        self._child: subprocess.Popen[bytes] | None = None

    def begin(self) -> None:
        """Start a successor when this server serves, unless one is starting; returns at once."""
        threading.Thread(target=self._begin, name="succession", daemon=True).start()

    def _begin(self) -> None:
        if not self._one.acquire(blocking=False):
            return
        try:
            self._serves.wait()
            with self._started() as child:
                if not _is_ready(child):
                    self._give_up()
                    return
                assert self._child is not None
                told(b"MAINPID=%d" % self._child.pid)
                os.environ.pop("NOTIFY_SOCKET", None)  # from now on the successor speaks
                self._server.leaving = True
                self._server.accepting = False  # who connects now waits in the system's queue
                self._server.pull_trigger()
                with suppress(OSError):  # it was killed in this moment
                    child.sendall(json.dumps(self._known()).encode() + b"\n")
            if self._died_at_once():
                self._go_on()
                return
            log_event(logging.INFO, "succeeded", successor=self._child.pid)
            self._leave()
        except OSError as error:
            log_event(logging.ERROR, "no successor", reason=str(error))
        finally:
            self._one.release()

    @contextmanager
    def _started(self) -> Iterator[socket.socket]:
        """Start the successor with the words that this program was started with; yield the connection to it."""
        here, there = socket.socketpair()
        with here, there:
            files = (self._server.socket.fileno(), there.fileno())
            env = {name: value for name, value in os.environ.items() if name not in ("WATCHDOG_PID", "LISTEN_PID")}
            self._child = subprocess.Popen(  # noqa: S603 - the words that this program was started with
                _words(), pass_fds=files, env=env | {_FILES: ",".join(map(str, files))}, stdin=subprocess.DEVNULL
            )
            there.close()
            yield here

    def _give_up(self) -> None:
        assert self._child is not None
        self._child.kill()
        status = self._child.wait()
        log_event(logging.ERROR, "no successor", status=status, reason="it did not become ready; this server goes on")

    def _died_at_once(self) -> bool:
        """Tell whether the successor ends while this server still could go on: nobody else would answer."""
        assert self._child is not None
        with suppress(subprocess.TimeoutExpired):
            self._child.wait(_LOOK)
            return True
        return False

    def _go_on(self) -> None:
        self._server.leaving, self._server.accepting = False, True
        self._server.pull_trigger()
        log_event(logging.ERROR, "no successor", reason="it ended after it was ready; this server goes on")

    def _leave(self) -> None:
        """End the streams, whose clients connect again and resume; then end, once the last connection has its answer."""
        assert self._child is not None
        self._server.broadcasters.stop()
        until = time.monotonic() + LEAVING
        while self._server.active_channels and time.monotonic() < until:
            time.sleep(_LOOK)
        forced = threading.Timer(LEAVING, os._exit, (1,))
        forced.daemon = True
        forced.start()
        os.kill(os.getpid(), signal.SIGTERM)


@contextmanager
def succeeded_on_signal(server: Any, known: Callable[[], Mapping[str, Any]] | None) -> Iterator[threading.Event]:
    """Let SIGUSR2 start a successor, where there is such a signal; without `known` it is refused, in the log.

    Yields what is to be set when the server serves: a signal that comes before waits for it, and ends nothing.
    """
    number, serves = getattr(signal, "SIGUSR2", None), threading.Event()
    if number is None:
        yield serves
        return
    succession = None if known is None else Succession(server, known, serves)

    def asked(*_: object) -> None:
        if succession is None:
            log_event(logging.ERROR, "no successor", reason="this server has none: restart it")
        else:
            succession.begin()

    before = signal.signal(number, asked)
    try:
        yield serves
    finally:
        signal.signal(number, before)


def _is_ready(child: socket.socket) -> bool:
    child.settimeout(OPENING)
    said = b""
    with suppress(OSError):
        while not said.endswith(b"\n") and (more := child.recv(len(_READY))):
            said += more
    return said == _READY


def _words() -> list[str]:
    """Return the command that started this program.

    A script is started by itself: behind its name there may be a new installation, with a Python of its own.
    """
    words = sys.orig_argv[1:]
    script = words and Path(words[0])
    return words if script and script.is_file() and os.access(script, os.X_OK) else [sys.executable, *words]

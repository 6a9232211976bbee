"""Health: whether the process answers, and whether it can do its work; for supervisors, who sign in nowhere and ask often."""

from __future__ import annotations

import json
import shutil
import sqlite3
import threading
import time
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any

from api.problems import CODE
from ledger.errors import LedgerError
from web.operating.edge import ROUTE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from _typeshed.wsgi import StartResponse, WSGIEnvironment
    from flask import Flask

    from ledger.ledger import Ledger
    from ledger.store.where import Where

LIVE, READY = "/health/live", "/health/ready"
BEHIND = 5_000
"""Events the read models may be behind without being told off: what is folded at once."""
ROOM = 64 * 1024 * 1024
"""Bytes a disk must have left."""
_FRESH_SECONDS = 1.0


class Readiness:
    """Whether a ledger can be read and written; looked up once a second at most, and by one at a time."""

    def __init__(self, ledger: Ledger, at: Where, clock: Callable[[], float] = time.monotonic) -> None:
        """Watch a ledger that is at a path or address."""
        self._ledger = ledger
        self._folders = {each.absolute().parent for each in (at, ledger.views.file.path) if isinstance(each, Path)}
        self._clock = clock
        self._looking = threading.Lock()
        self._looked = float("-inf")
        self._folded = -1
        self._last: dict[str, Any] = {"ready": False, "checks": {}}

    def now(self) -> dict[str, Any]:
        """Return whether all is well, and each check.

        Who asks while somebody looks gets what was seen last: a database that does not answer must not take all threads.
        """
        if self._looking.acquire(blocking=False):
            try:
                if self._clock() - self._looked >= _FRESH_SECONDS:
                    checks = {"store": self._store(), "read_models": self._read_models(), "disk": self._disk()}
                    self._last = {"ready": all(check["ok"] for check in checks.values()), "checks": checks}
                    self._looked = self._clock()
            finally:
                self._looking.release()
        return self._last

    def _store(self) -> dict[str, Any]:
        try:
            self._ledger.store.news(max(self._ledger.store.last_position() - 1, 0), 1)
        except (LedgerError, sqlite3.Error):
            return {"ok": False}
        return {"ok": True}

    def _read_models(self) -> dict[str, Any]:
        views = self._ledger.views
        try:
            folded = views.position
            behind = max(self._ledger.store.last_position() - folded, 0)
        except (LedgerError, sqlite3.Error):
            return {"ok": False}
        before, self._folded = self._folded, folded
        if behind:
            views.follow()  # nobody may be reading, least of all from a server that is said not to be ready
        return {"ok": behind <= BEHIND or folded > before, "behind": behind}

    def _disk(self) -> dict[str, Any]:
        try:
            return {"ok": all(shutil.disk_usage(folder).free >= ROOM for folder in self._folders)}
        except OSError:
            return {"ok": False}


def add_health(app: Flask, readiness: Readiness) -> None:
    """Answer what supervisors ask, before anything is asked of them."""
    answer = app.wsgi_app

    def with_health(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        path = environ["PATH_INFO"]
        if path not in (LIVE, READY):
            return answer(environ, start_response)
        environ[ROUTE] = path
        method = environ["REQUEST_METHOD"]
        said: dict[str, Any] = {"live": True}
        status = HTTPStatus.OK
        headers = [("Content-Type", "application/json"), ("Cache-Control", "no-store")]
        if method not in ("GET", "HEAD"):
            said, status = {"allowed": ["GET", "HEAD"]}, HTTPStatus.METHOD_NOT_ALLOWED
            headers.append(("Allow", "GET, HEAD"))
        elif path == READY:
            said = readiness.now()
            status = HTTPStatus.OK if said["ready"] else HTTPStatus.SERVICE_UNAVAILABLE
            for name, check in said["checks"].items():
                if not check["ok"]:
                    environ[CODE] = f"health.{name}"
        body = json.dumps(said).encode() + b"\n"
        start_response(f"{status.value} {status.phrase}", [*headers, ("Content-Length", str(len(body)))])
        return [] if method == "HEAD" else [body]

    app.wsgi_app = with_health  # type: ignore[method-assign]

"""Health: whether the process answers, and whether it can do its work.

For supervisors, which do not sign in and ask often.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import threading
import time
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from cardledger.errors import LedgerError
from cardledger.record.store.sqlite_errors import unreadable
from cardledger_api.http.problems import CODE
from cardledger_web.serving import open_files
from cardledger_web.serving.request_log import ROUTE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from _typeshed.wsgi import StartResponse, WSGIEnvironment
    from flask import Flask

    from cardledger.record.recording.ledger import Ledger
    from cardledger.record.store.address import Where
    from cardledger_api.http.copies import Copies
    from cardledger_api.http.findings import Findings

LIVE, READY = PATHS = "/health/live", "/health/ready"
BEHIND = 5_000
"""Events that the read models may be behind: the size of one batch."""
ROOM = 64 * 1024 * 1024
"""Bytes that must be free on the disk."""
MOST_FILES = 0.9
"""The share of the files granted by the system that may be open."""
FRESH_SECONDS = 1.0


class Ready(Protocol):
    """Knows whether a server can do its work."""

    def now(self) -> dict[str, Any]:
        """Return whether it is `ready`, and its `checks`."""
        ...


class Readiness:
    """Whether a ledger can be read and written; checked once a second at most, by one thread at a time."""

    def __init__(
        self,
        ledger: Ledger,
        at: Where,
        clock: Callable[[], float] = time.monotonic,
        findings: Findings | None = None,
        copies: Copies | None = None,
    ) -> None:
        """Watch a ledger at a path or address, its findings, and its copies."""
        self._copies = copies
        self._ledger = ledger
        self._findings = findings
        self._folders = {each.absolute().parent for each in (at, ledger.views.file.path) if isinstance(each, Path)}
        self._clock = clock
        self._looking = threading.Lock()
        self._looked = float("-inf")
        self._folded = -1
        self._last: dict[str, Any] = {"ready": False, "checks": {}}

    def now(self) -> dict[str, Any]:
        """Return whether all is well, and each check.

        A request during a check gets the last result: a database that does not answer must not block all threads.
        """
        if self._looking.acquire(blocking=False):
            try:
                if self._clock() - self._looked >= FRESH_SECONDS:
                    checks = {
                        "store": self._store(), "read_models": self._read_models(), "disk": self._disk(),
                        "files": files(), "integrity": self._integrity(),
                    }  # fmt: skip
                    self._last = {"ready": all(check["ok"] for check in checks.values()), "checks": checks}
                    if self._copies is not None:  # a server without a proven copy can do its work all the same
                        self._last["restore"] = self._copies.report()
                    self._looked = self._clock()
            finally:
                self._looking.release()
        return self._last

    def _store(self) -> dict[str, Any]:
        try:
            store = self._ledger.store
            if store.refusal is not None:
                self._ledger.views.look_for_lost_tail()  # an admin may have agreed, or put the events back
            store.news(max(store.last_position() - 1, 0), 1)
            holder = store.stuck()
        except (LedgerError, sqlite3.Error) as error:
            return _failed(error)
        if store.refusal is not None:
            return {"ok": False, "code": store.refusal.code}
        return {"ok": True} if holder is None else _busy(holder)

    def _read_models(self) -> dict[str, Any]:
        views = self._ledger.views
        try:
            folded = views.position
            behind = max(self._ledger.store.last_position() - folded, 0)
            holder = views.stuck() if behind else None
        except (LedgerError, sqlite3.Error) as error:
            return _failed(error)
        before, self._folded = self._folded, folded
        if holder is not None:
            return _busy(holder) | {"behind": behind}
        if behind:
            views.follow()  # there may be no readers, least of all on a server that is not ready
        return {"ok": behind <= BEHIND or folded > before, "behind": behind}

    def _disk(self) -> dict[str, Any]:
        if not self._ledger.store.writable:
            return {"ok": True}  # the ledger is read-only
        try:
            return {"ok": all(shutil.disk_usage(folder).free >= ROOM for folder in self._folders)}
        except OSError:
            return {"ok": False}

    def _integrity(self) -> dict[str, Any]:
        finding = self._findings.first if self._findings else None
        return {"ok": True} if finding is None else {"ok": False, "code": finding.error.code}


def files() -> dict[str, Any]:
    """Tell whether enough files may still be opened: answers and connections need them."""
    opened, most = open_files.opened(), open_files.limit()
    if opened is None or most is None:
        return {"ok": True}
    return {"ok": opened <= MOST_FILES * most, "open": opened, "limit": most}


def _failed(error: LedgerError | sqlite3.Error) -> dict[str, Any]:
    return {"ok": False, "code": (error if isinstance(error, LedgerError) else unreadable(error)).code}


def _busy(holder: object) -> dict[str, Any]:
    return {"ok": False, "code": "store.busy", "held_by": str(holder)}


def add_health(app: Flask, readiness: Ready) -> None:
    """Answer supervisors before any other check."""
    answer = app.wsgi_app

    def with_health(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        path = environ["PATH_INFO"]
        if path not in PATHS:
            return answer(environ, start_response)
        environ[ROUTE] = path
        method = environ["REQUEST_METHOD"]
        report: dict[str, Any] = {"live": True}
        status = HTTPStatus.OK
        headers = [("Content-Type", "application/json"), ("Cache-Control", "no-store")]
        if method not in ("GET", "HEAD"):
            report, status = {"allowed": ["GET", "HEAD"]}, HTTPStatus.METHOD_NOT_ALLOWED
            headers.append(("Allow", "GET, HEAD"))
        elif path == READY:
            report = readiness.now()
            status = HTTPStatus.OK if report["ready"] else HTTPStatus.SERVICE_UNAVAILABLE
            for name, check in report["checks"].items():
                if not check["ok"]:
                    environ[CODE] = f"health.{name}"
        body = json.dumps(report).encode() + b"\n"
        start_response(f"{status.value} {status.phrase}", [*headers, ("Content-Length", str(len(body)))])
        return [] if method == "HEAD" else [body]

    app.wsgi_app = with_health  # type: ignore[method-assign]

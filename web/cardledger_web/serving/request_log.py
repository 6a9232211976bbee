"""The edge: every request gets an id, is logged and counted, whatever its result."""

from __future__ import annotations

import logging
import re
from itertools import count
from secrets import token_hex
from time import perf_counter, thread_time
from typing import TYPE_CHECKING, Any

from cardledger_api.auth.limits import METER
from cardledger_api.auth.users import ASKING, NOBODY
from cardledger_api.http.problems import CODE, REQUEST_ID
from cardledger_web.serving.logs import LOG, log_event

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from _typeshed.wsgi import StartResponse, WSGIEnvironment
    from flask import Flask

    from cardledger_web.serving.metrics import Metrics

HEADER = "X-Request-Id"
ROUTE = "cardledger.route"
"""Key in the WSGI environment for the route, if Flask does not know it."""
REQUEST = "cardledger.request"
"""Key in the WSGI environment for Flask's request until it is logged."""
NOWHERE = "-"
"""The route of unknown addresses: one name for all, as metrics grow with each route."""
QUIET = frozenset({"/health/live", "/health/ready", "/metrics"})
"""Requested every few seconds; logged only if something is wrong."""
_SANE = re.compile(r"[A-Za-z0-9._:=-]{1,80}").fullmatch


def add_edge(app: Flask, metrics: Metrics) -> None:
    """Give requests ids, and log and count each."""
    answer, run, number = app.wsgi_app, token_hex(4), count(1)

    def at_edge(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        began, worked = perf_counter(), thread_time()
        given = environ.get("HTTP_X_REQUEST_ID")
        id = environ[REQUEST_ID] = given if given is not None and _SANE(given) else f"{run}-{next(number):x}"
        status, length = 500, None

        def start(line: str, headers: list[tuple[str, str]], *error: Any) -> Callable[[bytes], object]:
            nonlocal status, length
            status = int(line[:3])
            for name, value in headers:
                if name == "Content-Length":
                    length = int(value)
            return start_response(line, [*headers, (HEADER, id)], *error)

        def done(sent: int, work: float) -> None:
            if METER in environ:
                environ.pop(METER).stop(work)
            _tell(metrics, environ, status, perf_counter() - began, sent)

        try:
            body = answer(environ, start)
        except BaseException:
            done(0, thread_time() - worked)
            raise
        if length is None:
            return Counted(body, done, id, thread_time() - worked)
        # The body is complete: the server sends the rest, files in its own way.
        done(length, thread_time() - worked)
        return body

    app.wsgi_app = at_edge  # type: ignore[method-assign]


class Counted:
    """A body that is made while it is sent; its size and the time of the work are logged at its end."""

    def __init__(self, body: Iterable[bytes], done: Callable[[int, float], None], id: str, work: float) -> None:
        self._body = body
        self._done = done
        self._id = id
        self._work = work
        self._closed = False
        self.sent = 0

    def __iter__(self) -> Iterator[bytes]:
        parts, began = iter(self._body), thread_time()
        try:
            while (part := next(parts, None)) is not None:
                self.sent += len(part)
                self._work += thread_time() - began
                yield part
                began = thread_time()
        except Exception:
            # The server logs the error and closes the connection, so that half an answer cannot look like a whole one.
            log_event(logging.ERROR, "broken off", request=self._id, bytes=self.sent)
            raise
        self._work += thread_time() - began

    def close(self) -> None:
        """End the body, and log the request; calling it twice does no harm."""
        if self._closed:
            return
        self._closed = True
        try:
            if hasattr(self._body, "close"):
                self._body.close()
        finally:
            self._done(self.sent, self._work)

    def __del__(self) -> None:
        """End a body that was never closed: the resources it holds are limited."""
        self.close()


def _tell(metrics: Metrics, environ: WSGIEnvironment, status: int, seconds: float, sent: int) -> None:
    method, route = environ["REQUEST_METHOD"], route_of(environ)
    environ.pop(REQUEST, None)  # request and environment refer to each other: break the cycle
    asking, code = environ.get(ASKING, NOBODY), environ.get(CODE)
    metrics.answered(method, route, status, seconds)
    if code is not None:
        metrics.problem(code)
    if asking.invalid:
        metrics.sign_ins_refused.inc()
    if not LOG.isEnabledFor(logging.INFO) or (status == 200 and route in QUIET):
        return
    client, id = environ.get("REMOTE_ADDR"), environ[REQUEST_ID]
    if asking.invalid:
        log_event(logging.INFO, "sign-in refused", request=id, client=client)
    log_event(
        logging.ERROR if status >= 500 else logging.INFO, "request", request=id, method=method, route=route, status=status,
        ms=round(seconds * 1000, 3), bytes=sent, client=client, who=asking.token and asking.token.name, code=code,
    )  # fmt: skip


def route_of(environ: WSGIEnvironment) -> str:
    """Return the rule that a request matched, never the values in its address."""
    request = environ.get(REQUEST)
    rule = request.url_rule.rule if request is not None and request.url_rule is not None else NOWHERE
    return str(environ.get(ROUTE, rule))

"""The edge: every request gets an id and is told and counted, whatever becomes of it within."""

from __future__ import annotations

import logging
import re
from itertools import count
from secrets import token_hex
from time import perf_counter
from typing import TYPE_CHECKING, Any

from api.access import ASKING, NOBODY
from api.problems import CODE, REQUEST_ID
from web.operating.logs import LOG, told

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from _typeshed.wsgi import StartResponse, WSGIEnvironment
    from flask import Flask

    from web.operating.metrics import Metrics

HEADER = "X-Request-Id"
ROUTE = "cardledger.route"
"""Where in its environment a request says which route it took if Flask does not know."""
REQUEST = "cardledger.request"
"""Where in its environment Flask's request is kept until it has been told of."""
NOWHERE = "-"
"""The route of what no rule matches: anybody may ask for anything, and metrics grow with each route."""
QUIET = frozenset({"/health/live", "/health/ready", "/metrics"})
"""Asked every few seconds; worth a line only when something is wrong."""
_SANE = re.compile(r"[A-Za-z0-9._:=-]{1,80}").fullmatch


def add_edge(app: Flask, metrics: Metrics) -> None:
    """Give requests ids, and tell the log and the metrics of each."""
    answer, run, number = app.wsgi_app, token_hex(4), count(1)

    def at_edge(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        began = perf_counter()
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

        def done(sent: int) -> None:
            _tell(metrics, environ, status, perf_counter() - began, sent)

        try:
            body = answer(environ, start)
        except BaseException:
            done(0)
            raise
        if length is None:
            return _Counted(body, done, id)
        # Made already, as a whole: what is left is sent by the server, which sends files in a way of its own.
        done(length)
        return body

    app.wsgi_app = at_edge  # type: ignore[method-assign]


class _Counted:
    """A body that is made while it is sent; how many bytes it had is told at its end."""

    def __init__(self, body: Iterable[bytes], done: Callable[[int], None], id: str) -> None:
        self._body = body
        self._done = done
        self._id = id
        self._sent = 0

    def __iter__(self) -> Iterator[bytes]:
        try:
            for part in self._body:
                self._sent += len(part)
                yield part
        except Exception:
            # The server logs what it was, and hangs up: nobody takes half an answer for a whole one.
            told(logging.ERROR, "broken off", request=self._id, bytes=self._sent)
            raise

    def close(self) -> None:
        try:
            if hasattr(self._body, "close"):
                self._body.close()
        finally:
            self._done(self._sent)


def _tell(metrics: Metrics, environ: WSGIEnvironment, status: int, seconds: float, sent: int) -> None:
    method, route = environ["REQUEST_METHOD"], route_of(environ)
    environ.pop(REQUEST, None)  # the request has its environment: neither would go without the other
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
        told(logging.INFO, "sign-in refused", request=id, client=client)
    told(
        logging.ERROR if status >= 500 else logging.INFO, "request", request=id, method=method, route=route, status=status,
        ms=round(seconds * 1000, 3), bytes=sent, client=client, who=asking.token and asking.token.name, code=code,
    )  # fmt: skip


def route_of(environ: WSGIEnvironment) -> str:
    """Return the rule a request matched, never what stands in its place in the address."""
    request = environ.get(REQUEST)
    rule = request.url_rule.rule if request is not None and request.url_rule is not None else NOWHERE
    return str(environ.get(ROUTE, rule))

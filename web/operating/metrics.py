"""Metrics for Prometheus: what was asked and answered, what was appended, and how far the read models are."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from functools import lru_cache
from importlib.metadata import version
from logging import INFO
from typing import TYPE_CHECKING

from flask import Response, abort, request
from prometheus_client import (
    CollectorRegistry,
    Counter,
    GCCollector,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    disable_created_metrics,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily
from prometheus_client.exposition import choose_encoder
from prometheus_client.registry import Collector

from api.streams import streams_of
from ledger.errors import LedgerError
from web.hosts import is_loopback
from web.operating.logs import told

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from flask import Flask
    from prometheus_client.core import Metric

    from api.access import Access
    from api.streams import Streams
    from ledger.ledger import Ledger
    from ledger.store import Append

READERS = ("local", "admin", "all", "off")
"""Who may read the metrics: this computer and admins, admins, everybody, nobody."""
disable_created_metrics()  # type: ignore[no-untyped-call]  # when each series began would be as many lines again
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)
_FORWARDED = ("HTTP_X_FORWARDED_FOR", "HTTP_FORWARDED", "HTTP_X_REAL_IP")


class Metrics:
    """The metrics of an application since it was made."""

    def __init__(self, ledger: Ledger, streams: Streams) -> None:
        self.registry = registry = CollectorRegistry()
        for process in (ProcessCollector, PlatformCollector, GCCollector):
            process(registry=registry)
        registry.register(_State(ledger, streams))
        requests = Counter(
            "cardledger_http_requests", "Requests answered.", ["method", "route", "status"], registry=registry
        )
        seconds = Histogram(
            "cardledger_http_request_duration_seconds", "Time from the request to its answer, or to the end of a stream.",
            ["method", "route"], buckets=_SECONDS, registry=registry,
        )  # fmt: skip
        problems = Counter(
            "cardledger_problems", "Answers that are problems, by their stable code.", ["code"], registry=registry
        )
        self.events_appended = Counter("cardledger_events_appended", "Events stored by this server.", registry=registry)
        self.sign_ins_refused = Counter(
            "cardledger_sign_ins_refused", "Requests with a token that is not valid.", registry=registry
        )
        # Looking a child up by its labels would take longer than counting.
        self._answers = lru_cache(None)(
            lambda method, route, status: (requests.labels(method, route, status), seconds.labels(method, route))
        )
        self._problems = lru_cache(None)(problems.labels)

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request."""
        count, time = self._answers(method if method in _METHODS else "other", route, status)
        count.inc()
        time.observe(seconds)

    def problem(self, code: str) -> None:
        """Count an answer that is a problem."""
        self._problems(code).inc()

    def follow(self, ledger: Ledger) -> None:
        """Count and tell what is appended to a ledger from now on."""
        append = ledger.store.append

        def counted(appends: Iterable[Append]) -> list[int]:
            appends = list(appends)
            firsts = append(appends)
            events = sum(len(each.lines) for each in appends)
            self.events_appended.inc(events)
            told(INFO, "stored", events=events, matches=len(appends))
            return firsts

        ledger.store.append = counted  # type: ignore[method-assign]


class _State(Collector):
    """What is looked up when it is asked for."""

    def __init__(self, ledger: Ledger, streams: Streams) -> None:
        self._ledger = ledger
        self._streams = streams

    def collect(self) -> Iterator[Metric]:
        """Yield the state of the server and its ledger; what cannot be told at the moment is left out."""
        yield InfoMetricFamily(
            "cardledger_build", "What is running.", {"version": version("cardledger"), "sqlite": sqlite3.sqlite_version}
        )
        yield GaugeMetricFamily("cardledger_streams_open", "Live streams open.", self._streams.listeners)
        views = self._ledger.views
        yield CounterMetricFamily(
            "cardledger_read_models_rebuilds", "Times this server folded the read models anew.", views.rebuilds
        )
        yield CounterMetricFamily(
            "cardledger_read_models_failures", "Times the read models could not be caught up.", views.failures
        )
        with suppress(LedgerError, sqlite3.Error):
            last, folded = self._ledger.store.last_position(), views.position
            yield GaugeMetricFamily("cardledger_ledger_position", "Position of the last event.", last)
            yield GaugeMetricFamily(
                "cardledger_read_models_position", "Position the read models are folded up to.", folded
            )
            yield GaugeMetricFamily(
                "cardledger_read_models_lag_events", "Positions the read models are behind.", max(last - folded, 0)
            )


def add_metrics(app: Flask, ledger: Ledger, access: Access, readers: str) -> Metrics:
    """Return the metrics of an application; `/metrics` shows them to those who may read them."""
    metrics = Metrics(ledger, streams_of(app))
    metrics.follow(ledger)

    @app.get("/metrics", endpoint="metrics", provide_automatic_options=False)  # its guard is asked for each method
    def show() -> Response:
        """Show the metrics as Prometheus reads them."""
        if readers == "off":
            abort(404)
        if readers != "all" and not (readers == "local" and _here()):
            access.require("admin")
        encode, media = choose_encoder(request.headers.get("Accept", ""))
        return Response(encode(metrics.registry), content_type=media, headers={"Cache-Control": "no-store"})

    return metrics


def _here() -> bool:
    """Tell whether a program on this computer asks, and not for somebody else."""
    client = request.remote_addr or ""
    # ProxyFix has said who asks, if proxies are known; what others forward to this computer comes from elsewhere.
    forwarded = any(name in request.environ for name in _FORWARDED) and "werkzeug.proxy_fix.orig" not in request.environ
    return is_loopback(client) and not forwarded

"""Metrics for Prometheus: requests and answers, appended events, and the state of the read models."""

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

from cardledger.errors import LedgerError
from cardledger.record.backup.manifest import age, backups
from cardledger_api.http.gate import gate_of
from cardledger_api.http.streams import streams_of
from cardledger_web.serving.hosts import is_loopback
from cardledger_web.serving.logs import log_event

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from flask import Flask
    from prometheus_client.core import Metric

    from cardledger.record.recording.ledger import Ledger
    from cardledger.record.store import Append
    from cardledger_api.auth.access import Access
    from cardledger_api.http.copies import Copies
    from cardledger_api.http.findings import Findings
    from cardledger_api.http.gate import Gate
    from cardledger_api.http.streams import Streams

READERS = ("local", "admin", "all", "off")
"""Who may read the metrics: this computer and admins, admins, all, or nobody."""
disable_created_metrics()  # type: ignore[no-untyped-call]  # the start time of each series would double the lines
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)
_FORWARDED = ("HTTP_X_FORWARDED_FOR", "HTTP_FORWARDED", "HTTP_X_REAL_IP")


class Metrics:
    """The metrics of an application since its start."""

    def __init__(self, ledger: Ledger, streams: Streams, gate: Gate, findings: Findings, copies: Copies) -> None:
        self.registry = registry = CollectorRegistry()
        for process in (ProcessCollector, PlatformCollector, GCCollector):
            process(registry=registry)
        registry.register(_State(ledger, streams, gate, findings, copies))
        requests = Counter(
            "cardledger_http_requests", "Requests answered.", ["method", "route", "status"], registry=registry
        )
        seconds = Histogram(
            "cardledger_http_request_duration_seconds", "Time from the request to its "
                "answer, or to the end of a stream.",
            ["method", "route"], buckets=_SECONDS, registry=registry,
        )  # fmt: skip
        problems = Counter(
            "cardledger_problems", "Answers that are problems, by their stable code.", ["code"], registry=registry
        )
        self.events_appended = Counter("cardledger_events_appended", "Events stored by this server.", registry=registry)
        self.sign_ins_refused = Counter(
            "cardledger_sign_ins_refused", "Requests with a token that is not valid.", registry=registry
        )
        # Looking up a child by its labels takes longer than counting.
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
        """Count and log the events appended to a ledger from now on."""
        append = ledger.store.append

        def counted(appends: Iterable[Append]) -> list[int]:
            appends = list(appends)
            firsts = append(appends)
            events = sum(len(each.lines) for each in appends)
            self.events_appended.inc(events)
            log_event(INFO, "stored", events=events, matches=len(appends))
            return firsts

        ledger.store.append = counted  # type: ignore[method-assign]


class _State(Collector):
    """Values that are read on each request for metrics."""

    def __init__(self, ledger: Ledger, streams: Streams, gate: Gate, findings: Findings, copies: Copies) -> None:
        self._copies = copies
        self._ledger = ledger
        self._streams = streams
        self._gate = gate
        self._findings = findings

    def collect(self) -> Iterator[Metric]:
        """Yield the state of the server and its ledger; values that are unknown just now are left out."""
        yield InfoMetricFamily(
            "cardledger_build",
            "The running version.",
            {"version": version("cardledger"), "sqlite": sqlite3.sqlite_version},
        )
        yield GaugeMetricFamily("cardledger_streams_open", "Open live streams.", self._streams.listeners)
        yield GaugeMetricFamily("cardledger_expensive_answers_open", "Expensive answers under way.", self._gate.inside)
        yield GaugeMetricFamily(
            "cardledger_integrity_findings", "Differences between the ledger and what was recorded.",
            len(self._findings.all),
        )  # fmt: skip
        differences = CounterMetricFamily(
            "cardledger_integrity_found", "Differences found since the start, by code.", labels=["code"]
        )
        for code, count in sorted(self._findings.counts.items()):
            differences.add_metric([code], count)
        yield differences
        yield from state_of_copies(self._copies)
        views = self._ledger.views
        yield CounterMetricFamily(
            "cardledger_read_models_rebuilds", "Times this server rebuilt the read models.", views.rebuilds
        )
        yield CounterMetricFamily(
            "cardledger_read_models_failures", "Failed attempts to catch up the read models.", views.failures
        )
        with suppress(LedgerError, sqlite3.Error):
            last, folded = self._ledger.store.last_position(), views.position
            yield GaugeMetricFamily("cardledger_ledger_position", "Position of the last event.", last)
            yield GaugeMetricFamily(
                "cardledger_read_models_position", "Position up to which the read models are folded.", folded
            )
            yield GaugeMetricFamily(
                "cardledger_read_models_lag_events",
                "Positions by which the read models are behind.",
                max(last - folded, 0),
            )


def state_of_copies(copies: Copies) -> Iterator[Metric]:
    """Yield when copies were made and proven; what never happened is left out."""
    found = copies.now()
    yield GaugeMetricFamily(
        "cardledger_restore_well",
        "1 if a restore was proven lately, or there is no copy yet; 0 if the last drill failed, is old or never was.",
        found.well,
    )
    yield GaugeMetricFamily(
        "cardledger_restore_drill_failed",
        "1 if the last restore drill failed.",
        found.last is not None and found.last.code is not None,
    )
    if found.proven is not None and found.age is not None:
        yield GaugeMetricFamily(
            "cardledger_restore_age_seconds", "Time since the last proven restore.", round(found.age)
        )
        yield GaugeMetricFamily(
            "cardledger_restore_duration_seconds",
            "Time that the last proven restore took until the ledger could be served.",
            found.proven.seconds,
        )
    if made := [age(one, copies.clock()) for one in backups(copies.family).values()]:
        yield GaugeMetricFamily("cardledger_backup_age_seconds", "Time since the last copy was made.", round(min(made)))


def add_metrics(
    app: Flask, ledger: Ledger, access: Access, readers: str, findings: Findings, copies: Copies
) -> Metrics:
    """Return the metrics of an application; `/metrics` shows them to permitted readers."""
    metrics = Metrics(ledger, streams_of(app), gate_of(app), findings, copies)
    metrics.follow(ledger)

    @app.get("/metrics", endpoint="metrics", provide_automatic_options=False)  # its check runs for each method
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
    """Tell whether a request comes from a program on this computer, not through a proxy."""
    client = request.remote_addr or ""
    # ProxyFix has set the client if proxies are declared; other forwarded requests come from elsewhere.
    forwarded = any(name in request.environ for name in _FORWARDED) and "werkzeug.proxy_fix.orig" not in request.environ
    return is_loopback(client) and not forwarded

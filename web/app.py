"""The composition root: opens a ledger, and mounts the API and the pages on one application."""

from __future__ import annotations

from typing import TYPE_CHECKING

from werkzeug.middleware.proxy_fix import ProxyFix

from api import PREFIX, create_api
from api.access import Access
from api.cors import add_cors
from api.limits import Limits, add_limits
from api.tokens import Tokens
from ledger.ledger import Ledger
from ledger.store.where import where
from web import errors, headers
from web.application import Application
from web.frame import add_frame
from web.hosts import LOOPBACK, add_host_check
from web.operating.edge import add_edge
from web.operating.health import Readiness, add_health
from web.operating.metrics import add_metrics
from web.pages import create_pages
from web.signin import add_sign_in

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from flask import Flask

    from ledger.store.where import Where


_PATIENCE = 5.0
"""Seconds that somebody who asks for a page waits for a database that is away."""


def create_app(
    path: Where | str,
    *,
    views: Path | None = None,
    open_reading: bool = True,
    limits: Limits | None = None,
    origins: Collection[str] = (),
    hosts: Collection[str] | None = LOOPBACK,
    proxies: int = 0,
    metrics: str = "local",
) -> Flask:
    """Return the application of the ledger at `path`, created if need be; raises StoreError `store.open`.

    `views` is the file of its read models. With `open_reading` nobody needs a token to read. `origins` are those of
    foreign pages that may use the API, `hosts` the names the server goes by, None for any. So many `proxies` in front say who the client is, and by which name and
    scheme it asks; `metrics` says who may read those. Whoever creates it closes what it holds, `ledger_of(app).close()` and
    `access_of(app).close()`.
    """
    ledger = Ledger(path, views=views, patience=_PATIENCE)
    # A writer that died between storing and folding leaves the read models behind.
    ledger.views.catch_up()
    app = Application(__name__)
    app.extensions["cardledger"] = ledger
    app.extensions["cardledger.access"] = access = Access(Tokens(path), open_reading=open_reading)
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    # In this order every request is asked: for us? from a page that may? too often? who? Only then is it answered.
    add_host_check(app, hosts)
    add_cors(app, PREFIX, origins)
    limits = limits or Limits()
    add_limits(app, access, limits)
    add_sign_in(app, access, limits)
    app.register_blueprint(create_api(ledger, access))
    app.register_blueprint(create_pages(ledger))
    add_frame(app, access)
    errors.add_handlers(app)
    counted = add_metrics(app, ledger, access, metrics)
    add_health(app, Readiness(ledger, where(path)))
    headers.add_headers(app)
    if proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=proxies, x_proto=proxies, x_host=proxies)  # type: ignore[method-assign]
    add_edge(app, counted)
    return app


def ledger_of(app: Flask) -> Ledger:
    """Return the ledger an application was created with."""
    ledger: Ledger = app.extensions["cardledger"]
    return ledger


def access_of(app: Flask) -> Access:
    """Return what decides who may do what in an application."""
    access: Access = app.extensions["cardledger.access"]
    return access

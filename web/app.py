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
from web import errors, headers
from web.application import Application
from web.frame import add_frame
from web.hosts import LOOPBACK, add_host_check
from web.pages import create_pages
from web.signin import add_sign_in

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from flask import Flask


def create_app(
    path: Path | str,
    *,
    open_reading: bool = True,
    limits: Limits | None = None,
    origins: Collection[str] = (),
    hosts: Collection[str] | None = LOOPBACK,
    proxies: int = 0,
) -> Flask:
    """Return the application of the ledger at `path`, created if need be; raises StoreError `store.open`.

    With `open_reading` nobody needs a token to read. `origins` are those of foreign pages that may use the API, `hosts`
    the names the server goes by, None for any. So many `proxies` in front say who the client is, and by which name and
    scheme it asks. Whoever creates it closes what it holds, `ledger_of(app).close()` and
    `access_of(app).close()`.
    """
    ledger = Ledger(path)
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
    headers.add_headers(app)
    if proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=proxies, x_proto=proxies, x_host=proxies)  # type: ignore[method-assign]
    return app


def ledger_of(app: Flask) -> Ledger:
    """Return the ledger an application was created with."""
    ledger: Ledger = app.extensions["cardledger"]
    return ledger


def access_of(app: Flask) -> Access:
    """Return what decides who may do what in an application."""
    access: Access = app.extensions["cardledger.access"]
    return access

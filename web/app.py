"""The composition root: opens a ledger, and mounts the API and the pages on one application."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Flask

from api import create_api
from ledger.ledger import Ledger
from web import errors, headers
from web.pages import create_pages

if TYPE_CHECKING:
    from pathlib import Path


def create_app(path: Path | str) -> Flask:
    """Return the application of the ledger at `path`, created if need be; raises StoreError `store.open`.

    Whoever creates it closes its ledger, `ledger_of(app).close()`.
    """
    ledger = Ledger(path)
    # A writer that died between storing and folding leaves the read models behind.
    ledger.views.catch_up()
    app = Flask(__name__)
    app.extensions["cardledger"] = ledger
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.register_blueprint(create_api(ledger))
    app.register_blueprint(create_pages(ledger))
    errors.add_handlers(app)
    headers.add_headers(app)
    return app


def ledger_of(app: Flask) -> Ledger:
    """Return the ledger an application was created with."""
    ledger: Ledger = app.extensions["cardledger"]
    return ledger

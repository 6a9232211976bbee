"""The composition root: opens a ledger, and mounts the API and the pages on one application."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from werkzeug.middleware.proxy_fix import ProxyFix

from cardledger.errors import UnusableError
from cardledger.record.backup.drills import DAYS
from cardledger.record.recording.ledger import Ledger
from cardledger.record.store.address import where
from cardledger.record.store.opening import family
from cardledger_api import PREFIX, api
from cardledger_api.acts.acts import Acts
from cardledger_api.auth.access import Access
from cardledger_api.auth.known_scorers import known_of
from cardledger_api.auth.limits import Limits, add_gate, add_limits
from cardledger_api.auth.noting import add_acts
from cardledger_api.auth.tokens import Tokens
from cardledger_api.current import access_of as access_of
from cardledger_api.current import ledger_of as ledger_of
from cardledger_api.hooks.hooks import Hooks
from cardledger_api.http.copies import Copies, add_copies
from cardledger_api.http.cors import add_cors
from cardledger_api.http.findings import add_findings
from cardledger_api.http.gate import gate_of
from cardledger_api.witness.door import add_witness
from cardledger_web import errors
from cardledger_web.frame import add_frame, undefined
from cardledger_web.language_choice import add_languages
from cardledger_web.naming.as_published import OPENED_BY
from cardledger_web.pages import pages
from cardledger_web.serving import headers
from cardledger_web.serving.application import Application
from cardledger_web.serving.assets import add_assets
from cardledger_web.serving.compiled_templates import COMPILED
from cardledger_web.serving.compression import add_compression
from cardledger_web.serving.health import Readiness, add_health
from cardledger_web.serving.hosts import LOOPBACK, add_host_check
from cardledger_web.serving.metrics import add_metrics
from cardledger_web.serving.request_log import add_edge
from cardledger_web.signin import add_sign_in

if TYPE_CHECKING:
    from collections.abc import Collection

    from flask import Flask

    from cardledger.record.store.address import Where
    from cardledger_api.http.findings import Findings
    from cardledger_web.serving.server_parts import ServerParts


PATIENCE = 5.0
"""Seconds that a request for a page waits for an absent database."""


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
    private_webhooks: bool = False,
    drill_days: float = DAYS,
    shared: ServerParts | None = None,
) -> Flask:
    """Return the application of the ledger at `path`, created if need be; raises StoreError `store.open`.

    `views` is the file of its read models. With `open_reading` reading needs no token. `origins` names other servers
    whose pages may use the API, `hosts` the names of this server (None: any). `proxies` is the number of proxies in
    front whose headers give the client, name and scheme; `metrics` says who may read the metrics; with
    `private_webhooks`, webhooks may go to this computer and its network; a restore that was proven more than `drill_days` ago is
    old; `shared` is what other ledgers of the server
    use too. The caller must
    close `ledger_of(app).close()` and `access_of(app).close()`.
    """
    ledger = Ledger(path, views=views, patience=PATIENCE)
    # A writer that died between storing and folding leaves the read models behind.
    with suppress(UnusableError):  # they can be read as they are; the follower logs the problem
        ledger.views.catch_up()
    app = Application(__name__)
    if shared is not None:
        shared.give(app)
    app.extensions["cardledger"] = ledger
    app.extensions[OPENED_BY] = partial(create_app, hosts=None, limits=Limits.of(0))
    app.extensions["cardledger.access"] = access = Access(
        Tokens(path),
        Hooks(path, private=private_webhooks),
        Acts(path),
        ledger,
        open_reading=open_reading,
        known=known_of(app),
    )
    app.url_map.merge_slashes = False  # an address with `//` is no other address, and leads nowhere
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.undefined = undefined()
    app.jinja_env.bytecode_cache = COMPILED
    # The order of the checks: host, origin, rate, user. Only then is a request answered.
    add_host_check(app, hosts)
    add_cors(app, PREFIX, origins)
    limits = limits or Limits()
    add_limits(app, access, limits)
    add_languages(app)
    add_sign_in(app, access, limits)
    add_gate(app, access, gate_of(app))
    add_acts(app, access, ledger)
    app.register_blueprint(api)
    app.register_blueprint(pages)
    add_frame(app, access)
    add_assets(app, Path(app.static_folder or ""))
    errors.add_handlers(app)
    findings = add_findings(app)
    copies = add_copies(app, Copies(family(where(path), ledger.store), drill_days))
    counted = add_metrics(app, ledger, access, metrics, findings, copies)
    add_health(app, Readiness(ledger, where(path), findings=findings, copies=copies))
    add_witness(app, ledger, where(path))
    headers.add_headers(app)
    add_compression(app)
    if proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=proxies, x_proto=proxies, x_host=proxies, x_prefix=proxies)  # type: ignore[method-assign]
    add_edge(app, counted)
    return app


def findings_of(app: Flask) -> Findings:
    """Return an application's findings: differences from what was recorded."""
    findings: Findings = app.extensions["cardledger.findings"]
    return findings

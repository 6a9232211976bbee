"""A site of files where anybody tries a file of matches: a page with the engine for browsers, and the rulebooks.

Each page is there in every language; there is no ledger behind it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, quote, unquote, urlsplit

from flask import render_template
from werkzeug.exceptions import HTTPException

from cardledger.record.store.temporary import TemporaryFolder
from cardledger.rules.games import games
from cardledger_api.auth.limits import Limits
from cardledger_web.app import access_of, create_app, ledger_of
from cardledger_web.engine.archive import TRYING
from cardledger_web.engine.files import WORKER, engine_files
from cardledger_web.frame import PLACES
from cardledger_web.languages import SOURCE
from cardledger_web.publishing.addresses import HOST, KIND, ROOT, LinkTarget, file_of
from cardledger_web.publishing.rewriting import Rewriting

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask

    from cardledger_web.publishing.folder import PublishedFolder

POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src blob:; connect-src 'self'; "
    "style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'"
)
"""What the page may do; its worker, which is made by the page, may do no more: it loads from this site alone."""
_PAGES = frozenset({"pages.home", "pages.game_list", "pages.rulebook"})


def publish_trial(folder: PublishedFolder) -> None:
    """Make the files of the site."""
    with TemporaryFolder() as temporary:
        app = _app(temporary.path / "none.db")
        try:
            _publish(app, folder)
        finally:
            ledger_of(app).close()
            access_of(app).close()
    engine = engine_files(TRYING)
    folder.put(f"engine/{WORKER}", engine.worker().encode())
    for name, body in engine.files.items():
        folder.put(f"engine/{engine.version}/{name}", body)


def _app(ledger: Path) -> Flask:
    app = create_app(ledger, hosts=None, limits=Limits.of(0))
    app.jinja_env.globals |= {"frozen": True, "in_languages": True}
    places = [place for place in PLACES if place.endpoint in _PAGES]
    app.context_processor(lambda: {"places": places})
    app.view_functions["pages.home"] = lambda: render_template("try.html", games=games().values(), policy=POLICY)
    return app


def _publish(app: Flask, folder: PublishedFolder) -> None:
    client, routes = app.test_client(use_cookies=False), app.url_map.bind(HOST)

    def place(there: str, language: str) -> LinkTarget | None:
        parts = urlsplit(there)
        try:
            endpoint = routes.match(unquote(parts.path))[0]
        except HTTPException:
            return None
        query = dict(parse_qsl(parts.query, keep_blank_values=True))
        if endpoint == "static":
            return LinkTarget(parts.path, "") if KIND.search(parts.path) else None
        if endpoint not in _PAGES or query.keys() - {"lang"}:
            return None
        spoken = query.get("lang", language)
        path = quote(unquote(parts.path), safe="/~")
        return LinkTarget(path if spoken == SOURCE else f"{path}?lang={spoken}", parts.fragment)

    waiting, known = ["/"], {"/"}
    while waiting:
        address = waiting.pop()
        parts = urlsplit(address)
        language = dict(parse_qsl(parts.query)).get("lang", SOURCE)
        answer = client.get(parts.path, base_url=ROOT, headers={"Accept-Language": language})
        if answer.status_code != 200:
            continue
        body, found = answer.data, set[str]()
        if answer.mimetype == "text/html":
            rewriting = Rewriting(
                address,
                lambda there, language=language: place(there, language),  # type: ignore[misc]
                is_tool=lambda there, language=language: place(there, language) is None,  # type: ignore[misc]
            )
            body, found = rewriting.page(answer.text).encode(), rewriting.found
        folder.put(file_of(address), body)
        waiting += sorted(found - known)
        known |= found

"""The front of a house of clubs: its first page, its health, and what it says when a club cannot answer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from flask import render_template, request
from werkzeug.exceptions import HTTPException

from cardledger.errors import LedgerError
from cardledger_api.http import problems
from cardledger_web import errors
from cardledger_web.clubs.house import FAILED
from cardledger_web.frame import undefined
from cardledger_web.language_choice import add_languages
from cardledger_web.languages import N_, translated
from cardledger_web.serving import headers, health
from cardledger_web.serving.application import Application
from cardledger_web.serving.assets import add_assets
from cardledger_web.serving.compiled_templates import COMPILED
from cardledger_web.serving.compression import add_compression
from cardledger_web.serving.health import add_health
from cardledger_web.serving.hosts import LOOPBACK, add_host_check

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from flask import Response

_PROBLEM_AT = "/api/v1/"


class HouseHealth:
    """Whether the house can do its work: enough files are left. Each club tells of its own ledger below its path."""

    def now(self) -> dict[str, Any]:
        """Return whether all is well, and each check."""
        files = health.files()
        return {"ready": files["ok"], "checks": {"files": files}}


def front(names: Callable[[], Sequence[str]], *, listed: bool, hosts: Collection[str] | None = LOOPBACK) -> Application:
    """Return the application of the front; `listed` says whether it shows the `names` of its clubs to everybody."""
    app = Application("cardledger_web")
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.undefined, app.jinja_env.bytecode_cache = undefined(), COMPILED
    add_host_check(app, hosts)
    add_languages(app)
    add_assets(app, Path(app.static_folder or ""))

    @app.before_request
    def failed() -> None:
        if (error := request.environ.get(FAILED)) is not None:
            raise error

    @app.get("/")
    def house() -> str:
        said = None if listed else translated(N_("Ask your club for its address."))
        return _page(translated(N_("Clubs")), sentence=said, names=names() if listed else ())

    @app.errorhandler(HTTPException)
    @app.errorhandler(LedgerError)
    def problem(error: HTTPException | LedgerError) -> Response | errors.ErrorPage:
        if _PROBLEM_AT in request.path:
            return problems.of_http(error) if isinstance(error, HTTPException) else problems.of_ledger(error)
        if isinstance(error, HTTPException):
            status, heading, sentence = error.code or 500, *errors.WORDS.get(error.code or 500, (error.name, ""))
            more = {name: value for name, value in error.get_headers() if name != "Content-Type"}
            return _page(translated(heading), status=status, sentence=translated(sentence)), status, more
        problems.log_failure(error)
        status = problems.status_of(error)
        heading = errors.WORDS[404][0] if status == 404 else N_("This club cannot be opened now")
        return _page(translated(heading), status=status, sentence=error.code), status, {}

    add_health(app, HouseHealth())
    headers.add_headers(app)
    add_compression(app)
    return app


def _page(heading: str, *, sentence: str | None, status: int | None = None, names: Sequence[str] = ()) -> str:
    return render_template("clubs.html", heading=heading, sentence=sentence, status=status, names=names)

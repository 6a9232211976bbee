"""Signing in: a link with a token, or a form for one, makes a browser's session; pages that are not open stay shut."""

from __future__ import annotations

import math
import secrets
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

from flask import redirect, render_template, request, url_for

from api.access import OriginWanted, TokenWanted, same_origin
from api.limits import Buckets, TooOften
from api.operations import ROLES

if TYPE_CHECKING:
    from flask import Flask
    from werkzeug.wrappers import Response

    from api.access import Access
    from api.limits import Limits

OPEN = frozenset({"sign_in", "sign_out", "metrics"})
"""Endpoints for everybody: those who are not signed in yet, those who no longer may read; and one with a guard of its own."""


def add_sign_in(app: Flask, access: Access, limits: Limits) -> None:
    """Let links and a form sign browsers in, and ask for the role of a reader everywhere else but for styles and scripts."""
    app.config.update(
        # Made anew with each start: a key kept beside the hashes would let whoever reads the file sign sessions.
        SECRET_KEY=secrets.token_bytes(32),
        SESSION_COOKIE_NAME="cardledger",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
    )
    wrong = Buckets(limits.sign_ins) if limits.sign_ins else None

    def enter(token: str) -> None:
        """Sign in; raises TokenWanted, TooOften. Only wrong tokens count: nobody can lock out who has a right one."""
        try:
            access.sign_in(token)
        except TokenWanted:
            if wrong is not None and (wait := wrong.take(request.remote_addr or "")):
                raise TooOften("Too many wrong tokens; wait a little.", retry_after=math.ceil(wait)) from None
            raise

    @app.before_request
    def _by_link() -> Response | None:
        if "token=" not in request.environ.get("QUERY_STRING", ""):
            return None  # as nearly always
        token = request.args.get("token")
        if token is None or request.method != "GET" or (request.endpoint or "api.").startswith("api."):
            return None
        enter(token)
        # An address of ours, as its route matched; the browser keeps it, without the token, in its history.
        rest = urlencode([(name, text) for name, text in request.args.items(multi=True) if name != "token"])
        answer = redirect(quote(request.path) + (f"?{rest}" if rest else ""), 303)
        answer.headers["Cache-Control"] = "no-store"
        return answer

    @app.before_request
    def _guard() -> None:
        endpoint = request.endpoint
        if endpoint is None or endpoint.startswith("api.") and request.method != "OPTIONS":
            return  # operations ask for roles of their own, before anything else; OPTIONS is answered by Flask
        # What is not said to be open is shut, whoever adds it.
        if endpoint in OPEN:
            if request.method == "POST" and not same_origin():
                raise OriginWanted("This form is sent from a page of this server only.")
        elif not request.path.startswith(f"{app.static_url_path}/"):
            access.require(ROLES[0])

    @app.route("/sign-in", methods=["GET", "POST"])
    def sign_in() -> str | Response | tuple[str, int]:
        where = _ours(request.values.get("next", ""))
        if request.method != "POST":
            return render_template("sign-in.html", next=where, wrong=False)
        try:
            enter(request.form.get("token", "").strip())
        except TokenWanted:
            return render_template("sign-in.html", next=where, wrong=True), 401
        return redirect(where, 303)

    @app.post("/sign-out")
    def sign_out() -> Response:
        access.sign_out()
        return redirect(url_for("sign_in" if not access.open_reading else "pages.home"), 303)


def _ours(address: str) -> str:
    """Return an address if it is a path of this server, or else that of the first page."""
    # Browsers take a backslash for a slash, and what begins with two of them for another server.
    here = address.isprintable() and address.startswith("/") and not address.replace("\\", "/").startswith("//")
    return address if here else url_for("pages.home")

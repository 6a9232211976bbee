"""Signing in: the link with a token makes a browser's session; without one, pages that are not open stay shut."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

from flask import redirect, request, url_for

from api.operations import ROLES

if TYPE_CHECKING:
    from flask import Flask
    from werkzeug.wrappers import Response

    from api.access import Access


def add_sign_in(app: Flask, access: Access) -> None:
    """Let links sign browsers in, and ask for the role of a reader everywhere else but for styles and scripts."""
    app.config.update(
        # Made anew with each start: a key kept beside the hashes would let whoever reads the file sign sessions.
        SECRET_KEY=secrets.token_bytes(32),
        SESSION_COOKIE_NAME="cardledger",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
    )

    @app.before_request
    def _sign_in() -> Response | None:
        if request.endpoint is None or request.endpoint.startswith("api.") or request.method != "GET":
            return None
        token = request.args.get("token")
        if token is None:
            return None
        access.sign_in(token)
        # An address of ours, as its route matched; the browser keeps it, without the token, in its history.
        rest = urlencode([(name, text) for name, text in request.args.items(multi=True) if name != "token"])
        answer = redirect(quote(request.path) + (f"?{rest}" if rest else ""), 303)
        answer.headers["Cache-Control"] = "no-store"
        return answer

    @app.before_request
    def _guard() -> None:
        # What is not said to be open is shut, whoever adds it; operations of the API then ask for roles of their own.
        if request.endpoint is not None and not request.path.startswith(f"{app.static_url_path}/"):
            access.require(ROLES[0])

    @app.post("/sign-out")
    def sign_out() -> Response:
        access.sign_out()
        return redirect(url_for("pages.home"), 303)

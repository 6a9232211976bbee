"""Signing in: a link with a token, or a form for one, starts a browser's session; all other pages need a reader."""

from __future__ import annotations

import math
import secrets
from typing import TYPE_CHECKING

from flask import redirect, render_template, request, url_for

from cardledger_api.auth.limits import Buckets, TooOften
from cardledger_api.auth.users import OriginWanted, TokenWanted, same_origin
from cardledger_api.http.operations import ROLES
from cardledger_api.http.passage import passage_of
from cardledger_web.language_choice import address_without

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask, Request
    from werkzeug.wrappers import Response

    from cardledger_api.auth.access import Access
    from cardledger_api.auth.limits import Limits
    from cardledger_api.auth.users import Users

OPEN = frozenset({"sign_in", "sign_out", "metrics"})
"""Endpoints without sign-in: for users who cannot read yet or any more, and one with its own check."""


def signing_in(users: Users, limits: Limits) -> Callable[[str], None]:
    """Return the function that signs a browser in with a token; it raises TokenWanted, TooOften.

    Only wrong tokens count, so users with a valid token cannot be locked out.
    """
    wrong = Buckets(limits.sign_ins) if limits.sign_ins else None

    def enter(token: str) -> None:
        try:
            users.sign_in(token)
        except TokenWanted:
            if wrong is not None and (wait := wrong.take(request.remote_addr or "")):
                raise TooOften(
                    "Too many wrong tokens; wait a few seconds and try again.", retry_after=math.ceil(wait)
                ) from None
            raise

    return enter


def add_sign_in(app: Flask, access: Access, limits: Limits) -> None:
    """Let links and a form sign browsers in, and require the role of a reader everywhere except for styles and scripts."""
    app.config.update(
        # A new key at each start: a key stored beside the hashes would let any reader of the file sign sessions.
        SECRET_KEY=secrets.token_bytes(32),
        SESSION_COOKIE_NAME="cardledger",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
    )
    enter = signing_in(access, limits)

    def by_link(asked: Request) -> Response | None:
        if "token=" not in asked.environ.get("QUERY_STRING", ""):
            return None  # the usual case
        token = asked.args.get("token")
        if token is None or asked.method != "GET" or (asked.endpoint or "api.").startswith("api."):
            return None
        # An address of ours, as its route matched; the browser keeps it, without the token, in its history.
        here = address_without("token")
        if access.name() is not None and not access.holds(token):
            # A link that somebody sent must not put another user in the place of the one who is signed in, who would go
            # on recording under that name. The page says who is signed in, and takes the token from their own hands.
            here = url_for("sign_in", next=here)
        elif not access.holds(token):
            enter(token)
        answer = redirect(here, 303)
        answer.headers["Cache-Control"] = "no-store"
        return answer

    def guard(asked: Request) -> None:
        endpoint = asked.endpoint
        if endpoint is None or endpoint.startswith("api.") and asked.method != "OPTIONS":
            return  # API operations check their own roles first; Flask answers OPTIONS
        # Closed by default, so that a new page cannot be open by mistake.
        if endpoint in OPEN:
            if asked.method == "POST" and not same_origin():
                raise OriginWanted("Send this form from a page of this server.")
        elif not asked.path.startswith(f"{app.static_url_path}/"):
            access.require(ROLES[0])

    passage_of(app).checks.extend((by_link, guard))

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
    """Return an address if it is a path of this ledger, or else that of the first page."""
    # Browsers read a backslash as a slash, and two of them at the start as another server.
    below = address.startswith(f"{request.script_root}/")
    here = address.isprintable() and below and not address.replace("\\", "/").startswith("//")
    return address if here else url_for("pages.home")

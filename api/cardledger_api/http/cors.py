"""Cross-origin requests: pages of other servers may use the API if the server's settings name them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Response

from cardledger_api.http.passage import passage_of

if TYPE_CHECKING:
    from collections.abc import Collection

    from flask import Flask, Request

ANY = "*"
_PREFLIGHT = {
    "Access-Control-Allow-Methods": "GET, POST, PUT, PATCH, DELETE",
    "Access-Control-Allow-Headers": "Authorization, Content-Type, If-Match, If-None-Match, "
    "Idempotency-Key, Last-Event-ID",
    "Access-Control-Max-Age": "600",
}
_READABLE = "ETag, Link, Location, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id"


def add_cors(app: Flask, prefix: str, origins: Collection[str]) -> None:
    """Let pages of the origins request addresses under the prefix, with a token; cookies are never accepted."""
    if not origins:
        return

    def origin(asked: Request) -> str | None:
        asking = asked.headers.get("Origin")
        if not asked.path.startswith(f"{prefix}/") or asking is None:
            return None
        return ANY if ANY in origins else asking if asking in origins else None

    def preflight(asked: Request) -> Response | None:
        # Browsers send these first and without the token, so nothing more is checked.
        if asked.method == "OPTIONS" and "Access-Control-Request-Method" in asked.headers and origin(asked):
            return Response(status=204, headers=_PREFLIGHT)
        return None

    def allow(asked: Request, response: Response) -> Response:
        if asked.path.startswith(f"{prefix}/"):
            response.vary.add("Origin")
        if allowed := origin(asked):
            response.headers["Access-Control-Allow-Origin"] = allowed
            response.headers["Access-Control-Expose-Headers"] = _READABLE
        return response

    passage = passage_of(app)
    passage.checks.append(preflight)
    passage.finishes.append(allow)

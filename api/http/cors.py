"""Cross-origin requests: pages of other servers may use the API if the server's settings name them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Response, request

if TYPE_CHECKING:
    from collections.abc import Collection

    from flask import Flask

ANY = "*"
_PREFLIGHT = {
    "Access-Control-Allow-Methods": "GET, POST, PUT, PATCH, DELETE",
    "Access-Control-Allow-Headers": "Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, Last-Event-ID",
    "Access-Control-Max-Age": "600",
}
_READABLE = "ETag, Link, Location, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id"


def add_cors(app: Flask, prefix: str, origins: Collection[str]) -> None:
    """Let pages of the origins request addresses under the prefix, with a token; cookies are never accepted."""
    if not origins:
        return

    def origin() -> str | None:
        asking = request.headers.get("Origin")
        if not request.path.startswith(f"{prefix}/") or asking is None:
            return None
        return ANY if ANY in origins else asking if asking in origins else None

    @app.before_request
    def _preflight() -> Response | None:
        # Browsers send these first and without the token, so nothing more is checked.
        if request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers and origin():
            return Response(status=204, headers=_PREFLIGHT)
        return None

    @app.after_request
    def _allow(response: Response) -> Response:
        if request.path.startswith(f"{prefix}/"):
            response.vary.add("Origin")
        if allowed := origin():
            response.headers["Access-Control-Allow-Origin"] = allowed
            response.headers["Access-Control-Expose-Headers"] = _READABLE
        return response

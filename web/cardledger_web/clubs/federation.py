"""What a federation sees of its house: the state of all clubs, with a token of the house. No club's rights follow."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from flask import jsonify, make_response, redirect, render_template, request, session

from cardledger_api import PREFIX
from cardledger_api.auth.sessions import Sessions
from cardledger_api.auth.tokens import digest_of
from cardledger_api.auth.users import RoleWanted, TokenWanted
from cardledger_web.languages import thousands, translated

if TYPE_CHECKING:
    from collections.abc import Callable

    from werkzeug.wrappers import Response

    from cardledger_api.auth.tokens import Tokens
    from cardledger_web.clubs.overview import ClubGlance
    from cardledger_web.serving.application import Application

_COOKIE = "cardledger-house"
_SIGNED_IN = "session"


def add_federation(app: Application, tokens: Tokens, states: Callable[[], list[ClubGlance]]) -> None:
    """Let the front of a house answer `/clubs` and `GET /api/v1/clubs`, for admins among the tokens of the house."""
    app.config.update(
        SECRET_KEY=secrets.token_bytes(32), SESSION_COOKIE_NAME=_COOKIE, SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
    )  # fmt: skip
    sessions = Sessions()
    app.jinja_env.filters.setdefault("thousands", thousands)

    def require(digest: bytes | None) -> None:
        """Refuse all but an admin of the house; raises TokenWanted, RoleWanted."""
        token = None if digest is None else tokens.find(digest)
        if token is None:
            raise TokenWanted(
                "This needs a valid token of this server's house, in the header 'Authorization: Bearer TOKEN'."
            )
        if token.role != "admin" or token.scope is not None:
            raise RoleWanted(f"This needs the token of an admin of the house; {token.name} is none.")

    def given() -> bytes | None:
        scheme, _, text = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() == "bearer":
            return digest_of(text.strip())
        id = session.get(_SIGNED_IN)
        return sessions.find(id) if id else None

    @app.get("/clubs")
    def clubs() -> Response:
        if (text := request.args.get("token")) is not None:
            digest = digest_of(text.strip())
            require(digest)
            session[_SIGNED_IN] = sessions.begin(digest)
            answer: Response = redirect(f"{request.script_root}/clubs", 303)
        else:
            require(given())
            answer = make_response(render_template("all_clubs.html", clubs=states(), said=translated))
        answer.headers["Cache-Control"] = "no-store"
        return answer

    @app.get(f"{PREFIX}/clubs")
    def list_clubs() -> Response:
        require(given())
        answer = jsonify(clubs=[state._asdict() for state in states()])
        answer.headers["Cache-Control"] = "no-store"
        return answer

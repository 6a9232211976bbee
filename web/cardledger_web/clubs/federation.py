"""What a federation sees and does in its house: the state of all clubs, and new ones, with a token of the house.

No club's rights follow from it.
"""

from __future__ import annotations

import re
import secrets
from typing import TYPE_CHECKING

from flask import make_response, redirect, render_template, request, url_for

from cardledger.errors import LedgerError
from cardledger_api.auth.limits import add_limits
from cardledger_api.auth.users import OriginWanted, same_origin
from cardledger_api.http import problems
from cardledger_api.http.passage import passage_of
from cardledger_web.clubs.making import ADMIN, DAYS
from cardledger_web.clubs.operations import add_operations, asking
from cardledger_web.clubs.settings import EVERY, ClubSettings, parsed
from cardledger_web.languages import LANGUAGES, N_, thousands, translated
from cardledger_web.signin import signing_in

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from flask import Request, Response
    from werkzeug.wrappers import Response as Answer

    from cardledger_api.auth.limits import Limits
    from cardledger_api.auth.users import Users
    from cardledger_web.clubs.making import NewClub
    from cardledger_web.clubs.managing import ManagedHouse
    from cardledger_web.serving.application import Application

COOKIE = "cardledger-house"
"""How the name of the cookie begins that signs a browser in."""
_RESTORES = {"failed": N_("the last drill failed"), "old": N_("long ago"), "never": N_("never tried")}
"""What the page says of restore drills that are not in order."""
_CLUBS = re.compile(r"/clubs(?:/[^/]*)?\Z")
"""Addresses of answers that nobody keeps: they may hold a token."""


def add_federation(app: Application, users: Users, managed: ManagedHouse, limits: Limits) -> None:
    """Let the front of a house answer `/clubs` and `/api/v1/clubs` for admins among its users, and limit all requests."""
    app.config.update(
        SECRET_KEY=secrets.token_bytes(32), SESSION_COOKIE_NAME=COOKIE, SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
    )  # fmt: skip
    app.jinja_env.filters.setdefault("thousands", thousands)
    add_limits(app, users, limits)
    enter = signing_in(users, limits)

    _add_pages(app, users, managed, enter)
    add_operations(app, users, managed)

    def kept_by_nobody(asked: Request, answer: Response) -> Response:
        if _CLUBS.search(asked.path):
            answer.headers["Cache-Control"] = "no-store"
        return answer

    passage_of(app).finishes.append(kept_by_nobody)


def _add_pages(app: Application, users: Users, managed: ManagedHouse, enter: Callable[[str], None]) -> None:
    def page(new: NewClub | None = None, wrong: str | None = None, status: int = 200) -> Response:
        link = new and url_for("house", _external=True) + f"c/{new.name}/?token={new.token}"
        text = render_template(
            "all_clubs.html", clubs=managed.states(), said=translated, new=new, link=link, wrong=wrong, who=users.name(),
            given=request.form, admin=ADMIN, restores={state: translated(word) for state, word in _RESTORES.items()},
        )  # fmt: skip
        return make_response(text, status)

    def settings_page(club: str, values: Mapping[str, object], wrong: str | None = None) -> str:
        """Return the page with what is set for a club, or was typed and is wrong."""
        return render_template(
            "club_settings.html", club=club, every=club == EVERY, values=values, wrong=wrong, languages=LANGUAGES,
        )  # fmt: skip

    @app.get("/clubs")
    def clubs() -> Answer:
        if (token := request.args.get("token")) is not None:
            if users.name() is None:  # a link that somebody sent does not replace who is signed in
                enter(token.strip())
            return redirect(url_for("clubs"), 303)
        users.require("admin")
        return page()

    @app.post("/clubs")
    def new_club() -> Response:
        users.require("admin")
        name, admin = (request.form.get(key, "").strip() for key in ("name", "admin"))
        try:
            return page(managed.make(name, admin or ADMIN, DAYS, asking(users)))
        except LedgerError as error:
            return page(wrong=translated(error.message), status=problems.status_of(error))

    @app.get("/clubs/<club>")
    def club_settings(club: str) -> str:
        users.require("admin")
        return settings_page(club, managed.settings_of(club)._asdict())

    @app.post("/clubs/<club>")
    def change_club_settings(club: str) -> Answer | tuple[str, int]:
        users.require("admin")
        typed = {key: request.form[key].strip() for key in ClubSettings._fields if key in request.form}
        before = managed.settings_of(club)._asdict()
        # What stays as it was shown is not set: what is set for all clubs still counts.
        changes = {key: value for key, text in typed.items() if (value := parsed(key, text)) != before[key]}
        try:
            managed.change(club, changes, asking(users))
        except LedgerError as error:
            if error.code != "house.setting":
                raise
            return settings_page(club, before | typed, translated(error.message)), problems.status_of(error)
        return redirect(url_for("club_settings", club=club, changed=1), 303)

    @app.post("/sign-out")
    def sign_out() -> Answer:
        if not same_origin():
            raise OriginWanted("Send this form from a page of this server.")
        users.sign_out()
        return redirect(url_for("house"), 303)

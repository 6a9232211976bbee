"""What a federation sees and does in its house: the state of all clubs, and new ones, with a token of the house.

No club's rights follow from it.
"""

from __future__ import annotations

import secrets
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from flask import Blueprint, make_response, redirect, render_template, request, url_for
from marshmallow import Schema, fields, validate

from cardledger.errors import LedgerError
from cardledger_api import PREFIX
from cardledger_api.auth.limits import add_limits
from cardledger_api.auth.users import OriginWanted, same_origin
from cardledger_api.http import problems
from cardledger_api.http.fields import between
from cardledger_api.http.operations import Operations
from cardledger_api.http.passage import passage_of
from cardledger_web.clubs.making import ADMIN, DAYS, make_club
from cardledger_web.clubs.overview import overview
from cardledger_web.clubs.places import places_at
from cardledger_web.languages import N_, thousands, translated
from cardledger_web.signin import signing_in

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from flask import Request, Response
    from werkzeug.wrappers import Response as Answer

    from cardledger_api.auth.limits import Limits
    from cardledger_api.auth.users import Users
    from cardledger_web.clubs.house import House
    from cardledger_web.clubs.making import NewClub
    from cardledger_web.clubs.overview import ClubGlance
    from cardledger_web.serving.application import Application

    _States = Callable[[], list[ClubGlance]]
    _Make = Callable[[str, str, int], NewClub]

COOKIE = "cardledger-house"
"""How the name of the cookie begins that signs a browser in."""
_RESTORES = {"failed": N_("the last drill failed"), "old": N_("long ago"), "never": N_("never tried")}
"""What the page says of restore drills that are not in order."""
_TEXT = validate.Length(1, 200)


class ClubGlanceSchema(Schema):
    """A club at a glance, as far as it is known without opening its ledger (`clubs/overview.py`)."""

    name = fields.String()
    opens = fields.Boolean(allow_none=True)
    code = fields.String(allow_none=True)
    why = fields.String(allow_none=True)
    last = fields.String(allow_none=True)
    events = fields.Integer(allow_none=True)
    bytes = fields.Integer(allow_none=True)
    copied = fields.String(allow_none=True)
    restore = fields.String(allow_none=True)
    restored = fields.String(allow_none=True)
    findings = fields.Integer(allow_none=True)


class ClubGlancesSchema(Schema):
    """All clubs of the house, by name."""

    clubs = fields.List(fields.Nested(ClubGlanceSchema))


class WantedClubSchema(Schema):
    """The club to make: its name in addresses, and the name and days of its first admin's token."""

    name = fields.String(required=True, validate=_TEXT)
    admin = fields.String(load_default=ADMIN, validate=_TEXT)
    days = fields.Integer(load_default=DAYS, strict=True, validate=between(1, 3650))


class NewClubSchema(Schema):
    """A new club: the path of its pages, and its first admin. `token` is shown this once."""

    name = fields.String()
    path = fields.String()
    admin = fields.String()
    token = fields.String()
    days = fields.Integer()


def add_federation(app: Application, users: Users, folder: Path, house: House, limits: Limits) -> None:
    """Let the front of a house answer `/clubs` and `/api/v1/clubs` for admins among its users, and limit all requests."""
    app.config.update(
        SECRET_KEY=secrets.token_bytes(32), SESSION_COOKIE_NAME=COOKIE, SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
    )  # fmt: skip
    app.jinja_env.filters.setdefault("thousands", thousands)
    add_limits(app, users, limits)
    enter = signing_in(users, limits)

    def states() -> list[ClubGlance]:
        """Return the state of all clubs, those that came since the start too."""
        if folder.is_dir():
            with suppress(LedgerError):  # a file of a wrong name: the others are there all the same
                for name, place in places_at(folder).items():
                    house.add(name, place)
        return overview(house.places, lambda name: house.clubs[name].findings())

    def make(name: str, admin: str, days: int) -> NewClub:
        what = f"{request.method} {request.path}"
        new = make_club(folder, name, users.name() or "", what, admin=admin, days=days)
        house.add(new.name, new.place)
        return new

    _add_pages(app, users, states, make, enter)
    _add_operations(app, users, states, make)

    def kept_by_nobody(asked: Request, answer: Response) -> Response:
        if asked.path.endswith("/clubs"):
            answer.headers["Cache-Control"] = "no-store"
        return answer

    passage_of(app).finishes.append(kept_by_nobody)


def _add_pages(app: Application, users: Users, states: _States, make: _Make, enter: Callable[[str], None]) -> None:
    def page(new: NewClub | None = None, wrong: str | None = None, status: int = 200) -> Response:
        link = new and url_for("house", _external=True) + f"c/{new.name}/?token={new.token}"
        text = render_template(
            "all_clubs.html", clubs=states(), said=translated, new=new, link=link, wrong=wrong, who=users.name(),
            given=request.form, admin=ADMIN, restores={state: translated(word) for state, word in _RESTORES.items()},
        )  # fmt: skip
        return make_response(text, status)

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
            return page(make(name, admin or ADMIN, DAYS))
        except LedgerError as error:
            return page(wrong=translated(error.message), status=problems.status_of(error))

    @app.post("/sign-out")
    def sign_out() -> Answer:
        if not same_origin():
            raise OriginWanted("Send this form from a page of this server.")
        users.sign_out()
        return redirect(url_for("house"), 303)


def _add_operations(app: Application, users: Users, states: _States, make: _Make) -> None:
    api = Blueprint("api", __name__, url_prefix=PREFIX)
    operations = Operations(api, lambda role, _: users.require(role))

    @operations.add("GET", "/clubs", role="admin", answer=ClubGlancesSchema)
    def list_of_clubs() -> dict[str, Any]:
        """List all clubs of the house with the state of each."""
        return {"clubs": [state._asdict() for state in states()]}

    @operations.add("POST", "/clubs", role="admin", body=WantedClubSchema, answer=NewClubSchema, status=201)
    def make_one(body: dict[str, Any]) -> Any:
        """Make a club with an empty ledger and its first admin; it answers at once."""
        new = make(body["name"], body["admin"], body["days"])
        path = f"{request.script_root}/c/{new.name}/"
        return new._asdict() | {"path": path}, {"Location": path}

    problems.add_handlers(api)
    app.register_blueprint(api)

"""The API of a house: its clubs, new ones, and what is set for each, for a federation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Blueprint, request
from marshmallow import Schema, fields, validate

from cardledger_api import PREFIX
from cardledger_api.http import problems
from cardledger_api.http.fields import between
from cardledger_api.http.operations import Operations
from cardledger_api.resources.codes import add_codes
from cardledger_api.resources.docs import add_docs
from cardledger_web.clubs.making import ADMIN, DAYS
from cardledger_web.clubs.managing import FederationAct

if TYPE_CHECKING:
    from flask import Flask

    from cardledger_api.auth.users import Users
    from cardledger_web.clubs.managing import ManagedHouse

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


class ClubSettingsSchema(Schema):
    """What is set for a club (`clubs/settings.py`); null: nothing."""

    events = fields.Integer(strict=True, allow_none=True)
    bytes = fields.Integer(strict=True, allow_none=True)
    streams = fields.Integer(strict=True, allow_none=True)
    expensive = fields.Integer(strict=True, allow_none=True)
    rate = fields.Float(allow_none=True)
    title = fields.String(allow_none=True)
    language = fields.String(allow_none=True)
    ask = fields.String(allow_none=True)


def asking(users: Users) -> FederationAct:
    """Return who asks in the present request, and for what."""
    return FederationAct(users.name() or "", f"{request.method} {request.url_rule or request.path}")


def add_operations(app: Flask, users: Users, managed: ManagedHouse) -> None:
    """Let the front of a house answer `/api/v1/clubs`, for admins among its users."""
    api = Blueprint("api", "cardledger_api", url_prefix=PREFIX, template_folder="templates")
    operations = Operations(api, lambda role, _: users.require(role))

    @operations.add("GET", "/clubs", role="admin", answer=ClubGlancesSchema)
    def list_of_clubs() -> dict[str, Any]:
        """List all clubs of the house with the state of each."""
        return {"clubs": [state._asdict() for state in managed.states()]}

    @operations.add("POST", "/clubs", role="admin", body=WantedClubSchema, answer=NewClubSchema, status=201)
    def make_one(body: dict[str, Any]) -> Any:
        """Make a club with an empty ledger and its first admin; it answers at once."""
        new = managed.make(body["name"], body["admin"], body["days"], asking(users))
        path = f"{request.script_root}/c/{new.name}/"
        return new._asdict() | {"path": path}, {"Location": path}

    @operations.add("GET", "/clubs/<club>", role="admin", answer=ClubSettingsSchema)
    def settings_of(club: str) -> dict[str, Any]:
        """Read what is set for a club, or for all (`*`) for which nothing else is."""
        return managed.settings_of(club)._asdict()

    @operations.add("PATCH", "/clubs/<club>", role="admin", body=ClubSettingsSchema, answer=ClubSettingsSchema)
    def change_settings_of(club: str, body: dict[str, Any]) -> dict[str, Any]:
        """Change what is set for a club, or for all (`*`): the keys that are given, null for nothing."""
        return managed.change(club, body, asking(users))._asdict()

    add_codes(operations)
    add_docs(operations)
    problems.add_handlers(api)
    app.register_blueprint(api)

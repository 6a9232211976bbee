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


def _told(meaning: str) -> dict[str, str]:
    """Return what the OpenAPI document says of a key: in a house many mean something else than in a ledger."""
    return {"description": meaning}


class ClubGlanceSchema(Schema):
    """A club at a glance, as far as it is known without opening its ledger (`clubs/overview.py`)."""

    name = fields.String(metadata=_told("name in addresses"))
    opens = fields.Boolean(allow_none=True, metadata=_told("whether the ledger can be opened; null: not known"))
    code = fields.String(allow_none=True, metadata=_told("stable code of what is wrong, for programs"))
    why = fields.String(allow_none=True, metadata=_told("what is wrong, in words"))
    last = fields.String(allow_none=True, metadata=_told("day of the last event (UTC)"))
    events = fields.Integer(allow_none=True, metadata=_told("number of events"))
    bytes = fields.Integer(allow_none=True, metadata=_told("size of all files"))
    copied = fields.String(allow_none=True, metadata=_told("time of the last backup"))
    restore = fields.String(allow_none=True, metadata=_told("what restore drills prove"))
    restored = fields.String(allow_none=True, metadata=_told("time of the last restore that was proven"))
    findings = fields.Integer(
        allow_none=True, metadata=_told("number of open findings; null while the ledger is closed")
    )


class ClubGlancesSchema(Schema):
    """All clubs of the house, by name."""

    clubs = fields.List(fields.Nested(ClubGlanceSchema), metadata=_told("the clubs, by name"))


class WantedClubSchema(Schema):
    """The club to make: its name in addresses, and the name and days of its first admin's token."""

    name = fields.String(required=True, validate=_TEXT, metadata=_told("name in addresses, which stays as it is"))
    admin = fields.String(load_default=ADMIN, validate=_TEXT, metadata=_told("name of the first admin's token"))
    days = fields.Integer(
        load_default=DAYS, strict=True, validate=between(1, 3650), metadata=_told("days for which that token is valid")
    )


class NewClubSchema(Schema):
    """A new club: the path of its pages, and its first admin. `token` is shown this once."""

    name = fields.String(metadata=_told("name in addresses"))
    path = fields.String(metadata=_told("path of the club's pages"))
    admin = fields.String(metadata=_told("name of the first admin's token"))
    token = fields.String(metadata=_told("text of that token, shown this once"))
    days = fields.Integer(metadata=_told("days for which that token is valid"))


class ClubSettingsSchema(Schema):
    """What is set for a club (`clubs/settings.py`); null: nothing."""

    events = fields.Integer(strict=True, allow_none=True, metadata=_told("events that the ledger may hold"))
    bytes = fields.Integer(strict=True, allow_none=True, metadata=_told("bytes that the ledger's files may hold"))
    streams = fields.Integer(strict=True, allow_none=True, metadata=_told("live streams at once"))
    expensive = fields.Integer(strict=True, allow_none=True, metadata=_told("expensive answers at once"))
    rate = fields.Float(allow_none=True, metadata=_told("requests a second of each client"))
    title = fields.String(allow_none=True, metadata=_told("name on the club's pages"))
    language = fields.String(allow_none=True, metadata=_told("language of readers whose browsers name none of ours"))
    ask = fields.String(allow_none=True, metadata=_told("whom to ask for more"))


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

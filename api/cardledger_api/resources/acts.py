"""The resource of acts: what admins did that is no event."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields

from cardledger_api.blueprint import operations
from cardledger_api.current import current_access
from cardledger_api.http.fields import between


class ActSchema(Schema):
    """What an admin did on one day with rights that others do not have."""

    who = fields.String()
    what = fields.String()
    about = fields.String()
    first = fields.String()
    last = fields.String()
    times = fields.Integer()


class ActListSchema(Schema):
    """Acts, the latest first."""

    acts = fields.List(fields.Nested(ActSchema))


class ActQuery(Schema):
    """Which acts: those before a time, and how many at most."""

    before = fields.String(
        load_default=None, metadata={"description": "Only acts whose last time is before this one (RFC 3339, UTC)."}
    )
    limit = fields.Integer(load_default=100, validate=between(1, 1000))


@operations.add("GET", "/acts", role="admin", query=ActQuery, answer=ActListSchema, example={})
def list_of_acts(query: dict[str, Any]) -> dict[str, Any]:
    """List what admins did that is no event of the ledger; only for admins.

    Who made or ended tokens, invitations and webhooks, erased somebody, or read a board that a table has yet to play.
    """
    acts = current_access().acts.all(before=query["before"], most=query["limit"])
    return {"acts": [act._asdict() for act in acts]}

"""The user of a request: name, role, and what an invitation covers."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields

from cardledger_api.blueprint import operations
from cardledger_api.current import current_access
from cardledger_api.http.operations import ROLES


class MeSchema(Schema):
    """The user, as the server sees them: the name of the token is what their events are recorded under."""

    name = fields.String(allow_none=True, metadata={"description": "name of the token; null without one"})
    role = fields.String(metadata={"enum": [*ROLES]})
    scope = fields.String(allow_none=True)
    expires = fields.String(allow_none=True, metadata={"format": "date-time"})


@operations.add("GET", "/me", answer=MeSchema, example={"headers": {"Authorization": "Bearer TOKEN"}})
def read_me() -> dict[str, Any]:
    """Read who you are: the name and role of your token, what it covers, and how long it lasts."""
    access = current_access()
    return {"name": access.name(), "role": access.role(), "scope": access.scope(), "expires": access.expires()}

"""The user of a request: name, role, and what an invitation covers."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields, validate

from cardledger.record.people.shown import HOW_SHOWN
from cardledger_api.blueprint import operations
from cardledger_api.current import current_access, current_ledger
from cardledger_api.http.operations import ROLES
from cardledger_api.resources.own import own_player


class MeSchema(Schema):
    """The user, as the server sees them: the name of the token is what their events are recorded under."""

    name = fields.String(allow_none=True, metadata={"description": "name of the token; null without one"})
    role = fields.String(metadata={"enum": [*ROLES]})
    scope = fields.String(allow_none=True)
    expires = fields.String(allow_none=True, metadata={"format": "date-time"})
    shown = fields.String(
        allow_none=True,
        validate=validate.OneOf(HOW_SHOWN),
        metadata={
            "description": "how much of the name of the player who the user is may be published; null if the player decided nothing"
        },
    )


@operations.add("GET", "/me", answer=MeSchema, example={"headers": {"Authorization": "Bearer TOKEN"}})
def read_me() -> dict[str, Any]:
    """Read who you are: the name and role of your token, what it covers, and how long it lasts."""
    access, player = current_access(), own_player()
    return {
        "name": access.name(),
        "role": access.role(),
        "scope": access.scope(),
        "expires": access.expires(),
        "shown": None if player is None else current_ledger().people().decided(player),
    }

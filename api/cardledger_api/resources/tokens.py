"""The resource of tokens and invitations, for admins: list, make and end them."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields, validate

from cardledger.record.people.spelling import similar_names
from cardledger_api.auth.invitations import invite, scored_at
from cardledger_api.auth.noting import note_about
from cardledger_api.blueprint import operations
from cardledger_api.current import current_access, current_ledger
from cardledger_api.http.fields import between
from cardledger_api.http.operations import ROLES
from cardledger_api.http.schemas import Day

_NAME = validate.Length(1, 200)


class TokenSchema(Schema):
    """A token without its text, which nobody can read again; `scope` is what an invitation covers."""

    name = fields.String()
    role = fields.String()
    scope = fields.String(allow_none=True)
    state = fields.String(metadata={"enum": ["valid", "expired", "revoked"]})
    created = fields.String()
    expires = fields.String(allow_none=True)


class TokenListSchema(Schema):
    """All tokens and invitations, ended ones too, oldest first."""

    tokens = fields.List(fields.Nested(TokenSchema))


class WantedTokenSchema(Schema):
    """The token to make: the name that events will be recorded under, what it allows, and for how long."""

    name = fields.String(required=True, validate=_NAME)
    role = fields.String(load_default=ROLES[0], validate=validate.OneOf(ROLES))
    days = fields.Integer(load_default=365, strict=True, validate=between(1, 3650))


class WantedInvitationSchema(Schema):
    """The invitation to make: what to score, the name, and the last day (tomorrow unless it is given)."""

    scope = fields.String(required=True, validate=validate.Length(1, 200))
    name = fields.String(required=True, validate=_NAME)
    until = Day(load_default=None)


class NewTokenSchema(Schema):
    """A new token. `token` is its text: keep it, it is not shown again.

    `similar` are names of valid tokens that look alike.
    """

    name = fields.String()
    role = fields.String()
    scope = fields.String(allow_none=True)
    token = fields.String()
    similar = fields.List(fields.String())


class EndedTokenSchema(Schema):
    """The name of a token."""

    name = fields.String(required=True, validate=_NAME)


def made(name: str, text: str, role: str, scope: str | None) -> dict[str, Any]:
    """Make a token and return it; refuse the name of another valid one."""
    tokens = current_access().tokens
    others = [token.name for token, state in tokens.all() if state == "valid" and token.name != name]
    return {"name": name, "role": role, "scope": scope, "token": text, "similar": similar_names(name, others)}


@operations.add("GET", "/tokens", role="admin", answer=TokenListSchema, example={})
def list_of_tokens() -> dict[str, Any]:
    """List the tokens and invitations, without their texts; only for admins."""
    tokens = current_access().tokens
    names = ("name", "role", "scope", "created", "expires")
    return {
        "tokens": [{name: getattr(token, name) for name in names} | {"state": state} for token, state in tokens.all()]
    }


@operations.add(
    "POST",
    "/tokens",
    role="admin",
    body=WantedTokenSchema,
    answer=NewTokenSchema,
    status=201,
    problems=(409,),
    example={"body": {"name": "scoreboard", "role": "reader", "days": 30}},
)
def make_token(body: dict[str, Any]) -> dict[str, Any]:
    """Make a token for a person or a program; only for admins."""
    tokens = current_access().tokens
    note_about(body["role"], body["name"])
    return made(body["name"], tokens.create(body["name"], body["role"], body["days"]), body["role"], None)


@operations.add(
    "POST",
    "/tokens/revocations",
    role="admin",
    body=EndedTokenSchema,
    answer=EndedTokenSchema,
    problems=(409,),
    example={"body": {"name": "scoreboard"}},
)
def revoke_token(body: dict[str, Any]) -> dict[str, Any]:
    """End a token or an invitation at once, on every server; only for admins."""
    tokens = current_access().tokens
    note_about(body["name"])
    tokens.revoke(body["name"])
    return body


@operations.add(
    "POST",
    "/invitations",
    role="admin",
    body=WantedInvitationSchema,
    answer=NewTokenSchema,
    status=201,
    problems=(409,),
    example={"body": {"scope": "MATCH", "name": "Table 3"}},
)
def make_invitation(body: dict[str, Any]) -> dict[str, Any]:
    """Invite a scorer to one match, to one table of an evening, or to an evening with its matches; only for admins.

    A table (`SESSION/3`) is the match that it plays in the present round. Everywhere else an invited scorer is a reader. `/?token=TOKEN` at the end of the server's address signs a browser
    in.
    """
    ledger = current_ledger()
    tokens = current_access().tokens
    scored_at(ledger, body["scope"])  # an unknown one is an error
    note_about(body["name"], body["scope"])
    invitation = invite(tokens, body["scope"], body["name"], body["name"], body["until"])
    return made(invitation.name, invitation.text, ROLES[0], body["scope"])

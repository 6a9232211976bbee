"""The resource of handicaps: the one of each number of a session, and the ranking with them."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields, validate

from cardledger.record.recording.handicaps import give_handicaps, handicap_ranking
from cardledger.rules.evenings.handicaps import MOST
from cardledger.rules.evenings.rounding import exact
from cardledger_api.auth.visible import rankings_shown
from cardledger_api.blueprint import operations
from cardledger_api.current import current_ledger
from cardledger_api.http.conditions import recorder
from cardledger_api.http.fields import between
from cardledger_api.resources.evenings import streams_of

_MOST_GIVEN = 1000


class HandicapSchema(Schema):
    """The handicap of a number, in what the session ranks by; 0 takes it back."""

    entry = fields.Integer(required=True, strict=True, validate=between(1, 999_999))
    handicap = fields.Float(required=True, validate=validate.Range(-MOST, MOST))


class HandicapsToGiveSchema(Schema):
    """Handicaps to give; numbers that are left out keep theirs."""

    handicaps = fields.List(fields.Nested(HandicapSchema), required=True, validate=validate.Length(1, _MOST_GIVEN))


class HandicappedSchema(Schema):
    """A row of the ranking with handicaps, with all points as printed."""

    entry = fields.Integer()
    place = fields.String()
    players = fields.List(fields.String())
    line = fields.String(allow_none=True)
    section = fields.String(allow_none=True)
    value = fields.String()
    handicap = fields.String()
    adjusted = fields.String()


class HandicapRankingSchema(Schema):
    """The ranking of a session with handicaps; `handicaps` tells whether anybody has one."""

    session = fields.String()
    unit = fields.String(metadata={"enum": ["percent", "points"]})
    handicaps = fields.Boolean()
    ranking = fields.List(fields.Nested(HandicappedSchema))


def _shown(session: str) -> dict[str, Any]:
    ledger = current_ledger()
    return handicap_ranking(ledger, session, rankings=rankings_shown(ledger))


@operations.add(
    "GET",
    "/sessions/<evening:session>/handicaps",
    answer=HandicapRankingSchema,
    problems=(422,),
    example={"path": {"session": "DRIVE"}},
)
def read_handicaps(session: str) -> Any:
    """Read the ranking of a session with handicaps, which stands beside the ranking that is published."""
    streams_of(current_ledger(), "session").seq(session)
    return _shown(session)


@operations.add(
    "POST",
    "/sessions/<evening:session>/handicaps",
    role="scorer",
    body=HandicapsToGiveSchema,
    answer=HandicapRankingSchema,
    status=201,
    problems=(409,),
    example={"path": {"session": "DRIVE"}, "body": {"handicaps": [{"entry": 1, "handicap": 2}]}},
)
def add_handicaps(session: str, body: dict[str, Any]) -> Any:
    """Give handicaps to pairs, teams or players of a session, by their numbers; the same again changes nothing.

    They are points of a percentage where results are compared with the field, else points, and help those who have one.
    """
    streams_of(current_ledger(), "session").seq(session)
    given = {each["entry"]: exact(each["handicap"]) for each in body["handicaps"]}
    give_handicaps(current_ledger(), session, recorder(), given)
    return _shown(session)

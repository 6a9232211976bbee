"""The resource of results that tables enter themselves: what a table says, where several said different things, and who is right."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from cardledger.record.recording.at_tables import differences_shown, enter_at_table, settle
from cardledger_api.blueprint import operations
from cardledger_api.current import current_ledger
from cardledger_api.http.conditions import recorder
from cardledger_api.http.fields import between
from cardledger_api.resources.evenings import streams_of

_NUMBER = between(1, 9999)
_VALUES = between(-999_999_999, 999_999_999)
_FORMS = ("tricks", "points", "places")
_LONGEST = 8


class SaidResultSchema(Schema):
    """What somebody says that a table scored, in one form: the tricks of a hand of a drive, points, or places by seat."""

    round = fields.Integer(required=True, strict=True, validate=_NUMBER)
    tricks = fields.List(fields.Integer(strict=True, validate=_VALUES), validate=validate.Length(1, 4))
    points = fields.List(fields.Integer(strict=True, validate=_VALUES), validate=validate.Length(2, _LONGEST))
    places = fields.List(fields.Integer(strict=True, validate=_VALUES), validate=validate.Length(2, _LONGEST))
    as_written = fields.Boolean(
        load_default=False,
        metadata={"description": "the points count, also if no number of hands of the game can give them"},
    )

    @validates_schema
    def _in_one_form(self, given: dict[str, Any], **_more: Any) -> None:
        if sum(form in given for form in _FORMS) != 1:
            raise ValidationError("give one of tricks, points and places")


class SettledResultSchema(SaidResultSchema):
    """The result of a table that is right, after it was said in several ways."""

    table = fields.Integer(required=True, strict=True, validate=_NUMBER)


class SaidNumbersSchema(Schema):
    """A result without a match: points or places by seat, the other is null."""

    points = fields.List(fields.Integer(), allow_none=True)
    places = fields.List(fields.Integer(), allow_none=True)


class TableDifferenceSchema(Schema):
    """A table of a round: its recorded result, and the others that were said of it."""

    round = fields.Integer()
    table = fields.Integer()
    recorded = fields.Nested(SaidNumbersSchema)
    said = fields.List(fields.Nested(SaidNumbersSchema))


class TableDifferencesSchema(Schema):
    """The results of a session that were said in several ways, and that nobody has settled."""

    session = fields.String()
    differences = fields.List(fields.Nested(TableDifferenceSchema))


def _form(body: dict[str, Any]) -> tuple[str, list[int]]:
    return next((form, body[form]) for form in _FORMS if form in body)


@operations.add(
    "GET",
    "/sessions/<evening:session>/differences",
    answer=TableDifferencesSchema,
    example={"path": {"session": "DRIVE"}},
)
def read_differences(session: str) -> Any:
    """Read the results that several phones of a table said differently: the recorded one, and the others.

    Until the director settles one, no next hand of a drive is seated.
    """
    ledger = current_ledger()
    streams_of(ledger, "session").seq(session)
    return differences_shown(ledger, session)


@operations.add(
    "POST",
    "/sessions/<evening:session>/tables/<int:table>/result",
    role="scorer",
    body=SaidResultSchema,
    answer=TableDifferencesSchema,
    status=201,
    problems=(409,),
    example={"path": {"session": "DRIVE", "table": "1"}, "body": {"round": 1, "tricks": [8]}},
)
def say_result(session: str, table: int, body: dict[str, Any]) -> Any:
    """Say what a table scored in a round without a match: who was invited to the table may do so in all rounds.

    The first result counts. Another one stands beside it until the director decides; the same again changes nothing.
    `session.seats` says that the table enters no result in this round.
    """
    ledger = current_ledger()
    streams_of(ledger, "session").seq(session)
    enter_at_table(ledger, session, recorder(), body["round"], table, *_form(body), as_written=body["as_written"])
    return differences_shown(ledger, session)


@operations.add(
    "POST",
    "/sessions/<evening:session>/differences",
    role="scorer",
    body=SettledResultSchema,
    answer=TableDifferencesSchema,
    status=201,
    problems=(409,),
    example={"path": {"session": "DRIVE"}, "body": {"round": 1, "table": 1, "tricks": [8]}},
)
def settle_difference(session: str, body: dict[str, Any]) -> Any:
    """Say which result of a table is right: the recorded one, one that was said, or another."""
    ledger = current_ledger()
    streams_of(ledger, "session").seq(session)
    settle(ledger, session, recorder(), body["round"], body["table"], *_form(body), as_written=body["as_written"])
    return differences_shown(ledger, session)

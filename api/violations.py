"""The resource of violations: every irregular event that counts, across matches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marshmallow import Schema, ValidationError, fields, validate

from api.fields import GameId, Whole
from api.schemas import ViolationSchema
from api.secrecy import sees_all
from ledger.games import game
from ledger.readmodels.violationlist import ViolationList, list_violations

if TYPE_CHECKING:
    from collections.abc import Mapping

    from api.operations import Operations
    from ledger.ledger import Ledger


class Cursor(fields.Field[tuple[int, int]]):
    """A place between violations, as an answer gave it."""

    def _serialize(self, value: tuple[int, int] | None, attr: str | None, obj: object, **_: object) -> str | None:
        return value and f"{value[0]}-{value[1]}"

    def _deserialize(
        self, value: object, attr: str | None, data: Mapping[str, Any] | None, **_: object
    ) -> tuple[int, int]:
        position, between, seq = str(value).partition("-")
        if not between:
            raise ValidationError("a cursor is the `next` of an answer")
        return Whole().deserialize(position), Whole().deserialize(seq)


class ViolationQuery(Schema):
    """Which violations to list."""

    limit = Whole(load_default=50, validate=validate.Range(1, 200))
    after = Cursor(load_default=None, metadata={"type": "string", "pattern": "^[0-9]{1,18}-[0-9]{1,18}$"})
    game = GameId(load_default=None)
    player = fields.String(load_default=None)
    rule = fields.String(load_default=None)


class FoundSchema(ViolationSchema):
    """A violation with its match, game, hand and player."""

    match = fields.String()
    game = fields.String()
    hand = fields.Integer()
    player = fields.String()


class ViolationListSchema(Schema):
    """One page of violations; `next` is the cursor to give as `after`, null on the last page."""

    violations = fields.List(fields.Nested(FoundSchema))
    next = Cursor(allow_none=True, metadata={"type": "string"})


def add_operations(operations: Operations, ledger: Ledger) -> None:
    """Declare the operations on violations."""

    @operations.add(
        "GET",
        "/violations",
        query=ViolationQuery,
        answer=ViolationListSchema,
        example={"query": {"rule": "follow.suit", "limit": 2}},
    )
    def violations_of_matches(query: dict[str, Any]) -> ViolationList:
        """List violations, those of the newest match first, within a match in order.

        Readers are not shown those of a hand under way: they tell what was held.
        """
        if query["game"] is not None:
            game(query["game"])  # an unknown one is an error, not an empty list
        return list_violations(ledger, **query, under_way=sees_all())

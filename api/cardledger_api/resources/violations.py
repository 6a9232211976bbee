"""The resource of violations: every irregular event that counts, across matches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marshmallow import Schema, ValidationError, fields

from cardledger.record.readmodels.questions.violation_list import count_violations, judged_hands, list_violations
from cardledger.rules.games import game
from cardledger_api.auth.visible import sees_all
from cardledger_api.blueprint import operations
from cardledger_api.current import current_ledger
from cardledger_api.http.fields import GameId, Whole, between
from cardledger_api.http.schemas import TOTAL, Day, ViolationSchema

if TYPE_CHECKING:
    from collections.abc import Mapping


class Cursor(fields.Field[tuple[int, int]]):
    """A position in the list of violations, from an earlier answer."""

    def _serialize(self, value: tuple[int, int] | None, attr: str | None, obj: object, **_: object) -> str | None:
        return value and f"{value[0]}-{value[1]}"

    def _deserialize(
        self, value: object, attr: str | None, data: Mapping[str, Any] | None, **_: object
    ) -> tuple[int, int]:
        position, between, seq = str(value).partition("-")
        if not between:
            raise ValidationError("use the `next` of an answer as the cursor")
        return Whole().deserialize(position), Whole().deserialize(seq)


class ViolationFilter(Schema):
    """Filters for violations."""

    game = GameId(load_default=None)
    player = fields.String(load_default=None)
    rule = fields.String(load_default=None)
    since = Day(load_default=None)
    until = Day(load_default=None)


class ViolationQuery(ViolationFilter):
    """Filters for the list of violations."""

    limit = Whole(load_default=50, validate=between(1, 200))
    after = Cursor(load_default=None, metadata={"type": "string", "pattern": "^[0-9]{1,18}-[0-9]{1,18}$"})
    total = TOTAL


class FoundSchema(ViolationSchema):
    """A violation with its match, game, hand and player."""

    match = fields.String()
    game = fields.String()
    hand = fields.Integer()
    player = fields.String()


class ViolationListSchema(Schema):
    """One page of violations; `next` is the cursor to give as `after`, null on the last page.

    `total` is there if it was asked for.
    """

    sometimes: tuple[str, ...] = ("total",)

    violations = fields.List(fields.Nested(FoundSchema))
    next = Cursor(allow_none=True, metadata={"type": "string"})
    total = fields.Integer()


class ViolationCountSchema(Schema):
    """How often a player broke a rule of a game in a month; `judged` of these in hands that `hands` counts."""

    rule = fields.String()
    player = fields.String()
    game = fields.String()
    month = fields.String(allow_none=True)
    count = fields.Integer()
    judged = fields.Integer()


class ViolationCountsSchema(Schema):
    """Violations counted, and by game the hands played out card by card in matches that record irregular play."""

    counts = fields.List(fields.Nested(ViolationCountSchema))
    hands = fields.Dict(keys=fields.String(), values=fields.Integer())


@operations.add(
    "GET",
    "/violations",
    query=ViolationQuery,
    answer=ViolationListSchema,
    example={"query": {"rule": "follow.suit", "limit": 2}},
)
def violations_of_matches(query: dict[str, Any]) -> dict[str, Any]:
    """List violations, newest match first, in order within a match.

    Readers do not see those of a hand under way, as they reveal the cards held.
    """
    ledger = current_ledger()
    if query["game"] is not None:
        game(query["game"])  # an unknown one is an error, not an empty list
    limit, after, total = (query.pop(name) for name in ("limit", "after", "total"))
    listed = list_violations(ledger, limit, after, **query, under_way=sees_all())
    answer = {"violations": listed.violations, "next": listed.next}
    if total:
        answer["total"] = sum(row["count"] for row in count_violations(ledger, **query, under_way=sees_all()))
    return answer


@operations.add(
    "GET",
    "/violations/counts",
    query=ViolationFilter,
    answer=ViolationCountsSchema,
    example={"query": {"since": "2026-01-01"}},
)
def counts_of_violations(query: dict[str, Any]) -> dict[str, Any]:
    """Count violations by rule, player, game and month of play, and the hands in which they could be seen.

    Readers do not see those of a hand under way.
    """
    ledger = current_ledger()
    shown = sees_all()
    return {
        "counts": count_violations(ledger, **query, under_way=shown),
        "hands": judged_hands(ledger, **query, under_way=shown),
    }

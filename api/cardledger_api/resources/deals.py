"""The resource of deals that were played at several tables: the list, and each with the players compared."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields

from cardledger.study.stats.luck import accountant
from cardledger_api.auth.visible import deal_shown
from cardledger_api.blueprint import operations
from cardledger_api.current import current_ledger
from cardledger_api.http.fields import GameId, Whole, between
from cardledger_api.resources.review_answers import ReviewBasisSchema


class DealQuery(Schema):
    """The game; without it, all."""

    game = GameId(load_default=None)
    limit = Whole(load_default=20, validate=between(1, 200))


class RepeatedDealSchema(Schema):
    """A deal that was played at several tables."""

    deal = fields.String()
    game = fields.String()
    tables = fields.Integer()


class RepeatedDealListSchema(Schema):
    """Deals that were played at several tables, those at most tables first."""

    deals = fields.List(fields.Nested(RepeatedDealSchema))


class DuplicateSchema(Schema):
    """A player compared with others who held the same cards.

    `difference` is from the mean of all tables, more is better.
    """

    player = fields.String()
    seat = fields.Integer()
    place = fields.Integer()
    score = fields.Integer()
    matchpoints = fields.Integer()
    difference = fields.Float()


class DealTableSchema(Schema):
    """A table where a deal was played."""

    match = fields.String()
    hand = fields.Integer()
    first_seq = fields.Integer()
    seats = fields.List(fields.Nested(DuplicateSchema))


class SameDealSchema(Schema):
    """A deal, its hands from the dealer on, and every table at which it was played.

    `most` is the greatest possible number of matchpoints.
    """

    deal = fields.String()
    game = fields.String()
    hands = fields.List(fields.List(fields.String()))
    upcard = fields.String(allow_none=True)
    most = fields.Integer()
    tables = fields.List(fields.Nested(DealTableSchema))
    basis = fields.Nested(ReviewBasisSchema)


@operations.add(
    "GET", "/deals", query=DealQuery, answer=RepeatedDealListSchema, heavy=True, example={"query": {"limit": 3}}
)  # fmt: skip
def list_of_deals(query: dict[str, Any]) -> dict[str, Any]:
    """List deals that were played at several tables, those at most tables first.

    Deals that another table is still to play are left out. After a large import the list is empty until the deals
    are compared, for a minute or so.
    """
    ledger = current_ledger()
    return {"deals": accountant.same_deals(ledger, query["game"], query["limit"])}


@operations.add(
    "GET", "/deals/<deal>", answer=SameDealSchema, example={"path": {"deal": "918c9e4cdb5fa37a9f7e8cb7c456aa24"}}
)
def read_deal(deal: str) -> dict[str, Any]:
    """Read a deal and every table at which it was played: players compared on the same cards."""
    return deal_shown(current_ledger(), deal)

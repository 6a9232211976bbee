"""The resource of double-dummy results.

What deals of bridge are worth with all cards open, and what each card gave up.
"""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields

from cardledger.study.stats.double_dummy import solver
from cardledger.study.stats.double_dummy.analysis import stored
from cardledger.study.stats.double_dummy.open_deal import open_deals
from cardledger.study.stats.luck.luck_store import LuckStore
from cardledger_api.auth.visible import holds
from cardledger_api.blueprint import operations
from cardledger_api.current import current_ledger


class ParContractSchema(Schema):
    """A contract of par: a higher bid of the other side would cost that side more."""

    contract = fields.String()
    declarers = fields.List(fields.Integer())
    tricks = fields.Integer()


class ParSchema(Schema):
    """The score for north-south when both sides bid as well as possible, and the contracts that give it."""

    score = fields.Integer()
    contracts = fields.List(fields.Nested(ParContractSchema))


class CardCostSchema(Schema):
    """A card played at event `seq`: the declarer's tricks with best play before it and after it."""

    seq = fields.Integer()
    seat = fields.Integer()
    card = fields.String()
    before = fields.Integer()
    after = fields.Integer()
    cost = fields.Integer()


class SolvedHandSchema(Schema):
    """A finished hand with all cards open.

    `table` has for each strain the tricks of each seat as declarer. `cards` go as far as the play kept the rules.
    """

    hand = fields.Integer()
    first_seq = fields.Integer()
    table = fields.Dict(keys=fields.String(), values=fields.List(fields.Integer()))
    par = fields.Nested(ParSchema)
    contract = fields.String(allow_none=True)
    declarer = fields.Integer(allow_none=True)
    expected = fields.Integer(allow_none=True)
    tricks = fields.Integer(allow_none=True)
    cards = fields.List(fields.Nested(CardCostSchema))


class DoubleDummySchema(Schema):
    """The double-dummy results of a match; `installed` tells whether the server has the solver."""

    match = fields.String()
    hands = fields.List(fields.Nested(SolvedHandSchema))
    pending = fields.Integer()
    installed = fields.Boolean()


@operations.add("GET", "/matches/<match>/double-dummy", answer=DoubleDummySchema, example={"path": {"match": "MATCH"}})
def read_double_dummy(match: str) -> dict[str, Any]:
    """Read what the deals of a match of bridge are worth with all cards open, and the tricks that each card gave up.

    Only finished hands whose cards are all known are there. The server computes them while nothing is recorded,
    the command `cardledger double-dummy` at once; both need the extra `cardledger[bridge]`. Hands that another
    table has yet to play are left out.
    """
    ledger = current_ledger()
    deals = [deal for deal in open_deals(ledger.stream(match)) if not holds(ledger, match, deal.hand)]
    found = []
    if deals:
        with LuckStore(ledger) as store:
            found = [solved for deal in deals if (solved := stored(deal, store)) is not None]
    return {
        "match": match,
        "hands": [solved.json() for solved in found],
        "pending": len(deals) - len(found),
        "installed": solver.installed(),
    }

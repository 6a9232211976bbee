"""The resource of luck and review: hands with what each choice gave up, deals at several tables, hands worth seeing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marshmallow import Schema, fields, validate

from api.fields import GameId, Whole
from ledger.stats import accountant, accounts
from ledger.stats.kept import Kept
from ledger.stats.reviewer import Reviewer
from ledger.stats.reviews import kept_review
from ledger.stats.worth_seeing import KINDS

if TYPE_CHECKING:
    from api.operations import Operations
    from ledger.ledger import Ledger

SECONDS = 0.5
"""How long a request waits for what is lacking; the rest is `pending`."""


class LuckQuery(Schema):
    """Of which game."""

    game = GameId(required=True)


class ReviewQuery(Schema):
    """Which hand is to be computed first, if any is lacking."""

    hand = Whole(load_default=None, validate=validate.Range(1, 10**9))


class SightsQuery(Schema):
    """Of which game, and of which kind; without, of all."""

    game = GameId(load_default=None)
    kind = fields.String(load_default=None, validate=validate.OneOf([*KINDS]))
    limit = Whole(load_default=5, validate=validate.Range(1, 50))


class ReviewBasisSchema(Schema):
    """What numbers rest on: events up to a position of the ledger, editions of the rules, the bots and the review."""

    position = fields.Integer()
    rules = fields.List(fields.String())
    bots = fields.String()
    review = fields.String()


class DecisionSchema(Schema):
    """A choice that was not forced: what was done at event `seq`, what did best, and the points given up (± `error`).

    `cost` is an estimate without bias and may be below 0; `bad` says that it is beyond doubt.
    """

    seq = fields.Integer()
    seat = fields.Integer()
    type = fields.String()
    made = fields.String()
    best = fields.String()
    options = fields.Integer()
    cost = fields.Float()
    error = fields.Float()
    bad = fields.Boolean()


class DrawnSchema(Schema):
    """Cards drawn from the stock, and what they added to the points of the hand beyond the mean over the stock."""

    seq = fields.Integer()
    seat = fields.Integer()
    cards = fields.List(fields.String())
    luck = fields.Float()


class ReviewedHandSchema(Schema):
    """A hand: `cost`, `luck` and `draw_luck` by seat beside the `scores`; null where not computed.

    `luck` is what the deal with its stock was worth beyond the average, in points as they are scored; `left_out` says
    why a hand is not reviewed at all.
    """

    hand = fields.Integer()
    first_seq = fields.Integer()
    scores = fields.List(fields.Integer(), allow_none=True)
    left_out = fields.String(allow_none=True)
    pending = fields.Boolean()
    deal = fields.String(allow_none=True)
    luck = fields.List(fields.Float(), allow_none=True)
    draw_luck = fields.List(fields.Float(), allow_none=True)
    draws = fields.List(fields.Nested(DrawnSchema), allow_none=True)
    cost = fields.List(fields.Float(), allow_none=True)
    decisions = fields.List(fields.Nested(DecisionSchema), allow_none=True)


class MatchReviewSchema(Schema):
    """The review of a match; `pending` hands are not computed yet: ask again."""

    match = fields.String()
    players = fields.List(fields.String())
    hands = fields.List(fields.Nested(ReviewedHandSchema))
    pending = fields.Integer()
    left_out = fields.Dict(keys=fields.String(), values=fields.Integer())
    basis = fields.Nested(ReviewBasisSchema)


class LuckySchema(Schema):
    """Points a hand of a player with 95% intervals, as scored and adjusted; `luck` is what the deals were worth."""

    player = fields.String()
    hands = fields.Integer()
    matches = fields.Integer()
    points = fields.Float()
    low = fields.Float(allow_none=True)
    high = fields.Float(allow_none=True)
    adjusted = fields.Float()
    adjusted_low = fields.Float(allow_none=True)
    adjusted_high = fields.Float(allow_none=True)
    luck = fields.Float()


class ReductionSchema(Schema):
    """What the adjustment does at tables of so many seats: the share of variance it explains, and how much narrower intervals are."""

    seats = fields.Integer()
    hands = fields.Integer()
    beta = fields.Float()
    explained = fields.Float()
    factor = fields.Float()


class DealingSchema(Schema):
    """A test of the recorded deals against random ones: the chance of as much or more."""

    game = fields.String()
    seats = fields.Integer()
    test = fields.String()
    deals = fields.Integer()
    chance = fields.Float()


class PlayerReviewSchema(Schema):
    """What a player gave up a hand, beside the points a hand; `bad` out of `decisions` were beyond doubt."""

    player = fields.String()
    hands = fields.Integer()
    matches = fields.Integer()
    points = fields.Float()
    low = fields.Float(allow_none=True)
    high = fields.Float(allow_none=True)
    cost = fields.Float()
    cost_low = fields.Float(allow_none=True)
    cost_high = fields.Float(allow_none=True)
    decisions = fields.Integer()
    bad = fields.Integer()
    bad_low = fields.Float()
    bad_high = fields.Float()


class LuckSchema(Schema):
    """Luck in a game, and what its players gave up, over the hands computed; the others are `pending` or `left_out`."""

    game = fields.String()
    hands = fields.Integer()
    pending = fields.Integer()
    left_out = fields.Dict(keys=fields.String(), values=fields.Integer())
    players = fields.List(fields.Nested(LuckySchema))
    reduction = fields.List(fields.Nested(ReductionSchema))
    dealing = fields.List(fields.Nested(DealingSchema))
    notes = fields.List(fields.String())
    reviews = fields.List(fields.Nested(PlayerReviewSchema))
    reviews_pending = fields.Integer()
    basis = fields.Nested(ReviewBasisSchema)


class DuplicateSchema(Schema):
    """A player against the same cards at other tables; `difference` is from the mean there, more being better."""

    player = fields.String()
    seat = fields.Integer()
    place = fields.Integer()
    score = fields.Integer()
    matchpoints = fields.Integer()
    difference = fields.Float()


class DealTableSchema(Schema):
    """A table at which a deal was played."""

    match = fields.String()
    hand = fields.Integer()
    first_seq = fields.Integer()
    seats = fields.List(fields.Nested(DuplicateSchema))


class SameDealSchema(Schema):
    """A deal, its hands from the dealer on, and every table at which it was played; `most` matchpoints can be had."""

    deal = fields.String()
    game = fields.String()
    hands = fields.List(fields.List(fields.String()))
    upcard = fields.String(allow_none=True)
    most = fields.Integer()
    tables = fields.List(fields.Nested(DealTableSchema))
    basis = fields.Nested(ReviewBasisSchema)


class SightSchema(Schema):
    """A hand worth seeing: what kind, from which event on, and the points (or, for rules, hands) that make it so."""

    kind = fields.String()
    match = fields.String()
    hand = fields.Integer()
    game = fields.String()
    amount = fields.Float()
    seq = fields.Integer()
    detail = fields.String(allow_none=True)


class SightsSchema(Schema):
    """Hands worth seeing; `pending` hands are not reviewed yet."""

    sights = fields.List(fields.Nested(SightSchema))
    pending = fields.Integer()
    basis = fields.Nested(ReviewBasisSchema)


def add_operations(operations: Operations, ledger: Ledger) -> None:
    """Declare the operations on luck and review."""
    reviewer = Reviewer(ledger)

    @operations.add(
        "GET",
        "/matches/<match>/review",
        query=ReviewQuery,
        answer=MatchReviewSchema,
        example={"path": {"match": "MATCH"}},
    )
    def read_review(match: str, query: dict[str, Any]) -> dict[str, Any]:
        """Read what every choice of a match gave up, with luck and outcome beside it.

        Costs are judged by rollouts among cautious bots over the cards as the player could know them. What is not
        kept yet is computed for a moment; `pending` hands come when you ask again. Hands under way are left out.
        """
        ledger.folded(match)
        with Kept(ledger) as kept:
            kept.catch_up()
            hands = kept.hands("match = ?", (match,))
            if any(kept_review(hand, kept).pending for hand in hands):
                reviewer.ask(sorted(hands, key=lambda hand: hand.hand != query["hand"]), SECONDS)
            return accounts.of_match(kept, match)

    @operations.add("GET", "/luck", query=LuckQuery, answer=LuckSchema, example={"query": {"game": "ruff"}})
    def read_luck(query: dict[str, Any]) -> dict[str, Any]:
        """Read points a hand adjusted for the luck of the deal, player by player, and what players gave up.

        Only hands with a known deal that were played out count. What is not computed yet is `pending`: the command
        `cardledger luck` computes it. Of a game with many hands this is the account as it was put together last, up to
        the `position` of its basis; a newer one is made meanwhile.
        """
        return accountant.luck(ledger, query["game"], patience=None) or {}

    @operations.add(
        "GET", "/deals/<deal>", answer=SameDealSchema, example={"path": {"deal": "918c9e4cdb5fa37a9f7e8cb7c456aa24"}}
    )
    def read_deal(deal: str) -> dict[str, Any]:
        """Read a deal and every table at which it was played: everyone against the same cards."""
        return accountant.deal(ledger, deal)

    @operations.add(
        "GET",
        "/hands/worth-seeing",
        query=SightsQuery,
        answer=SightsSchema,
        example={"query": {"game": "diversity", "limit": 2}},
    )
    def list_of_sights(query: dict[str, Any]) -> dict[str, Any]:
        """List hands worth seeing: biggest swings, closest hands, costliest choices, rarest rules.

        The costliest choices are among the hands reviewed by now.
        """
        return accountant.sights(ledger, query["game"], query["kind"], query["limit"], patience=None) or {}

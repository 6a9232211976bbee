"""The resource of luck and review: the cost of each choice, hands worth seeing."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields, validate

from cardledger.study.stats import Query
from cardledger.study.stats.luck import accountant, accounts
from cardledger.study.stats.luck.luck_store import LuckStore
from cardledger.study.stats.review.reviewer import Reviewer
from cardledger.study.stats.review.reviews import stored_review
from cardledger.study.stats.review.situations import TITLES
from cardledger.study.stats.review.worth_seeing import KINDS
from cardledger_api.auth.visible import holds
from cardledger_api.blueprint import operations
from cardledger_api.current import current_ledger
from cardledger_api.http.fields import GameId, Whole, between
from cardledger_api.resources.review_answers import (
    HabitsSchema,
    LuckSchema,
    MatchReviewSchema,
    SightsSchema,
)

SECONDS = 0.5
"""Seconds that a request waits for missing results; the rest is `pending`."""


_ONE_OR_TWO = rf"^(?:{'|'.join(TITLES)})(?:,(?:{'|'.join(TITLES)}))?$"


class LuckQuery(Schema):
    """The game."""

    game = GameId(required=True)


class ReviewQuery(Schema):
    """The hand to compute first, if any is missing."""

    hand = Whole(load_default=None, validate=between(1, 10**9))


class SightsQuery(Schema):
    """Filters by game and kind; without them, all."""

    game = GameId(load_default=None)
    kind = fields.String(load_default=None, validate=validate.OneOf([*KINDS]))
    limit = Whole(load_default=5, validate=between(1, 50))


class HabitsQuery(LuckQuery):
    """The game, the situations of the decisions to look at, and how to split them."""

    by = fields.String(
        load_default=None,
        validate=validate.Regexp(_ONE_OR_TWO, error="choose one or two situations, separated by a comma"),
        metadata={"description": f"split decisions by one or two of these, separated by a comma: {', '.join(TITLES)}"},
    )
    where = fields.String(
        load_default=None,
        validate=validate.Regexp("^[a-z_]+:[^:,]+(,[a-z_]+:[^:,]+)*$", error="write NAME:VALUE, separated by commas"),
        metadata={"description": "situations of the decisions as NAME:VALUE, separated by commas"},
    )


@operations.add(
    "GET",
    "/matches/<match>/review",
    query=ReviewQuery,
    answer=MatchReviewSchema,
    heavy=True,
    example={"path": {"match": "MATCH"}},
)
def read_review(match: str, query: dict[str, Any]) -> dict[str, Any]:
    """Read the cost of every choice of a match, beside luck and result.

    Costs are estimated by rollouts with cautious bots over the cards that the player could not see. Missing
    results are computed for a moment; ask again for `pending` hands. Hands under way are left out.
    """
    ledger = current_ledger()
    reviewer = Reviewer.of(current_ledger())
    ledger.folded(match)
    with LuckStore(ledger) as store:
        store.catch_up()
        hands = store.hands("match = ?", (match,))
        if any(stored_review(hand, store).pending for hand in hands):
            reviewer.ask(sorted(hands, key=lambda hand: hand.hand != query["hand"]), SECONDS)
        account = accounts.of_match(store, match)
        account["hands"] = [one for one in account["hands"] if not holds(ledger, match, one["hand"])]
        return account


@operations.add("GET", "/luck", query=LuckQuery, answer=LuckSchema, heavy=True, example={"query": {"game": "ruff"}})
def read_luck(query: dict[str, Any]) -> dict[str, Any]:
    """Read each player's points a hand, adjusted for the luck of the deal, and the cost of their choices.

    Only hands with a known deal count. Hands not computed yet are `pending`: the server computes them while nothing is
    recorded, the command `cardledger luck` at once. For a game with many hands, the answer is the latest finished
    account, up to the `position` of its basis; a newer one is then being made.
    """
    ledger = current_ledger()
    return accountant.luck(ledger, query["game"], patience=None) or {}


@operations.add(
    "GET",
    "/players/<text:player>/habits",
    query=HabitsQuery,
    answer=HabitsSchema,
    heavy=True,
    example={"path": {"player": "PLAYER"}, "query": {"game": "ruff"}},
)
def read_habits(player: str, query: dict[str, Any]) -> dict[str, Any]:
    """Read what a player's decisions cost by situation, and the habits that give most points away.

    Only reviewed hands count. A habit is a kind of decision at a place in the trick; those listed cost more than
    nothing beyond chance, with all kinds of decisions considered, the costliest first, each with examples to replay.
    """
    ledger = current_ledger()
    asked = Query.parse({"by": query["by"], "where": query["where"]})
    return accountant.habits_of_player(ledger, ledger.people().person(player), query["game"], asked.splits, asked.where)


@operations.add(
    "GET",
    "/hands/worth-seeing",
    query=SightsQuery,
    answer=SightsSchema,
    heavy=True,
    example={"query": {"game": "diversity", "limit": 2}},
)
def list_of_sights(query: dict[str, Any]) -> dict[str, Any]:
    """List hands worth seeing: biggest swings, closest hands, costliest choices, rarest rules.

    The costliest choices come from the hands reviewed so far.
    """
    ledger = current_ledger()
    return accountant.sights(ledger, query["game"], query["kind"], query["limit"], patience=None) or {}

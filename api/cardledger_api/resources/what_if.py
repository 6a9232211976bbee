"""The resource of what if: the hands of a game judged again under another edition, or a variant."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from marshmallow import Schema, fields, validate

from cardledger.study.analyse.what_if_answers import OUTCOMES, WhatIfAnswers
from cardledger_api.blueprint import operations
from cardledger_api.current import current_ledger
from cardledger_api.http.fields import GameId, Whole, between
from cardledger_api.http.schemas import TOTAL
from cardledger_api.resources.hands import CURSOR

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardledger.study.analyse.what_if_answers import ListedHand


class OtherHandsQuery(Schema):
    """A page of the hands that are judged otherwise."""

    outcome = fields.String(
        load_default=None,
        validate=validate.OneOf(OUTCOMES),
        metadata={"description": "only hands that go on with other points, that stop, or that differ in rulings alone"},
    )
    total = TOTAL
    limit = Whole(load_default=50, validate=between(1, 200))
    after = fields.String(load_default=None, validate=CURSOR)


class WhatIfQuery(OtherHandsQuery):
    """The game, the edition that judges its hands, and a page of the hands that it judges otherwise."""

    game = GameId(required=True)
    rules = fields.String(
        required=True,
        metadata={"description": "an edition of the game, or of a variant with the same cards, deal and phases"},
    )


class MatchesComparedSchema(Schema):
    """Complete matches as a whole. Totals are the points of their hands added up."""

    complete = fields.Integer()
    stops = fields.Integer()
    points = fields.Integer()
    winner = fields.Integer()


class OtherHandSchema(Schema):
    """A hand that the edition judges otherwise: from event `seq` on, in trick `trick` (0: in no trick)."""

    match = fields.String()
    hand = fields.Integer()
    date = fields.String(allow_none=True)
    outcome = fields.String()
    seq = fields.Integer()
    trick = fields.Integer()
    scores = fields.List(fields.Integer())
    other = fields.List(fields.Integer(), allow_none=True)


class OtherEditionSchema(Schema):
    """How the hands of a game fare under an edition, and one page of those that it judges otherwise, the newest match first."""

    sometimes: tuple[str, ...] = ("total",)

    game = fields.String()
    rules = fields.String()
    position = fields.Integer()
    hands = fields.Integer()
    same = fields.Integer()
    points = fields.Integer()
    stops = fields.Integer()
    rulings = fields.Integer()
    left_out = fields.Dict(keys=fields.String(), values=fields.Integer())
    unfit = fields.Dict(keys=fields.String(), values=fields.Integer())
    problems = fields.Integer()
    waiting = fields.Integer()
    matches = fields.Nested(MatchesComparedSchema)
    otherwise = fields.List(fields.Nested(OtherHandSchema))
    next = fields.String(allow_none=True)
    total = fields.Integer()


@operations.add(
    "GET",
    "/stats/what-if",
    query=WhatIfQuery,
    answer=OtherEditionSchema,
    problems=(503,),
    example={"query": {"game": "ruff", "rules": "ruff-2/2", "limit": 2}},
)
def what_if_hands(query: dict[str, Any]) -> dict[str, Any]:
    """Judge every hand of a game again under another edition of its rulebook, or under a variant.

    The cards stay as they were played: where a trick falls to somebody else, the hand stops, because nobody knows how
    it would have gone on. Each hand is judged alone, as if the hands before it had scored nothing. While a first answer
    is being computed, this answers 503 (`store.computing`) with `Retry-After`; later the last answer is given until a
    newer one is there: `position` is that of the last event looked at. At most the newest 10,000 hands are listed.
    """
    answers = WhatIfAnswers.of(current_ledger())
    answer = answers.get(query["game"], query["rules"])
    listed = [one for one in answer.listed if query["outcome"] in (None, one.outcome)]
    page, following = page_of(listed, query["limit"], query["after"])
    found = answer.found
    return {
        "game": answer.game, "rules": answer.rules, "position": answer.position,
        **{name: getattr(found, name) for name in ("hands", "same", "points", "stops", "problems")},
        "rulings": answer.rulings, "left_out": dict(found.left_out), "unfit": dict(found.unfit),
        "waiting": answer.waiting, "matches": asdict(answer.matches),
        "otherwise": [row_of(one) for one in page], "next": following,
    } | ({"total": len(listed)} if query["total"] else {})  # fmt: skip


def page_of(listed: Sequence[ListedHand], limit: int, after: str | None) -> tuple[Sequence[ListedHand], str | None]:
    """Return the hands after a cursor, as many as fit on a page, and the cursor of the page after it."""
    if after is not None:
        position, _, number = after.partition(".")
        place = (-int(position), int(number))
        listed = [one for one in listed if (-one.position, one.hand.hand) > place]
    if len(listed) <= limit:
        return listed, None
    last = listed[limit - 1]
    return listed[:limit], f"{last.position}.{last.hand.hand}"


def row_of(one: ListedHand) -> dict[str, Any]:
    """Return a hand as answers and tables have it."""
    hand = one.hand
    return {
        "match": hand.match, "hand": hand.hand, "date": one.date, "outcome": one.outcome, "seq": hand.seq,
        "trick": hand.trick, "scores": hand.scores, "other": hand.other,
    }  # fmt: skip

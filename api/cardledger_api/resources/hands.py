"""The resource of hands: a search over every hand of every match."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marshmallow import Schema, fields, validate

from cardledger.errors import StoreError
from cardledger.record.readmodels.questions.card_in_hand import WAYS
from cardledger.record.readmodels.questions.hand_list import FILTERS, count_hands, hand_row, list_hands
from cardledger.record.readmodels.questions.match_list import ORDERS
from cardledger.rules.engine.situations import OF_HAND
from cardledger.study.stats.measures.hand_counts import hand_counts, situations_wanted
from cardledger_api.auth.visible import holds, sees_all
from cardledger_api.blueprint import operations
from cardledger_api.current import current_ledger
from cardledger_api.http.fields import Flag, GameId, Points, Whole, between
from cardledger_api.http.schemas import TOTAL, Day

if TYPE_CHECKING:
    from cardledger.record.recording.ledger import Ledger


HOW = "how the card came to the player: " + "; ".join(f"{way}: {words}" for way, words in WAYS.items())
"""The ways in which cards come, for the document of the API."""
SPLITS = sorted(hand_counts())
"""The situations of hands, and the counts of all games."""
WHERE = fields.String(
    load_default=None,
    validate=validate.Regexp("^[a-zA-Z_]+:[^:,]+(,[a-zA-Z_]+:[^:,]+)*$", error="write NAME:VALUE, separated by commas"),
    metadata={
        "description": f"situations of the hand ({', '.join(OF_HAND)}) or counts of the game as NAME:VALUE, "
        "separated by commas; "
        "a value is a word, a number, or a span such as 3..5 or 26.."
    },
)
LOOKED_AT = 5_000
"""How many matches a page of hands with situations or a card looks at: a question that hardly any hand fits must not read a whole
ledger."""
CURSOR = validate.Regexp("^[0-9]{1,18}[.][0-9]{1,9}$", error="no cursor")
"""The place of a hand in a list: the position of its match, and its number."""


class HandQuery(Schema):
    """Filters for hands, and their order. With `player`, `seat` and points are that player's.

    Without, those of any seat.
    """

    sort = fields.String(load_default=ORDERS[0], validate=validate.OneOf(ORDERS))
    total = TOTAL
    limit = Whole(load_default=50, validate=between(1, 200))
    after = fields.String(load_default=None, validate=CURSOR)
    game: fields.String = GameId(load_default=None)
    seats = Whole(load_default=None, metadata={"description": "number of players at the table"})
    player = fields.String(load_default=None)
    seat = Whole(load_default=None)
    turn = Whole(load_default=None, metadata={"description": "place from the dealer, 1 for left of the dealer"})
    where = WHERE
    card = fields.String(
        load_default=None,
        metadata={"description": "face of a card, as QS, that came to the player as `how` says; hands that are over"},
    )
    how = fields.String(load_default=None, validate=validate.OneOf([*WAYS]), metadata={"description": HOW})
    event = fields.String(load_default=None, metadata={"description": "club night or tournament, as written"})
    since = Day(load_default=None, metadata={"description": "first day of play, included"})
    until = Day(load_default=None, metadata={"description": "last day of play, included"})
    ended_by = fields.String(load_default=None, validate=validate.OneOf(("play", "claim", "score")))
    score_min = Points(load_default=None)
    score_max = Points(load_default=None)
    rule = fields.String(
        load_default=None, metadata={"description": "a rule that decided something: a trick, points, the end"}
    )
    violation = fields.String(load_default=None, metadata={"description": "a rule that was broken in the hand"})
    doubtful = fields.Boolean(
        load_default=None,
        metadata={"description": "whether the points of its score sheet are impossible (`score.sum`)"},
    )


class FoundSeatSchema(Schema):
    """A player of a hand; points are null while it is under way.

    `facts` are the game's facts about the seat, such as a bid.
    """

    seat = fields.Integer()
    player = fields.String()
    tricks_taken = fields.Integer()
    score = fields.Integer(allow_none=True)
    total = fields.Integer(allow_none=True)
    side = fields.Integer()
    facts = fields.Dict(keys=fields.String())


class FoundViolationSchema(Schema):
    """An irregular event of a hand."""

    seq = fields.Integer()
    seat = fields.Integer()
    rule = fields.String()


class FoundHandSchema(Schema):
    """A hand, its players, the rules that decided its tricks, and its violations.

    `doubt` says why the points of its score sheet are impossible; null if they are possible.
    """

    match = fields.String()
    game = fields.String()
    date = fields.String(allow_none=True)
    period = fields.String(allow_none=True)
    hand = fields.Integer()
    dealer = fields.Integer()
    ended_by = fields.String(allow_none=True)
    tricks = fields.Integer()
    hidden = Flag()
    doubt = fields.String(allow_none=True)
    first_seq = fields.Integer()
    last_seq = fields.Integer(allow_none=True)
    seats = fields.List(fields.Nested(FoundSeatSchema))
    facts = fields.Dict(keys=fields.String())
    rules = fields.List(fields.String())
    violations = fields.List(fields.Nested(FoundViolationSchema))


class FoundHandListSchema(Schema):
    """One page of hands; `next` is the cursor to give as `after`, null on the last page.

    `total` is there if it was asked for.
    """

    sometimes: tuple[str, ...] = ("total",)

    hands = fields.List(fields.Nested(FoundHandSchema))
    next = fields.String(allow_none=True)
    total = fields.Integer()


@operations.add(
    "GET",
    "/hands",
    query=HandQuery,
    answer=FoundHandListSchema,
    example={"query": {"game": "whist", "violation": "follow.suit", "limit": 2}},
)
def list_of_hands(query: dict[str, Any]) -> dict[str, Any]:
    """Search hands, newest or oldest match first, a page at a time.

    All given filters must hold. With `where` or `card`, a page looks at 5,000 matches: it may have few hands, or none, and yet a
    `next`. Dates are days of play, or of recording if none is given.
    """
    ledger = current_ledger()
    return search(ledger, query)


@operations.add(
    "GET",
    "/matches/<match>/hands/<int:hand>",
    answer=FoundHandSchema,
    example={"path": {"match": "MATCH", "hand": 1}},
)
def read_hand(match: str, hand: int) -> dict[str, Any]:
    """Read one hand of a match, as a search finds it."""
    ledger = current_ledger()
    row = hand_row(ledger, match, hand)
    if row is None:
        raise StoreError("store.unknown", f"there is no hand {hand} in a match {match}")
    return _shown(ledger, row)


def search(ledger: Ledger, query: dict[str, Any]) -> dict[str, Any]:
    """Return one page of the hands that fit a query, as the user may see them."""
    filters = {name: query[name] for name in FILTERS}
    filters["where"] = situations_wanted(query["where"], query["game"])
    position, _, number = (query["after"] or "").partition(".")
    after = (int(position), int(number)) if position else None
    matches = LOOKED_AT if filters["where"] or filters["card"] else None
    listed = list_hands(
        ledger, query["limit"], after, sort=query["sort"], under_way=sees_all(), matches=matches, **filters
    )
    answer: dict[str, Any] = {
        "hands": [_shown(ledger, hand) for hand in listed.hands],
        "next": listed.next and "{}.{}".format(*listed.next),
    }
    if query["total"]:
        answer["total"] = count_hands(ledger, under_way=sees_all(), **filters)
    return answer


def _shown(ledger: Ledger, hand: dict[str, Any]) -> dict[str, Any]:
    """Return a hand as the user may see it."""
    held = holds(ledger, hand["match"], hand["hand"])
    if held or hand["ended_by"] is None and not sees_all(hand["match"]):
        hand["violations"] = []  # what is legal reveals the cards held
    if held:
        hand["rules"], hand["facts"] = [], {}
        for seat in hand["seats"]:
            seat["facts"] = {}
    return hand

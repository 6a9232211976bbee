"""The resources of boards: the travellers of a session, and the card of each entry."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields

from cardledger_api.auth.visible import rankings_shown
from cardledger_api.blueprint import operations
from cardledger_api.current import current_ledger
from cardledger_api.resources.evenings import streams_of
from cardledger_api.resources.rankings import AsOfQuery, position_asked


class WeightedScoreSchema(Schema):
    """A score with its weight in percent."""

    weight = fields.String()
    score = fields.Integer()


class AwardSchema(Schema):
    """What a line gets for a board, in points for north-south.

    Scores, of which a ruling may weigh several, or a percentage.
    """

    sometimes: tuple[str, ...] = ("scores", "percent")

    scores = fields.List(fields.Nested(WeightedScoreSchema))
    percent = fields.String()


class PlayedSchema(Schema):
    """A result at a table.

    Of bridge also contract, seat of the declarer, opening lead, tricks of the declarer, and the hand.

    The hand is its number in the match. A value is null if it is unknown, or if the game is not bridge.
    """

    round = fields.Integer()
    table = fields.Integer()
    contract = fields.String(allow_none=True)
    declarer = fields.Integer(allow_none=True)
    lead = fields.String(allow_none=True)
    tricks = fields.Integer(allow_none=True)
    score = fields.Integer(allow_none=True)
    hand = fields.Integer(allow_none=True)


class WorthSchema(Schema):
    """What a result of a board is worth to both lines: their awards and points.

    Points are null where the line gets none of its own, percentages where there is no top.
    """

    ns_award = fields.Nested(AwardSchema)
    ew_award = fields.Nested(AwardSchema)
    ns_points = fields.String(allow_none=True)
    ns_percent = fields.String(allow_none=True)
    ew_points = fields.String(allow_none=True)
    ew_percent = fields.String(allow_none=True)


class TravellerLineSchema(WorthSchema, PlayedSchema):
    """A result of a board.

    Where it was played, the entries of both lines, their awards and points, its match and its events.

    Of bridge also contract, seat of the declarer, opening lead, tricks of the declarer, and the number of the hand in
    its match, as far as they are known. `score` is that of north-south before rulings. Points are null where the line
    gets none of its own, percentages where there is no top.
    """

    ns = fields.List(fields.Integer())
    ew = fields.List(fields.Integer())
    match = fields.String(allow_none=True)
    events = fields.List(fields.Integer())


class FrequencySchema(WorthSchema):
    """One of the different results of a board: how often it was scored, and what it is worth to both lines."""

    times = fields.Integer()


class TravellerSchema(Schema):
    """The traveller of a board.

    Its results, by round and table, and the different ones among them, the best for north-south first.
    """

    board = fields.Integer()
    lines = fields.List(fields.Nested(TravellerLineSchema))
    frequencies = fields.List(fields.Nested(FrequencySchema))


class EntryCardLineSchema(PlayedSchema):
    """What an entry scored at a table, on a board.

    Its line, partners and opponents, the result, its points, and how it stood then.

    The score is that of its side before rulings; `ruled` tells whether a ruling changed it. `running` is the
    percentage of the entry so far, or its points where fields are not compared. An evening without boards has no line,
    no partners and no result to show: there these keys are left out.
    """

    sometimes = (
        "contract",
        "declarer",
        "lead",
        "tricks",
        "score",
        "hand",
        "line",
        "partners",
        "ruled",
        "award",
        "match",
    )

    board = fields.Integer(allow_none=True)
    line = fields.String()
    partners = fields.List(fields.Integer())
    opponents = fields.List(fields.Integer())
    ruled = fields.Boolean()
    award = fields.Nested(AwardSchema)
    match = fields.String(allow_none=True)
    points = fields.String()
    percent = fields.String(allow_none=True)
    running = fields.String()


class EntryCardSchema(Schema):
    """The card of an entry as of a position: its boards or tables in the order of play."""

    evening = fields.String()
    position = fields.Integer()
    entry = fields.Integer()
    players = fields.List(fields.String())
    place = fields.String()
    lines = fields.List(fields.Nested(EntryCardLineSchema))


class TravellersSchema(Schema):
    """The travellers of a session as of a position; none if it is played without boards."""

    evening = fields.String()
    position = fields.Integer()
    boards = fields.List(fields.Nested(TravellerSchema))


@operations.add(
    "GET",
    "/sessions/<evening:session>/travellers",
    query=AsOfQuery,
    answer=TravellersSchema,
    problems=(422,),
    example={"path": {"session": "SESSION"}},
)
def read_travellers(session: str, query: dict[str, Any]) -> dict[str, Any]:
    """Read the travellers of a session: every result of each board with its points, its match and its events.

    Readers see a board once every table that plays it has finished it.
    """
    ledger = current_ledger()
    sessions = streams_of(current_ledger(), "session")
    sessions.seq(session)
    position = position_asked(ledger, query)
    boards = rankings_shown(ledger).travellers(session, position)
    return {"evening": session, "position": position, "boards": boards}


@operations.add(
    "GET",
    "/sessions/<session>/cards/<int:entry>",
    query=AsOfQuery,
    answer=EntryCardSchema,
    problems=(422,),
    example={"path": {"session": "SESSION", "entry": 1}},
)
def read_card(session: str, entry: int, query: dict[str, Any]) -> dict[str, Any]:
    """Read the card of an entry: each board it played with opponents, result and points, and how it stood after it.

    Readers see a board once every table that plays it has finished it. `session.seats` says that there is no such
    entry.
    """
    ledger = current_ledger()
    sessions = streams_of(current_ledger(), "session")
    sessions.seq(session)
    position = position_asked(ledger, query)
    card = rankings_shown(ledger).card(session, entry, position)
    return {"evening": session, "position": position, **card}

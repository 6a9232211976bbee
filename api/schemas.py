"""The shapes of questions and answers, as marshmallow schemas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marshmallow import Schema, fields, validate

from api.fields import GameId, Whole
from ledger.game import PLAYERS

if TYPE_CHECKING:
    from ledger.game import Game, Option


class Day(fields.Date):
    """An ISO day, as text."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> Any:
        return super()._deserialize(value, attr, data, **more).isoformat()


class MatchFilter(Schema):
    """Which matches: all that fit everything said; the days `since` and `until` are included."""

    game: fields.String = GameId(load_default=None)
    player = fields.String(load_default=None)
    event = fields.String(load_default=None)
    since = Day(load_default=None)
    until = Day(load_default=None)
    status = fields.String(load_default=None, validate=validate.OneOf(("open", "complete", "ended")))
    policy = fields.String(load_default=None, validate=validate.OneOf(("strict", "record")))
    violations = fields.Boolean(load_default=None)


class MatchQuery(MatchFilter):
    """Which matches to list."""

    limit = Whole(load_default=50, validate=validate.Range(1, 200))
    after = Whole(load_default=None)


class MatchSchema(Schema):
    """A match as it stands: the row of the read model, with `table` under the name it has in a match file."""

    id = fields.String(attribute="match")
    game = fields.String()
    rules = fields.String()
    status = fields.String()
    policy = fields.String()
    players = fields.List(fields.String())
    options = fields.Dict()
    event = fields.String(allow_none=True)
    table = fields.String(attribute="board", allow_none=True)
    place = fields.String(allow_none=True)
    date = fields.String()
    opened_at = fields.String()
    recorded_at = fields.String()
    seq = fields.Integer()
    hands = fields.Integer()
    hands_complete = fields.Integer()
    totals = fields.List(fields.Integer())
    winners = fields.List(fields.Integer())
    violations = fields.Integer()
    hash = fields.String(allow_none=True)


class MatchListSchema(Schema):
    """One page of matches; `next` is the cursor to give as `after`, null on the last page."""

    matches = fields.List(fields.Nested(MatchSchema))
    next = fields.String(allow_none=True)


class TrickSchema(Schema):
    """A complete trick; `taker` is null for a tie."""

    leader = fields.Integer()
    cards = fields.List(fields.String())
    taker = fields.Integer(allow_none=True)
    rule = fields.String()


class HandSchema(Schema):
    """A hand of the replay result; the last five keys are there only where they apply."""

    number = fields.Integer()
    dealer = fields.Integer()
    complete = fields.Boolean()
    tricks = fields.List(fields.Nested(TrickSchema))
    tricks_taken = fields.List(fields.Integer())
    scores = fields.List(fields.Integer(), allow_none=True)
    bids = fields.List(fields.Integer(allow_none=True))
    closer = fields.Integer(allow_none=True)
    penalties = fields.List(fields.Integer(), allow_none=True)
    claimed = fields.List(fields.Integer())
    agreed = fields.Boolean()


class ViolationSchema(Schema):
    """An irregular event, the first rule it broke, and the faces that would have broken none."""

    seq = fields.Integer()
    seat = fields.Integer()
    rule = fields.String()
    legal = fields.List(fields.String())


class ResultSchema(Schema):
    """The replay result (README, "Replay result")."""

    game = fields.String()
    players = fields.List(fields.String())
    options = fields.Dict()
    status = fields.String()
    hands = fields.List(fields.Nested(HandSchema))
    totals = fields.List(fields.Integer())
    winners = fields.List(fields.Integer())
    violations = fields.List(fields.Nested(ViolationSchema))


class MatchDetailSchema(MatchSchema):
    """A match with its replay result."""

    result = fields.Nested(ResultSchema)


def default_of(option: Option) -> object:
    """Return an option's default, ready for JSON."""
    return "players" if option.default is PLAYERS else option.default


def players_of(game: Game) -> dict[str, int]:
    """Return the lowest and highest number of players."""
    return {"min": game.players[0], "max": game.players[-1]}


class RuleSchema(Schema):
    """A rule; `breakable` ones can be broken at a real table, `ours` settle what the source leaves open."""

    id = fields.String()
    text = fields.String()
    breakable = fields.Boolean()
    ours = fields.Boolean()


class OptionSchema(Schema):
    """An option; a default of "players" is the number of players."""

    name = fields.String()
    text = fields.String()
    default = fields.Function(default_of)
    choices = fields.List(fields.String())


class GameSchema(Schema):
    """A game with its rulebook."""

    id = fields.String()
    title = fields.String()
    summary = fields.String()
    edition = fields.String(attribute="book.edition")
    source = fields.String(attribute="book.source")
    players = fields.Function(players_of)
    better = fields.Function(lambda game: "fewest" if game.fewest else "most")
    options = fields.List(fields.Nested(OptionSchema))
    rules = fields.List(fields.Nested(RuleSchema), attribute="book.rules")


class GameListSchema(Schema):
    """All games, and the rules they share."""

    games = fields.List(fields.Nested(GameSchema))
    common_rules = fields.List(fields.Nested(RuleSchema))


class ProblemSchema(Schema):
    """Problem details (RFC 9457), with the stable code, and what is known of the offending event."""

    type = fields.String(required=True)
    title = fields.String(required=True)
    status = fields.Integer(required=True)
    code = fields.String(required=True)
    detail = fields.String(required=True)
    instance = fields.String(required=True)
    index = fields.Integer()
    seat = fields.Integer()
    legal = fields.List(fields.String())
    current = fields.Integer()
    request_id = fields.String()

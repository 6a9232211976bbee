"""The marshmallow schemas of queries and answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marshmallow import INCLUDE, Schema, fields, post_dump, validate

from cardledger.record.readmodels.questions.match_list import DATES, ORDERS
from cardledger.rules.engine.option import ByPlayers
from cardledger.rules.engine.sides import sides_among
from cardledger_api.http.fields import GameId, Whole, between

if TYPE_CHECKING:
    from cardledger.rules.engine.game import Game, Option


class Day(fields.Date):
    """An ISO day, as text."""

    def __init__(self, **more: Any) -> None:
        super().__init__(error_messages={"invalid": "write a day as 2026-01-31"}, **more)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> Any:
        return super()._deserialize(value, attr, data, **more).isoformat()


class MatchFilter(Schema):
    """Filters for matches; all given ones must hold. The days `since` and `until` are included."""

    game: fields.String = GameId(load_default=None)
    player = fields.String(load_default=None)
    event = fields.String(load_default=None)
    since = Day(load_default=None)
    until = Day(load_default=None)
    table = fields.String(load_default=None, attribute="board")
    place = fields.String(load_default=None)
    date = fields.String(
        load_default=None,
        validate=validate.OneOf(DATES),
        metadata={"description": "whether the day of play is known"},
    )
    status = fields.String(load_default=None, validate=validate.OneOf(("open", "complete", "ended", "void")))
    policy = fields.String(load_default=None, validate=validate.OneOf(("strict", "record")))
    violations = fields.Boolean(load_default=None)
    seats = Whole(
        load_default=None, validate=between(1, 100), metadata={"description": "number of players at the table"}
    )
    seat = Whole(
        load_default=None,
        validate=between(0, 100),
        metadata={"description": "seat of the player, or else of any, from 0"},
    )
    rank = Whole(
        load_default=None,
        validate=between(0, 100),
        metadata={"description": "place of the player, or else of any, in the result, from 1; 0: not complete"},
    )
    against = fields.String(
        load_default=None, metadata={"description": "id of an opponent of the player, or else of any"}
    )
    partner = fields.String(
        load_default=None, metadata={"description": "id of a partner of the player, or else of any"}
    )


TOTAL = fields.Boolean(
    load_default=False, metadata={"description": "whether `total` is wanted: the number on all pages together"}
)


class MatchQuery(MatchFilter):
    """Filters for the list of matches, and its order."""

    sort = fields.String(load_default=ORDERS[0], validate=validate.OneOf(ORDERS))
    total = TOTAL
    limit = Whole(load_default=50, validate=between(1, 200))
    after = Whole(load_default=None)


class MatchSchema(Schema):
    """A match as it is now.

    `table` is named as in a match file. `sides` lists the seats that play together; it is empty if each player plays
    alone. All partners of a winning side are winners.
    """

    id = fields.String(attribute="match")
    game = fields.String()
    rules = fields.String()
    status = fields.String()
    policy = fields.String()
    players = fields.List(fields.String())
    sides = fields.List(fields.List(fields.Integer()))
    options = fields.Dict()
    event = fields.String(allow_none=True)
    table = fields.String(attribute="board", allow_none=True)
    place = fields.String(allow_none=True)
    date = fields.String(allow_none=True)
    period = fields.String(allow_none=True)
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
    """One page of matches; `next` is the cursor to give as `after`, null on the last page.

    `total` is there if it was asked for.
    """

    sometimes: tuple[str, ...] = ("total",)

    matches = fields.List(fields.Nested(MatchSchema))
    next = fields.String(allow_none=True)
    total = fields.Integer()


class TrickSchema(Schema):
    """A complete trick; `taker` is null for a tie."""

    leader = fields.Integer()
    cards = fields.List(fields.String())
    taker = fields.Integer(allow_none=True)
    rule = fields.String()


class WithFacts(Schema):
    """Also holds the game's facts, each under its key: `GET /games/<game>` lists them."""

    @post_dump(pass_original=True)
    def add_facts(self, data: dict[str, Any], original: dict[str, Any], **_: object) -> dict[str, Any]:
        """Add the values of keys that are not declared."""
        return data | {key: value for key, value in original.items() if key not in self.fields}


class HandSchema(WithFacts):
    """A hand of the replay result, with the facts of its game, such as trump or bids.

    `sides` lists the seats that play together in this hand, if sides change from hand to hand; it is absent otherwise.
    `claimed` and `agreed` are present only if a claim or a score sheet ended the hand. `withheld` means that tricks
    and facts are not shown, because another table is playing the same cards or will play them.
    """

    sometimes: tuple[str, ...] = ("sides", "claimed", "agreed", "withheld")

    number = fields.Integer()
    dealer = fields.Integer()
    complete = fields.Boolean()
    tricks = fields.List(fields.Nested(TrickSchema))
    tricks_taken = fields.List(fields.Integer())
    scores = fields.List(fields.Integer(), allow_none=True)
    sides = fields.List(fields.List(fields.Integer()))
    claimed = fields.List(fields.Integer())
    agreed = fields.Boolean()
    withheld = fields.Boolean()


class ViolationSchema(Schema):
    """An irregular event, the first rule it broke, and the faces that would have broken none.

    In bridge, `established` says whether a revoke was established, and `indicated` how many tricks Law 64 moves.
    """

    sometimes: tuple[str, ...] = ("established", "indicated")

    seq = fields.Integer()
    seat = fields.Integer()
    rule = fields.String()
    legal = fields.List(fields.String())
    established = fields.Boolean()
    indicated = fields.Integer()


class WarningSchema(Schema):
    """A warning: something in a hand looks wrong, but it is recorded.

    `seq` is the number of the event that gave its points.
    """

    code = fields.String()
    hand = fields.Integer()
    seq = fields.Integer()
    detail = fields.String(attribute="why")


class ResultSchema(WithFacts):
    """The replay result (ledger/cardledger/record/matches/README.md), with the game's facts about the match.

    `sides` lists the seats that play together; it is absent if each player plays alone.
    """

    sometimes: tuple[str, ...] = ("sides",)

    game = fields.String()
    players = fields.List(fields.String())
    sides = fields.List(fields.List(fields.Integer()))
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
    return "players" if isinstance(option.default, ByPlayers) else option.default


def sides_of(game: Game[Any]) -> list[list[int]]:
    """Return the seats of each side; empty if each player plays alone."""
    return sides_among(game.sides(game.sizes[-1]))


def players_of(game: Game[Any]) -> dict[str, Any]:
    """Return the numbers of players: all of them, the lowest and the highest."""
    return {"min": game.sizes[0], "max": game.sizes[-1], "sizes": [*game.sizes]}


class RuleSchema(Schema):
    """A rule.

    Its `name` says in a few words which one it is. A `breakable` rule can be broken at a real table; a rule marked `ours` settles a point that the source leaves
    open.
    """

    id = fields.String()
    name = fields.String(attribute="title")
    text = fields.String()
    breakable = fields.Boolean()
    ours = fields.Boolean()


class OptionSchema(Schema):
    """An option. A default of "players" depends on the number of players; `by_players` gives it for each."""

    sometimes: tuple[str, ...] = ("by_players",)

    name = fields.String()
    text = fields.String()
    default = fields.Function(default_of)
    by_players = fields.Dict(keys=fields.String(), values=fields.Integer())
    choices = fields.List(fields.String())


class FactSchema(Schema):
    """A fact of a match or a hand: its key, its title, and the kind of its value.

    `per` is its subject: `match`, `hand`, or each seat of one (`match seat`, `seat`); for seats the value is a list.
    """

    key = fields.String()
    title = fields.String()
    per = fields.String()
    kind = fields.String()


class WordSchema(Schema):
    """A word of the game, as the event `call` carries it, and a sentence about the player who calls it."""

    call = fields.String()
    text = fields.String()


_NUMBERS_OF_PLAYERS = {
    "min": {"type": "integer", "description": "the lowest number of players"},
    "max": {"type": "integer", "description": "the highest number of players"},
    "sizes": {
        "type": "array",
        "items": {"type": "integer"},
        "description": "all numbers of players, in order: a game for 2 or 4 is not for 3",
    },
}


class GameSchema(Schema):
    """A game with its rulebook.

    `sides` lists the seats that play together; it is empty if each player plays alone. `words` lists the possible
    calls, `facts` the game's facts about hands and matches.
    """

    id = fields.String()
    title = fields.String()
    summary = fields.String()
    edition = fields.String(attribute="book.edition")
    source = fields.String(attribute="book.source")
    players = fields.Function(players_of, metadata={"type": "object", "properties": _NUMBERS_OF_PLAYERS})
    better = fields.Function(lambda game: "fewest" if game.scoring.fewest else "most")
    sides = fields.Function(
        sides_of, metadata={"type": "array", "items": {"type": "array", "items": {"type": "integer"}}}
    )
    options = fields.List(fields.Nested(OptionSchema))
    words = fields.List(fields.Nested(WordSchema), attribute="shown.words")
    facts = fields.List(fields.Nested(FactSchema), attribute="shown.facts")
    rules = fields.List(fields.Nested(RuleSchema), attribute="book.rules")


class GameListSchema(Schema):
    """All games, and the rules that all games share."""

    games = fields.List(fields.Nested(GameSchema))
    common_rules = fields.List(fields.Nested(RuleSchema))


class FaultSchema(Schema):
    """One fault of a request.

    `pointer` leads to it in the body (RFC 6901), or `parameter` names the argument of the address.

    In lines, pointers read as in the list `events`.
    """

    sometimes: tuple[str, ...] = ("pointer", "parameter")

    detail = fields.String(required=True)
    code = fields.String(required=True)
    pointer = fields.String()
    parameter = fields.String()


class ProblemSchema(Schema):
    """Problem details (RFC 9457), with a stable code and details of the offending event.

    `errors` are all faults of a bad request, up to a hundred; the first gives the code.

    An answer may have more keys: a refused import carries its report.
    """

    sometimes: tuple[str, ...] = ("errors", "index", "seat", "legal", "current", "request_id")

    class Meta:
        """Allows more keys."""

        unknown = INCLUDE

    type = fields.String(required=True)
    title = fields.String(required=True)
    status = fields.Integer(required=True)
    code = fields.String(required=True)
    detail = fields.String(required=True)
    instance = fields.String(required=True)
    errors = fields.List(fields.Nested(FaultSchema))
    index = fields.Integer()
    seat = fields.Integer()
    legal = fields.List(fields.String())
    current = fields.Integer()
    request_id = fields.String()

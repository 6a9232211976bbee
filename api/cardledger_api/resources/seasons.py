"""The resource of a season: an event, a span of days, or both."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from marshmallow import Schema, fields

from cardledger.record.readmodels.questions import season as seasons
from cardledger.rules.games import games
from cardledger.study.stats import Statistics
from cardledger.study.stats.cache import Shelf
from cardledger_api.blueprint import operations
from cardledger_api.current import current_ledger
from cardledger_api.http.schemas import Day

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardledger.record.readmodels.questions.season import Season
    from cardledger.record.recording.ledger import Ledger


class SeasonQuery(Schema):
    """The season: an event, days, or both; by default the year of the last day of play."""

    event = fields.String(load_default=None)
    since = Day(load_default=None)
    until = Day(load_default=None)


class SeasonPlayerSchema(Schema):
    """A player in the standing of a game: matches, complete ones, those won, hands and points."""

    player = fields.String()
    matches = fields.Integer()
    complete = fields.Integer()
    won = fields.Integer()
    hands = fields.Integer()
    points = fields.Integer(allow_none=True)


class SeasonStandingSchema(Schema):
    """The standing of a game at tables of one size, the best first: most matches won, then points a hand."""

    game = fields.String()
    seats = fields.Integer()
    players = fields.List(fields.Nested(SeasonPlayerSchema))


class SeasonDaySchema(Schema):
    """A day of play, or a month where there are many days."""

    day = fields.String()
    matches = fields.Integer()
    hands = fields.Integer()


class AttendanceSchema(Schema):
    """How often a player came."""

    player = fields.String()
    days = fields.Integer()
    matches = fields.Integer()
    hands = fields.Integer()
    won = fields.Integer()


class SwingSchema(Schema):
    """The hand of a game with the largest difference between the points of two players."""

    match = fields.String()
    hand = fields.Integer()
    game = fields.String()
    date = fields.String(allow_none=True)
    period = fields.String(allow_none=True)
    amount = fields.Integer()
    seq = fields.Integer()


class SeasonSchema(Schema):
    """A season: what was asked, its days, standings, attendance and largest swings; void matches do not count."""

    event = fields.String(allow_none=True)
    since = fields.String(allow_none=True)
    until = fields.String(allow_none=True)
    first = fields.String(allow_none=True)
    last = fields.String(allow_none=True)
    matches = fields.Integer()
    hands = fields.Integer()
    undated = fields.Integer()
    standings = fields.List(fields.Nested(SeasonStandingSchema))
    days = fields.List(fields.Nested(SeasonDaySchema))
    attendance = fields.List(fields.Nested(AttendanceSchema))
    swings = fields.List(fields.Nested(SwingSchema))


@operations.add(
    "GET", "/season", query=SeasonQuery, answer=SeasonSchema, heavy=True, example={"query": {"since": "2026-01-01"}}
)
def read_season(query: dict[str, Any]) -> dict[str, Any]:
    """Read a season: standings by game and size of table, days of play, attendance, and the largest swings."""
    ledger = current_ledger()
    asked = season_asked(ledger, query)
    season = asdict(season_of(ledger, asked))
    standings = [{"game": game, "seats": seats, "players": rows} for (game, seats), rows in season["standings"].items()]
    return asked | season | {"standings": standings}


def season_asked(ledger: Ledger, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return the season that is meant: without an event or days, the year of the last day of play."""
    last = None if any(asked.values()) else seasons.latest_day(ledger)
    return {**asked} | ({"since": f"{last[:4]}-01-01", "until": f"{last[:4]}-12-31"} if last else {})


def season_of(ledger: Ledger, asked: Mapping[str, Any]) -> Season:
    """Return a season, from memory if nothing has been recorded since; of a large league as it was a moment ago."""
    fewest = frozenset(id for id, game in games().items() if game.scoring.fewest)
    question = ("season", *asked.items())

    def ask() -> Season:
        answer: Season = Shelf.of(ledger.views).get(
            question, ledger.store.last_position(), lambda: seasons.season(ledger, fewest=fewest, **asked)
        )
        return answer

    return Statistics.of(ledger.views).recent(None, question, ask)

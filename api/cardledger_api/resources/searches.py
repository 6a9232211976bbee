"""The search: names of players, games and texts of matches, and matches by these or by the beginning of their id."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from marshmallow import Schema, fields, validate

from cardledger.record.people.spelling import fold
from cardledger.record.readmodels.questions.evening_list import other_games
from cardledger.record.readmodels.questions.searches import LONGEST, search
from cardledger.rules.engine.rulebook import COMMON
from cardledger.rules.games import games
from cardledger_api.auth.visible import is_secret, public_row
from cardledger_api.blueprint import operations
from cardledger_api.current import current_ledger
from cardledger_api.http.fields import Whole, between
from cardledger_api.http.schemas import MatchSchema

if TYPE_CHECKING:
    from cardledger.record.readmodels.questions.searches import Found
    from cardledger.record.recording.ledger import Ledger
    from cardledger.rules.engine.game import Game


class SearchQuery(Schema):
    """The words, and how many results of each kind are wanted."""

    q = fields.String(
        required=True,
        validate=validate.Length(1, LONGEST),
        metadata={"description": "words that must all be in a name, or the beginning of the id of a match"},
    )
    limit = Whole(load_default=20, validate=between(1, 100))


class FoundGameSchema(Schema):
    """A game that a search found."""

    id = fields.String()
    title = fields.String()


class FoundPlayerSchema(Schema):
    """A player that a search found."""

    id = fields.String()
    name = fields.String()
    matches = fields.Integer()
    evenings = fields.Integer()


class FoundRuleSchema(Schema):
    """A rule that a search found; `games` are the ids of those that have it, none if every game does."""

    id = fields.String()
    text = fields.String()
    games = fields.List(fields.String())


class FoundTextSchema(Schema):
    """A text of matches that a search found."""

    text = fields.String(attribute="name")
    matches = fields.Integer()


class SearchSchema(Schema):
    """The results of a search, of each kind the best first: whole names, then beginnings, then the others.

    Matches newest first.
    """

    games = fields.List(fields.Nested(FoundGameSchema))
    other_games = fields.List(fields.String())
    rules = fields.List(fields.Nested(FoundRuleSchema))
    players = fields.List(fields.Nested(FoundPlayerSchema))
    events = fields.List(fields.Nested(FoundTextSchema))
    tables = fields.List(fields.Nested(FoundTextSchema))
    places = fields.List(fields.Nested(FoundTextSchema))
    matches = fields.List(fields.Nested(MatchSchema))


@operations.add("GET", "/search", query=SearchQuery, answer=SearchSchema, example={"query": {"q": "ana", "limit": 3}})
def search_names(query: dict[str, Any]) -> dict[str, Any]:
    """Search games, players, events, tables, places and matches by parts of their names, and rules by their words.

    Capitals and accents do not matter.
    """
    ledger = current_ledger()
    found, name = found_by(ledger, query["q"], query["limit"]), ledger.people().name
    return {
        "games": games_called(query["q"])[: query["limit"]],
        "other_games": other_games_called(ledger, query["q"])[: query["limit"]],
        "rules": rules_saying(query["q"])[: query["limit"]],
        "players": [
            {"id": one.name, "name": name(one.name), "matches": one.matches, "evenings": one.evenings}
            for one in found.players
        ],
        "events": found.texts.get("event", []),
        "tables": found.texts.get("board", []),
        "places": found.texts.get("place", []),
        "matches": found.matches,
    }


def found_by(ledger: Ledger, text: str, limit: int) -> Found:
    """Return the results of a search as the user may see them."""
    found = search(ledger, text, limit)
    shown = [public_row(ledger, row) for row in found.matches if not is_secret(ledger, row["match"])]
    return replace(found, matches=shown)


def games_called(text: str) -> list[Game[Any]]:
    """Return the games whose titles contain a text."""
    words = text.strip().lower()
    return [game for game in games().values() if words and words in game.title.lower()]


def other_games_called(ledger: Ledger, text: str) -> list[str]:
    """Return the games without rules whose names contain a text, whatever capitals and accents it has."""
    words = fold(text.strip())
    return [name for name in other_games(ledger) if words and words in fold(name)]


class FoundRule(NamedTuple):
    """A rule, and the ids of the games that have it; none if every game does."""

    id: str
    text: str
    games: tuple[str, ...]


def rules_saying(text: str) -> list[FoundRule]:
    """Return the rules that have every word of a text in their id, their sentence or the title of their game.

    One word at least is of the rule itself. Rules that say the same in several games are one.
    """
    words = fold(text).split()
    found: dict[tuple[str, str], list[str]] = {}
    for game in games().values():
        for rule in game.book if words else ():
            own = fold(f"{rule.id} {rule.text}")
            if any(word in own for word in words) and all(word in f"{own} {fold(game.title)}" for word in words):
                found.setdefault((rule.id, rule.text), []).append(game.id)
    shared = [rule for rule in COMMON if words and all(word in fold(f"{rule.id} {rule.text}") for word in words)]
    return [
        *(FoundRule(id, said, tuple(of)) for (id, said), of in found.items()),
        *(FoundRule(rule.id, rule.text, ()) for rule in shared),
    ]

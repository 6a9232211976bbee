"""The resource of games: their rulebooks, options and packs."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from marshmallow import Schema, fields

from cardledger.errors import StoreError
from cardledger.rules.engine.option import ByPlayers
from cardledger.rules.engine.rulebook import COMMON
from cardledger.rules.games import games
from cardledger_api.blueprint import operations
from cardledger_api.http.packs import packs
from cardledger_api.http.schemas import GameListSchema, GameSchema, OptionSchema, RuleSchema

if TYPE_CHECKING:
    from cardledger.rules.engine.game import Game


class CardSchema(Schema):
    """A card: the text people write, its suits (some cards have two), and its height."""

    face = fields.String()
    suits = fields.List(fields.String())
    rank = fields.Integer()


class PackSchema(Schema):
    """A pack, lowest suit first, and the options it belongs to (none: the default options)."""

    options = fields.Dict()
    suits = fields.List(fields.String())
    cards = fields.List(fields.Nested(CardSchema))


class TypedOptionSchema(OptionSchema):
    """An option with its type: `choice` (one of `choices`), `boolean`, or `integer` (at least 1)."""

    type = fields.Function(
        lambda option: option.kind, metadata={"type": "string", "enum": ["choice", "boolean", "integer"]}
    )
    optional = fields.Function(lambda option: option.default is None, metadata={"type": "boolean"})


class GameDetailSchema(GameSchema):
    """A game with its rulebook, the rules all games share, the types of its options, and its packs of cards."""

    options = fields.List(fields.Nested(TypedOptionSchema))
    common_rules = fields.List(fields.Nested(RuleSchema))
    packs = fields.List(fields.Nested(PackSchema))


@operations.add("GET", "/games", answer=GameListSchema)
def list_of_games() -> dict[str, Any]:
    """List the games with their options and rulebooks, and the rules they share."""
    return {"games": [_described(game) for game in games().values()], "common_rules": COMMON}


@operations.add("GET", "/games/<game>", answer=GameDetailSchema, example={"path": {"game": "whist"}})
def read_game(game: str) -> SimpleNamespace:
    """Read a game: rulebook, options with types and defaults, and its cards.

    The first of `packs` is that of the default options; more follow if an option changes the cards.
    """
    card_game = games().get(game)
    if card_game is None:
        raise StoreError("store.unknown", f"there is no game {game!r}: GET /games lists them")
    answer = _described(card_game)
    answer.packs, answer.common_rules = packs(card_game), COMMON
    return answer


def _described(game: Game[Any]) -> SimpleNamespace:
    """Return a game for display: options whose default depends on the number of players list it for each number."""
    options = []
    for option in game.options:
        shown = SimpleNamespace(
            **{name: getattr(option, name) for name in ("name", "text", "default", "choices", "kind")}
        )
        if isinstance(option.default, ByPlayers):
            shown.by_players = {str(n): option.default_for(n) for n in game.sizes}
        options.append(shown)
    names = ("id", "title", "summary", "book", "sizes", "sides", "scoring", "shown")
    return SimpleNamespace(**{name: getattr(game, name) for name in names}, options=options)

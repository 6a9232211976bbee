"""The resource of games: their rulebooks, options and packs."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from marshmallow import Schema, fields

from api.packs import kind_of, packs
from api.schemas import GameListSchema, GameSchema, OptionSchema, RuleSchema
from ledger.errors import StoreError
from ledger.games import games
from ledger.rulebook import COMMON

if TYPE_CHECKING:
    from api.operations import Operations


class CardSchema(Schema):
    """A card: the text people write, its suits (some cards have two), and its height."""

    face = fields.String()
    suits = fields.List(fields.String())
    rank = fields.Integer()


class PackSchema(Schema):
    """A pack, lowest suit first, and the options it belongs to (none: what they are by default)."""

    options = fields.Dict()
    suits = fields.List(fields.String())
    cards = fields.List(fields.Nested(CardSchema))


class TypedOptionSchema(OptionSchema):
    """An option with its type: `choice` (one of `choices`), `boolean`, or `integer` (at least 1)."""

    type = fields.Function(kind_of, metadata={"type": "string", "enum": ["choice", "boolean", "integer"]})
    optional = fields.Function(lambda option: option.default is None, metadata={"type": "boolean"})


class GameDetailSchema(GameSchema):
    """A game with its rulebook, the rules all games share, the types of its options, and its packs of cards."""

    options = fields.List(fields.Nested(TypedOptionSchema))
    common_rules = fields.List(fields.Nested(RuleSchema))
    packs = fields.List(fields.Nested(PackSchema))


def add_operations(operations: Operations) -> None:
    """Declare the operations on games."""

    @operations.add("GET", "/games", answer=GameListSchema)
    def list_of_games() -> dict[str, Any]:
        """List the games with their options and rulebooks, and the rules they share."""
        return {"games": games().values(), "common_rules": COMMON}

    @operations.add("GET", "/games/<game>", answer=GameDetailSchema, example={"path": {"game": "poison-hearts"}})
    def read_game(game: str) -> SimpleNamespace:
        """Read a game: rulebook, options with types and defaults, and its cards.

        The first of `packs` is that of the default options; more follow where an option changes the cards.
        """
        found = games().get(game)
        if found is None:
            raise StoreError("store.unknown", f"there is no game {game!r}")
        names = ("id", "title", "summary", "book", "players", "fewest", "options")
        told = {name: getattr(found, name) for name in names}
        return SimpleNamespace(**told, packs=packs(found), common_rules=COMMON)

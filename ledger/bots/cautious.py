"""The cautious bot: plays each game by the sense a careful person has of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from types import MappingProxyType
from typing import Any

from ledger.bots import (
    diamonds_bid,
    diamonds_draw,
    diversity,
    hecto_diversity,
    poison_hearts,
    random_bot,
    ruff,
)
from ledger.events import Event
from ledger.table import Table

POLICIES: Mapping[str, Callable[[Any], Event]] = MappingProxyType(
    {
        "diversity": diversity.choose,
        "diamonds-bid": diamonds_bid.choose,
        "poison-hearts": poison_hearts.choose,
        "hecto-diversity": hecto_diversity.choose,
        "ruff": ruff.choose,
        "ruff-2": ruff.choose,
        "diamonds-draw": diamonds_draw.choose,
    }
)
"""What a careful person does, game by game; nothing in it is left to chance."""

CARDS: Mapping[str, Callable[[Any, int, int, int], int]] = MappingProxyType(
    {
        "diversity": diversity.card_of,
        "diamonds-bid": diamonds_bid.card_of,
        "poison-hearts": poison_hearts.card_of,
        "ruff": ruff.card_of,
        "ruff-2": ruff.card_of,
        "diamonds-draw": diamonds_draw.card_of,
    }
)
"""The same sense for a card to a trick, in ints: asked with the table, the seat, its legal cards and those it has not seen."""


def choose(table: Table, rng: Random) -> Event:
    """Return what the game's policy says; in a game without one, play at random."""
    policy = POLICIES.get(table.game.id)
    return random_bot.choose(table, rng) if policy is None else policy(table)

"""Diversity: nobody has to follow suit, and every trick taken counts against its taker."""

from dataclasses import replace
from typing import Any

from cardledger.rules import Game
from cardledger.rules.games.diversity.bot import BOT
from cardledger.rules.games.diversity.measured import MEASURED
from cardledger.rules.games.diversity.measures import MEASURES, count
from cardledger.rules.games.diversity.rules import GAME, GAME_1


def editions() -> list[Game[Any]]:
    """Return the editions of the game, oldest first."""
    return [
        replace(game, bot=BOT, count=count, measures=MEASURES, measured=MEASURED, played_as=f"{game.id}/1")
        for game in (GAME_1, GAME)
    ]

"""Diamonds, the drawing game: the taker of a trick draws, and every card left in hand is a point."""

from dataclasses import replace
from typing import Any

from cardledger.rules import Game
from cardledger.rules.games.diamonds_draw.bot import BOT
from cardledger.rules.games.diamonds_draw.measured import MEASURED
from cardledger.rules.games.diamonds_draw.measures import MEASURES, count
from cardledger.rules.games.diamonds_draw.rules import GAME, GAME_1
from cardledger.rules.games.diamonds_draw.sheet import score_check


def editions() -> list[Game[Any]]:
    """Return the editions of the game, oldest first."""
    return [
        replace(
            game,
            bot=BOT,
            count=count,
            measures=MEASURES,
            measured=MEASURED,
            score_check=score_check,
            played_as=f"{game.id}/1",
        )
        for game in (GAME_1, GAME)
    ]

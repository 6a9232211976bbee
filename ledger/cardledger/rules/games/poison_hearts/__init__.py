"""Poison Hearts: every card is a point, unless you took the most of its suit; tied tricks go back to the hands."""

from dataclasses import replace
from typing import Any

from cardledger.rules import Game
from cardledger.rules.games.poison_hearts.bot import BOT
from cardledger.rules.games.poison_hearts.measured import MEASURED
from cardledger.rules.games.poison_hearts.measures import MEASURES, count
from cardledger.rules.games.poison_hearts.rules import GAME, GAME_1
from cardledger.rules.games.poison_hearts.sheet import score_check


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

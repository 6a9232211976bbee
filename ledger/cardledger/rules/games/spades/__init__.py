"""Spades: two sides bid how many tricks they will take; spades are trump."""

from dataclasses import replace
from typing import Any

from cardledger.rules import Game
from cardledger.rules.games.spades.bot import BOT
from cardledger.rules.games.spades.measured import MEASURED
from cardledger.rules.games.spades.measures import MEASURES, count
from cardledger.rules.games.spades.rules import GAME
from cardledger.rules.games.spades.sheet import score_check


def editions() -> list[Game[Any]]:
    """Return the editions of the game, oldest first."""
    return [
        replace(
            GAME,
            bot=BOT,
            count=count,
            measures=MEASURES,
            measured=MEASURED,
            score_check=score_check,
            tricks_decide=lambda options: True,
        )
    ]

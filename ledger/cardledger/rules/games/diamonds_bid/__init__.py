"""Diamonds, the bidding game: diamonds are trump, and every player bids how many tricks to take."""

from dataclasses import replace
from typing import Any

from cardledger.rules import Game
from cardledger.rules.games.diamonds_bid.bot import BOT
from cardledger.rules.games.diamonds_bid.measured import MEASURED
from cardledger.rules.games.diamonds_bid.measures import MEASURES, count
from cardledger.rules.games.diamonds_bid.rules import GAME, GAME_1
from cardledger.rules.games.diamonds_bid.sheet import score_check


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
            tricks_decide=lambda options: True,
            played_as=f"{game.id}/1",
        )
        for game in (GAME_1, GAME)
    ]

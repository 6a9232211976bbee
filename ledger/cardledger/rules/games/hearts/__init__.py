"""Hearts: every heart taken is a point and the queen of spades thirteen, unless one player takes them all."""

from dataclasses import replace
from typing import Any

from cardledger.rules import Game, place_in_cycle
from cardledger.rules.games.hearts.bot import BOT
from cardledger.rules.games.hearts.measured import MEASURED
from cardledger.rules.games.hearts.measures import MEASURES, count
from cardledger.rules.games.hearts.passing import cycle
from cardledger.rules.games.hearts.rules import GAME
from cardledger.rules.games.hearts.sheet import score_check


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
            carried=place_in_cycle(cycle),
        )
    ]

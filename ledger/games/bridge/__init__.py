"""Contract bridge: an auction decides the contract, the declarer plays it with the cards of dummy face up."""

from dataclasses import replace
from typing import Any

from cardledger.engine.carried import Carried
from cardledger.engine.game import Game
from cardledger.games.bridge.bot import BOT
from cardledger.games.bridge.measured import MEASURED
from cardledger.games.bridge.measures import MEASURES, count
from cardledger.games.bridge.rubber import carried, resume
from cardledger.games.bridge.rules import GAME
from cardledger.games.bridge.sheet import score_check


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
            carried=Carried(carried, resume),
        )
    ]

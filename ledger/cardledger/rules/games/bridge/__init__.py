"""Contract bridge: an auction decides the contract, the declarer plays it with the cards of dummy face up."""

from dataclasses import replace
from typing import Any

from cardledger.rules import Carried, Game
from cardledger.rules.games.bridge.bot import BOT
from cardledger.rules.games.bridge.measured import MEASURED
from cardledger.rules.games.bridge.measures import MEASURES, count
from cardledger.rules.games.bridge.rubber import carried, resume
from cardledger.rules.games.bridge.rules import GAME
from cardledger.rules.games.bridge.sheet import score_check


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

"""Euchre: one side makes trump and must take three of five tricks; the two jacks of the trump colour are highest."""

from dataclasses import replace
from typing import Any

from cardledger.engine.game import Game
from cardledger.games.euchre.bot import BOT
from cardledger.games.euchre.measured import MEASURED
from cardledger.games.euchre.measures import MEASURES, count
from cardledger.games.euchre.rules import GAME
from cardledger.games.euchre.sheet import score_check


def editions() -> list[Game[Any]]:
    """Return the editions of the game, oldest first."""
    return [replace(GAME, bot=BOT, count=count, measures=MEASURES, measured=MEASURED, score_check=score_check)]

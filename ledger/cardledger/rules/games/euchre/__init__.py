"""Euchre: one side makes trump and must take three of five tricks; the two jacks of the trump colour are highest."""

from dataclasses import replace
from typing import Any

from cardledger.rules import Game
from cardledger.rules.games.euchre.bot import BOT
from cardledger.rules.games.euchre.measured import MEASURED
from cardledger.rules.games.euchre.measures import MEASURES, count
from cardledger.rules.games.euchre.rules import GAME
from cardledger.rules.games.euchre.sheet import score_check


def editions() -> list[Game[Any]]:
    """Return the editions of the game, oldest first."""
    return [replace(GAME, bot=BOT, count=count, measures=MEASURES, measured=MEASURED, score_check=score_check)]

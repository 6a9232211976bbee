"""Whist: two sides take tricks; the suit of the last card dealt is trump."""

from dataclasses import replace
from typing import Any

from cardledger.rules import Game, place_in_cycle
from cardledger.rules.games.whist.bot import BOT
from cardledger.rules.games.whist.measured import MEASURED
from cardledger.rules.games.whist.measures import MEASURES, count
from cardledger.rules.games.whist.rules import CYCLE, GAME
from cardledger.rules.games.whist.sheet import score_check


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
            tricks_decide=lambda options: not options["honours"],
            carried=place_in_cycle(lambda match: len(CYCLE.get(match.options["trumps"], ()))),
        )
    ]

"""Diversity with the Hectoedra cards: collect seven cards that all differ in colour and value, then close."""

from dataclasses import replace
from typing import Any

from cardledger.rules import Collecting, Game
from cardledger.rules.games.hecto_diversity.bot import BOT, lays_off, parts_with, takes
from cardledger.rules.games.hecto_diversity.closing import closer_scores, may_lay_off, penalty
from cardledger.rules.games.hecto_diversity.diverse import closing_places
from cardledger.rules.games.hecto_diversity.measured import MEASURED
from cardledger.rules.games.hecto_diversity.measures import MEASURES, count
from cardledger.rules.games.hecto_diversity.rules import GAME
from cardledger.rules.games.hecto_diversity.sheet import score_check

COLLECTING = Collecting(closing_places, may_lay_off, penalty, closer_scores, takes, parts_with, lays_off)


def editions() -> list[Game[Any]]:
    """Return the editions of the game, oldest first."""
    return [
        replace(
            game,
            bot=BOT,
            collecting=COLLECTING,
            count=count,
            measures=MEASURES,
            measured=MEASURED,
            score_check=score_check,
        )
        for game in (GAME,)
    ]

"""Ruff and Ruff 2.0: every suit but the one led is trump, and players short of the quota pay with cards."""

from dataclasses import replace
from typing import Any

from cardledger.rules import Carried, Game
from cardledger.rules.games.ruff.bot import BOT
from cardledger.rules.games.ruff.debts import debts_carried, resume_debts
from cardledger.rules.games.ruff.measured import MEASURED, MEASURED_2
from cardledger.rules.games.ruff.measures import MEASURES, counting
from cardledger.rules.games.ruff.rules import CYCLES, HIERARCHY, RUFF, RUFF_1, RUFF_2, RUFF_2_1


def editions() -> list[Game[Any]]:
    """Return the editions of both games, oldest first."""
    fixed, circling = counting(lambda led: HIERARCHY), counting(lambda led: CYCLES[led])
    counts = ((RUFF_1, fixed), (RUFF, fixed), (RUFF_2_1, circling), (RUFF_2, circling))
    return [
        replace(
            game,
            bot=BOT,
            count=count,
            measures=MEASURES,
            measured=MEASURED if game.id == RUFF.id else MEASURED_2,
            played_as=f"{game.id}/1",
            carried=Carried(debts_carried, resume_debts, from_tricks=True),
        )
        for game, count in counts
    ]

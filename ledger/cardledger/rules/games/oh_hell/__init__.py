"""Oh Hell: every player bids exactly how many tricks to take, in hands that change size."""

from dataclasses import replace
from typing import Any

from cardledger.rules import Carried, Game, resume_at
from cardledger.rules.games.oh_hell.bot import BOT
from cardledger.rules.games.oh_hell.measured import MEASURED
from cardledger.rules.games.oh_hell.measures import MEASURES, count
from cardledger.rules.games.oh_hell.rules import GAME
from cardledger.rules.games.oh_hell.sheet import score_check
from cardledger.rules.games.oh_hell.sizes import first_of_size


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
            carried=Carried(first_of_size, resume_at),
        )
    ]

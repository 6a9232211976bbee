"""The page of guide cards, to print: for each number of a movement, where to go in each round."""

from __future__ import annotations

from flask import render_template

from cardledger.errors import RuleError
from cardledger.rules.evenings.guide import guide_cards
from cardledger_api.current import current_ledger
from cardledger_web.languages import N_
from cardledger_web.pages.blueprint import pages
from cardledger_web.pages.evenings import refused
from cardledger_web.views.directing import entries_of
from cardledger_web.views.evening import board_numbers
from cardledger_web.views.evening_running import session_of

SITS = {
    "NS": N_("north-south"), "EW": N_("east-west"), "N": N_("north"), "E": N_("east"), "S": N_("south"), "W": N_("west"),
}  # fmt: skip
"""How somebody sits, in words."""


@pages.get("/evenings/<evening>/guide-cards")
def evening_guide(evening: str) -> str | tuple[str, int]:
    ledger = current_ledger()
    state = session_of(ledger, evening)
    try:
        cards = guide_cards(state)
    except RuleError as error:
        return refused(evening, error)
    return render_template(
        "guide_cards.html",
        evening=evening,
        session=state.opening,
        cards=cards,
        entries=entries_of(ledger, state),
        alone=any(stop.partner for stops in cards.values() for stop in stops),
        boards=any(stop.boards for stops in cards.values() for stop in stops),
        sits=SITS,
        board_numbers=board_numbers,
    )

"""What cards are worth as a page shows it: every card by its name, and all of them in one figure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardledger_web.figures.stats import worths
from cardledger_web.languages import _
from cardledger_web.views.cards import drawn

if TYPE_CHECKING:
    from collections.abc import Mapping

    import plotly.graph_objects as go

    from cardledger.rules.engine.game import Game
    from cardledger.study.stats.stats_table import StatsTable
    from cardledger_web.figures.stats import Span
    from cardledger_web.views.cards import DrawnCard

_MOST_SUITS = 5
"""More suits beside each other cannot be told apart."""


def cards_of(game: Game[Any]) -> Mapping[str, DrawnCard]:
    """Return the cards of a game with its usual options, by their faces."""
    return drawn(game.pack(game.fill({}, game.sizes[0])))


def worths_figure(game: Game[Any], found: StatsTable) -> go.Figure | None:
    """Return what cards are worth, rank after rank; None without suits, or with too many of them."""
    cards = cards_of(game)
    known = [(row, cards[row["card"]]) for row in found.rows if row["pooled"] is not None and row["card"] in cards]
    ranks = list(dict.fromkeys(card.rank for card in cards.values() if card.suit))
    suits: dict[str, dict[int, Span]] = {}
    for row, card in known:
        if card.suit:
            span = row["pooled"], row["pooled_low"], row["pooled_high"]
            suits.setdefault(f"{card.pip}", {})[ranks.index(card.rank)] = span
    if not 0 < len(suits) <= _MOST_SUITS:
        return None
    return worths(ranks, suits, _("points a hand"))

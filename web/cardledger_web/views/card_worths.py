"""What cards are worth as a page shows it: every card by its name, all of them in one figure, the hands behind each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardledger.record.readmodels.questions.card_in_hand import IN_TRICKS, WAYS, has_tricks
from cardledger.record.readmodels.tables.arrivals import bringing
from cardledger_web.figures.stats import worths
from cardledger_web.languages import N_, _
from cardledger_web.views.cards import drawn
from cardledger_web.views.stats import hands_behind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import plotly.graph_objects as go

    from cardledger.rules.engine.game import Game
    from cardledger.study.stats import Query
    from cardledger.study.stats.stats_table import StatsTable
    from cardledger_web.figures.stats import Span
    from cardledger_web.views.cards import DrawnCard

_MOST_SUITS = 5
"""More suits below each other cannot be told apart."""
WAYS_IN_WORDS = {
    "dealt": N_("dealt"),
    "held": N_("held in the end"),
    "led": N_("led"),
    "played": N_("played to a trick"),
    "won": N_("won in a trick"),
}
"""The ways in which cards come, for a choice."""


def ways_of(game: Game[Any]) -> Sequence[str]:
    """Return the ways in which cards come to players of a game; held is dealt if none comes later."""
    later = bool(bringing(game.phases))
    return [way for way in WAYS if (later or way != "held") and (has_tricks(game.id) or way not in IN_TRICKS)]


def cards_of(game: Game[Any]) -> Mapping[str, DrawnCard]:
    """Return the cards of a game with its usual options, by their faces."""
    return drawn(game.pack(game.fill({}, game.sizes[0])))


def behind(game: Game[Any], query: Query, how: str, player: str | None) -> dict[str, Any] | None:
    """Return the filters of the list of hands for the hands of the page, but for the card; None if it has not those."""
    filters = hands_behind(query)
    if filters is None:
        return None
    of = {} if player is None else {"player": player}
    return {"game": game.id, "how": how, **of, **filters}


def worths_figure(game: Game[Any], found: StatsTable) -> go.Figure | None:
    """Return what cards are worth, or how far a player is from the others, rank below rank.

    None without suits, or with too many of them.
    """
    cards = cards_of(game)
    value = "believed" if "believed" in found.columns else "pooled"
    known = [(row, cards[row["card"]]) for row in found.rows if row[value] is not None and row["card"] in cards]
    ranks = list(dict.fromkeys(card.rank for card in cards.values() if card.suit))[::-1]
    suits: dict[str, dict[int, Span]] = {}
    for row, card in known:
        if card.suit:
            span = row[value], row[f"{value}_low"], row[f"{value}_high"]
            suits.setdefault(f"{card.pip}", {})[ranks.index(card.rank)] = span
    if not 0 < len(suits) <= _MOST_SUITS:
        return None
    what = _("more points a hand") if value == "believed" else _("points a hand")
    return worths(ranks, suits, what)

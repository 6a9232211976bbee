"""The public Python API of statistics: `OpenLedger.statistics`, each table as Arrow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardledger.rules.games import game as game_of
from cardledger.study.stats.arrow_export import in_arrow
from cardledger.study.stats.dealer import dealers_favour
from cardledger.study.stats.definitions import definitions, measures
from cardledger.study.stats.forecasts import forecasts
from cardledger.study.stats.head_to_head import head_to_head
from cardledger.study.stats.luck import accountant
from cardledger.study.stats.partner_calls import partner_calls
from cardledger.study.stats.query import Query
from cardledger.study.stats.tables import Statistics

if TYPE_CHECKING:
    import pyarrow

    from cardledger.record.recording.ledger import Ledger


class PlayerStatistics:
    """The statistics of a ledger, as on the pages, each as an Arrow table.

    `filters` are those of the pages, the API and `cardledger stats`, by name: `since="2026-01-01"`,
    `against="ben,eva"`, `where="void_suits:1"`, `by="month"`. The metadata of a table (`cardledger`, JSON) says which
    matches and hands it was computed from, and what was left out. Players are ids; `OpenLedger.people` has their names.

    All raise FormatError `format.key` or `format.value` for a filter that cannot be, `format.game`, StoreError
    `store.unknown` for an unknown player, measure or dimension, and `store.extra` without pyarrow.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._statistics = Statistics.of(ledger.views)
        self._statistics.sheets.patience = None

    def measures(self, game: str | None = None) -> pyarrow.Table:
        """Return the measures, each with its formula; with `game`, only those of that game."""
        return in_arrow(measures(game))

    def definitions(self, game: str | None = None) -> pyarrow.Table:
        """Return every edition of estimators and measures with what changed; with `game`, of its own measures only."""
        return in_arrow(definitions(game))

    def players(self, game: str, measure: str | None = None, **filters: object) -> pyarrow.Table:
        """Return the players of a game: compared by points a hand or, given a measure or `by`, by its value."""
        return in_arrow(self._current().players(game, _query(filters), measure))

    def player(self, player: str, game: str | None = None, **filters: object) -> pyarrow.Table:
        """Return every measure of a player, beside those of the others in the same matches."""
        return in_arrow(self._current().player(player, _query(filters), game))

    def change(self, player: str, game: str | None = None, **filters: object) -> pyarrow.Table:
        """Return how the strength of a player changed over time, game by game."""
        return in_arrow(self._current().change(player, _query(filters), game))

    def company(self, player: str, game: str | None = None, **filters: object) -> pyarrow.Table:
        """Return what partners and opponents do to a player's points, each effect with its interval."""
        return in_arrow(self._current().company(player, _query(filters), game))

    def head_to_head(self, player: str, other: str) -> pyarrow.Table:
        """Return the results of two players against each other, and as partners."""
        self._current()
        return in_arrow(head_to_head(self._ledger, player, other))

    def ratings(self, game: str, player: str | None = None) -> pyarrow.Table:
        """Return the ratings of a game; with `player`, that player's rating after each match."""
        return in_arrow(self._current().ratings(game, player))

    def pairs(self, game: str, **filters: object) -> pyarrow.Table:
        """Return the pairs whose results stand out, each with the rate of false alarms.

        This is no evidence of anybody's conduct (ledger/cardledger/study/stats/README.md); on the pages and in the API
        only admins see it.
        """
        return in_arrow(self._current().pairs(game, _query(filters)))

    def partnerships(self, game: str, **filters: object) -> pyarrow.Table:
        """Return the partnerships of a game, the best first, as they played; points are against the average pair."""
        return in_arrow(self._current().partnerships(game, _query(filters)))

    def cards(self, game: str, how: str = "dealt", player: str | None = None, **filters: object) -> pyarrow.Table:
        """Return what each card of a game is worth to the player to whom it came, in points a hand, with intervals.

        `how` says how it came: "dealt", "held" (after passing and drawing), "led", "played" (to a trick of others) or
        "won" (in a trick that the player took). With `player`, it is what that player makes of each card beside all
        others.
        """
        return in_arrow(self._current().cards(game, _query(filters), how, player))

    def decisions(self, game: str, of: str = "all", **filters: object) -> pyarrow.Table:
        """Return what each kind of decision in a game costs over all players, with intervals; reviewed hands count.

        With `of="opening-leads"` it is the opening leads by the card led.
        """
        self._current()
        return in_arrow(accountant.decisions(self._ledger, game_of(game).id, _query(filters), of, patience=None))

    def after_bad_hand(self, game: str, bad: str = "play", **filters: object) -> pyarrow.Table:
        """Return how much worse each player does in the hand after a bad one, in points a hand, with intervals.

        `bad` tells by what a hand is bad: "play" (points without the luck of the deal), "result" (points as scored) or
        "deal" (what the deal was worth). The row without a player is of all together.
        """
        self._current()
        return in_arrow(accountant.after_bad_hand(self._ledger, game_of(game).id, _query(filters), bad, patience=None))

    def partner_calls(self, game: str, of: str = "kinds", **filters: object) -> pyarrow.Table:
        """Return what each call of a partner was worth to a player, in points a hand, with intervals.

        With `of="calls"` each call stands alone; otherwise bids of one height in a suit are one kind.
        """
        statistics = self._current()
        sheet = statistics.sheets.sheet(game_of(game).id)
        return in_arrow(partner_calls(self._ledger.views, sheet, _query(filters), of))

    def dealer(self, game: str | None = None) -> pyarrow.Table:
        """Return how far the dealer is favoured by game; without `game` over the club too, in standard deviations."""
        return in_arrow(dealers_favour(self._current(), game))

    def forecasts(self, game: str | None = None) -> pyarrow.Table:
        """Return how good the forecasts by ratings were, of one game or of all, by question and by tenths.

        Each match was foretold by what was known before its day.
        """
        return in_arrow(forecasts(self._current(), game))

    def _current(self) -> Statistics:
        """Return the statistics of all that is recorded now."""
        self._ledger.views.catch_up()
        return self._statistics


def _query(filters: dict[str, Any]) -> Query:
    return Query.parse({name: None if value is None else str(value) for name, value in filters.items()})

"""Head to head: how two players did against each other, and together as partners."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Any

from cardledger.errors import StoreError
from cardledger.record.readmodels.questions.careers import matches_of, met
from cardledger.record.readmodels.tables import ratings
from cardledger.rules.games import games
from cardledger.study.stats.distributions import quantile
from cardledger.study.stats.estimators import HEAD_TO_HEAD
from cardledger.study.stats.forecasts import chance_ahead
from cardledger.study.stats.stats_table import StatsTable, short

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardledger.record.recording.ledger import Ledger

_COLUMNS = (
    "how", "game", "seats", "matches", "complete", "won", "hands", "ahead", "behind", "points", "a_hand", "low", "high",
    "chance",
)  # fmt: skip


def head_to_head(ledger: Ledger, player: str, other: str) -> StatsTable:
    """Return the results of two players by game, number of players, and `how` they met.

    `against` each other or `with`, as partners.

    `ahead` counts the complete matches in which the first player had the better total, `behind` those in which the
    other had. `a_hand` is the mean number of points a hand: the first player's less the other's, or, for partners,
    their side's. `low` and `high` are the ends of its 95% interval. `chance` is the chance by the present ratings that the
    first is ahead in their next match against each other at such a table. Raises StoreError `store.unknown` for somebody who
    never played.
    """
    for one in (player, other):
        if not matches_of(ledger, one, 1).matches:
            raise StoreError("store.unknown", f"there is no player {one!r}")
    person = ledger.people().person
    if person(player) == person(other):
        raise StoreError("store.unknown", "a head to head needs two different players")
    rows = []
    ratings.bring_up_to_date(ledger.views)
    reader, one, two = ledger.views.reader, person(player), person(other)
    for row in met(ledger, player, other):
        rules = games().get(row["game"])
        ahead, behind = ("fewer", "more") if rules is not None and rules.scoring.fewest else ("more", "fewer")
        rivals = row["how"] == "against"
        mean, low, high = _a_hand(row) if row["hands"] else (None, None, None)
        row |= {"ahead": row[ahead] if rivals else None, "behind": row[behind] if rivals else None}
        chance = None
        if rules is not None and rivals:
            chance = chance_ahead(reader, row["game"], row["seats"], one, two)
        rows.append(row | {"a_hand": mean, "low": low, "high": high, "chance": short(chance)})
    notes = (f"against: points of {player} less those of {other}; with: points of their side",)
    return StatsTable("head-to-head", _COLUMNS, rows, "", {}, notes, definitions=(HEAD_TO_HEAD,))


def _a_hand(row: Mapping[str, Any]) -> tuple[float, float | None, float | None]:
    """Return points a hand with the 95% interval, from a row of `met` with at least one hand.

    The hands of one match are not independent, so a single match gives no interval.

    >>> row = {"points": 6, "hands": 4, "played": 2, "squares": 20, "products": 12, "hands_squared": 8}
    >>> [round(end, 2) for end in _a_hand(row)]
    [1.5, -4.85, 7.85]
    """
    mean, n = row["points"] / row["hands"], row["played"]
    if n < 2:
        return mean, None, None
    squares = row["squares"] - 2 * mean * row["products"] + mean * mean * row["hands_squared"]
    half = quantile(n - 1) * sqrt(max(squares, 0.0) * n / (n - 1)) / row["hands"]
    return mean, mean - half, mean + half

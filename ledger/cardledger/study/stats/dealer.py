"""Is the dealer favoured? The dealer's points beside those of the others in the same hand, by game and over the club."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cardledger.rules.games import game, games
from cardledger.study.stats.distributions import FALSE_DISCOVERIES, benjamini_hochberg, beyond, quantile
from cardledger.study.stats.estimators import DEALER
from cardledger.study.stats.measures.evening_of import FEWEST_EVENINGS, evenings_of
from cardledger.study.stats.measures.of_game import sides_of
from cardledger.study.stats.measures.tally import Tally
from cardledger.study.stats.query import Query
from cardledger.study.stats.stats_table import StatsTable, shortened

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cardledger.study.stats.measures.sheet import Sheet
    from cardledger.study.stats.tables import Statistics

NOTES = (
    "favoured by: the dealer's points less the mean of the others in the same hand, partners of the dealer left out;"
    " above 0 is good for the dealer, also where the fewest points win",
    "the row without a game is of all games together, in standard deviations of such a difference",
    "an evening is one observation, and chance is corrected over all rows",
)


@dataclass(frozen=True, slots=True)
class DealersFavour:
    """How far the dealer is favoured in a game, in points a hand; without a game over the club, in standard deviations.

    `low` and `high` are the ends of the 95% interval, `q` the p-value of no difference, corrected for all rows; with
    too few evenings they are None. `found` says that the difference is beyond chance.
    """

    game: str | None
    hands: int
    evenings: int
    favoured: float
    low: float | None
    high: float | None
    q: float | None
    found: bool


class Differences(NamedTuple):
    """By hand: the dealer's points less the others', better for the dealer above 0, and the number of the evening."""

    points: NDArray[Any]
    evening: NDArray[Any]


def dealers_favour(statistics: Statistics, game_id: str | None = None) -> StatsTable:
    """Return how far the dealer is favoured, over the club first and then by game; or in one game.

    Raises FormatError `format.game`.
    """
    ids = [game(game_id).id] if game_id else [*games()]

    def ask() -> StatsTable:
        sheets = [sheet for sheet in map(statistics.sheets.sheet, ids) if game_id or len(sheet.hands["row"])]
        found = {sheet.game: differences(sheet) for sheet in sheets}
        basis = {sheet.game: replace(Tally(sheet, Query()).basis(), valued=0) for sheet in sheets}
        rows = [shortened(asdict(one)) for one in favours(found, whole=game_id is None)]
        columns = tuple(field.name for field in fields(DealersFavour))
        return StatsTable("dealer", columns, rows, "", basis, NOTES, definitions=(DEALER,))

    return statistics.recent(game_id, ("dealer", game_id), ask)


def differences(sheet: Sheet) -> Differences:
    """Return the dealer's points less the mean of the others by hand; hands in which all are partners are left out."""
    row = sheet.hands["row"]
    match, seat = sheet.seats["row"][row], sheet.seats["seat"][row]
    size = sheet.matches["size"][match]
    sides = {n: np.array(sides_of(sheet.game)(n)) for n in np.unique(size).tolist()}
    side = np.array([sides[n][one] for n, one in zip(size.tolist(), seat.tolist(), strict=True)], dtype=np.int64)
    keys = match.astype(np.int64) * (int(sheet.hands["number"].max(initial=0)) + 1) + sheet.hands["number"]
    _, hand = np.unique(keys, return_inverse=True)
    hands = int(hand.max(initial=-1)) + 1
    deals = sheet.hands["turn"] == size
    own, of_dealer, where = np.full(hands, np.nan), np.full(hands, -1), np.zeros(hands, dtype=np.int64)
    own[hand[deals]], of_dealer[hand[deals]], where[hand[deals]] = (
        sheet.hands["points"][deals],
        side[deals],
        match[deals],
    )
    other = side != of_dealer[hand]
    number = np.bincount(hand[other], minlength=hands)
    mean = np.bincount(hand[other], sheet.hands["points"][other], hands) / np.maximum(number, 1)
    known = np.isfinite(own) & (number > 0)
    sign = -1 if game(sheet.game).scoring.fewest else 1
    return Differences(sign * (own - mean)[known], evenings_of(sheet)[where][known])


def favours(found: dict[str, Differences], *, whole: bool) -> list[DealersFavour]:
    """Return how far the dealer is favoured by game, with `whole` over all of them first.

    P-values are corrected together.
    """
    parts: list[tuple[str | None, Differences]] = [(id, one) for id, one in found.items() if len(one.points)]
    scaled = [(id, one, float(one.points.std())) for id, one in parts]
    if whole and any(spread > 0 for *_, spread in scaled):
        # Evenings of two games are different observations: who deals well in one need not in the other.
        points = np.concatenate([one.points / spread for _, one, spread in scaled if spread > 0])
        kept = [one for _, one, spread in scaled if spread > 0]
        firsts = np.cumsum([0, *(int(one.evening.max()) + 1 for one in kept)])
        evening = np.concatenate([one.evening + first for one, first in zip(kept, firsts, strict=False)])
        parts.insert(0, (None, Differences(points, evening)))
    rows = [_favour(id, one) for id, one in parts]
    asked = [at for at, one in enumerate(rows) if one.q is not None]
    corrected = dict(zip(asked, benjamini_hochberg([rows[at].q or 0.0 for at in asked]), strict=True))
    return [
        replace(one, q=corrected[at], found=corrected[at] <= FALSE_DISCOVERIES) if at in corrected else one
        for at, one in enumerate(rows)
    ]


def _favour(id: str | None, of: Differences) -> DealersFavour:
    """Return how far the dealer is favoured, with an interval (ratio estimate by evening, Student's t)."""
    hands, mean = len(of.points), float(of.points.mean())
    _, evening = np.unique(of.evening, return_inverse=True)
    evenings = int(evening.max()) + 1
    off = np.bincount(evening, of.points - mean)
    error = float(np.sqrt((off @ off) * evenings / max(evenings - 1, 1))) / hands
    if evenings < FEWEST_EVENINGS or error == 0:
        return DealersFavour(id, hands, evenings, mean, None, None, None, found=False)
    far = quantile(evenings - 1) * error
    return DealersFavour(
        id, hands, evenings, mean, mean - far, mean + far, beyond(mean / error, evenings - 1), found=False
    )

"""How good forecasts by ratings were: each match was foretold by what was known before its day, and nothing else.

Two questions are put to every match of a game but those of its first day, when nothing was known. Who wins? And of two
sides at a table, which will be ahead? Under Plackett and Luce's model the chance that one side is ahead of another is
its share of their two chances to win.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from itertools import combinations, groupby
from math import exp, sqrt
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cardledger.record.readmodels.tables import ratings
from cardledger.rules.games import game, games
from cardledger.study.stats.distributions import quantile, wilson
from cardledger.study.stats.estimators import FORECASTS
from cardledger.study.stats.measures.of_game import sides_of
from cardledger.study.stats.measures.tally import Tally
from cardledger.study.stats.query import Query
from cardledger.study.stats.stats_table import StatsTable, shortened

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from cardledger.record.store.readers import Readable
    from cardledger.study.stats.tables import Statistics

QUESTIONS = ("ahead", "wins")
TENTHS = 10
_FEWEST_DAYS = 4
"""Least number of days for an interval: what happens on one day goes together."""
_SIDES = """SELECT r.number, r.date, coalesce(p.side, p.seat), r.chance, r.place FROM ratings AS r
    JOIN players AS p ON p.match = r.match AND p.seat = r.seat
    WHERE r.game = ? AND r.date > (SELECT min(date) FROM ratings WHERE game = ?) ORDER BY r.number, r.seat"""
_NOW = """SELECT mu, sigma, date FROM ratings WHERE game = :game AND player = :player
    ORDER BY number DESC LIMIT 1"""
NOTES = (
    "every match was foretold by what was known before its day; the first day of a game is no forecast",
    "ahead: of two sides at a table, the one of the lower seat has the better place; equal places count as half",
    "Brier score: the mean squared error, summed over the sides for the question who wins; less is better",
)


@dataclass(frozen=True, slots=True)
class ForecastScore:
    """How good the forecasts of a game were, for one question.

    `tenth` is None for all forecasts; else 3 stands for chances from 30% to less than 40%. `foretold` is the mean
    chance, `happened` the share that came true, with the ends of its 95% interval by day. `brier` is the Brier score,
    `equal` that of equal chances for all. `slope` is 1 if chances are right, less if they are too bold; it and its 95%
    interval, by day, are only for all forecasts.
    """

    game: str
    question: str
    tenth: int | None
    matches: int
    forecasts: int
    foretold: float
    happened: float
    low: float | None
    high: float | None
    brier: float
    equal: float
    slope: float | None
    slope_low: float | None
    slope_high: float | None


class Forecasts(NamedTuple):
    """Forecasts of one question.

    The chance, what happened (1, 0, or between), an equal chance, match and day of each.
    """

    chance: NDArray[Any]
    happened: NDArray[Any]
    equal: NDArray[Any]
    match: NDArray[Any]
    day: NDArray[Any]

    def only(self, chosen: NDArray[Any]) -> Forecasts:
        """Return some of the forecasts."""
        return Forecasts(*(column[chosen] for column in self))


def forecasts(statistics: Statistics, game_id: str | None = None) -> StatsTable:
    """Return how good the forecasts by ratings were, question by question, then by tenths; of one game, or of all.

    Raises FormatError `format.game`.
    """
    ids = [game(game_id).id] if game_id else [*games()]

    def ask() -> StatsTable:
        ratings.bring_up_to_date(statistics.views)
        reader = statistics.views.reader
        rows = {id: [shortened(asdict(one)) for one in scores_of(reader, id)] for id in ids}
        shown = [id for id in ids if rows[id] or game_id]
        basis = {id: replace(Tally(statistics.sheets.sheet(id), Query()).basis(by_day=True), valued=0) for id in shown}
        columns = tuple(field.name for field in fields(ForecastScore))
        return StatsTable(
            "forecasts", columns, [row for id in shown for row in rows[id]], "", basis, NOTES, definitions=(FORECASTS,)
        )

    return statistics.recent(game_id, ("forecasts", game_id), ask)


def scores_of(reader: Readable, game_id: str) -> Iterator[ForecastScore]:
    """Yield how good the forecasts of a game were; nothing without a match after the first day."""
    found = ratings.calibration(reader, game_id)
    if found is None:
        return
    asked = foretold(reader, game_id)
    for question in QUESTIONS:
        told = asked[question]
        if question == "wins":
            brier, equal, slope = found.brier, found.equal, found.slope
        else:
            brier, equal, slope = _brier(told), float(np.mean((told.happened - told.equal) ** 2)), _slope(told)
        yield _score(game_id, question, None, told, (brier, equal, slope))
        tenth = np.minimum((told.chance * TENTHS).astype(int), TENTHS - 1)
        for one in np.unique(tenth).tolist():
            some = told.only(tenth == one)
            equal = float(np.mean((some.happened - some.equal) ** 2))
            yield _score(game_id, question, one, some, (_brier(some), equal, None))


def foretold(reader: Readable, game_id: str) -> dict[str, Forecasts]:
    """Return the forecasts of a game by question."""
    rows: dict[str, list[tuple[float, float, float, int, str]]] = {question: [] for question in QUESTIONS}
    found = reader.execute(_SIDES, (game_id, game_id)).fetchall()
    for (number, day), seats in groupby(found, itemgetter(0, 1)):
        sides: dict[int, tuple[float, int]] = {}
        for _, _, side, chance, place in seats:
            sides.setdefault(side, (chance, place))
        first = sum(place == 1 for _, place in sides.values())
        for chance, place in sides.values():
            rows["wins"].append((chance, (place == 1) / first, 1 / len(sides), number, day))
        for (one, own), (other, others) in combinations(sides.values(), 2):
            ahead = 0.5 if own == others else float(own < others)
            rows["ahead"].append((one / (one + other), ahead, 0.5, number, day))
    return {question: _columns(some) for question, some in rows.items()}


def _columns(rows: Sequence[tuple[float, float, float, int, str]]) -> Forecasts:
    numbers = np.array([row[:4] for row in rows], dtype=float).reshape(len(rows), 4)
    _, day = np.unique(np.array([row[4] for row in rows], dtype=str), return_inverse=True)
    return Forecasts(numbers[:, 0], numbers[:, 1], numbers[:, 2], numbers[:, 3], day)


def _brier(told: Forecasts) -> float:
    return float(np.mean((told.happened - told.chance) ** 2))


def _slope(told: Forecasts) -> float | None:
    """Return how much what happened moves with what was foretold; None if all chances were equal."""
    bold = told.chance - told.equal
    squares = float(bold @ bold)
    return None if squares < 1e-9 else float(bold @ (told.happened - told.equal)) / squares


def _score(
    game_id: str, question: str, tenth: int | None, told: Forecasts, scores: tuple[float, float, float | None]
) -> ForecastScore:
    number, share = len(told.chance), float(told.happened.mean())
    low, high = _interval(told, share)
    brier, equal, slope = scores
    matches = len(np.unique(told.match))
    return ForecastScore(
        game_id, question, tenth, matches, number, float(told.chance.mean()), share, low, high, brier, equal, slope,
        *_slope_interval(told, slope),
    )  # fmt: skip


def _slope_interval(told: Forecasts, slope: float | None) -> tuple[float | None, float | None]:
    """Return the 95% interval of the slope, where a day is one observation; None with too few days."""
    days = int(told.day.max(initial=-1)) + 1
    if slope is None or days < _FEWEST_DAYS:
        return None, None
    bold = told.chance - told.equal
    off = np.bincount(told.day, bold * (told.happened - told.equal - slope * bold), days)
    far = quantile(days - 1) * float(np.sqrt((off @ off) * days / (days - 1))) / float(bold @ bold)
    return slope - far, slope + far


def _interval(told: Forecasts, share: float) -> tuple[float | None, float | None]:
    """Return the 95% interval of the share that came true, where a day is one observation; None with too few days."""
    number = len(told.happened)
    _, day = np.unique(told.day, return_inverse=True)
    days = int(day.max(initial=-1)) + 1
    if days < _FEWEST_DAYS:
        return None, None
    off = np.bincount(day, told.happened - share, days)
    square = float((off**2).sum()) * days / (days - 1) / number**2
    # The number of independent forecasts that would give the same error, never more than there are.
    alike = share * (1 - share) / square if square > 0 else float(number)
    return wilson(share, min(max(alike, number**0.5), number), quantile(days - 1))


def chance_ahead(reader: Readable, game_id: str, seats: int, player: str, other: str) -> float | None:
    """Return the chance that a player is ahead of another in their next match, at a table of so many seats.

    It is that of the ratings now, which must be up to date; partners, and the others at the table, count as these two do
    on average. None for somebody without a rating in the game. Raises FormatError `format.game`.
    """
    known = [reader.execute(_NOW, {"game": game_id, "player": one}).fetchone() for one in (player, other)]
    if None in known:
        return None
    (today,) = reader.execute("SELECT max(date) FROM ratings WHERE game = ?", (game_id,)).fetchone()
    scale = reader.execute("SELECT beta FROM rating_scales WHERE game = ?", (game_id,)).fetchone()
    beta = scale[0] if scale else ratings.BETA
    doubt = sum(ratings.after_absence(sigma, date, today) ** 2 for _, sigma, date in known) / len(known)
    sides = len({*sides_of(game_id)(seats)})
    return 1 / (1 + exp((known[1][0] - known[0][0]) / sqrt(seats * doubt + sides * beta**2)))

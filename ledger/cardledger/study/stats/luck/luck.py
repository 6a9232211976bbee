"""Luck-adjusted points: the score less the luck of the deal. They are unbiased if the deals are random.

A = S − β (V(deal, seat) − E V), an unbiased reduction of variance in the manner of AIVAT (Burch et al. 2018): for any β
and any bots behind V, the mean of the correction is 0. β is cross-fitted: for each match it comes from other matches.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from cardledger.study.stats.distributions import quantile
from cardledger.study.stats.luck.values import DEALS, EDITION, USUAL, expected, measured_points, replays_of, value

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cardledger.study.stats.luck.luck_store import LuckStore, StoredHand

Usual = tuple[int, tuple[int, ...]]
"""A number of random deals, and the points of each place from the dealer on, summed over one replay of each deal."""
FOLDS = 10
BETA = 0.9
"""The prior value of β, about what bots as noisy as those of the replays give."""
PRIOR = 100
"""The weight of the prior, in seats of hands."""
LEAST = 1e-9
"""Squares of luck that add up to less than this are rounding: all deals are worth the same."""


@dataclass(frozen=True, slots=True)
class SeatLuck:
    """The score of one seat in a hand, and the luck of its deal, V − E V, in points."""

    match: str
    hand: int
    seat: int
    game: str
    seats: int
    fold: int
    score: int
    luck: float


@dataclass(frozen=True, slots=True)
class Adjusted:
    """A player's points a hand, as scored and adjusted for luck, with 95% intervals clustered by match.

    `luck` is what the deals were worth beyond the average, in points a hand. A single match gives no interval (None).
    """

    player: str
    hands: int
    matches: int
    points: float
    low: float | None
    high: float | None
    adjusted: float
    adjusted_low: float | None
    adjusted_high: float | None
    luck: float


def compute_luck(hand: StoredHand, store: LuckStore) -> tuple[float, ...]:
    """Return V − E V by seat; compute and store what is missing."""
    assert hand.key is not None
    assert hand.dealt is not None
    points = store.value(hand.key, EDITION)
    if points is None:
        points = value(hand.dealt)
        store.keep_value(hand.key, EDITION, points)
    usual = expected_points(hand, store)
    if usual is None:
        usual = expected(hand.dealt.situation)
        store.keep_expected(hand.dealt.situation.text, USUAL, *usual)
    return luck_by_seat(hand, points, usual)


def stored_luck(
    hand: StoredHand, store: LuckStore, values: Mapping[str, tuple[int, ...]] | None = None
) -> tuple[float, ...] | None:
    """Return V − E V by seat from the store, None if anything is missing.

    `values` are those of the whole game, if at hand.
    """
    assert hand.key is not None
    points = store.value(hand.key, EDITION) if values is None else values.get(hand.key)
    usual = expected_points(hand, store)
    return None if points is None or usual is None else luck_by_seat(hand, points, usual)


def expected_points(hand: StoredHand, store: LuckStore) -> Usual | None:
    """Return what deals of a hand's situation are worth on average; None if that is not known yet."""
    assert hand.situation is not None
    sums = measured_points(hand.game).get(hand.situation)
    return store.expected(hand.situation, USUAL) if sums is None else (DEALS, sums)


def luck_by_seat(hand: StoredHand, points: Sequence[int], usual: Usual) -> tuple[float, ...]:
    """Return V − E V by seat, from sums over replays and over deals by place from the dealer on."""
    deals, sums = usual
    replays = replays_of(hand.game)
    places = [a / replays - b / deals for a, b in zip(points, sums, strict=True)]
    return tuple(places[(seat - hand.dealer) % hand.seats] for seat in range(hand.seats))


def seats_of(hands: Iterable[StoredHand], store: LuckStore) -> tuple[list[SeatLuck], Counter[str]]:
    """Return the seats of hands with their luck, and the number of hands left out by reason (`pending`: not computed yet)."""
    seats: list[SeatLuck] = []
    left_out: Counter[str] = Counter()
    folds: dict[str, int] = {}
    values: dict[str, dict[str, tuple[int, ...]]] = {}
    for hand in hands:
        if hand.key is None:
            left_out[hand.why or "hidden"] += 1
            continue
        if hand.game not in values:
            values[hand.game] = store.values(hand.game, EDITION)
        luck = stored_luck(hand, store, values[hand.game])
        if luck is None:
            left_out["pending"] += 1
            continue
        assert hand.deal is not None
        assert hand.scores is not None
        # Matches that begin with the same deal are played with the same cards: they belong in one fold.
        fold = folds.setdefault(hand.match, int(hand.deal, 16) % FOLDS)
        seats += [
            SeatLuck(hand.match, hand.hand, seat, hand.game, hand.seats, fold, score, one)
            for seat, (score, one) in enumerate(zip(hand.scores, luck, strict=True))
        ]
    return seats, left_out


def betas(seats: Sequence[SeatLuck]) -> dict[tuple[str, int, int], float]:
    """Return β by game, number of players and fold."""
    by_game: dict[str, list[SeatLuck]] = defaultdict(list)
    for one in seats:
        by_game[one.game].append(one)
    return {
        (game, n, fold): beta
        for game, some in by_game.items()
        for (n, fold), beta in slopes(
            *(np.array([getattr(one, name) for one in some]) for name in ("seats", "fold", "score", "luck"))
        ).items()
    }


def slopes(
    n: NDArray[Any], fold: NDArray[Any], score: NDArray[Any], luck: NDArray[Any]
) -> dict[tuple[int, int], float]:
    """Return β by number of players and fold, from a row for each seat of each hand of one game.

    β of a fold is fitted to all other folds, with BETA as prior worth PRIOR seats.
    """
    cell = n.astype(np.int64) * FOLDS + fold
    amounts = (np.ones(len(cell)), score, luck, score * luck, luck * luck)
    sums = np.array([np.bincount(cell, amount, minlength=1) for amount in amounts])
    by_fold = {}
    for at in np.unique(cell).tolist():
        size, own = divmod(at, FOLDS)
        others = sums[:, size * FOLDS : (size + 1) * FOLDS].sum(axis=1) - sums[:, at]
        count, points, dealt, product, square = others.tolist()
        if count < 0.5:
            by_fold[size, own] = BETA
            continue
        prior = PRIOR * square / count
        slope = product - points * dealt / count
        spread = square - dealt * dealt / count
        by_fold[size, own] = (slope + BETA * prior) / (spread + prior) if spread + prior > LEAST else BETA
    return by_fold


def betas_by_row(n: NDArray[Any], fold: NDArray[Any], score: NDArray[Any], luck: NDArray[Any]) -> NDArray[Any]:
    """Return the β of each row, as `slopes` fits it."""
    by_cell = np.full((int(n.max(initial=0)) + 1, FOLDS), BETA)
    for cell, beta in slopes(n, fold, score, luck).items():
        by_cell[cell] = beta
    by_row: NDArray[Any] = by_cell[n, fold]
    return by_row


def adjusted(seats: Sequence[SeatLuck]) -> list[float]:
    """Return the luck-adjusted points of each seat; if the points of a hand have a constant sum, so do these."""
    beta = betas(seats)
    return [one.score - beta[one.game, one.seats, one.fold] * one.luck for one in seats]


def by_player(seats: Sequence[SeatLuck], players: Sequence[str]) -> list[Adjusted]:
    """Return the points a hand of each player, sorted by id.

    All seats are of one game, and `players` has who sat there.
    """
    points = adjusted(seats)
    cells: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(lambda: [0.0] * 4))
    for one, player, better in zip(seats, players, points, strict=True):
        cell = cells[player][one.match]
        for i, amount in enumerate((1, one.score, better, one.luck)):
            cell[i] += amount
    return [_player(player, [*matches.values()]) for player, matches in sorted(cells.items())]


def _player(player: str, matches: Sequence[Sequence[float]]) -> Adjusted:
    hands = [int(cell[0]) for cell in matches]
    raw, better, luck = ([cell[i] for cell in matches] for i in (1, 2, 3))
    return Adjusted(
        player, sum(hands), len(matches), *interval(raw, hands), *interval(better, hands), sum(luck) / sum(hands)
    )


def interval(sums: Sequence[float], counts: Sequence[int]) -> tuple[float, float | None, float | None]:
    """Return a mean over clustered cases with its 95% interval.

    From the sum and the number of cases of each cluster.
    """
    total, clusters = sum(counts), len(counts)
    mean = sum(sums) / total
    if clusters < 2:
        return mean, None, None
    squares = sum((one - mean * count) ** 2 for one, count in zip(sums, counts, strict=True))
    half = quantile(clusters - 1) * sqrt(squares * clusters / (clusters - 1)) / total
    return mean, mean - half, mean + half


@dataclass(frozen=True, slots=True)
class Reduction:
    """What the adjustment does at tables of a game with `seats` players.

    `explained` is the share of the variance of points that it removes, `factor` says how much narrower the intervals
    get, `beta` is the mean β.
    """

    seats: int
    hands: int
    beta: float
    explained: float
    factor: float


def reductions(seats: Sequence[SeatLuck]) -> list[Reduction]:
    """Return what the adjustment does to the seats of one game, by number of players."""
    points, beta = adjusted(seats), betas(seats)
    by_size = []
    for n in sorted({one.seats for one in seats}):
        rows = [(one, better) for one, better in zip(seats, points, strict=True) if one.seats == n]
        raw = _variance([one.score for one, _ in rows])
        remaining = _variance([better for _, better in rows])
        if len(rows) <= n or not raw or not remaining:
            continue
        mean_beta = sum(beta[one.game, n, one.fold] for one, _ in rows) / len(rows)
        by_size.append(Reduction(n, len(rows) // n, mean_beta, 1 - remaining / raw, sqrt(raw / remaining)))
    return by_size


def _variance(values: Sequence[float]) -> float:
    mean = sum(values) / len(values)
    return sum((value - mean) ** 2 for value in values) / len(values)

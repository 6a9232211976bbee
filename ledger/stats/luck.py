"""Luck-adjusted points: what a player scored less what the deal was worth, without bias as long as deals are random.

A = S − β (V(deal, seat) − E V), an unbiased reduction of variance in the manner of AIVAT (Burch et al. 2018): whatever β
and the bots behind V, the mean of what is taken off is 0. β is cross-fitted: for a match it comes from other matches.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

from ledger.stats.expected import EXPECTED
from ledger.stats.student import quantile
from ledger.stats.values import DEALS, EDITION, REPLAYS, expected, value

if TYPE_CHECKING:
    from ledger.stats.kept import Kept, KeptHand

Usual = tuple[int, tuple[int, ...]]
"""Random deals, and the points of each place from the dealer on, added up over one replay of each."""
FOLDS = 10
BETA = 0.9
"""What β is taken for before anything is known of the players: about what bots as noisy as those of the replays show."""
PRIOR = 100
"""How many seats of hands that is worth."""


@dataclass(frozen=True, slots=True)
class Seat:
    """What one seat scored in a hand, and the luck of its deal: V − E V, in points."""

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
    """Points a hand of a player, as scored and adjusted for luck, with 95% intervals clustered by match.

    `luck` is what the deals were worth beyond the average, in points a hand. The ends are None with a single match.
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


def luck_of(hand: KeptHand, kept: Kept) -> tuple[float, ...]:
    """Return V − E V by seat, computing and keeping what is lacking."""
    assert hand.key is not None
    assert hand.dealt is not None
    points = kept.value(hand.key, EDITION)
    if points is None:
        points = value(hand.dealt)
        kept.keep_value(hand.key, EDITION, points)
    usual = known(hand, kept)
    if usual is None:
        usual = expected(hand.dealt.situation)
        kept.keep_expected(hand.dealt.situation.text, EDITION, *usual)
    return lucky(hand, points, usual)


def kept_luck(
    hand: KeptHand, kept: Kept, values: Mapping[str, tuple[int, ...]] | None = None
) -> tuple[float, ...] | None:
    """Return the same as far as it is kept, None if anything is lacking; `values` are those of the game, if at hand."""
    assert hand.key is not None
    points = kept.value(hand.key, EDITION) if values is None else values.get(hand.key)
    usual = known(hand, kept)
    return None if points is None or usual is None else lucky(hand, points, usual)


def known(hand: KeptHand, kept: Kept) -> Usual | None:
    """Return what deals of a hand's situation are worth on average, None where that is not known yet."""
    assert hand.situation is not None
    sums = EXPECTED.get(hand.situation)
    return kept.expected(hand.situation, EDITION) if sums is None else (DEALS, sums)


def lucky(hand: KeptHand, points: Sequence[int], usual: Usual) -> tuple[float, ...]:
    """Return V − E V by seat, from sums over replays and over deals by place from the dealer on."""
    deals, sums = usual
    replays = REPLAYS[hand.game]
    places = [a / replays - b / deals for a, b in zip(points, sums, strict=True)]
    return tuple(places[(seat - hand.dealer) % hand.seats] for seat in range(hand.seats))


def seats_of(hands: Iterable[KeptHand], kept: Kept) -> tuple[list[Seat], Counter[str]]:
    """Return the seats of hands with their luck, and how many hands are left out and why (`pending`: not computed yet)."""
    found: list[Seat] = []
    left_out: Counter[str] = Counter()
    folds: dict[str, int] = {}
    values: dict[str, dict[str, tuple[int, ...]]] = {}
    for hand in hands:
        if hand.why is not None:
            left_out[hand.why] += 1
            continue
        if hand.game not in values:
            values[hand.game] = kept.values(hand.game, EDITION)
        luck = kept_luck(hand, kept, values[hand.game])
        if luck is None:
            left_out["pending"] += 1
            continue
        assert hand.deal is not None
        assert hand.scores is not None
        # Matches that begin with the same deal are played with the same cards: they belong into one fold.
        fold = folds.setdefault(hand.match, int(hand.deal, 16) % FOLDS)
        found += [
            Seat(hand.match, hand.hand, seat, hand.game, hand.seats, fold, score, one)
            for seat, (score, one) in enumerate(zip(hand.scores, luck, strict=True))
        ]
    return found, left_out


def betas(seats: Sequence[Seat]) -> dict[tuple[str, int, int], float]:
    """Return β by game, number of players and fold, fitted to all the other folds, held to BETA by PRIOR seats."""
    sums: dict[tuple[str, int], dict[int, list[float]]] = defaultdict(lambda: defaultdict(lambda: [0.0] * 5))
    for one in seats:
        cell = sums[one.game, one.seats][one.fold]
        for i, amount in enumerate((1.0, one.score, one.luck, one.score * one.luck, one.luck * one.luck)):
            cell[i] += amount
    found = {}
    for (game, n), folds in sums.items():
        for fold in folds:
            others = [cell for other, cell in folds.items() if other != fold]
            count, score, luck, product, square = (sum(cell[i] for cell in others) for i in range(5))
            if not count:
                found[game, n, fold] = BETA
                continue
            prior = PRIOR * square / count
            slope = product - score * luck / count
            spread = square - luck * luck / count
            found[game, n, fold] = (slope + BETA * prior) / (spread + prior) if spread + prior else BETA
    return found


def adjusted(seats: Sequence[Seat]) -> list[float]:
    """Return the luck-adjusted points of each seat; where points of a hand add up to a constant, so do these."""
    beta = betas(seats)
    return [one.score - beta[one.game, one.seats, one.fold] * one.luck for one in seats]


def by_player(seats: Sequence[Seat], players: Sequence[str]) -> list[Adjusted]:
    """Return points a hand of every player, by name; `players` says who sat at each of the seats, all of one game."""
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
    """Return a mean over cases that come in clusters, with its 95% interval: the sum and number of each cluster."""
    total, clusters = sum(counts), len(counts)
    mean = sum(sums) / total
    if clusters < 2:
        return mean, None, None
    squares = sum((one - mean * count) ** 2 for one, count in zip(sums, counts, strict=True))
    half = quantile(clusters - 1) * sqrt(squares * clusters / (clusters - 1)) / total
    return mean, mean - half, mean + half


@dataclass(frozen=True, slots=True)
class Reduction:
    """What the adjustment does at tables of a game with so many players.

    `explained` is the share of the variance of points that it takes away, `factor` how much narrower intervals get,
    `beta` the mean β.
    """

    seats: int
    hands: int
    beta: float
    explained: float
    factor: float


def reductions(seats: Sequence[Seat]) -> list[Reduction]:
    """Return what the adjustment does to seats of one game, by number of players."""
    points, beta = adjusted(seats), betas(seats)
    found = []
    for n in sorted({one.seats for one in seats}):
        rows = [(one, better) for one, better in zip(seats, points, strict=True) if one.seats == n]
        raw = _variance([one.score for one, _ in rows])
        rest = _variance([better for _, better in rows])
        if len(rows) <= n or not raw or not rest:
            continue
        mean_beta = sum(beta[one.game, n, one.fold] for one, _ in rows) / len(rows)
        found.append(Reduction(n, len(rows) // n, mean_beta, 1 - rest / raw, sqrt(raw / rest)))
    return found


def _variance(values: Sequence[float]) -> float:
    mean = sum(values) / len(values)
    return sum((value - mean) ** 2 for value in values) / len(values)

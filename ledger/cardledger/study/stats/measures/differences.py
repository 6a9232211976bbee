"""Differences: the measures in which a player differs from the others by more than chance, corrected for many tests.

The p-value comes from exchanging seats inside the table: a player who is no different might as well have sat in any
other seat of the same match and done what was done there. The tails use a saddlepoint (Lugannani and Rice 1980).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cardledger.rules.engine.measures import MATCHES
from cardledger.study.stats.distributions import FALSE_DISCOVERIES, benjamini_hochberg, beyond_normal, normal_beyond
from cardledger.study.stats.measures.of_game import measures_in
from cardledger.study.stats.measures.tally import Tally, cells, grouped, numbered, parts_hands
from cardledger.study.stats.query import OTHERS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from cardledger.rules.engine.measures import Measure
    from cardledger.study.stats.measures.sheet import Sheet
    from cardledger.study.stats.measures.tally import Cells
    from cardledger.study.stats.query import Query

Key = tuple[str, Any]
"""The id of a measure, and a value of the dimension by which the table is split (None without a split)."""
MIN_MATCHES = 10
"""Least number of matches for a coloured number."""
_STEPS = 60
"""Most Newton steps; about a dozen are enough."""
_NEAR = 1e-3
"""Within this many standard deviations of the mean the normal tail is used instead of the saddlepoint."""


def verdicts(sheet: Sheet, query: Query, player: str) -> dict[Key, str]:
    """Return "better" or "worse" for each measure and group in which a player differs from the others by more than chance.

    If neither direction is better, it is "more" or "fewer". The p-values of all measures and groups are corrected
    together (Benjamini and Hochberg), so that at most 4% of the verdicts are due to chance.
    """
    chances = [*_chances(sheet, query, player)]
    corrected = benjamini_hochberg([chance for *_, chance in chances])
    return {
        (measure.id, group): _verdict(measure, above)
        for (measure, group, above, _), q in zip(chances, corrected, strict=True)
        if q <= FALSE_DISCOVERIES
    }


def _verdict(measure: Measure, above: bool) -> str:
    if not measure.better:
        return "more" if above else "fewer"
    return "better" if above == (measure.better == "more") else "worse"


def _chances(sheet: Sheet, query: Query, player: str) -> Iterator[tuple[Measure, Any, bool, float]]:
    """Yield measure, group, whether the player has more than the others, and the p-value."""
    tally = Tally(sheet, query)
    split = cells(tally, query.by)
    blocks = _blocks(tally, split, sheet.texts["player"].get(player, -2))
    if not len(blocks.group):
        return
    for measure in measures_in(sheet):
        if parts_hands(sheet, query) and {measure.amount, measure.of} & MATCHES:
            continue
        amount, of = blocks.of(split, measure.amount), blocks.of(split, measure.of)
        matches = np.bincount(blocks.group, blocks.own(of) > 0, len(split.labels))
        excess, chance = exchanged(blocks, amount, of)
        chance = _of_evenings(chance, together(tally, split, measure))
        for group in np.flatnonzero((matches >= MIN_MATCHES) & np.isfinite(chance)):
            yield measure, split.labels[group], bool(excess[group] > 0), float(chance[group])


@dataclass(frozen=True, slots=True)
class Blocks:
    """The matches of a player, group by group. A block is a row of seats among which the player may be exchanged.

    `group` has the group of each block, `eligible` which seats of a block take part, `seat` the player's own seat.
    `cell` lists the cells of a split that lie in some block, `block` and `place` where they lie.
    """

    group: NDArray[Any]
    groups: int
    eligible: NDArray[Any]
    seat: NDArray[Any]
    cell: NDArray[Any]
    block: NDArray[Any]
    place: NDArray[Any]

    def of(self, split: Cells, name: str) -> NDArray[Any]:
        """Return a count by block and seat."""
        counts = np.zeros(self.eligible.shape)
        np.add.at(counts, (self.block, self.place), split.of(name)[self.cell])
        return counts

    def own(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return the player's own value in each block."""
        own_values: NDArray[Any] = values[np.arange(len(values)), self.seat]
        return own_values


def _blocks(tally: Tally, split: Cells, player: int) -> Blocks:
    """Return the blocks of a player: in each match the seats that pass the query, without the opponent of a split."""
    seats = tally.sheet.seats
    match, seat, who = (seats[name][tally.rows] for name in ("row", "seat", "player"))
    own_seat = np.full(int(match.max(initial=-1)) + 1, -1)
    own_seat[match[who == player]] = seat[who == player]
    groups = len(split.labels)
    inside = np.flatnonzero(own_seat[match[split.at]] >= 0)
    keys, block = np.unique(match[split.at[inside]] * groups + split.group[inside], return_inverse=True)
    at, group = keys // groups, keys % groups
    widest = int(seat.max(initial=-1)) + 1
    eligible = np.zeros((len(own_seat), widest), dtype=bool)
    eligible[match, seat] = True
    eligible = eligible[at]
    if OTHERS.intersection(tally.query.splits):
        # Split by opponent or partner, a player has a cell for each other player at the table, but none for themselves.
        eligible = np.zeros_like(eligible)
        eligible[block, seat[split.at[inside]]] = True
    own = own_seat[at]
    usable = eligible[np.arange(len(at)), own]  # nobody is their own opponent
    number = np.cumsum(usable) - 1
    there = usable[block]
    return Blocks(
        group[usable], groups, eligible[usable], own[usable], inside[there], number[block[there]],
        seat[split.at[inside[there]]],
    )  # fmt: skip


def exchanged(blocks: Blocks, amount: NDArray[Any], of: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return by group how much more a player has than the seats at the same tables, and the two-sided p-value.

    Under exchange the player's sum is a sum of independent draws: one seat from each block, all equally likely. The
    p-value is NaN where all seats are equal.
    """
    group, groups = blocks.group, blocks.groups

    def total(values: NDArray[Any]) -> NDArray[Any]:
        return np.bincount(group, values, groups)

    seats = blocks.eligible.sum(1)
    with np.errstate(divide="ignore", invalid="ignore"):
        pooled = total((amount * blocks.eligible).sum(1)) / total((of * blocks.eligible).sum(1))
    x = np.where(blocks.eligible, amount - np.nan_to_num(pooled)[group, None] * of, 0.0)
    x = np.where(blocks.eligible, x - (x.sum(1) / seats)[:, None], 0.0)
    most, least = (np.where(blocks.eligible, x, fill).T for fill in (-np.inf, np.inf))
    most, least = most.max(0), least.min(0)
    excess = total(blocks.own(x))
    variance = total((x * x).sum(1) / seats)
    scale = np.sqrt(np.where(variance > 1e-9 * np.maximum(total(most) ** 2, 1e-9), variance, np.nan))
    # The most extreme sum is reached only by the most extreme seats of every block.
    closeness = 1e-9 * (most - least)[:, None]
    ends = [
        np.log(np.maximum((blocks.eligible & (np.abs(x - end[:, None]) <= closeness)).sum(1), 1) / seats)
        for end in (most, least)
    ]
    with np.errstate(invalid="ignore"):
        outmost = np.abs(excess) >= np.where(excess > 0, total(most), -total(least)) - 1e-9 * np.abs(excess)
    at_end = 2 * np.exp(np.where(excess > 0, total(ends[0]), total(ends[1])))
    chance = np.where(outmost, at_end, _saddlepoint(x, blocks.eligible, group, groups, excess, scale))
    return excess, np.where(np.isfinite(scale), np.minimum(chance, 1), np.nan)


def together(tally: Tally, split: Cells, measure: Measure) -> NDArray[Any]:
    """Return by group how much more the results of evenings vary than those of as many independent matches; at least 1.

    Seats are exchanged match by match, but form makes the matches of an evening go together. How far is taken from all
    players: each less the own mean, and less the table's.
    """
    groups = len(split.labels)
    evenings = split.evenings
    if evenings is None:
        return np.ones(groups)
    seats = tally.sheet.seats
    rows = tally.rows[split.at]
    amount, of = split.of(measure.amount), split.of(measure.of)

    def less_mean(values: NDArray[Any], by: str) -> NDArray[Any]:
        number = split.once(by, (), lambda: numbered(seats[by][rows].astype(np.int64) * groups + split.group)[1])
        means = np.bincount(number, values) / np.maximum(np.bincount(number), 1)
        less: NDArray[Any] = values - means[number]
        return less

    with np.errstate(divide="ignore", invalid="ignore"):
        pooled = np.nan_to_num(np.bincount(split.group, amount, groups) / np.bincount(split.group, of, groups))
    left = less_mean(amount - pooled[split.group] * of, "row")
    left = less_mean(left, "player")
    own, number = split.once("evenings", (), lambda: grouped(evenings, split.group, groups))
    whole = np.bincount(own, np.bincount(number, left) ** 2, groups)
    alone = np.bincount(split.group, left**2, groups)
    return np.maximum(whole / np.where(alone > 0, alone, np.inf), 1.0)


def _of_evenings(chance: NDArray[Any], together: NDArray[Any]) -> NDArray[Any]:
    """Return p-values of sums that vary so much more than those of independent matches."""
    wider = together > 1
    return np.where(
        wider & np.isfinite(chance),
        [
            beyond_normal(normal_beyond(float(one)) / float(more) ** 0.5) if more > 1 and np.isfinite(one) else one
            for one, more in zip(chance, together, strict=True)
        ],
        chance,
    )


def _saddlepoint(
    x: NDArray[Any], eligible: NDArray[Any], group: NDArray[Any], groups: int, excess: NDArray[Any], scale: NDArray[Any]
) -> NDArray[Any]:
    """Return by group the probability that a sum of draws, one from each row of `x`, is as far from 0 as `excess`."""

    def cumulants(t: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        power = np.where(eligible, t[group, None] * x, -np.inf)
        top = power.max(1)
        weight = np.exp(power - top[:, None])
        sums = weight.sum(1)
        mean = (weight * x).sum(1) / sums
        second = (weight * x * x).sum(1) / sums - mean**2
        whole = top + np.log(sums / eligible.sum(1))
        return tuple(np.bincount(group, values, groups) for values in (whole, mean, second))  # type: ignore[return-value]

    divisor = np.nan_to_num(scale, nan=1.0)
    t = np.zeros(groups)
    for _ in range(_STEPS):
        _, mean, second = cumulants(t)
        with np.errstate(divide="ignore", invalid="ignore"):
            step = np.nan_to_num((excess - mean) / second)
        step = np.clip(step, -1 / divisor, 1 / divisor)
        t = t + step
        if np.all(np.abs(step) * divisor < 1e-9):
            break
    whole, _, second = cumulants(t)
    with np.errstate(divide="ignore", invalid="ignore"):
        w = np.sign(t) * np.sqrt(2 * np.maximum(t * excess - whole, 0))
        u = t * np.sqrt(second)
        bent = w + np.log(u / w) / w
    near = excess / divisor
    r = np.where((np.abs(w) < _NEAR) | ~np.isfinite(bent), near, bent)
    chance: NDArray[Any] = np.array([beyond_normal(float(one)) for one in r])
    return chance

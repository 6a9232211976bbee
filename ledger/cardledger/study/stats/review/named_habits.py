"""Which kinds of decisions cost a player more than the others: habits, named only beyond chance.

A review finds fault with good decisions too, so a cost is never compared with nothing, but with what the same kind of
decision cost the others at the same tables. The p-value comes from exchanging seats inside a match, as that of the
measures does (`measures/differences.py`).
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cardledger.study.stats.distributions import FALSE_DISCOVERIES, benjamini_hochberg
from cardledger.study.stats.measures.differences import Blocks, exchanged

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardledger.study.stats.review.habits import Decided

LEAST = 8
"""A habit needs at least so many decisions."""
MIN_MATCHES = 4
"""A habit needs decisions in at least so many matches."""

Kind = tuple[str, str | None]
"""A kind of decision: the choice, and its place in the trick."""


class NamedHabit(NamedTuple):
    """A habit: a kind of decision that costs a player more than the others.

    `others` is what a decision of this kind costs the others at the same tables. `q` is the p-value of no difference,
    corrected for all kinds of decisions of all players.
    """

    kind: Kind
    others: float
    q: float


def kind_of(one: Decided) -> Kind:
    """Return the kind of a decision."""
    return one.values["choice"], one.values.get("place")


def named_habits(
    decisions: Mapping[tuple[str, int], Sequence[Decided]], players: Mapping[tuple[str, int], str]
) -> dict[str, list[NamedHabit]]:
    """Return the habits of each player who has one.

    `decisions` are those of a game by match and seat. All p-values are corrected together (Benjamini and Hochberg), so
    that at most 4% of the habits named are due to chance.
    """
    asked = [
        (player, kind, others, chance)
        for player in sorted({players[key] for key in decisions})
        for kind, others, chance in _chances(decisions, players, player)
    ]
    corrected = benjamini_hochberg([chance for *_, chance in asked])
    found: dict[str, list[NamedHabit]] = defaultdict(list)
    for (player, kind, others, _), q in zip(asked, corrected, strict=True):
        if q <= FALSE_DISCOVERIES:
            found[player].append(NamedHabit(kind, others, q))
    return found


def _chances(
    decisions: Mapping[tuple[str, int], Sequence[Decided]], players: Mapping[tuple[str, int], str], player: str
) -> list[tuple[Kind, float, float]]:
    """Return each kind that a player decided often enough, what it costs the others, and the p-value of costing no more."""
    own_seat = {match: seat for match, seat in sorted(decisions) if players[match, seat] == player}
    tables: dict[str, list[int]] = defaultdict(list)
    for match, seat in sorted(decisions):
        if match in own_seat:
            tables[match].append(seat)
    kinds = sorted(
        {kind_of(one) for match in tables for seat in tables[match] for one in decisions[match, seat] if one.values},
        key=lambda kind: (kind[0], kind[1] or ""),
    )
    number = {kind: at for at, kind in enumerate(kinds)}
    matches = [match for match in sorted(tables) if len(tables[match]) > 1]
    if not matches or not kinds:
        return []
    widest = max(max(seats) for seats in tables.values()) + 1
    shape = len(matches) * len(kinds), widest
    cost, count, eligible = np.zeros(shape), np.zeros(shape), np.zeros(shape, dtype=bool)
    for at, match in enumerate(matches):
        first = at * len(kinds)
        eligible[first : first + len(kinds), tables[match]] = True
        for seat in tables[match]:
            for one in decisions[match, seat]:
                if one.values:
                    cost[first + number[kind_of(one)], seat] += one.decision.cost
                    count[first + number[kind_of(one)], seat] += 1
    group = np.tile(np.arange(len(kinds)), len(matches))
    place = np.repeat([own_seat[match] for match in matches], len(kinds))
    nothing = np.zeros(0, dtype=np.int64)
    blocks = Blocks(group, len(kinds), eligible, place, nothing, nothing, nothing)
    excess, chance = exchanged(blocks, cost, count)
    own, own_cost = blocks.own(count), blocks.own(cost)
    often = np.bincount(group, own, len(kinds))
    played = np.bincount(group, own > 0, len(kinds))
    others = np.bincount(group, count.sum(1) - own, len(kinds))
    of_others = np.bincount(group, cost.sum(1) - own_cost, len(kinds))
    return [
        (kinds[at], float(of_others[at] / others[at]), float(chance[at] / 2 if excess[at] > 0 else 1 - chance[at] / 2))
        for at in range(len(kinds))
        if often[at] >= LEAST and played[at] >= MIN_MATCHES and others[at] and np.isfinite(chance[at])
    ]

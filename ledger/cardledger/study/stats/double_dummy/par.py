"""Par: the score when both sides bid as well as possible with all cards open (the par contest of the Laws' annexes)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cardledger.rules.games.bridge.scoring import Contract, duplicate_score

if TYPE_CHECKING:
    from cardledger.study.stats.double_dummy.solver import Tricks


_NOTHING = -100_000
"""Less than any contract costs."""


class ParContract(NamedTuple):
    """A contract that gives par: its text, its possible declarers, and the tricks they take."""

    contract: str
    declarers: tuple[int, ...]
    tricks: int


class Par(NamedTuple):
    """The score of par for north-south, and its contracts, the lowest of each strain that is worth no higher bid.

    None if all four pass.
    """

    score: int
    contracts: tuple[ParContract, ...]


def par(table: Tricks, vulnerable: int, dealer: int) -> Par:
    """Return par of a deal.

    A side that is outbid doubles what goes down and lets stand what is made. From the highest bid down, each bid is
    worth the other side's better choice: to leave it, or to bid more.
    """
    bids = [(level, strain) for level in range(1, 8) for strain in range(5)]
    finals = [[_final(table, level, strain, side, vulnerable) for side in (0, 1)] for level, strain in bids]
    above = [_NOTHING, _NOTHING]  # the most that a side reaches with a higher bid, as points of its own
    for final in reversed(finals):
        worth = [min(final[side], -above[1 - side]) for side in (0, 1)]
        above = [max(above[side], worth[side]) for side in (0, 1)]
    first = dealer % 2
    result = max(above[first], -max(0, above[1 - first]))
    points = result if first == 0 else -result
    contracts: dict[int, ParContract] = {}
    for place, (level, strain) in enumerate(bids):
        for side in (0, 1):
            own = points if side == 0 else -points
            left_alone = all(final[1 - side] <= -own for final in finals[place + 1 :])
            if points and finals[place][side] == own and left_alone and strain not in contracts:
                seats, tricks = _declarers(table, strain, side)
                doubled = 1 if tricks < level + 6 else 0
                contracts[strain] = ParContract(str(Contract(level, strain, doubled)), seats, tricks)
    return Par(points, tuple(contracts.values()))


def _declarers(table: Tricks, strain: int, side: int) -> tuple[tuple[int, ...], int]:
    tricks = max(table[strain][side], table[strain][side + 2])
    return tuple(seat for seat in (side, side + 2) if table[strain][seat] == tricks), tricks


def _final(table: Tricks, level: int, strain: int, side: int, vulnerable: int) -> int:
    """Return the points of a side for a contract that the others leave: doubled if it goes down."""
    tricks = _declarers(table, strain, side)[1]
    return duplicate_score(level, strain, 0 if tricks >= level + 6 else 1, vulnerable >> side & 1, tricks)


def words(contract: ParContract) -> str:
    """Return a par contract as people write it: `4SX N -1`, or `3NT NS =`.

    >>> words(ParContract("4SX", (0,), 9)), words(ParContract("3NT", (1, 3), 10))
    ('4SX N -1', '3NT EW +1')
    """
    beyond = contract.tricks - int(contract.contract[0]) - 6
    return (
        f"{contract.contract} {''.join('NESW'[seat] for seat in contract.declarers)} "
        f"{f'{beyond:+d}' if beyond else '='}"
    )

"""The score of a contract (Law 77), and the dealer and vulnerability of a board (Law 2). Pure functions of numbers.

Strains are numbered 0 to 4: clubs, diamonds, hearts, spades, no trump. Sides are 0, north-south, and 1, east-west.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import product
from typing import Final, NamedTuple

STRAINS: Final = ("C", "D", "H", "S", "NT")
VULNERABLE: Final = ("none", "ns", "ew", "both")
"""Who is vulnerable; the place in this list is the set of vulnerable sides."""
VULNERABLE_WORDS: Final = (("none", "nobody"), ("ns", "N-S"), ("ew", "E-W"), ("both", "everybody"))
BOARDS: Final = (0, 1, 2, 3, 1, 2, 3, 0, 2, 3, 0, 1, 3, 0, 1, 2)
"""The vulnerable sides on boards 1 to 16; then it begins again."""
PER_TRICK: Final = (20, 20, 30, 30, 30)
_CONTRACT: Final = re.compile(r"([1-7])(C|D|H|S|NT)(X{0,2})")


class Contract(NamedTuple):
    """A contract: its level, strain, and the number of doubles (2: redoubled)."""

    level: int
    strain: int
    doubles: int

    def __str__(self) -> str:
        return f"{self.level}{STRAINS[self.strain]}{'X' * self.doubles}"


def read_contract(text: str) -> Contract | None:
    """Return the contract of a text, None if it is none.

    >>> read_contract("3NTX"), str(Contract(4, 3, 0)), read_contract("8C")
    (Contract(level=3, strain=4, doubles=1), '4S', None)
    """
    parts = _CONTRACT.fullmatch(text)
    return None if parts is None else Contract(int(parts[1]), STRAINS.index(parts[2]), len(parts[3]))


def board_dealer(board: int) -> int:
    """Return the seat that deals a board."""
    return (board - 1) % 4


def board_vulnerable(board: int) -> int:
    """Return the set of the sides that are vulnerable on a board."""
    return BOARDS[(board - 1) % 16]


@cache
def most_points(rubber: bool) -> int:
    """The most points that a side can win or lose with one contract."""
    score = rubber_score if rubber else duplicate_score
    contracts = product(range(1, 8), range(5), range(3), range(2), range(14))
    return max(abs(score(*contract)) for contract in contracts)


# --- in the rule subset


def trick_score(level: int, strain: int, doubles: int) -> int:
    """The points for the tricks bid and made."""
    return (PER_TRICK[strain] * level + (10 if strain == 4 else 0)) << doubles


def made_bonus(level: int, strain: int, doubles: int, vulnerable: int, tricks: int) -> int:
    """The points of a contract made besides its trick score and those for a game or part score.

    Slam, insult, overtricks.
    """
    points = 50 * doubles
    if level == 6:
        points += 750 if vulnerable else 500
    if level == 7:
        points += 1500 if vulnerable else 1000
    each = 100 * doubles * (2 if vulnerable else 1) if doubles else PER_TRICK[strain]
    return points + each * (tricks - level - 6)


def penalty(doubles: int, vulnerable: int, down: int) -> int:
    """The points of the defenders for a contract that goes down."""
    if not doubles:
        return down * (100 if vulnerable else 50)
    if vulnerable:
        return doubles * (300 * down - 100)
    return doubles * (200 * down - 100 + 100 * max(0, down - 3))


def duplicate_score(level: int, strain: int, doubles: int, vulnerable: int, tricks: int) -> int:
    """The points of the declarer's side at duplicate and chicago: below 0 if the contract goes down."""
    if tricks < level + 6:
        return -penalty(doubles, vulnerable, level + 6 - tricks)
    below = trick_score(level, strain, doubles)
    bonus = (500 if vulnerable else 300) if below >= 100 else 50
    return below + bonus + made_bonus(level, strain, doubles, vulnerable, tricks)


def rubber_score(level: int, strain: int, doubles: int, vulnerable: int, tricks: int) -> int:
    """The points of the declarer's side in a rubber, below and above the line; games are rewarded at its end."""
    if tricks < level + 6:
        return -penalty(doubles, vulnerable, level + 6 - tricks)
    return trick_score(level, strain, doubles) + made_bonus(level, strain, doubles, vulnerable, tricks)

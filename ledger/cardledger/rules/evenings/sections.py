"""Sections: parts of a big field that play the same movement side by side, with tables A1, A2, B1 and so on.

Tables and entries count through all sections: with two sections of seven tables, table 8 is B1, and section B has the
entries from 15 on.
"""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from cardledger.rules.evenings.movement import PlannedTable, Schedule, refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardledger.rules.evenings.evening_events import Movement

LETTERS = "ABCDEFGH"
"""The sections of an evening by their letters; no evening has more."""
FEWEST_TABLES = 2
"""A section of one table compares nobody."""


def section_of_table(movement: Movement | None, table: int) -> str | None:
    """Return the letter of the section of a table, None without sections, and for a table that was set beside them."""
    return _section(movement, table, 1)


def section_of_entry(movement: Movement | None, entry: int) -> str | None:
    """Return the letter of the section of an entry, None without sections."""
    return _section(movement, entry, 2)


def table_name(movement: Movement | None, table: int) -> str:
    """Return what a table is called: its number, in a section its letter and its number there.

    >>> from cardledger.rules.evenings.evening_events import Movement
    >>> table_name(Movement(kind="howell", sections=(7, 7)), 8), table_name(None, 8)
    ('B1', '8')
    """
    letter = section_of_table(movement, table)
    if letter is None or movement is None:
        return str(table)
    return f"{letter}{table - sum(movement.sections[: LETTERS.index(letter)])}"


def sits_north_south(movement: Movement, entry: int) -> bool:
    """Tell whether a number sits north-south in a Mitchell; in a section its first half does."""
    before = 0
    for tables in movement.sections:
        if entry <= before + 2 * tables:
            return entry - before <= tables
        before += 2 * tables
    return entry <= (movement.tables or 0)


def staying(movement: Movement) -> list[list[int]]:
    """Return the numbers that never leave their table, section by section: north-south, or the last pair of a Howell."""
    sizes = movement.sections or (movement.tables or (movement.entries or 0) // 2,)
    found, before = [], 0
    for tables in sizes:
        first = before + 1 if movement.kind == "mitchell" else before + 2 * tables
        found.append([*range(first, before + tables + 1)] if movement.kind == "mitchell" else [first])
        before += 2 * tables
    return found if movement.kind in ("mitchell", "howell") else []


def side_by_side(sizes: Sequence[int], rounds: int | None, plan: Callable[[int, int | None], Schedule]) -> Schedule:
    """Return one schedule of sections with these numbers of tables, each as `plan` has it; all stop with the shortest.

    Raises RuleError `session.movement`.
    """
    if not 2 <= len(sizes) <= len(LETTERS) or min(sizes) < FEWEST_TABLES:
        raise refusal(
            "an evening has 2 to {most} sections of {fewest} tables and more: give the tables of each",
            most=len(LETTERS),
            fewest=FEWEST_TABLES,
        )
    last = rounds or min(len(plan(tables, None).rounds) for tables in sizes)
    parts = [plan(tables, last) for tables in sizes]
    firsts = accumulate((part.entries for part in parts), initial=0)
    moved = [
        [tuple(_moved(table, first) for table in tables) for tables in part.rounds]
        for part, first in zip(parts, firsts, strict=False)
    ]
    joined = tuple(tuple(table for tables in each for table in tables) for each in zip(*moved, strict=True))
    return Schedule(sum(part.entries for part in parts), joined, any(part.shared for part in parts), (*sizes,))


def _moved(table: PlannedTable, by: int) -> PlannedTable:
    return table._replace(seats=tuple(entry + by for entry in table.seats))


def _section(movement: Movement | None, number: int, each: int) -> str | None:
    for letter, end in zip(LETTERS, accumulate(movement.sections if movement else ()), strict=False):
        if number <= each * end:
            return letter
    return None

"""The movements that suit those who compete, for a director to choose from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from cardledger.errors import RuleError
from cardledger.rules.evenings import evening_events as ev
from cardledger.rules.evenings.plan import plan

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardledger.rules.evenings.session import SessionState

FEW_TABLES = 4
"""Up to so many tables a Howell comes first: every pair meets every other in few rounds."""
_ARROW = 8
"""One round in so many is played with the lines in each other's seats."""


def suitable(session: SessionState, boards: int, most_rounds: int | None = None) -> dict[str, ev.Movement]:
    """Return the movements for the entries of an evening, or for the single players who are here, by a short name.

    `boards` are those of a round. A movement with more rounds than `most_rounds` stops earlier. It begins after the
    rounds played, with boards that nobody has seen.
    """
    found = {}
    for name, movement in _candidates(session, boards):
        with suppress(RuleError):  # too many or too few, or lines that do not fit
            fitting = _shortened(session, movement, most_rounds)
            session.copy().apply(fitting, 0)
            found[name] = fitting
    return found


class BoardCounts(NamedTuple):
    """How well the results of a movement compare.

    Its boards, those that one table alone plays, and the fewest and most results of a board.
    """

    boards: int
    once: int
    fewest: int
    most: int


def compared(movement: ev.Movement, entries: Collection[int] | None = None, teams: bool = False) -> BoardCounts:
    """Return how often the boards of a movement are played by these entries (None: by all its numbers).

    Raises like `plan`.
    """
    rounds = plan(movement, teams).rounds
    results = Counter(
        board
        for tables in rounds
        for table in tables
        if entries is None or all(entry in entries for entry in table.seats)
        for board in table.boards
    )
    times = results.values()
    return BoardCounts(len(results), sum(one == 1 for one in times), min(times, default=0), max(times, default=0))


def _candidates(session: SessionState, boards: int) -> Iterator[tuple[str, ev.Movement]]:
    unit = session.opening.unit
    seen = [board for number in session.rounds for table in session.tables(number).values() for board in table.boards]
    first = max(seen, default=0) + 1 if session.round else 1
    swiss = ev.Movement(kind="swiss", boards=boards, start=session.round + 1, first_board=first)
    if unit == "player":
        yield "individual", replace(swiss, kind="individual", entries=len(session.here))
        return
    even = max(session.entries, default=0)
    even += even % 2
    mitchells: list[tuple[str, ev.Movement]] = []
    for way in ("skip", "share") if unit == "pair" else ():
        for switched in (0, 1) if way == "skip" or even % 4 == 0 else ():
            name = f"mitchell{f'-{way}' if even % 4 == 0 else ''}{'-switch' if switched else ''}"
            movement = replace(swiss, kind="mitchell", tables=even // 2, even=way, arrow_switch=switched)
            mitchells.append((name, movement))
    howell = ("howell", replace(swiss, kind="howell", entries=even))
    yield from [howell, *mitchells] if even <= 2 * FEW_TABLES else [*mitchells, howell]
    if boards > 1:  # a Swiss says by its boards that there are some
        yield "swiss", swiss


def _shortened(session: SessionState, movement: ev.Movement, most: int | None) -> ev.Movement:
    """Return a movement of so many rounds at most, with the lines changed in one of eight; raises RuleError."""
    if movement.kind == "swiss":
        return movement
    rounds = len(plan(movement, session.opening.unit == "team").rounds)
    if most is not None and most < rounds:
        movement, rounds = replace(movement, rounds=most), most
    switch = max(1, round(rounds / _ARROW)) if movement.arrow_switch else 0
    return replace(movement, arrow_switch=switch)

"""The movements that suit those who compete and the time there is, for a director to choose from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from msgspec.structs import replace

from cardledger.errors import RuleError
from cardledger.rules.evenings import evening_events as ev
from cardledger.rules.evenings.plan import plan
from cardledger.rules.evenings.sections import section_of_table
from cardledger.rules.evenings.stationary import new_numbers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardledger.rules.evenings.session import SessionState

FEW_TABLES = 4
"""Up to so many tables a Howell comes first: every pair meets every other in few rounds."""
MANY_TABLES = 10
"""From so many tables on, sections are proposed too."""
SECTION_TABLES = range(4, 17)
"""The tables of a section that is proposed."""
BOARDS_AN_HOUR = 9
"""How many boards a club plays in an hour, with the moves: 27 in three hours."""
_ARROW = 8
"""One round in so many is played with the lines in each other's seats."""
_BOARDS = range(2, 9)
"""The boards of a round that are proposed."""


class Wish(NamedTuple):
    """What a director asks for.

    The boards of a round (None: as many as fit), the most rounds, and the most boards that the time is enough for.
    `compare` and `rank` are those of sections.
    """

    boards: int | None = None
    rounds: int | None = None
    most: int | None = None
    compare: Literal["all", "section"] = "all"
    rank: Literal["all", "section"] = "all"


class Suited(NamedTuple):
    """A movement that suits, the boards that each entry plays, and the numbers that change so that everybody sits well.

    `played` is None for one that is drawn round by round.
    """

    movement: ev.Movement
    played: int | None
    numbers: dict[int, int]


class Suitable(NamedTuple):
    """The movements that suit, by a short name, and the boards that those need for which the time is not enough."""

    found: dict[str, Suited]
    too_long: dict[str, tuple[ev.Movement, int]]


def boards_in(minutes: int) -> int:
    """Return the boards that a time is enough for.

    >>> boards_in(180)
    27
    """
    return minutes * BOARDS_AN_HOUR // 60


def suitable(session: SessionState, wish: Wish) -> Suitable:
    """Return the movements for the entries of an evening, or for the single players who are here.

    A movement with more rounds than asked for stops earlier. Where a time is given, one that would lose more than a
    quarter of its rounds is too long. It begins after the rounds played, with boards that nobody has seen.
    """
    found, too_long = {}, {}
    for name, proposed in _candidates(session, wish.boards or _BOARDS[0]):
        movement = replace(proposed, compare=wish.compare, rank=wish.rank) if proposed.sections else proposed
        with suppress(RuleError):  # too many or too few, or lines that do not fit
            fitting = _fitted(session, movement, wish)
            if isinstance(fitting, int):
                session.renumbered(new_numbers(session, movement)).apply(movement, 0)
                too_long[name] = movement, fitting
                continue
            numbers = new_numbers(session, fitting)
            session.renumbered(numbers).apply(fitting, 0)
            found[name] = Suited(fitting, _played(session, fitting), numbers)
    return Suitable(found, too_long)


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
    apart = movement if movement.compare == "section" else None
    results = Counter(
        (board, section_of_table(apart, number))
        for tables in rounds
        for number, table in enumerate(tables, 1)
        if entries is None or all(entry in entries for entry in table.seats)
        for board in table.boards
    )
    times, boards = results.values(), {board for board, _ in results}
    once = {board for (board, _), one in results.items() if one == 1}
    return BoardCounts(len(boards), len(once), min(times, default=0), max(times, default=0))


def described_movements(session: SessionState, suits: Suitable) -> dict[str, Any]:
    """Return what suits as JSON data: each movement by its name, with the events that choose it in `movement`."""
    teams, alone = session.opening.unit == "team", session.opening.unit == "player"

    def counts(movement: ev.Movement) -> dict[str, Any]:
        schedule = plan(movement, teams)
        boards = {board for tables in schedule.rounds for table in tables for board in table.boards}
        return {"rounds": len(schedule.rounds) or None, "boards": len(boards) or None}

    return {
        "movements": [
            {
                "name": name,
                "kind": suited.movement.kind,
                "tables": [*suited.movement.sections] or None,
                "boards_of_round": suited.movement.boards,
                "played": suited.played,
                **counts(suited.movement),
                "played_once": compared(suited.movement, None if alone else session.entries, teams).once,
                "cut_short": bool(suited.movement.rounds),
                "numbers": [{"before": old, "after": new} for old, new in suited.numbers.items()],
            }
            for name, suited in suits.found.items()
        ],
        "too_long": [
            {"name": name, "kind": movement.kind, "played": played}
            for name, (movement, played) in suits.too_long.items()
        ],
    }


def _played(session: SessionState, movement: ev.Movement) -> int | None:
    rounds = plan(movement, session.opening.unit == "team").rounds
    return len(rounds) * movement.boards or None


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
    if unit == "pair":
        yield from _in_sections(swiss, even // 2)
    if boards > 1:  # a Swiss says by its boards that there are some
        yield "swiss", swiss


def _in_sections(blank: ev.Movement, tables: int) -> Iterator[tuple[str, ev.Movement]]:
    """Yield the movements of a big field in sections of nearly the same size, fewer sections first."""
    for many in range(2, tables // SECTION_TABLES[0] + 1) if tables >= MANY_TABLES else ():
        sizes = tuple(tables // many + (place < tables % many) for place in range(many))
        if many > _MOST_SECTIONS or not {*sizes} <= {*SECTION_TABLES}:
            continue
        # Even and odd sections beside each other have more rounds in common if the even ones share boards.
        even = "skip" if all(size % 2 == 0 for size in sizes) else "share"
        for kind, name, switched in (
            ("howell", "howell", 0),
            ("mitchell", "mitchell", 0),
            ("mitchell", "mitchell-switch", 1),
        ):
            yield (
                f"{many}-sections-{name}",
                replace(
                    blank, kind=kind, sections=sizes, even=even if kind == "mitchell" else "skip", arrow_switch=switched
                ),
            )


_MOST_SECTIONS = 4
"""The most sections that are proposed."""


def _fitted(session: SessionState, movement: ev.Movement, wish: Wish) -> ev.Movement | int:
    """Return a movement as it fits the wish, or the boards that it needs if the time is not enough for it.

    Of the numbers of boards in a round, that with most boards in all is best, then that with most rounds. Raises
    RuleError.
    """
    if movement.kind == "swiss":
        return movement
    every = len(plan(replace(movement, arrow_switch=0), session.opening.unit == "team").rounds)
    if wish.most is None:
        return _shortened(movement, every, wish.rounds)
    ways = []
    for boards in (wish.boards,) if wish.boards else _BOARDS:
        rounds = min(every, wish.rounds or every, wish.most // boards)
        if 4 * rounds >= 3 * min(every, wish.rounds or every) and rounds:
            ways.append((rounds * boards, rounds, boards))
    if not ways:
        return min(every, wish.rounds or every) * movement.boards
    _, rounds, boards = max(ways)
    return _shortened(replace(movement, boards=boards), every, rounds)


def _shortened(movement: ev.Movement, rounds: int, most: int | None) -> ev.Movement:
    """Return a movement of so many rounds at most, with the lines changed in one of eight."""
    if most is not None and most < rounds:
        movement, rounds = replace(movement, rounds=most), most
    switch = max(1, round(rounds / _ARROW)) if movement.arrow_switch else 0
    return replace(movement, arrow_switch=switch)

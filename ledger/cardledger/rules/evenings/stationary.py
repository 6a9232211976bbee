"""Who sits where by request: pairs that cannot move, and pairs that want north-south or east-west."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardledger.rules.evenings.movement import refusal
from cardledger.rules.evenings.sections import sits_north_south, staying
from cardledger.sentence import Sentence

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardledger.rules.evenings.evening_events import Movement
    from cardledger.rules.evenings.session import SessionState


_ASKED_NORTH_SOUTH = Sentence(
    "entry {number} wants to sit north-south, but in a Mitchell of {tables} tables this number sits east-west:"
    " north-south pairs come first, east-west pairs go on counting"
)
_ASKED_EAST_WEST = Sentence(
    "entry {number} wants to sit east-west, but in a Mitchell of {tables} tables this number sits north-south:"
    " north-south pairs come first, east-west pairs go on counting"
)


def new_numbers(session: SessionState, movement: Movement) -> dict[int, int]:
    """Return the numbers that change, by the number before, so that all sit as they asked to.

    A pair that sits elsewhere exchanges its number with one that may sit there, or takes a number that nobody has.
    Nothing changes once a round has begun. Raises RuleError `session.movement` if there are not seats enough.
    """
    if session.round:
        return {}
    places = _places(movement)
    now = {number: number for number in session.entries}  # who has which number, by the number before
    holds = {number: number for number in session.entries}
    for number in sorted(session.entries):
        if _suits(session, movement, number, now[number]):
            continue
        for place in places:
            other = holds.get(place)
            if _suits(session, movement, number, place) and (
                other is None or _suits(session, movement, other, now[number])
            ):
                break
        else:
            raise refusal(
                "entry {number} asked for a seat that this movement has not left: choose another movement",
                number=number,
            )
        old = now[number]
        del holds[old]
        if other is not None:
            now[other], holds[old] = old, other
        now[number], holds[place] = place, number
    return {before: after for before, after in now.items() if before != after}


def expect_seats_asked_for(movement: Movement, entries: Mapping[int, tuple[bool, str | None]]) -> None:
    """Refuse a movement in which an entry does not sit as asked: by number, whether it stays, and its line.

    Raises RuleError `session.movement`.
    """
    stays = {number for numbers in staying(movement) for number in numbers}
    for number, (remains, line) in entries.items():
        if movement.kind == "mitchell" and (movement.tables or movement.sections) and line:
            sits = "ns" if sits_north_south(movement, number) else "ew"
            if sits != line:
                tables = sum(movement.sections) or movement.tables
                raise refusal(_ASKED_NORTH_SOUTH if line == "ns" else _ASKED_EAST_WEST, number=number, tables=tables)
        if remains and movement.kind != "by_hand" and number not in stays:
            if not stays:
                raise refusal(
                    "entry {number} stays at one table, but in this movement it moves: choose a Mitchell", number=number
                )
            raise refusal(
                "entry {number} stays at one table, but in this movement it moves: the numbers that stay are {stays}",
                number=number,
                stays=", ".join(map(str, sorted(stays))),
            )


def _places(movement: Movement) -> range:
    tables = sum(movement.sections) or movement.tables or (movement.entries or 0) // 2
    return range(1, 2 * tables + 1)


def _suits(session: SessionState, movement: Movement, entry: int, number: int) -> bool:
    """Tell whether an entry sits as it asked to if it has a number."""
    lineup = session.entries[entry][-1]
    if lineup.stays and movement.kind != "by_hand" and not any(number in each for each in staying(movement)):
        return False
    return movement.kind != "mitchell" or lineup.line in (
        None,
        "ns" if sits_north_south(movement, number) else "ew",
    )

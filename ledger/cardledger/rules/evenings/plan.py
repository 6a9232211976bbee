"""The rounds that a movement event plans."""

from __future__ import annotations

from cardledger.errors import FormatError
from cardledger.rules.evenings import evening_events as ev
from cardledger.rules.evenings.howell import howell
from cardledger.rules.evenings.individual import individual
from cardledger.rules.evenings.mitchell import mitchell
from cardledger.rules.evenings.movement import PlannedTable, Schedule, deal, refusal
from cardledger.rules.evenings.sections import side_by_side
from cardledger.sentence import Sentence


def plan(event: ev.Movement, teams: bool = False) -> Schedule:
    """Return the movement that an event describes, with boards; one that is drawn round by round has no rounds yet.

    Of `teams`, each match of a Mitchell or a Howell is two tables: 1 and 2, 3 and 4, and so on.
    Raises RuleError `session.movement`, FormatError `format.key`.
    """
    if event.sections and (teams or event.kind not in ("mitchell", "howell")):
        raise refusal("sections are for pairs in a Mitchell or a Howell: leave 'sections' out")
    movement = deal(_undealt(event), event.boards, event.first_board)
    return _both_ways(movement) if teams and event.kind in ("mitchell", "howell") else movement


def _both_ways(movement: Schedule) -> Schedule:
    """Return a movement in which each table is two, with the lines in each other's seats at the second."""
    rounds = [
        tuple(way for table in each for way in (table, table._replace(seats=table.seats[::-1])))
        for each in movement.rounds
    ]
    return movement._replace(rounds=tuple(rounds))


def _undealt(event: ev.Movement) -> Schedule:
    if event.sections:
        return side_by_side(event.sections, event.rounds, lambda tables, rounds: _section(event, tables, rounds))
    if event.kind == "mitchell":
        return mitchell(_needed(event, "tables"), event.even, event.arrow_switch, event.rounds)
    if event.kind == "howell":
        return howell(_needed(event, "entries"), event.rounds)
    if event.kind == "individual":
        return individual(_needed(event, "entries"), event.rounds)
    rounds = tuple(
        tuple(PlannedTable(place.seats, () if place.boards is None else (place.boards,)) for place in each)
        for each in event.plan
    )
    if event.kind == "by_hand" and not rounds:
        raise FormatError(
            "format.key", Sentence("a movement typed by hand needs the key 'plan': the tables of each round")
        )
    entries = max((entry for each in rounds for table in each for entry in table.seats), default=0)
    return Schedule(entries, rounds, event.shared).shortened(event.rounds if rounds else None)


def _section(event: ev.Movement, tables: int, rounds: int | None) -> Schedule:
    if event.kind == "mitchell":
        return mitchell(tables, event.even, event.arrow_switch if rounds else 0, rounds)
    return howell(2 * tables, rounds)


def _needed(event: ev.Movement, key: str) -> int:
    value: int | None = getattr(event, key)
    if value is None:
        raise FormatError("format.key", Sentence("a {kind} needs the key {key!r}", kind=event.kind, key=key))
    return value

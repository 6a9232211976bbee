"""The movements that suit those who compete: a director chooses from those that can be played."""

from __future__ import annotations

import pytest

from cardledger.errors import RuleError
from cardledger.rules.evenings import evening_events as ev
from cardledger.rules.evenings.scoring import Scoring
from cardledger.rules.evenings.session import SessionState
from cardledger.rules.evenings.stationary import new_numbers
from cardledger.rules.evenings.suitable import Wish, suitable


def entered(unit: str, entries: int, size: int = 2) -> SessionState:
    kind = "teams" if unit == "team" else "matchpoints"
    opening = ev.Session(club=None, name="x", date="2026-01-06", game="bridge", unit=unit, scoring=Scoring(kind=kind))  # type: ignore[arg-type]
    state = SessionState(opening)
    for number in range(1, entries + 1):
        state.apply(ev.Entry(number=number, players=tuple(f"{'abcd'[k]}{number}" for k in range(size))), number)
    return state


def asking(state: SessionState, number: int, **seat: object) -> None:
    """Let an entry ask for a seat."""
    state.apply(ev.Entry(number=number, players=state.players(number, 1), **seat), 900 + number)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("unit", "entries", "names"),
    [
        ("pair", 2, ["swiss"]),
        ("pair", 4, ["howell", "swiss"]),
        ("pair", 5, ["howell", "mitchell", "mitchell-switch", "swiss"]),
        ("pair", 14, ["mitchell", "mitchell-switch", "howell", "swiss"]),
        (
            "pair",
            30,
            [
                "mitchell", "mitchell-switch", "2-sections-howell", "2-sections-mitchell", "2-sections-mitchell-switch",
                "3-sections-howell", "3-sections-mitchell", "3-sections-mitchell-switch", "swiss",
            ],
        ),
        ("team", 2, ["swiss"]),
        ("team", 6, ["howell", "swiss"]),
        ("team", 7, ["howell", "swiss"]),
    ],
)  # fmt: skip
def test_what_suits_can_be_played(unit: str, entries: int, names: list[str]) -> None:
    state = entered(unit, entries, 4 if unit == "team" else 2)
    found = suitable(state, Wish(3)).found
    assert [*found] == names
    for suited in found.values():
        state.copy().apply(suited.movement, 100)


def test_a_shorter_evening_stops_each_movement_early_and_changes_one_line_in_eight() -> None:
    state = entered("pair", 34)
    switched = suitable(state, Wish(2)).found["mitchell-switch"].movement
    assert (switched.rounds, switched.arrow_switch) == (None, 2)
    shorter = suitable(state, Wish(2, 9)).found
    switched = shorter["mitchell-switch"].movement
    assert (switched.rounds, switched.arrow_switch) == (9, 1)
    assert shorter["swiss"].movement.rounds is None


def test_a_round_of_one_board_is_not_drawn() -> None:
    assert "swiss" not in suitable(entered("pair", 8), Wish(1)).found


def test_three_hours_for_28_pairs() -> None:
    suits = suitable(entered("pair", 28), Wish(most=27))
    assert suits.too_long["howell"][1] == 54 and "howell" not in suits.found
    sections, mitchell = suits.found["2-sections-howell"], suits.found["mitchell-skip"]
    assert (sections.movement.sections, sections.movement.boards, sections.played) == ((7, 7), 2, 26)
    assert (mitchell.movement.tables, mitchell.movement.boards, mitchell.played) == (14, 2, 26)
    assert all(20 <= (one.played or 27) <= 27 for one in suits.found.values())


def test_what_takes_too_long_says_how_long_and_nothing_loses_more_than_a_quarter() -> None:
    suits = suitable(entered("pair", 14), Wish(most=12))
    assert suits.found["mitchell"].movement.rounds == 6 and suits.found["mitchell"].played == 12
    assert {name: boards for name, (_, boards) in suits.too_long.items()} == {"howell": 26}


@pytest.mark.parametrize("name", ["mitchell", "howell", "2-sections-howell", "2-sections-mitchell"])
def test_who_cannot_move_gets_a_number_that_stays(name: str) -> None:
    state = entered("pair", 22)
    asking(state, 20, stays=True)
    suited = suitable(state, Wish(2)).found[name]
    assert 20 in suited.numbers or (name, suited.numbers) == ("howell", {})
    renumbered = state.renumbered(suited.numbers)
    renumbered.apply(suited.movement, 100)
    mine = next(number for number, lineups in renumbered.entries.items() if lineups[-1].stays)
    at = {
        table
        for round in renumbered.rounds
        for table, seated in renumbered.tables(round).items()
        if mine in seated.seats
    }
    assert len(at) == 1
    assert sorted(renumbered.entries) == [*range(1, 23)]


def test_a_movement_that_has_no_such_seat_is_refused_and_not_proposed() -> None:
    state = entered("pair", 14)
    for number in (3, 9):
        asking(state, number, stays=True)
    found = suitable(state, Wish(2)).found
    assert [*found] == ["mitchell", "mitchell-switch"], "a Howell has one seat that stays, a Swiss none"
    with pytest.raises(RuleError, match="entry 9 stays at one table"):
        state.copy().apply(ev.Movement(kind="mitchell", tables=7), 100)
    with pytest.raises(RuleError, match="has not left"):
        new_numbers(state, ev.Movement(kind="howell", entries=14))


def test_lines_asked_for_change_numbers_with_those_who_did_not_ask() -> None:
    state = entered("pair", 6)
    for number, line in ((1, "ew"), (5, "ns"), (6, "ns")):
        asking(state, number, line=line)
    suited = suitable(state, Wish(2)).found["mitchell"]
    after = state.renumbered(suited.numbers)
    assert {players[-1].line for number, players in after.entries.items() if number <= 3} <= {"ns", None}
    assert {players[-1].line for number, players in after.entries.items() if number > 3} <= {"ew", None}

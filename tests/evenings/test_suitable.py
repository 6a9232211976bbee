"""The movements that suit those who compete: a director chooses from those that can be played."""

from __future__ import annotations

import pytest

from cardledger.rules.evenings import evening_events as ev
from cardledger.rules.evenings.scoring import Scoring
from cardledger.rules.evenings.session import SessionState
from cardledger.rules.evenings.suitable import suitable


def entered(unit: str, entries: int, size: int = 2) -> SessionState:
    kind = "teams" if unit == "team" else "matchpoints"
    opening = ev.Session(club=None, name="x", date="2026-01-06", game="bridge", unit=unit, scoring=Scoring(kind=kind))  # type: ignore[arg-type]
    state = SessionState(opening)
    for number in range(1, entries + 1):
        state.apply(ev.Entry(number=number, players=tuple(f"{'abcd'[k]}{number}" for k in range(size))), number)
    return state


@pytest.mark.parametrize(
    ("unit", "entries", "names"),
    [
        ("pair", 2, ["swiss"]),
        ("pair", 4, ["howell", "swiss"]),
        ("pair", 5, ["howell", "mitchell", "mitchell-switch", "swiss"]),
        ("pair", 14, ["mitchell", "mitchell-switch", "howell", "swiss"]),
        ("pair", 30, ["mitchell", "mitchell-switch", "swiss"]),
        ("team", 2, ["swiss"]),
        ("team", 6, ["howell", "swiss"]),
        ("team", 7, ["howell", "swiss"]),
    ],
)
def test_what_suits_can_be_played(unit: str, entries: int, names: list[str]) -> None:
    state = entered(unit, entries, 4 if unit == "team" else 2)
    assert [*suitable(state, 3)] == names
    for movement in suitable(state, 3).values():
        state.copy().apply(movement, 100)


def test_a_shorter_evening_stops_each_movement_early_and_changes_one_line_in_eight() -> None:
    state = entered("pair", 34)
    found = suitable(state, 2)
    assert (found["mitchell-switch"].rounds, found["mitchell-switch"].arrow_switch) == (None, 2)
    shorter = suitable(state, 2, 9)
    assert (shorter["mitchell-switch"].rounds, shorter["mitchell-switch"].arrow_switch) == (9, 1)
    assert shorter["swiss"].rounds is None


def test_a_round_of_one_board_is_not_drawn() -> None:
    assert "swiss" not in suitable(entered("pair", 8), 1)

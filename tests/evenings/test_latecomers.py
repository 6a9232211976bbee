"""A pair that comes late takes a number of the movement that nobody has."""

from __future__ import annotations

import pytest

from cardledger.errors import RuleError
from cardledger.record.people.recorders import Recorder
from cardledger.record.recording.latecomers import EmptyPlace, empty_places, seat_latecomers
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.evenings.session import SessionState
from tests.evenings.bridge import begun, open_round, play_boards
from tests.evenings.night import record

DIRECTOR = Recorder("director")
HOWELL = {"kind": "howell", "entries": 6, "boards": 2}
MITCHELL = {"kind": "mitchell", "tables": 3, "boards": 2}


def state_of(ledger: Ledger, id: str) -> SessionState:
    state = ledger.evenings.stream(id).state
    assert isinstance(state, SessionState)
    return state


@pytest.mark.parametrize(("movement", "sits_at"), [(HOWELL, 1), (MITCHELL, 3)])
def test_the_empty_place_is_known_once_a_round_has_begun(
    ledger: Ledger, movement: dict[str, object], sits_at: int
) -> None:
    id = begun(ledger, 5, movement)
    assert empty_places(state_of(ledger, id)) == []
    open_round(ledger, id)
    assert empty_places(state_of(ledger, id)) == [EmptyPlace(6, 1, sits_at)]
    record(ledger, id, {"type": "close"})
    assert empty_places(state_of(ledger, id)) == []


def test_who_sits_down_now_gets_the_match_of_the_table(ledger: Ledger) -> None:
    id = begun(ledger, 5, HOWELL)
    others = open_round(ledger, id)
    seat_latecomers(ledger, id, 6, ("a6", "b6"), "now", DIRECTOR)
    state = state_of(ledger, id)
    matches = {result.match for at, (_, result) in state.results.items() if at[:2] == (1, 1)}
    (match,) = matches
    assert match not in others.values()
    assert ledger.stream(str(match)).table.players == ("a6", "a5", "b6", "b5")
    play_boards(ledger, id, 1)
    assert len(ledger.evenings.rankings.card(id, 6)["lines"]) == 2
    assert open_round(ledger, id).keys() == {1, 2, 3}


def test_who_begins_with_the_next_round_leaves_the_boards_of_this_one_unplayed(ledger: Ledger) -> None:
    id = begun(ledger, 5, MITCHELL)
    open_round(ledger, id)
    place = seat_latecomers(ledger, id, 6, ("a6", "b6"), "next", DIRECTOR)
    assert place.table == 3
    state = state_of(ledger, id)
    assert [(at, absent.why) for at, (_, absent) in state.absences.items()] == [((1, 3, None), "not-played")]
    play_boards(ledger, id, 1)
    assert ledger.evenings.rankings.card(id, 6)["lines"] == []
    assert open_round(ledger, id).keys() == {1, 2, 3}
    play_boards(ledger, id, 2)
    assert len(ledger.evenings.rankings.card(id, 6)["lines"]) == 2


def test_nothing_is_recorded_for_who_cannot_be_seated(ledger: Ledger) -> None:
    id = begun(ledger, 5, HOWELL)
    open_round(ledger, id)
    before = ledger.store.last_position()
    for number, players, said in (
        (4, ("x", "y"), "number 4 is no empty place: those are 6"),
        (6, ("x", "x"), "give it two different players"),
        (6, ("a1", "y"), "a1 plays for entry 1 already"),
    ):
        with pytest.raises(RuleError, match=said):
            seat_latecomers(ledger, id, number, players, "now", DIRECTOR)
    assert ledger.store.last_position() == before

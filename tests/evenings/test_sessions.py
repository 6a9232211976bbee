"""A session folded from its events: what it takes, what it refuses and why, and how corrections work."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardledger.errors import FormatError, LedgerError, RuleError
from cardledger.rules.evenings.evening_events import TYPES
from cardledger.rules.evenings.shape import event_of
from cardledger.rules.evenings.stream import EveningStream
from cardledger.rules.stream import unroll
from tests.evenings.evening import add, entries, opening, places, session, stream

MITCHELL = {"type": "movement", "kind": "mitchell", "tables": 3, "boards": 2}


def mitchell(**more: Any) -> EveningStream:
    return stream(opening(), *entries(range(1, 7)), MITCHELL | more)


def refused(evening: EveningStream, code: str, said: str, **event: Any) -> None:
    state = session(evening)
    before, seq = repr(vars(state)), evening.seq
    with pytest.raises(LedgerError, match=said) as caught:
        add(evening, **event)
    assert caught.value.code == code
    assert (repr(vars(session(evening))), evening.seq) == (before, seq)


def test_a_stream_begins_with_a_club_a_session_or_a_league() -> None:
    with pytest.raises(FormatError, match="starts with club, session or league, not with arrive") as caught:
        stream({"type": "arrive", "player": "ana"})
    assert caught.value.code == "format.open"
    evening = stream(opening())
    refused(evening, "session.phase", "takes no session", **opening())
    refused(evening, "session.phase", "takes no counts", type="counts", session="x")


def test_arrivals_and_departures_say_who_is_here() -> None:
    evening = stream(opening(), {"type": "arrive", "player": "ana"}, {"type": "arrive", "player": "ben", "guest": True})
    assert session(evening).here == {"ana": False, "ben": True}
    refused(evening, "session.player", "ana is here already", type="arrive", player="ana")
    refused(evening, "session.player", "eva is not here", type="leave", player="eva")
    add(evening, type="leave", player="ana", after=2)
    assert [*session(evening).here] == ["ben"]


def test_entries_of_one_session_share_no_player() -> None:
    evening = stream(opening(), *entries([1, 2]))
    refused(evening, "session.player", "a1 plays for entry 1 already", type="entry", number=3, players=["a1", "x"])
    refused(evening, "session.player", "two different players", type="entry", number=3, players=["x", "x"])
    refused(evening, "format.value", "expected int >= 1 at number", type="entry", number=0, players=["x", "y"])
    refused(stream(opening(unit="player")), "session.player", "one player", type="entry", number=1, players=["x", "y"])


def test_a_substitute_plays_from_the_next_round_on() -> None:
    evening = mitchell()
    add(evening, type="entry", number=1, players=["a1", "x"])
    assert session(evening).players(1, 1) == ("a1", "x")  # before any result: at once
    add(evening, type="result", round=1, table=1, board=1, score=420)
    add(evening, type="entry", number=1, players=["a1", "y"])
    assert [session(evening).players(1, round) for round in (1, 2, 3)] == [("a1", "x"), ("a1", "y"), ("a1", "y")]
    assert session(evening).everybody(1) == ("a1", "x", "y")
    add(evening, type="entry", number=7, players=["x", "z"])  # x is free from round 2 on


def test_a_late_entry_plays_from_the_round_that_is_played_now() -> None:
    evening = stream(opening(), *entries([1, 2, 3, 4, 5]), MITCHELL)
    add(evening, type="result", round=1, table=1, board=1, score=420)
    add(evening, type="result", round=2, table=2, board=5, score=420)
    add(evening, type="entry", number=6, players=["x", "y"])
    seats = [[seated.seats for seated in session(evening).tables(round).values()] for round in (1, 2)]
    assert seats == [[(1, 4), (2, 5), (3, 0)], [(1, 6), (2, 4), (3, 5)]]


def test_a_movement_gives_tables_and_leaves_empty_seats_for_who_is_missing() -> None:
    evening = stream(opening(), *entries([1, 2, 3, 4, 5]), MITCHELL)
    tables = session(evening).tables(1)
    assert {number: seated.seats for number, seated in tables.items()} == {1: (1, 4), 2: (2, 5), 3: (3, 0)}
    assert tables[2].boards == (3, 4)
    refused(evening, "session.seats", "entry 3 sits out", type="result", round=1, table=3, board=5, score=0)
    refused(evening, "session.seats", "tables are 1, 2, 3", type="result", round=1, table=4, board=5, score=0)
    refused(stream(opening()), "session.seats", "record a movement", type="result", round=1, table=1, board=1, score=0)


def test_results_are_for_boards_that_the_table_has_and_come_once() -> None:
    evening = mitchell()
    result = {"type": "result", "round": 1, "table": 1}
    refused(evening, "session.board", "say which board", **result, score=420)
    refused(evening, "session.board", "has boards 1, 2, not 3", **result, board=3, score=420)
    add(evening, **result, board=1, score=420)
    refused(evening, "session.twice", "as event 9: amend", **result, board=1, score=450)
    refused(evening, "session.twice", "as event 9: amend", type="absent", round=1, table=1, board=1, why="not-played")
    refused(evening, "session.twice", "say which board", type="absent", round=1, table=1, why="not-played")
    refused(evening, "format.value", "is no contract", **result, board=2, contract="8S", declarer=0, tricks=9)
    refused(evening, "format.key", "needs match or score or contract, not points", **result, board=2, points=[1, 2])


def test_a_match_is_the_result_of_one_table() -> None:
    evening = stream(
        opening("places", "player"),
        {"type": "table", "round": 1, "table": 1, "seats": ["a", "b", "c"]},
        {"type": "table", "round": 1, "table": 2, "seats": ["d", "e", "f"]},
        {"type": "result", "round": 1, "table": 1, "match": "m1"},
    )
    refused(evening, "session.twice", "m1 is the result of table 1", type="result", round=1, table=2, match="m1")


@pytest.mark.parametrize(
    ("keys", "code"),
    [
        ({}, "format.key"),
        ({"score": 1, "match": "m"}, "format.key"),
        ({"contract": "4S"}, "format.key"),
        ({"score": 1, "tricks": 9}, "format.key"),
        ({"score": "much"}, "format.value"),
        ({"score": 1, "colour": "red"}, "format.value"),
    ],
)
def test_a_result_has_one_form(keys: dict[str, Any], code: str) -> None:
    with pytest.raises(FormatError) as caught:
        event_of({"type": "result", "round": 1, "table": 1} | keys)
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("event", "said"),
    [
        ({"type": "adjust", "round": 1, "table": 1}, "a ruling is for a board"),
        ({"type": "adjust", "entry": 1}, "give 'entry' and 'penalty'"),
        ({"type": "adjust", "entry": 1, "penalty": 1, "ns": 60}, "or a penalty"),
        ({"type": "adjust", "round": 1, "table": 1, "board": 1, "ns": [{"weight": 50, "score": 0}]}, "add up to 100"),
        ({"type": "member", "player": "a", "from": "1 May"}, "not an ISO day"),
        ({"type": "member", "player": "a", "from": "2026-02-01", "until": "2026-01-01"}, "comes before"),
        ({"type": "amend", "about": 1, "event": {"type": "retract", "to": 1}}, "into a retract"),
        ({"type": "amend", "about": 1, "event": {"type": "result", "round": 1, "table": 1}}, "a result has one of"),
        ({"type": "dance"}, "no event of type 'dance'"),
        ("dance", "no event of type"),
    ],
)
def test_events_of_the_wrong_shape_are_refused_with_advice(event: Any, said: str) -> None:
    with pytest.raises(FormatError, match=said):
        event_of(event)


def test_a_table_set_by_hand_goes_before_the_movement() -> None:
    evening = mitchell()
    add(evening, type="table", round=1, table=1, seats=[2, 4], boards=[1, 2])
    seats = {number: seated.seats for number, seated in session(evening).tables(1).items()}
    assert seats == {1: (2, 4), 2: (0, 5), 3: (3, 6)}
    add(evening, type="table", round=1, table=2, seats=[1, 5], boards=[3, 4])
    assert session(evening).tables(1)[2].seats == (1, 5)
    refused(evening, "session.movement", "entry 2 sits at 2 places", type="table", round=1, table=3, seats=[2, 6])
    refused(evening, "session.seats", "no entry 9", type="table", round=1, table=3, seats=[3, 9])
    refused(evening, "session.seats", "number of the entry", type="table", round=1, table=3, seats=["a3", "a6"])
    refused(evening, "format.value", "expected int >= 1 at round", type="table", round=0, table=3, seats=[3, 6])
    add(evening, type="result", round=1, table=1, board=1, score=0)
    refused(evening, "session.phase", "has a result already", type="table", round=1, table=1, seats=[2, 4])
    refused(
        evening, "session.movement", "plays board 1 again", type="table", round=2, table=1, seats=[2, 6], boards=[1]
    )


def test_a_movement_may_come_again_and_the_rounds_before_stay() -> None:
    evening = mitchell()
    add(evening, type="result", round=1, table=1, board=1, score=0)
    refused(evening, "session.phase", "let the movement begin with round 2", **MITCHELL)
    refused(evening, "session.movement", "again: give other boards", **MITCHELL, **{"from": 2})
    add(evening, type="movement", kind="howell", entries=6, boards=2, first_board=7, **{"from": 2})
    assert session(evening).rounds == [1, 2, 3, 4, 5, 6]
    assert session(evening).tables(1)[1].seats == (1, 4)
    assert session(evening).tables(2)[1].seats == (6, 5)


def test_a_movement_typed_by_hand_is_checked() -> None:
    evening = stream(opening(), *entries([1, 2, 3, 4]))
    by_hand = {"type": "movement", "kind": "by_hand"}
    twice = [[{"seats": [1, 2], "boards": 1}], [{"seats": [2, 1], "boards": 2}]]
    refused(evening, "session.movement", "meet 2 times, the last in round 2", **by_hand, plan=twice)
    refused(evening, "format.key", "needs the key 'plan'", **by_hand)
    refused(evening, "format.value", "expected int >= 1 at plan", **by_hand, plan=[[{"seats": [0, 1]}]])
    refused(evening, "format.key", "needs the key 'tables'", type="movement", kind="mitchell")
    refused(evening, "format.value", "expected int >= 1 at boards", **MITCHELL | {"boards": 0})
    add(evening, **by_hand, plan=twice, again=1, boards=3)
    assert session(evening).tables(2)[1].boards == (4, 5, 6)


def test_a_line_entered_fits_the_number_in_a_mitchell() -> None:
    wrong = {"type": "entry", "number": 4, "players": ["x", "y"], "line": "ns"}
    refused(stream(opening(), MITCHELL), "session.movement", "this number sits east-west", **wrong)
    refused(stream(opening(), wrong), "session.movement", "east-west pairs go on counting", **MITCHELL)


def test_a_closed_evening_takes_rulings_and_publications_only() -> None:
    evening = mitchell()
    add(evening, type="result", round=1, table=1, board=1, score=420)
    add(evening, type="close")
    refused(evening, "session.phase", "retract event close", type="arrive", player="ana")
    add(evening, type="adjust", round=1, table=1, board=1, ns=60, ew=40, law="12C2")
    add(evening, type="publish", at_position=9)
    add(evening, type="note", text="thanks to all")
    add(evening, type="retract", to=9)
    assert session(evening).status == "open"
    assert not session(evening).rulings


def test_an_amend_counts_as_if_it_had_been_so_from_the_start() -> None:
    evening = mitchell()
    for table, board in ((1, 1), (2, 3)):
        add(evening, type="result", round=1, table=table, board=board, score=420)
    add(evening, type="amend", about=9, event={"type": "result", "round": 1, "table": 1, "board": 2, "score": -50})
    assert [key for key, _ in session(evening).results.items()] == [(1, 1, 2), (1, 2, 3)]
    refused(
        evening, "session.phase", "cannot be amended", type="amend", about=9, event={"type": "arrive", "player": "x"}
    )
    refused(
        evening,
        "session.seats",
        "if event 8 counts as amended, event 10 breaks",
        type="amend",
        about=8,
        event={"type": "movement", "kind": "by_hand", "plan": [[{"seats": [1, 4], "boards": 1}]], "boards": 2},
    )
    add(evening, type="retract", to=8)
    assert session(evening).results == {}


def test_a_result_can_be_amended_into_a_board_not_played() -> None:
    evening = mitchell()
    add(evening, type="result", round=1, table=1, board=1, score=420)
    add(evening, type="result", round=1, table=2, board=3, score=420)
    add(
        evening,
        type="amend",
        about=9,
        event={"type": "absent", "round": 1, "table": 1, "board": 1, "why": "not-played"},
    )
    assert [*session(evening).results] == [(1, 2, 3)]
    assert [*session(evening).absences] == [(1, 1, 1)]


@settings(max_examples=40)
@given(data=st.data())
def test_a_corrected_evening_is_the_one_that_its_counting_events_make(data) -> None:
    evening = mitchell()
    for _ in range(data.draw(st.integers(3, 8))):
        seq = data.draw(st.integers(8, evening.seq))
        score = data.draw(st.integers(-9, 9)) * 50
        round, table = data.draw(st.integers(1, 3)), data.draw(st.integers(1, 3))
        boards = session(evening).tables(round)[table].boards
        result = {"type": "result", "round": round, "table": table, "board": boards[score > 0], "score": score}
        choice = data.draw(
            st.sampled_from([result, result, {"type": "retract", "to": seq}, {"type": "note", "text": "x"}])
        )
        if seq > 8:
            choice = data.draw(st.sampled_from([choice, {"type": "amend", "about": seq, "event": result}]))
        with suppress(RuleError):
            add(evening, **choice)
    again = EveningStream(evening.events[0])
    for seq, event in unroll(evening.heads[-1])[1:]:
        again.table.apply(event, seq)
    assert vars(session(again)) == vars(session(evening))


def test_what_is_absent_is_not_counted_or_averaged() -> None:
    evening = mitchell()
    add(evening, type="absent", round=1, table=1, board=1, why="average")
    add(evening, type="absent", round=1, table=2, why="bye")
    refused(evening, "session.twice", "entered already", type="result", round=1, table=2, board=3, score=0)
    assert places(evening)[0] == (1, "1", 50.0)
    assert [place for _, place, _ in places(evening)] == ["1", "", "", "1", "", ""]


def test_rulings_are_for_tables_and_entries_that_there_are() -> None:
    evening = mitchell()
    ruling = {"type": "adjust", "round": 1, "table": 1, "board": 1}
    refused(evening, "session.seats", "no entry 9: entries are 1, 2", type="adjust", entry=9, penalty=1)
    refused(evening, "session.board", "not 6", **ruling | {"board": 6}, ns=60)
    refused(evening, "format.value", "0 to 100, not 120", **ruling, ns=120)
    refused(evening, "format.key", "give one", **ruling, ns=[{"weight": 100}])
    refused(
        evening,
        "format.value",
        "is no contract",
        **ruling,
        ns=[{"weight": 100, "contract": "8S", "declarer": 0, "tricks": 9}],
    )
    total = stream(opening("total", "player"), {"type": "table", "round": 1, "table": 1, "seats": ["a", "b", "c"]})
    refused(total, "format.key", "rule on the match itself", **ruling, ns=60)
    refused(total, "session.board", "leave the board out", type="result", round=1, table=1, board=1, points=[1, 2, 3])


def test_points_and_places_are_given_for_each_seat() -> None:
    evening = stream(opening("places", "player"), {"type": "table", "round": 1, "table": 1, "seats": ["a", "b", "c"]})
    result = {"type": "result", "round": 1, "table": 1}
    refused(evening, "session.seats", "points are 2, but 3 play", **result, points=[1, 2])
    refused(evening, "format.value", "1 2 2 4", **result, places=[1, 1, 2])
    add(evening, **result, places=[1, 1, 3])


def test_every_event_has_a_type_of_its_own_and_a_line_that_reads_back() -> None:
    assert {"club", "session", "league", "result", "retract", "amend", "note"} <= TYPES.keys()
    evening = mitchell()
    assert EveningStream.of(evening.events).seq == evening.seq


def test_the_code_of_a_refusal_is_stable() -> None:
    with pytest.raises(RuleError) as caught:
        add(mitchell(), type="movement", kind="howell", entries=99)
    assert caught.value.code == "session.movement"

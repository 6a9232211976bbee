"""A director's decisions on boards: what they change is known before they are recorded, and they can be taken back."""

from __future__ import annotations

from typing import Any

import pytest

from cardledger.errors import FormatError, LedgerError, RuleError
from cardledger.record.recording.directing import (
    Meant,
    Ruled,
    boards_at_tables,
    decisions,
    left_open,
    meant_boards,
    not_played,
    ruling,
    taking_back,
)
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.evenings import evening_events as ev
from cardledger.rules.evenings.award_words import award_of, written
from tests.evenings.bridge import Made, begun, open_round, score_table
from tests.evenings.evening import add, entries, opening, session, stream
from tests.evenings.night import record
from tests.evenings.test_sessions import refused

MITCHELL = {"kind": "mitchell", "tables": 3, "boards": 2}


@pytest.fixture
def evening(ledger: Ledger) -> str:
    """An evening of six pairs: round 1 is over, but for board 4 at table 2 and board 6 at table 3."""
    id = begun(ledger, 6, MITCHELL)
    matches = open_round(ledger, id)
    score_table(ledger, matches[1], {1: Made("4S", 0, 10), 2: Made("3NT", 1, 8)})
    score_table(ledger, matches[2], {3: Made("2H", 2, 8)})
    score_table(ledger, matches[3], {5: Made("1NT", 3, 7)})
    return id


@pytest.fixture
def compared(ledger: Ledger, evening: str) -> str:
    """The same evening after round 2, in which every board was played: four boards have two results."""
    tables = ledger.evenings.stream(evening).state.tables(2)
    for table, match in open_round(ledger, evening).items():
        score_table(ledger, match, {board: Made("3NT", table, 9) for board in tables[table].boards})
    return evening


def recorded(ledger: Ledger, id: str, directed: Any) -> None:
    ledger.evenings.record(id, directed.events, directed.seq, "director", as_written=False)


def totals(ledger: Ledger, id: str) -> dict[int, str]:
    return {row["entry"]: row.get("percent", row["total"]) for row in ledger.evenings.rankings.ranking(id).rows}


# --- absences


def test_a_board_that_its_match_has_not_played_can_be_absent_and_is_played_if_it_comes_after_all(
    ledger: Ledger, evening: str
) -> None:
    absent = {"type": "absent", "round": 1, "table": 2, "board": 4, "why": "not-played"}
    record(ledger, evening, absent)
    assert left_open(ledger, ledger.evenings.stream(evening).state, 1, 2) == []
    with pytest.raises(RuleError, match="entered already"):
        record(ledger, evening, absent)
    with pytest.raises(RuleError, match="has played board 3 in round 1: rule on it") as refused:
        record(ledger, evening, absent | {"board": 3})
    assert refused.value.code == "session.twice"
    match = ledger.evenings.stream(evening).state.results[1, 2, 4][1].match
    score_table(ledger, match, {4: Made("4H", 0, 10)})
    (board,) = [one for one in ledger.evenings.rankings.travellers(evening) if one["board"] == 4]
    assert [line["score"] for line in board["lines"]] == [620]


def test_a_whole_table_can_be_absent_before_or_after_its_match_is_opened() -> None:
    whole = {"type": "absent", "round": 1, "table": 1, "why": "not-played"}
    result = {"type": "result", "round": 1, "table": 1, "board": 1, "match": "m1"}
    for first, second in ((whole, result), (result, whole)):
        night = stream(opening(), *entries(range(1, 7)), {"type": "movement", **MITCHELL})
        add(night, **first)
        add(night, **second)
        assert [*session(night).results] == [(1, 1, 1)]
        assert [*session(night).absences] == [(1, 1, None)]
        refused(night, "session.twice", "entered already", type="result", round=1, table=1, board=2, score=50)


def test_boards_not_played_are_said_for_one_table_or_for_all_and_what_is_played_stays(
    ledger: Ledger, evening: str
) -> None:
    directed = not_played(ledger, evening, Meant(round=1, table=3))
    assert [(one.table, one.board) for one in directed.boards] == [(3, 6)]
    recorded(ledger, evening, directed)
    everywhere = not_played(ledger, evening, Meant(board=4), "average")
    recorded(ledger, evening, everywhere)
    assert [one.open for one in boards_at_tables(ledger, evening)] == [False] * 6
    with pytest.raises(RuleError, match="was said not to be played there already"):
        not_played(ledger, evening, Meant(board=6))
    with pytest.raises(RuleError, match="has a result there already: give a ruling"):
        not_played(ledger, evening, Meant(1, 1, 2))


def test_a_decision_names_a_board_or_a_table_with_its_round() -> None:
    with pytest.raises(RuleError, match="say which board is meant"):
        meant_boards([], Meant(table=1))
    with pytest.raises(RuleError, match="nobody plays table 1 board 9"):
        meant_boards([], Meant(table=1, board=9))


def test_an_evening_without_boards_has_no_rulings_on_them(ledger: Ledger) -> None:
    id = begun(ledger, 6, MITCHELL, scoring={"kind": "total"})
    with pytest.raises(RuleError, match="without boards"):
        boards_at_tables(ledger, id)


# --- rulings


def test_what_a_ruling_changes_is_known_before_it_is_recorded(ledger: Ledger, compared: str) -> None:
    before = totals(ledger, compared)
    directed = ruling(ledger, compared, Meant(1, 2, 3), Ruled("A+", "A-", "12C2", "misinformation"))
    assert totals(ledger, compared) == before, "nothing is recorded yet"
    expected = {row.entry: row.total_now for row in directed.changes}
    assert expected
    recorded(ledger, compared, directed)
    rows = {row["entry"]: row["total"] for row in ledger.evenings.rankings.ranking(compared).rows}
    assert {entry: rows[entry] for entry in expected} == expected
    (line, _) = next(one["lines"] for one in ledger.evenings.rankings.travellers(compared) if one["board"] == 3)
    assert (line["ns_award"], line["ew_award"]) == ({"percent": "60.00"}, {"percent": "40.00"})


def test_a_second_ruling_on_a_board_amends_the_first_and_the_same_again_is_nothing(
    ledger: Ledger, evening: str
) -> None:
    recorded(ledger, evening, ruling(ledger, evening, Meant(1, 2, 3), Ruled("A+", "A-")))
    recorded(ledger, evening, ruling(ledger, evening, Meant(1, 2, 3), Ruled("60% 2H S =, 40% -50")))
    ((_, only),) = decisions(ledger.evenings.stream(evening))
    assert isinstance(only, ev.EveningAdjust)
    assert written(only.ns or 0) == "60% 2H S 8, 40% -50"
    with pytest.raises(LedgerError, match="ruled already"):
        ruling(ledger, evening, Meant(1, 2, 3), Ruled("60% 2H S =, 40% -50"))


def test_a_ruling_is_taken_back_alone(ledger: Ledger, compared: str) -> None:
    before = totals(ledger, compared)
    recorded(ledger, compared, ruling(ledger, compared, Meant(1, 2, 3), Ruled("A+", "A-")))
    ruled = ledger.evenings.stream(compared).seq
    recorded(ledger, compared, not_played(ledger, compared, Meant(board=6)))
    record(ledger, compared, {"type": "close"})
    directed = taking_back(ledger, compared, ruled, "they had the right explanation")
    assert directed.changes
    recorded(ledger, compared, directed)
    state = ledger.evenings.stream(compared).state
    assert (state.rulings, state.status) == ([], "closed"), "what came later stays"
    assert totals(ledger, compared) == before
    assert [type(event) for _, event in decisions(ledger.evenings.stream(compared))] == [ev.Absent]
    with pytest.raises(RuleError, match="no ruling and no absence that counts"):
        taking_back(ledger, compared, ruled)


def test_an_absence_is_taken_back_to_the_match_or_to_the_result_before_it(ledger: Ledger, evening: str) -> None:
    recorded(ledger, evening, not_played(ledger, evening, Meant(board=4)))
    recorded(ledger, evening, taking_back(ledger, evening, ledger.evenings.stream(evening).seq))
    assert left_open(ledger, ledger.evenings.stream(evening).state, 1, 2) == [4]
    seq = ledger.evenings.stream(evening).state.results[1, 2, 4][0]
    absent = {"type": "absent", "round": 1, "table": 2, "board": 4, "why": "average"}
    record(ledger, evening, {"type": "amend", "about": seq, "event": absent})
    recorded(ledger, evening, taking_back(ledger, evening, seq))
    assert ledger.evenings.stream(evening).state.results[1, 2, 4][1].match


def test_only_rulings_and_absences_are_amended_into_notes() -> None:
    night = stream(opening(), *entries(range(1, 7)), {"type": "movement", **MITCHELL})
    add(night, type="result", round=1, table=1, board=1, score=50)
    refused(
        night,
        "session.phase",
        "cannot be amended into a note",
        type="amend",
        about=night.seq,
        event={"type": "note", "text": "x"},
    )


def test_a_round_that_is_set_again_takes_its_decisions_with_it(ledger: Ledger) -> None:
    id = begun(ledger, 6, {"kind": "swiss", "boards": 2})
    open_round(ledger, id)
    recorded(ledger, id, not_played(ledger, id, Meant(round=1, table=2)))
    recorded(ledger, id, ruling(ledger, id, Meant(1, 1, 1), Ruled("A", "A")))
    ledger.evenings.rounds.take_back(id, "director", 1)
    state = session(ledger.evenings.stream(id))
    assert (state.absences, state.rulings, state.round) == ({}, [], 0)
    assert open_round(ledger, id).keys() == {1, 2, 3}


# --- awards in words


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("A+", "60%"), ("average plus", "60%"), ("a", "50%"), ("Ave-", "40%"), ("A−", "40%"), ("62,5 %", "62.5%"), ("4S N 10", "4S N 10"),
        ("4sn+1", "4S N 11"), ("3NTx W -1", "3NTX W 8"), ("2♥ east =", "2H E 8"), ("1c s 2x", None), ("pass", "pass"),
        ("+50", "+50"), ("420", "+420"), ("0", "0"), ("60% of 420 and 40% of -50", "60% +420, 40% -50"),
        ("50", None), ("55", None), ("60% 420, 30% -50", None), ("4S Q 10", None), ("4S N 4", None), ("120%", None), ("", None),
        ("7NT N +1", None),
    ],
)  # fmt: skip
def test_awards_are_read_as_directors_write_them_and_nothing_is_guessed(text: str, said: str | None) -> None:
    if said is None:
        with pytest.raises(FormatError):
            award_of(text, 1)
    else:
        assert written(award_of(text, 1)) == said
        assert award_of(said, 1) == award_of(text, 1)


def test_a_seat_may_have_the_word_of_another_language() -> None:
    assert written(award_of("4P O =", 1, "de")) == "4S E 10"


@pytest.mark.parametrize(("said", "awards"), [("A+/A-", (60, 40)), ("60/40", (60, 40)), ("65 % : 35 %", (65, 35))])
def test_what_both_sides_get_may_stand_together(
    ledger: Ledger, evening: str, said: str, awards: tuple[int, int]
) -> None:
    directed = ruling(ledger, evening, Meant(1, 1, 1), Ruled(said))
    assert [(event.ns, event.ew) for event in directed.events] == [awards]


def test_a_board_not_played_gets_no_ruling(ledger: Ledger, evening: str) -> None:
    with pytest.raises(FormatError, match="say that it was not played"):
        ruling(ledger, evening, Meant(1, 1, 1), Ruled("Not played"))

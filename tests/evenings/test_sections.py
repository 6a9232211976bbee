"""Sections of one evening: side by side, one ranking or one each, compared with all or among themselves."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from cardledger.cli import main as cli
from cardledger.errors import RuleError
from cardledger.record.matches.describe import evening_event_in_words
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.evenings import evening_events as ev
from cardledger.rules.evenings.plan import plan
from cardledger.rules.evenings.standings import as_printed
from cardledger.rules.evenings.stream import EveningStream
from tests.evenings import night
from tests.evenings.evening import add, entries, opening, ranking, session, stream
from tests.evenings.night import record

if TYPE_CHECKING:
    from pathlib import Path


def begun(kind: str = "howell", sections: tuple[int, ...] = (2, 2), **keys: Any) -> EveningStream:
    evening = stream(opening(), *entries(range(1, 2 * sum(sections) + 1)))
    add(evening, type="movement", kind=kind, sections=[*sections], shared=True, **keys)
    return evening


def scored(evening: EveningStream) -> EveningStream:
    """Score every board of every round: the lower table number has the better score for north-south."""
    state = session(evening)
    for round in state.rounds:
        for table, seated in state.tables(round).items():
            for board in seated.boards:
                add(evening, type="result", round=round, table=table, board=board, score=500 - 10 * table)
    return evening


@pytest.mark.parametrize(("kind", "rounds"), [("howell", 13), ("mitchell", 7)])
def test_two_sections_of_seven_tables_play_the_same_boards(kind: str, rounds: int) -> None:
    schedule = plan(ev.Movement(kind=kind, sections=(7, 7), boards=2))  # type: ignore[arg-type]
    assert (len(schedule.rounds), schedule.entries) == (rounds, 28)
    for tables in schedule.rounds:
        first, second = tables[:7], tables[7:]
        assert [table.boards for table in first] == [table.boards for table in second]
        assert [tuple(n + 14 for n in table.seats) for table in first] == [table.seats for table in second]


def test_sections_of_different_sizes_stop_together() -> None:
    schedule = plan(ev.Movement(kind="mitchell", even="share", sections=(7, 6), arrow_switch=1))
    assert [len(tables) for tables in schedule.rounds] == [13] * 6
    assert all(table.seats[0] > 7 for table in schedule.rounds[-1][:7]), "the lines change seats in the last round"
    assert all(table.seats[0] > 20 for table in schedule.rounds[-1][7:])


@pytest.mark.parametrize(
    "movement",
    [
        {"kind": "swiss", "sections": [4, 4]},
        {"kind": "howell", "sections": [7]},
        {"kind": "howell", "sections": [7, 1]},
        {"kind": "howell", "sections": [2] * 9},
        {"kind": "mitchell", "sections": [2, 3]},
    ],
)
def test_sections_that_cannot_be_played_are_refused(movement: dict[str, Any]) -> None:
    evening = stream(opening(), *entries(range(1, 17)))
    before = session(evening).planned
    with pytest.raises(RuleError, match=r"session\.movement|section|Mitchell"):
        add(evening, type="movement", **movement)
    assert session(evening).planned == before


def test_tables_carry_the_letter_of_their_section() -> None:
    state = session(begun(sections=(2, 3)))
    assert [state.table_name(1, table) for table in range(1, 7)] == ["A1", "A2", "B1", "B2", "B3", "6"]
    assert [state.section(entry) for entry in (1, 4, 5, 10, 11)] == ["A", "A", "B", "B", None]
    plain = session(stream(opening(), *entries(range(1, 5))))
    assert (plain.table_name(1, 2), plain.section(1)) == ("2", None)


def test_one_ranking_over_all_or_one_for_each() -> None:
    one = ranking(scored(begun()))
    assert {each.section for each in one} == {None} and len({each.place for each in one if "1" in each.place}) == 1
    each = ranking(scored(begun(rank="section")))
    assert [row.section for row in each] == ["A"] * 4 + ["B"] * 4
    assert [row.place.rstrip("=") for row in each].count("1") >= 2
    rows = as_printed(each, session(begun()).opening.scoring)
    assert (rows[0]["section"], rows[-1]["section"]) == ("A", "B")
    assert "section" not in as_printed(one, session(begun()).opening.scoring)[0]


def test_a_result_is_compared_with_all_tables_or_with_those_of_its_section() -> None:
    def top(compare: str) -> set[int]:
        return {int(score.points.top) for each in ranking(scored(begun(compare=compare))) for score in each.scores}

    assert top("all") == {2 * (4 - 1)}, "four tables play each board"
    assert top("section") == {2 * (2 - 1)}


def test_two_winners_of_each_section() -> None:
    evening = scored(begun("mitchell", (3, 3), rank="section"))
    groups = dict.fromkeys(each.group for each in ranking(evening))
    assert [*groups] == [("A", "ns"), ("A", "ew"), ("B", "ns"), ("B", "ew")]


def test_what_is_said_of_a_table_names_it_by_its_section() -> None:
    evening = begun()
    add(evening, type="result", round=1, table=4, board=3, score=420)
    state = session(evening)
    result = evening.events[-1]
    assert evening_event_in_words(result, at=state.table_name) == "round 1, table B2, board 3: 420 for north-south"
    amended = ev.EveningAmend(about=evening.seq, event=ev.Result(round=1, table=4, board=3, score=430))
    assert "table B2" in evening_event_in_words(amended, at=state.table_name)
    with pytest.raises(RuleError, match="table B2 in round 1, board 3, is entered already"):
        add(evening, type="result", round=1, table=4, board=3, score=420)
    with pytest.raises(RuleError, match="table B2 in round 1 has boards"):
        add(evening, type="result", round=1, table=4, board=9, score=420)


def test_the_command_line_names_tables_by_their_section(tmp_path: Path) -> None:
    path = str(tmp_path / "club.db")
    with Ledger(path) as ledger:
        plan = {"type": "movement", "kind": "howell", "sections": [2, 2], "shared": True}
        pairs = [{"type": "entry", "number": n, "players": [f"Nord {n}", f"Sued {n}"]} for n in range(1, 9)]
        bridge = {"game": "bridge", "unit": "pair", "scoring": {"kind": "matchpoints"}, "name": "Sections"}
        record(ledger, None, night.opening() | bridge, *pairs, plan)
    shown = CliRunner().invoke(cli.main, ["evening", "round", "Sections", "--open", "--db", path]).stdout
    assert re.findall(r"^table (\w+):", shown, re.MULTILINE) == ["A1", "A2", "B1", "B2"]
    ruled = CliRunner().invoke(
        cli.main, ["evening", "ruling", "Sections", "--board", "3", "--ns", "A+", "--ew", "A-", "--yes", "--db", path]
    )
    assert re.findall(r"table (\w+), board 3", ruled.stdout)[-1].startswith("B"), ruled.output
    listed = CliRunner().invoke(cli.main, ["evening", "rulings", "Sections", "--db", path]).stdout
    assert "table B" in listed and "table 4" not in listed

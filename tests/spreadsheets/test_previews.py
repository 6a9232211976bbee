"""What a sheet says is shown, and stored as it was written: every layout, every game, every problem with its cell."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cardledger.errors import FormatError
from cardledger.formats.spreadsheets.cells import SheetError
from cardledger.formats.spreadsheets.preview import Preview
from cardledger.formats.spreadsheets.storing import store
from cardledger.formats.spreadsheets.wishes import Wishes
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.engine import events as match_events
from cardledger.rules.games import games
from tests.spreadsheets.paper import (
    DAY,
    LAYOUTS,
    NEW,
    SAMPLES,
    Played,
    as_csv,
    by_column,
    by_hand,
    evening,
    found,
    shown,
    totals,
)

FILES = sorted(path for path in SAMPLES.iterdir() if path.suffix in (".csv", ".xlsx"))
HEARTS = evening("hearts", 4, 1)


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory):
    """A ledger into which nothing is stored."""
    with Ledger(tmp_path_factory.mktemp("empty") / "club.db") as ledger:
        yield ledger


def recorded(ledger: Ledger, preview: Preview) -> list[Played]:
    """What a stored preview's evening gave, table by table."""
    made = []
    for table in preview.tables:
        hands = ()
        if table.match is not None:
            hands = tuple(tuple(hand.scores) for hand in ledger.stream(table.match).table.hands)
        made.append(Played(table.round, table.number, table.players, hands))
    return made


# --- the samples, and every layout and game


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_sample_is_stored_without_a_question_and_again_stores_nothing(path: Path, ledger: Ledger) -> None:
    preview = shown(ledger, path.read_bytes(), name=path.name)
    assert preview.ready, (preview.problems, preview.questions)
    stored = store(preview, ledger, "tests")
    assert stored.new == preview.new > 0
    ranking = ledger.evenings.rankings.ranking(stored.sessions[0]).rows
    assert {player for table in preview.tables for player in table.players} == {row["players"][0] for row in ranking}
    again = shown(ledger, path.read_bytes(), name=path.name)
    assert (again.ready, again.new, again.evenings[0].session) == (True, 0, stored.sessions[0])
    assert f"`evenings/{path.name}`" in (SAMPLES.parent / "README.md").read_text()


@pytest.mark.parametrize("game", games())
def test_hands_of_every_game_are_stored_as_they_were_written(game: str, ledger: Ledger) -> None:
    made = evening(game, games()[game].players[0], 7, tables=1)
    preview = shown(ledger, by_column(game, made))
    assert preview.ready, preview.problems
    store(preview, ledger, "tests")
    assert recorded(ledger, preview) == made
    (table,) = preview.tables
    match = ledger.stream(str(table.match)).table
    assert match.status in ("complete", "ended")
    assert tuple(match.totals) == table.totals


@settings(max_examples=12)
@given(
    game=st.sampled_from(("hearts", "diamonds-bid", "whist")),
    seed=st.integers(0, 50),
    hands=st.integers(1, 5),
    layout=st.sampled_from([*LAYOUTS]),
    delimiter=st.sampled_from(",;\t"),
    encoding=st.sampled_from(("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252")),
)
def test_a_made_evening_in_each_layout_gives_the_same_points(
    game: str, seed: int, hands: int, layout: str, delimiter: str, encoding: str, empty: Ledger
) -> None:
    made = evening(game, 4, seed, hands=hands)
    preview = shown(empty, as_csv(LAYOUTS[layout](game, made), delimiter, encoding))
    assert preview.ready, preview.problems
    assert [found.layout for found in preview.recognised] == [layout]
    for table, played in zip(preview.tables, made, strict=True):
        assert table.players == played.players
        assert table.totals == tuple(map(sum, zip(*played.hands, strict=True)))
        assert layout == "totals" or table.hands == played.hands


@settings(max_examples=20)
@given(
    table=st.integers(0, 1), seat=st.integers(0, 3), hand=st.integers(0, 2), layout=st.sampled_from(("hands", "columns")),
    change=st.sampled_from(("text", "nothing", "fraction", "enormous", "nan")),
)  # fmt: skip
def test_a_changed_cell_is_named_with_its_address(
    table: int, seat: int, hand: int, layout: str, change: str, empty: Ledger
) -> None:
    rows = LAYOUTS[layout]("hearts", HEARTS)
    if layout == "hands":
        row, column = 1 + table * 12 + hand * 4 + seat, 6
    else:
        row, column = 4 + table * 6 + seat, 1 + hand
    assume(change != "nothing" or rows[row][column] != 0)  # an empty cell is a 0 where the sums say so
    rows[row][column] = {"text": "many", "nothing": "", "fraction": "2,5", "enormous": "9" * 30, "nan": "NaN"}[change]
    address = f"{'ABCDEFG'[column]}{row + 1}"
    code = "sheet.empty" if change == "nothing" else "sheet.number"
    assert found(shown(empty, rows)) == [(code, address)]


def test_a_cell_that_cannot_be_read_hides_no_other_problem(empty: Ledger) -> None:
    rows = by_column("hearts", HEARTS)
    rows[4][1], rows[5][2], rows[6][4] = "many", rows[5][2] + 1, 99
    del rows[0]
    assert set(found(shown(empty, rows))) == {
        ("sheet.date", None), ("sheet.points", "C4"), ("sheet.number", "B4"), ("sheet.sum", "E5"), ("sheet.sum", "E6"),
    }  # fmt: skip


def test_points_that_do_not_add_up_are_named_with_total_and_hand(empty: Ledger) -> None:
    rows = by_column("hearts", HEARTS)
    rows[4][1] += 1
    assert found(shown(empty, rows)) == [("sheet.points", "B5"), ("sheet.sum", "E5")]
    rows[4][4] += 1
    assert found(shown(empty, rows)) == [("sheet.points", "B5")]
    assert shown(empty, rows, NEW._replace(as_written=True)).ready


@pytest.mark.parametrize(
    ("game", "points", "option"),
    [
        ("hearts", (-26, 0, 0, 0), "moon=self"), ("hearts", (3, 0, 0, 13), "jack=true"),
        ("whist", (9, 4, 9, 4), "scoring=all"), ("hearts", (13, 12, 0, 0), None),
    ],
)  # fmt: skip
def test_an_option_under_which_the_points_would_be_right_is_named(
    game: str, points: tuple[int, ...], option: str | None, empty: Ledger
) -> None:
    rows = [["Date", DAY], ["Game", game], ["Player", 1], *([name, each] for name, each in zip("ABCD", points, strict=True))]  # fmt: skip
    (problem,) = shown(empty, rows).problems
    assert problem.code == "sheet.points"
    assert (f"with the option {option}: " if option else "; correct") in problem.message
    if option:
        name, _, value = option.partition("=")
        wished = NEW._replace(options={name: True if value == "true" else value})
        # Points of all tricks need a number of hands too, and that is said.
        assert "sheet.points" not in [code for code, _ in found(shown(empty, rows, wished))]


# --- problems, all at once


def test_all_problems_come_at_once_each_with_code_cell_and_advice(empty: Ledger) -> None:
    rows = [
        ["date", "game", "table", "hand", "player", "seat", "points"],
        ["3/4/2026", "hearts", 1, 1, "Ana", 1, 5],
        ["", "", 1, 1, "Bela", 1, 8],
        ["", "", 1, 1, "Cem", 3, "x"],
        ["", "", 1, 1, "Dov", 4, 0],
        ["", "", 2, 1, "Ana", "", 13],
        ["", "", 2, 1, "Eva", "", 13],
        ["", "", 2, 1, "\u200bFay", "", 0],
        ["", "", "none", 1, "Gus", "", 0],
    ]
    preview = shown(empty, rows)
    assert set(found(preview)) == {
        ("sheet.date", "A2"), ("sheet.seat", "F3"), ("sheet.number", "G4"), ("sheet.twice", "E6"),
        ("sheet.players", "E6"), ("sheet.name", "E8"), ("sheet.number", "C9"),
    }  # fmt: skip
    for problem in preview.problems:
        assert re.search(r"[:,] \S", problem.message), problem
        assert str(problem).startswith(f"night.csv, cell {problem.cell}: {problem.code}: ")
    with pytest.raises(SheetError):
        store(preview, empty, "tests")
    assert empty.store.last_position() == 0


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        ([["Date", DAY], ["Game", "chess"], ["player", "points"], ["Ana", 1], ["Bela", 2]], ("sheet.game", "B2")),
        ([["player", "points"], ["Ana", 1], ["Bela", 2]], ("sheet.date", None)),
        ([["Date", DAY], ["Ana", 1], ["Bela", 2]], ("sheet.layout", "A2")),
        ([["player", "points"]], ("sheet.empty", None)),
        ([["Date", DAY], ["Game", "hearts"], ["player", "place"], ["A", 1], ["B", 2], ["C", 2], ["D", 3]], ("sheet.place", "B7")),
        ([["Date", DAY], ["Game", "hearts"], ["player", 1, 3], ["A", 13, 0], ["B", 13, 0], ["C", 0, 13], ["D", 0, 13]], ("sheet.hand", "C4")),
        ([["Date", DAY], ["Game", "hearts"], ["player", 1], ["A", 13], ["B", 13], ["C", 0], ["D", 0], ["Total", 27]], ("sheet.sum", "B8")),
        ([["Date", DAY], ["Game", "diamonds-draw"], ["player", 1, 2], ["A", 34, 30], ["B", 0, 4]], None),
        ([["Date", DAY], ["Game", "diamonds-draw"], ["player", *range(1, 6), "total"], ["A", *[30] * 5, 150], ["B", *[4] * 5, 20]], ("sheet.hand", "F4")),
        ([["Date", DAY], ["Game", "whist"], ["player", "points"], ["A", 8], ["B", 5], ["C", 6], ["D", 5]], ("sheet.partners", "B6")),
        ([["Date", DAY], ["Game", "whist"], ["player", 1], ["A", 1], ["B", 0], ["C", 0], ["D", 0]], ("sheet.partners", "B6")),
        ([["Date", DAY], ["Game", "oh-hell"], ["player", "hand", "points", "tricks"], *([name, 1, 10, 1] for name in "ABCD")], ("sheet.tricks", "B4")),
    ],
)  # fmt: skip
def test_a_problem_is_named_by_its_code(
    rows: list[list[object]], problem: tuple[str, str | None] | None, empty: Ledger
) -> None:
    assert found(shown(empty, rows)) == ([problem] if problem else [])


def test_options_of_the_game_let_a_longer_match_be(empty: Ledger) -> None:
    rows = [["Date", DAY], ["Game", "diamonds-draw"], ["player", *range(1, 6)], ["A", *[30] * 5], ["B", *[4] * 5]]
    assert shown(empty, rows, NEW._replace(options={"target": 200}, columns="hands")).ready


# --- names


def test_a_name_that_nobody_has_is_a_question_with_likely_players(ledger: Ledger) -> None:
    store(shown(ledger, by_hand("hearts", HEARTS)), ledger, "tests")
    rows = totals("hearts", [Played(1, 1, ("ana", "Bella", "Zoltan", "Dov"), ((0, 13, 13, 0),))])
    for row in rows[1:]:
        row[0] = "2026-01-13"
    asked = shown(ledger, rows, Wishes())
    assert [(question.name, question.cells, question.likely) for question in asked.questions] == [
        ("ana", ("D2",), ("Ana",)), ("Bella", ("D3",), ("Bela",)), ("Zoltan", ("D4",), ()),
    ]  # fmt: skip
    assert not asked.ready
    with pytest.raises(FormatError, match="nobody is called ana, Bella, Zoltan"):
        store(asked, ledger, "tests")
    assert [question.name for question in shown(ledger, rows).questions] == ["ana", "Bella"]
    answered = shown(ledger, rows, Wishes(names={"ana": "Ana", "Bella": "new", "Zoltan": "new"}))
    assert answered.ready
    assert answered.tables[0].players == ("Ana", "Bella", "Zoltan", "Dov")
    assert found(shown(ledger, rows, NEW._replace(names={"ana": "nobody", "*": "new"})))[0] == ("sheet.name", "D2")


# --- the evening


def test_results_belong_to_the_evening_that_is_recorded_and_differences_are_named(ledger: Ledger) -> None:
    first = shown(ledger, by_column("hearts", HEARTS))
    store(first, ledger, "tests")
    rows = by_column("hearts", [HEARTS[0]._replace(number=1, hands=(*HEARTS[0].hands[:2], (26, 0, 26, 26)))])
    changed = shown(ledger, rows)
    assert (changed.evenings[0].session, found(changed)) == (first.evenings[0].session, [("sheet.differs", "D5")])
    others = shown(ledger, by_column("hearts", HEARTS[::-1]))
    assert found(others) == [("sheet.differs", "A5"), ("sheet.differs", "A11")]


def test_a_sheet_fills_the_tables_that_were_opened_by_tapping(ledger: Ledger) -> None:
    from tests.evenings.night import opening, record

    players = [player for table in HEARTS for player in table.players]
    arrivals = ({"type": "arrive", "player": player} for player in players)
    session = record(ledger, None, opening(game="hearts", date=DAY, scoring={"kind": "total"}), *arrivals)
    opened = ledger.evenings.rounds.open(session, "tests", tables=[table.players for table in HEARTS])
    preview = shown(ledger, by_column("hearts", HEARTS), Wishes())
    assert preview.ready, preview.problems
    assert [table.match for table in preview.tables] == [table.match for table in opened]
    assert preview.evenings[0].events == ()
    store(preview, ledger, "tests")
    assert recorded(ledger, preview) == HEARTS


def test_storing_again_after_a_crash_stores_the_rest(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    preview = shown(ledger, by_column("hearts", HEARTS))
    record, left = ledger.record, [1]

    def crash(*given: object):
        if not left:
            raise KeyboardInterrupt
        left.pop()
        return record(*given)

    with monkeypatch.context() as patch:
        patch.setattr(ledger, "record", crash)
        with pytest.raises(KeyboardInterrupt):
            store(preview, ledger, "tests")
    later = shown(ledger, by_column("hearts", HEARTS))
    assert later.ready, later.problems
    assert 0 < later.new < preview.new
    for each in (later, preview, preview):
        store(each, ledger, "tests")
    assert recorded(ledger, preview) == HEARTS
    assert shown(ledger, by_column("hearts", HEARTS)).new == 0


def test_bids_and_tricks_are_recorded_and_checked(ledger: Ledger) -> None:
    rows = [["Date", DAY], ["Game", "spades"], ["player", "hand", "bid", "points"]]
    rows += [[name, 1, bid, points] for name, bid, points in zip("ABCD", (0, 3, 4, 2), (141, 50, 141, 50), strict=True)]
    rows[4][3] = rows[6][3] = 53
    preview = shown(ledger, rows)
    assert preview.ready, preview.problems
    store(preview, ledger, "tests")
    events = ledger.events(str(preview.tables[0].match))
    said = [event for event in events if isinstance(event, match_events.Bid | match_events.Call)]
    assert [getattr(event, "amount", "nil") for event in said] == [3, 4, 2, "nil"]
    rows[4][2] = ""
    assert found(shown(ledger, rows)) == [("sheet.empty", "D5")]

"""A season in one sheet is several evenings, each on its own day: all are stored, or none, and a new column adds one."""

from __future__ import annotations

import pytest

from cardledger.formats.spreadsheets.storing import store
from cardledger.record.recording.ledger import Ledger
from tests.spreadsheets.paper import NEW, Rows, as_xlsx, found, shown
from tests.spreadsheets.seasons import DAYS, LAYOUTS, head, matrix, outcome, season, turned, winners

HEARTS = season("hearts", 1)


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory):
    """A ledger into which nothing is stored."""
    with Ledger(tmp_path_factory.mktemp("empty") / "club.db") as ledger:
        yield ledger


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_season_in_a_layout_is_read_right_in_one_step(layout: str, empty: Ledger) -> None:
    for game in ("hearts", "whist", "oh-hell"):
        made = season(game, 2)
        said = outcome(shown(empty, head(made, LAYOUTS[layout](made))), made, layout)
        assert said == "right" or (said == "sheet.ambiguous" and "running" in layout), game


def test_a_season_is_stored_evening_by_evening_and_a_new_column_adds_one(ledger: Ledger) -> None:
    made = season("hearts", 1, evenings=4)
    first = made._replace(evenings=made.evenings[:3])
    stored = store(shown(ledger, head(first, matrix(first))), ledger, "tests")
    assert len(stored.sessions) == 3
    assert [ledger.evenings.stream(id).state.opening.date for id in stored.sessions] == [*DAYS[:3]]
    again = shown(ledger, head(first, matrix(first)))
    assert (again.ready, again.new) == (True, 0)
    rows = head(made, matrix(made))
    more = shown(ledger, [*rows[:3], *sorted(rows[3:], key=lambda row: row[-1])])  # sorted by totals now
    assert [evening.opens for evening in more.evenings] == [False, False, False, True]
    assert [evening.new > 0 for evening in more.evenings] == [False, False, False, True]
    later = store(more, ledger, "tests")
    assert later.sessions[:3] == stored.sessions
    ranking = ledger.evenings.rankings.ranking(later.sessions[3]).rows
    assert next(row["players"][0] for row in ranking) == made.ranked(3)[0][1]  # fewest points win at hearts


def test_a_changed_evening_of_a_stored_season_is_named_and_nothing_is_stored(ledger: Ledger) -> None:
    store(shown(ledger, head(HEARTS, matrix(HEARTS, total=""))), ledger, "tests")
    before = ledger.store.last_position()
    first, *others = HEARTS.evenings
    name = next(iter(first))
    changed = season("hearts", 1, evenings=4)._replace(
        evenings=({**first, name: first[name] + 1}, *others, dict(first)),
    )
    preview = shown(ledger, head(changed, matrix(changed, total="")))
    assert [code for code, _ in found(preview)] == ["sheet.differs"]
    assert ledger.store.last_position() == before


def season_of(*lines: list[object]) -> Rows:
    return [["Game", "hearts"], ["Player", "2026-01-06", "2026-01-13", "Total"], *lines]


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        (season_of(["Ana", 5, 8, 13], ["Bo", 21, 18, 40]), ("sheet.sum", "D4")),
        (season_of(["Ana", 5, 8, 13], ["Bo", 21, 18, 39], ["Total", 26, 27, 52]), ("sheet.sum", "C5")),
        (season_of(["Ana", 5, 8, 13], ["Bo", 21, 18, 39], ["Total", 26, 26, 53]), ("sheet.sum", "D5")),
        (season_of(["Ana", 5, 8, 13], ["Bo", 21, "ill", 21]), ("sheet.number", "C4")),
        (season_of(["Ana", 5, 8, 13], ["Bo", 21, 18, 39], ["13 came", "", "", ""]), ("sheet.unread", "A5")),
        (season_of(["Ana", 5, 8, 13, 7], ["Bo", 21, 18, 39]), ("sheet.unread", "E3")),
        ([["Player", "6 Jan 2026", "6 Jan 2026"], ["Ana", 1, 2], ["Bo", 3, 1]], ("sheet.twice", "A2")),
        ([["Player", "6 Jan 2026", "3/4/2026"], ["Ana", 1, 2], ["Bo", 3, 1]], ("sheet.unread", "C1")),
        ([["Pos", "Player", "6 Jan 2026", "7 Jan 2026"], [2, "Ana", 1, 2], [2, "Bo", 3, 1]], ("sheet.place", "A2")),
        ([["Player", "6 Jan 2026", "7 Jan 2026"], ["Ana", 1, 3], ["Bo", 2, 5]], ("sheet.ambiguous", "C2")),
        ([["Player", "6 Jan 2026", "7 Jan 2026"], ["Ana", "(1)", 3], ["Bo", 2, 1]], ("sheet.ambiguous", "B2")),
        ([["Date", "1st", "2nd"], ["6 Jan 2026", "Ana / Bo", "Cy"]], ("sheet.name", "B2")),
        ([["Date", "1st", "2nd"], ["6 Jan 2026", "Ana 7", "Cy"]], ("sheet.empty", "B2")),
        ([["Game", "hearts"], ["Date", "1st", "2nd"], ["6 Jan 2026", "Ana 7", "Cy 3"]], ("sheet.place", "B3")),
        ([["Date", "1st", "2nd"], ["6 Jan 2026", "Ana", "Cy"], ["", "Bo", "Di"]], ("sheet.twice", "B3")),
    ],
)  # fmt: skip
def test_what_does_not_fit_in_a_season_is_told_with_its_cell(
    rows: Rows, problem: tuple[str, str], empty: Ledger
) -> None:
    assert problem in found(shown(empty, rows))


def test_hands_with_plain_numbers_are_one_evening_as_before(empty: Ledger) -> None:
    rows = [
        ["Date", DAYS[0]],
        ["Game", "hearts"],
        ["Player", 1, 2],
        *(["Ana", 5, 8], ["Bo", 21, 18], ["Cy", 0, 0], ["Di", 0, 0]),
    ]
    preview = shown(empty, rows)
    assert preview.ready, preview.problems
    assert [(evening.opening.date, len(evening.tables[0].hands)) for evening in preview.evenings] == [(DAYS[0], 2)]


def test_running_totals_of_a_season_can_be_said_to_be_such(empty: Ledger) -> None:
    rows = [["Player", "6 Jan 2026", "7 Jan 2026"], ["Ana", 1, 3], ["Bo", 2, 5]]
    made = {
        columns: [table.totals for table in shown(empty, rows, NEW._replace(columns=columns)).tables]
        for columns in ("hands", "running")
    }
    assert made == {"hands": [(1, 2), (3, 5)], "running": [(1, 2), (2, 3)]}


def test_who_was_not_there_and_an_evening_to_come_are_no_results(empty: Ledger) -> None:
    rows = [
        ["Player", "6 Jan 2026", "7 Jan 2026", "8 Jan 2026"],
        ["Ana", 9, "-", ""],
        ["Bo", 9, 5, ""],
        ["Cy", "", 0, ""],
    ]
    preview = shown(empty, rows)
    assert preview.ready, preview.problems
    assert [(table.players, table.totals) for table in preview.tables] == [
        (("Ana", "Bo"), (9, 9)),
        (("Bo", "Cy"), (5, 0)),
    ]


def test_the_places_of_a_sheet_say_whether_the_fewest_points_win(empty: Ledger) -> None:
    for places, fewest in (((1, 2), True), ((2, 1), False)):
        rows = [["Pos", "Player", "6 Jan 2026", "7 Jan 2026"], *([place, name, a, b] for place, name, a, b in zip(places, ("Ana", "Bo"), (1, 9), (4, 3), strict=True))]  # fmt: skip
        preview = shown(empty, rows)
        assert preview.ready, preview.problems
        assert {evening.opening.scoring.fewest for evening in preview.evenings} == {fewest}


def test_tables_of_two_days_are_two_evenings_each_with_table_1(empty: Ledger) -> None:
    rows = [["date", "game", "player", "points"]]
    rows += [["2026-01-06", "hearts", name, points] for name, points in zip("ABCD", (0, 6, 7, 13), strict=True)]
    rows += [["2026-01-13", "hearts", name, points] for name, points in zip("ABCD", (13, 13, 0, 0), strict=True)]
    preview = shown(empty, rows)
    assert preview.ready, preview.problems
    assert [(evening.opening.date, [table.number for table in evening.tables]) for evening in preview.evenings] == [("2026-01-06", [1]), ("2026-01-13", [1])]  # fmt: skip


def test_a_workbook_with_days_as_days(empty: Ledger) -> None:
    from datetime import date

    days = [date.fromisoformat(day) for day in DAYS]
    for rows in (matrix(HEARTS, days), turned(matrix(HEARTS, days, corner="Date")), winners(HEARTS, ("1st", "2nd"), days=days)):  # fmt: skip
        preview = shown(empty, as_xlsx(head(HEARTS, rows)), name="season.xlsx")
        assert preview.ready, preview.problems
        assert [evening.opening.date for evening in preview.evenings] == [*DAYS[:3]]


def test_a_blank_line_below_a_day_is_read_past(empty: Ledger) -> None:
    rows = (("game", "date"), ("hearts", "2026-01-06"), (), ("ana", "ben", "chloe", "dev"), (1, 2, 3, 4))
    assert shown(empty, rows).problems

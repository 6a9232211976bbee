"""No number of a sheet is left out: it is read, or refused by name."""

from __future__ import annotations

import pytest

from cardledger.record.recording.ledger import Ledger
from tests.spreadsheets.paper import DAY, LAYOUTS, NEW, Rows, as_xlsx, by_column, by_hand, evening, found, shown, totals

HEARTS = evening("hearts", 4, 1)


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory):
    """A ledger into which nothing is stored."""
    with Ledger(tmp_path_factory.mktemp("empty") / "club.db") as ledger:
        yield ledger


def changed(rows: Rows, row: int, *values: object) -> Rows:
    """The rows with values added behind a row."""
    return [[*each, *values] if at == row else each for at, each in enumerate(rows)]


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        (changed(changed(by_column("hearts", HEARTS), 3, "weather"), 4, 21), ("sheet.unread", "F5")),
        (changed(changed(by_column("hearts", HEARTS), 3, "remark"), 5, "came at 8"), ("sheet.unread", "F6")),
        (changed(changed(by_column("hearts", HEARTS), 3, "Total"), 4, 21), ("sheet.repeated", "F5")),
        (changed(changed(by_column("hearts", HEARTS), 3, "bid"), 4, 2), ("sheet.unread", "F5")),
        (changed(by_column("hearts", HEARTS), 3, "20.1.2026"), ("sheet.unread", "F4")),
        (changed(by_column("hearts", HEARTS), 4, "", 3), ("sheet.unread", "G5")),
        ([*by_column("hearts", HEARTS), [], ["Date", DAY]], ("sheet.unread", "B16")),
        ([["Date", "2026-02-03"], *by_column("hearts", HEARTS)], ("sheet.unread", "B1")),
        ([["Table 1", "Table 2"], *by_column("hearts", HEARTS[:1])], ("sheet.unread", "B1")),
        ([["played at 8"], *by_column("hearts", HEARTS)], ("sheet.unread", "A1")),
        ([*totals("hearts", HEARTS)[:5], ["", "", "", "Total", 79]], ("sheet.sum", "E6")),
        ([*by_column("hearts", HEARTS[:1]), ["Total", 26, 26, 26, 79]], ("sheet.sum", "E9")),
        ([*by_column("hearts", HEARTS[:1]), ["", "", "", "", 5]], ("sheet.unread", "E9")),
        (changed(changed(by_hand("hearts", HEARTS), 0, "place"), 1, 1), ("sheet.unread", "H2")),
        ([*by_hand("hearts", HEARTS[:1]), ["", "", "", "", "", "Total", 78]], ("sheet.unread", "G14")),
    ],
)  # fmt: skip
def test_a_number_that_no_column_takes_is_a_problem_with_its_cell(
    rows: Rows, problem: tuple[str, str], empty: Ledger
) -> None:
    assert problem in found(shown(empty, rows))


def test_numbers_of_a_sheet_without_results_are_a_problem_too(empty: Ledger) -> None:
    preview = shown(empty, as_xlsx(by_column("hearts", HEARTS), [["Ana", 3]]), name="a.xlsx")
    assert found(preview) == [("sheet.unread", "B1")]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_number_in_any_empty_cell_is_read_or_a_problem(layout: str, empty: Ledger) -> None:
    """By construction: whatever takes a cell says so, and what nothing took is told."""
    rows = [*LAYOUTS[layout]("hearts", HEARTS), []]
    plain = shown(empty, rows)
    assert plain.ready, plain.problems
    for row in range(len(rows)):
        for column in range(9):
            if (column < len(rows[row]) and rows[row][column] != "") or rows[row][:1] == ["Player"]:
                continue  # among headings it is the number of a hand, which may have no points yet
            more = [*rows]
            more[row] = [*rows[row], *[""] * (column + 1 - len(rows[row]))]
            more[row][column] = 17
            assert shown(empty, more).problems, (row, column)


def test_words_are_listed_and_an_unused_table_is_no_problem(empty: Ledger) -> None:
    rows = changed(changed([["a fine night"], *by_column("hearts", HEARTS)], 4, "remark"), 5, "late")
    preview = shown(empty, [*rows, [], ["Table", 3], ["Player", 1, 2, 3]], NEW)
    assert preview.ready, preview.problems
    assert preview.recognised[0].ignored == ("'a fine night' (A1)", "column 'remark' (F5)")

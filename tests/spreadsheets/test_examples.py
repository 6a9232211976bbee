"""Show one: a name and a score of this player say how the sheet lies, and what is left over is listed or left out."""

from __future__ import annotations

import pytest

from cardledger.errors import FormatError
from cardledger.formats.spreadsheets.grids import Example, example_of
from cardledger.formats.spreadsheets.wishes import Wishes
from cardledger.record.recording.ledger import Ledger
from tests.spreadsheets.paper import NEW, Rows, as_xlsx, found, shown

HEAD: Rows = [["Date", "2026-01-06"], ["Game", "hearts"], []]
LIST: Rows = [*HEAD, ["Nr", "Who", "Paid", "Result"], [1, "Ann", 2, 10], [2, "Bob", 2, 3], [3, "Cy", 2, 13], [4, "Di", 2, 0]]  # fmt: skip
PAD: Rows = [["Date", "2026-01-06"], ["Game", "diamonds-draw"], [], ["Ann", "Bob", "Cy"], [30, 0, 11], [45, 12, 50]]


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory):
    """A ledger into which nothing is stored."""
    with Ledger(tmp_path_factory.mktemp("empty") / "club.db") as ledger:
        yield ledger


def showing(name: str, score: str, what: str, *ignore: str) -> Wishes:
    return NEW._replace(example=Example(name, score, what), ignore=ignore)


def test_a_total_that_is_shown_is_read_for_all_and_the_rest_is_asked_about(empty: Ledger) -> None:
    assert not shown(empty, LIST).ready
    asked = shown(empty, LIST, showing("B5", "D5", "total"))
    assert found(asked) == [("sheet.unread", "A5"), ("sheet.unread", "C5")]
    preview = shown(empty, LIST, showing("B6", "D6", "total", "A5", "C5"))
    assert preview.ready, preview.problems
    assert [(table.players, table.totals) for table in preview.tables] == [(("Ann", "Bob", "Cy", "Di"), (10, 3, 13, 0))]


def test_hands_and_running_totals_are_what_is_shown_of_them(empty: Ledger) -> None:
    assert not shown(empty, PAD).ready
    made = {}
    for what in ("hand", "running"):
        preview = shown(empty, PAD, showing("A4", "A5", what)._replace(as_written=True))
        assert preview.ready, preview.problems
        made[what] = preview.tables[0].hands
    assert made == {"hand": ((30, 0, 11), (45, 12, 50)), "running": ((30, 0, 11), (15, 12, 39))}


def test_what_is_shown_must_be_a_name_and_a_number_of_one_player(empty: Ledger) -> None:
    for name, score in (("B5", "D6"), ("A5", "D5"), ("B5", "B6"), ("Z99", "D5"), ("B5", "other!D5")):
        preview = shown(empty, LIST, showing(name, score, "total"))
        assert not preview.ready
        assert any("show a name and a number" in problem.message for problem in preview.problems), (name, score)


def test_a_cell_of_a_workbook_is_named_with_its_sheet(empty: Ledger) -> None:
    book = as_xlsx(LIST, [["We meet at the Lamb"]], titles=("Scores", "Notes"))
    preview = shown(empty, book, showing("Scores!B5", "Scores!D5", "total", "Scores!A5", "Scores!C5"), "night.xlsx")
    assert preview.ready, preview.problems
    assert preview.tables[0].totals == (10, 3, 13, 0)


def test_a_number_that_a_table_has_read_is_never_left_out(empty: Ledger) -> None:
    rows: Rows = [*HEAD, ["Player", 1, "Total"], ["Ann", 13, 13], ["Bob", 13, 13], ["Cy", 0, 0], ["Di", 0, 1]]
    assert found(shown(empty, rows, NEW._replace(ignore=("B5", "C8", "A5")))) == [("sheet.sum", "C8")]


def test_half_of_an_example_is_refused() -> None:
    assert example_of(None, None, None) is None
    for given in (("A1", None, None), ("A1", "B1", None), ("A1", "B1", "age"), (None, None, "hand")):
        with pytest.raises(FormatError, match="show a name"):
            example_of(*given)

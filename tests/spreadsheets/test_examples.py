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


def beside(left: Rows, right: Rows, gap: int) -> Rows:
    return [[*one, *[""] * gap, *other] for one, other in zip(left, right, strict=True)]


@pytest.mark.parametrize("gap", [0, 1, 2])
def test_an_example_counts_for_the_tables_beside_too(empty: Ledger, gap: int) -> None:
    paid = [["Who", "Paid", "R"], ["Eve", 2, 26], ["Fay", 2, 0], ["Gus", 2, 0], ["Hal", 2, 0]]
    rows = [*HEAD, *beside([row[1:] for row in LIST[3:]], paid, gap)]
    asked = shown(empty, rows, showing("A5", "C5", "total"))
    assert {code for code, _ in found(asked)} == {"sheet.unread"}
    for name, score in (("A5", "C5"), ("DEF"[gap] + "5", "FGH"[gap] + "5")):
        preview = shown(empty, rows, showing(name, score, "total", "B5", "EFG"[gap] + "5"))
        assert preview.ready, preview.problems
        told = [(table.players, table.totals) for table in preview.tables]
        assert told == [(("Ann", "Bob", "Cy", "Di"), (10, 3, 13, 0)), (("Eve", "Fay", "Gus", "Hal"), (26, 0, 0, 0))]


@pytest.mark.parametrize("gap", [0, 1])
def test_numbers_of_the_table_beside_are_of_nobody_else(empty: Ledger, gap: int) -> None:
    """They were taken for more hands of the first table where nothing but an example said how a sheet lies."""
    left: Rows = [["Ann", 30, 45], ["Bob", 0, 12], ["Cy", 11, 50]]
    right: Rows = [["Eve", 3, 4], ["Fay", 10, 22], ["Gus", 1, 5]]
    how = showing("A4", "B4", "hand")._replace(as_written=True)
    preview = shown(empty, [*PAD[:3], *beside(left, right, gap)], how)
    hands = [table.hands for table in preview.tables]
    assert hands == [((30, 0, 11), (45, 12, 50)), ((3, 10, 1), (4, 22, 5))]
    if gap:
        across = beside(PAD[3:], [["Eve", "Fay", "Gus"], [3, 10, 1], [4, 22, 5]], gap)
        preview = shown(empty, [*PAD[:3], *across], showing("A4", "A5", "hand")._replace(as_written=True))
        assert [table.hands for table in preview.tables] == hands

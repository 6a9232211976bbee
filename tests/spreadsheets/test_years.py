"""Days without a year: never guessed; the year is given beside the file, and one in the title is proposed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cardledger.formats.spreadsheets.days import day_in, has_no_year
from cardledger.formats.spreadsheets.years import year_said
from cardledger.record.recording.ledger import Ledger
from tests.spreadsheets.paper import NEW, Rows, found, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

TABLE: Rows = [["Player", 1, 2, "Total"], ["Ann", 13, 13, 26], ["Bob", 13, 0, 13], ["Cy", 0, 13, 13], ["Di", 0, 0, 0]]
SHORT = ("6.1.", "06.01.", "6. 1.", "6 Jan", "Jan 6", "6th January", "Dienstag, 6. Januar", "mardi 6 janvier", "6-Jan")


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ledger]:
    with Ledger(tmp_path_factory.mktemp("empty") / "club.db") as ledger:
        yield ledger


def season(*days: str, title: str = "Whist") -> Rows:
    points = ([3, 5, 4], [1, 2, 3], [2, 2, 2], [0, 4, 1])
    rows = [[name, *each[: len(days)], sum(each[: len(days)])] for name, each in zip("ABCD", points, strict=True)]
    return [[title], ["Game", "whist"], ["Name", *days, "Total"], *rows]


@pytest.mark.parametrize("day", SHORT)
def test_a_day_without_a_year_is_asked_about_and_the_year_beside_the_file_counts(empty: Ledger, day: str) -> None:
    assert has_no_year(day)
    assert day_in(day) is None
    for rows, cell in (([["Date", day], ["Game", "hearts"], *TABLE], "B1"), ([[f"Hearts, {day}"], *TABLE], "A1")):
        assert found(shown(empty, rows)) == [("sheet.year", cell)]
        for year in ("2026", "2025"):
            if year == "2026" or "ardi" not in day and "stag" not in day:
                preview = shown(empty, rows, NEW._replace(date=year))
                assert preview.ready, preview.problems
                assert [each.opening.date for each in preview.evenings if each.opening] == [f"{year}-01-06"]
        assert shown(empty, rows, NEW._replace(date="2026-01-06")).ready


@pytest.mark.parametrize(
    "text", ["6.1.2026", "6.1.26", "13", "6.1", "May", "Ann 3", "32.1.", "6.13.", "2026", "6/1", ""]
)
def test_other_texts_are_no_days_without_a_year(text: str) -> None:
    assert not has_no_year(text)


def test_the_year_of_the_title_is_proposed_and_not_taken(empty: Ledger) -> None:
    rows = season("6.1.", "13.1.", "20.1.", title="Whist season 2026")
    asked = shown(empty, rows)
    assert found(asked)[0] == ("sheet.year", "B3")
    assert "--date 2026); the title says 2026" in asked.problems[0].message
    assert year_said(asked.sheets[0]) == 2026
    preview = shown(empty, rows, NEW._replace(date="2026"))
    assert preview.ready, preview.problems
    assert len(preview.evenings) == 3
    assert shown(empty, season("6.1.2026", "13.1.2026", title="Whist 2025/26"), NEW).problems
    assert shown(empty, season("6.1.2026", "13.1.2026", title="Whist 2026/27"), NEW).ready
    two = shown(empty, season("6.1.", "13.1.", title="From 2025 to 2026"))
    assert "the title says" not in two.problems[0].message


def test_one_year_is_not_that_of_days_on_both_sides_of_a_new_year(empty: Ledger) -> None:
    rows = season("6 Nov", "13 Dec", "20 Jan")
    assert found(shown(empty, rows, NEW._replace(date="2025"))) == [("sheet.year", "D3")]
    assert shown(empty, season("6 Nov 2025", "13 Dec 2025", "20 Jan 2026")).ready


def test_a_year_alone_is_no_day(empty: Ledger) -> None:
    assert found(shown(empty, [["Game", "hearts"], *TABLE], NEW._replace(date="2026"))) == [("sheet.date", None)]

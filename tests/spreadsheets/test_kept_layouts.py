"""Layouts that a club keeps under a name: used for the next sheet of their shape, renamed, forgotten, and without names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from cardledger.cli.main import main
from cardledger.errors import FormatError
from cardledger.formats.spreadsheets.cells import SheetError
from cardledger.formats.spreadsheets.grids import Example
from cardledger.formats.spreadsheets.kept_layouts import layouts_of, named, rename, shape_of
from cardledger.formats.spreadsheets.reading import sheets_of
from cardledger.formats.spreadsheets.storing import store
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.evenings.evening_events import Club, Layout
from cardledger.rules.evenings.shape import event_of
from tests.evenings.evening import add, stream
from tests.spreadsheets.paper import NEW, Rows, as_csv, found, shown

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HOW = NEW._replace(example=Example("B5", "D5", "total"), ignore=("A5", "C5"))
"""How these sheets lie."""


def pad(day: str, *results: tuple[str, int]) -> Rows:
    """A sheet that is not understood by itself: a second column of numbers means nothing."""
    rows: Rows = [["Date", day], ["Game", "hearts"], [], ["Nr", "Who", "Paid", "Result"]]
    return [*rows, *([number, name, 2, points] for number, (name, points) in enumerate(results, 1))]


FIRST = pad("2026-01-06", ("Ann", 10), ("Bob", 3), ("Cy", 13), ("Di", 0))
NEXT = pad("2026-01-13", ("Eve", 5), ("Ann", 8), ("Bob", 13), ("Cy", 0))


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger(tmp_path / "club.db") as ledger:
        ledger.evenings.record(None, [Club(name="Tuesday")], 0, as_written=False)
        yield ledger


@pytest.fixture
def kept(ledger: Ledger) -> Ledger:
    """A ledger whose club keeps how its pad lies."""
    preview = shown(ledger, FIRST, HOW._replace(keep_layout="Our  pad"))
    assert preview.ready, preview.problems
    store(preview, ledger, "ada")
    return ledger


def test_a_reading_is_used_for_the_next_sheet_of_its_shape(kept: Ledger) -> None:
    (each,) = layouts_of(kept, None)
    assert each.layout.name == "Our pad"
    assert (each.layout.name_at, each.layout.score_at, each.layout.ignore) == ((5, 2), (5, 4), ((5, 1), (5, 3)))
    preview = shown(kept, NEXT)
    assert (preview.ready, preview.layout) == (True, "Our pad"), preview.problems
    assert preview.tables[0].totals == (5, 8, 13, 0)
    assert shown(kept, NEXT, NEW._replace(layout="OUR PAD")).tables == preview.tables
    store(shown(kept, FIRST, HOW._replace(keep_layout="Our pad")), kept, "ada")
    assert len(layouts_of(kept, None)) == 1
    assert kept.evenings.stream(each.club).seq == each.seq, "kept twice, it is recorded once"
    assert shown(kept, FIRST, HOW._replace(keep_layout="Our pad")).new == 0
    store(again := shown(kept, FIRST, HOW._replace(keep_layout="Another")), kept, "ada")
    assert again.new == 1, "an evening that is stored already has a layout to keep"
    assert [one.layout.name for one in layouts_of(kept, None)] == ["Our pad", "Another"]


def test_a_sheet_that_is_understood_by_itself_needs_no_layout(kept: Ledger) -> None:
    plain: Rows = [row if place < 4 else [row[1], row[3]] for place, row in enumerate(NEXT)]
    plain[3] = ["Player", "Total"]
    preview = shown(kept, plain)
    assert (preview.layout, preview.problems) == (None, ())


def test_a_layout_that_does_not_fit_leaves_the_problems_as_they_are(kept: Ledger) -> None:
    wrong = pad("2026-01-20", ("Ann", 10), ("Bob", 3), ("Cy", 13))
    preview = shown(kept, wrong)
    assert (preview.layout, preview.ready) == (None, False)
    assert [code for code, _ in found(shown(kept, wrong, NEW._replace(layout="our pad")))] == ["sheet.players"]
    other: Rows = [*wrong[:3], ["we met late"], *wrong[3:]]
    assert shown(kept, other).layout is None


def test_a_layout_is_renamed_and_forgotten_by_events(kept: Ledger) -> None:
    (each,) = layouts_of(kept, None)
    rename(kept, each, "Monday pad", "ada")
    (renamed,) = layouts_of(kept, each.club)
    assert (renamed.layout.name, shown(kept, NEXT).layout) == ("Monday pad", "Monday pad")
    rename(kept, renamed, None, "ada")
    assert layouts_of(kept, None) == []
    assert not shown(kept, NEXT).ready
    with pytest.raises(FormatError, match="there is no layout"):
        named([], "Monday pad")
    with pytest.raises(FormatError, match="there is no layout"):
        shown(kept, NEXT, NEW._replace(layout="Monday pad"))
    with pytest.raises(SheetError):
        shown(kept, NEXT, NEW._replace(layout="x", club="Friday"))


def test_what_cannot_be_kept_is_a_problem(ledger: Ledger, tmp_path: Path) -> None:
    plain: Rows = [
        ["Date", "2026-01-06"],
        ["Game", "hearts"],
        ["Player", "Total"],
        ["A", 13],
        ["B", 13],
        ["C", 0],
        ["D", 0],
    ]
    preview = shown(ledger, plain, NEW._replace(keep_layout="x"))
    assert found(preview) == [("sheet.kept", None)]
    with Ledger(tmp_path / "none.db") as clubless:
        assert found(shown(clubless, FIRST, HOW._replace(keep_layout="x"))) == [("sheet.kept", None)]


def test_a_layout_holds_nothing_of_what_stands_on_a_sheet(kept: Ledger) -> None:
    """More players, others, and other numbers have the same shape; the line of the event has no name of a player."""

    def shape(rows: Rows) -> int:
        return shape_of(sheets_of("x.csv", as_csv(rows))[0])

    assert shape(FIRST) == shape(NEXT)
    assert shape(FIRST) != shape([row[1:] for row in FIRST])
    (each,) = layouts_of(kept, None)
    lines = [row.line for row in kept.store.read(each.club)]
    assert not any(name in lines[-1] for name in ("Ann", "Bob", "Our pad", "Who", "Paid"))
    assert set(Layout.__struct_fields__) - set(Club.__struct_fields__) == {
        "shape", "columns", "name_at", "score_at", "score_is", "ignore",
    }  # fmt: skip


CLUB = {"type": "club", "name": "Tuesday"}
LAYOUT = {"type": "layout", "name": "pad", "shape": 7, "columns": "hands"}


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"type": "layout", "name": "x"}, "format.value"),
        ({"type": "layout", "name": "x", "shape": 7}, "format.key"),
        ({"type": "layout", "name": "x", "columns": "hands"}, "format.key"),
        (LAYOUT | {"name_at": [1, 2]}, "format.key"),
        (LAYOUT | {"ignore": [[1, 0]]}, "format.value"),
        (LAYOUT | {"ignore": [[1, 2]] * 201}, "format.size"),
        (LAYOUT | {"columns": "words"}, "format.value"),
    ],
)
def test_a_layout_says_all_or_nothing(wrong: dict[str, object], code: str) -> None:
    club = stream(CLUB, LAYOUT)
    with pytest.raises(FormatError) as caught:
        add(club, **wrong)
    assert caught.value.code == code


def test_a_club_keeps_a_limited_number_of_layouts() -> None:
    club = stream(CLUB, *(LAYOUT | {"name": f"pad {number}"} for number in range(100)))
    with pytest.raises(FormatError, match="at most 100"):
        club.append(event_of(LAYOUT | {"name": "one more"}))
    add(club, **LAYOUT | {"name": "pad 3", "columns": "running"})


def test_the_commands_keep_use_list_rename_and_forget(ledger: Ledger, tmp_path: Path) -> None:
    db = str(tmp_path / "club.db")
    for name, rows in (("first.csv", FIRST), ("next.csv", NEXT)):
        (tmp_path / name).write_bytes(as_csv(rows))

    def run(*words: str) -> str:
        done = CliRunner().invoke(main, ["evening", *words, "--db", db])
        assert done.exit_code == 0, done.output
        return done.stdout

    example = ("--name-at", "B5", "--score-at", "D5", "--score-is", "total", "--ignore", "A5", "--ignore", "C5")
    assert "kept as the layout Our pad" in run(
        "import", str(tmp_path / "first.csv"), *example, "--keep-layout", "Our pad", "--yes"
    )
    assert "Our pad: a name is in B5, and a number of this player in D5: the total" in run("layouts")
    assert "read by the layout Our pad" in run("import", str(tmp_path / "next.csv"), "--yes")
    assert "Monday: " in run("layouts", "--rename", "Our pad", "Monday")
    assert run("layouts", "--forget", "Monday") == "no layout is kept\n"

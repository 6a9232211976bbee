"""Files as they come: encodings, dividers, formulas, days, and files that mean harm."""

from __future__ import annotations

import io
import zipfile
from datetime import date, datetime

import pytest
from openpyxl import Workbook, load_workbook

from cardledger.formats.spreadsheets.cells import Cell, SheetError, Worksheet
from cardledger.formats.spreadsheets.preview import Preview
from cardledger.formats.spreadsheets.reading import MOST_COLUMNS, MOST_ROWS, sheets_of
from cardledger.formats.spreadsheets.storing import store
from cardledger.formats.spreadsheets.templates import blank, template
from cardledger.formats.spreadsheets.wishes import Wishes
from cardledger.formats.spreadsheets.xlsx import MOST_UNPACKED
from cardledger.record.recording.ledger import Ledger
from tests.spreadsheets.paper import DAY, NEW, as_csv, as_xlsx, by_column, evening, found, shown

HEARTS = evening("hearts", 4, 1, tables=1, hands=1)
ROWS = by_column("hearts", HEARTS)
EVENING = datetime(2026, 1, 6, 20)  # noqa: DTZ001 # spreadsheets know no time zones
CMD = "=cmd|' /C calc'!A0"


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory):
    """A ledger into which nothing is stored."""
    with Ledger(tmp_path_factory.mktemp("empty") / "club.db") as ledger:
        yield ledger


def problems(content: bytes) -> list[tuple[str, str | None]]:
    with pytest.raises(SheetError) as caught:
        sheets_of("night", content)
    return [(problem.code, problem.cell) for problem in caught.value.problems]


def book(**cells: object) -> bytes:
    """A workbook of one sheet with these cells."""
    made = Workbook()
    for address, value in cells.items():
        made.active[address] = value
    return saved(made)


def saved(made: Workbook) -> bytes:
    content = io.BytesIO()
    made.save(content)
    return content.getvalue()


def xlsx(preview_rows=ROWS) -> bytes:
    return as_xlsx(preview_rows)


# --- text


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_text_is_read_in_the_usual_encodings_and_divisions(encoding: str, delimiter: str) -> None:
    rows = [["Spieler", "1", "Summe"], ["Zoë, Ä; ", "1,0", "1,0"]]
    (sheet,), _ = sheets_of("a.csv", as_csv(rows, delimiter, encoding))
    assert [[*row] for row in sheet.rows] == rows


def test_the_line_that_tells_excel_how_columns_are_divided_is_used_and_keeps_its_row() -> None:
    (sheet,), _ = sheets_of("a.csv", b"sep=|\nplayer|1\nAna|3\n")
    assert [[*row] for row in sheet.rows] == [[], ["player", "1"], ["Ana", "3"]]


def test_headings_in_three_languages_give_the_same_table(empty: Ledger) -> None:
    made = []
    for words in ("Date Game Table Player Total", "Datum Spiel Tisch Spieler Summe", "Jour Jeu Table Joueur Somme"):
        day, game, table, player, total = words.split()
        (each,) = HEARTS
        rows = [[day, DAY], [game, "Hearts"], [f"{table} 7"], [player.upper(), "1.", f"{total}:"]]
        rows += [[name, points, points] for name, points in zip(each.players, each.hands[0], strict=True)]
        preview = shown(empty, as_csv(rows, ";"))
        assert preview.ready, preview.problems
        made.append([(planned.number, planned.players, planned.totals) for planned in preview.tables])
    assert made[0] == made[1] == made[2]
    assert made[0][0][0] == 7


def test_what_is_not_recognised_is_listed(empty: Ledger) -> None:
    rows = [["a fine night"], *ROWS[:3], [*ROWS[3], "weather"], *([*row, "wet"] for row in ROWS[4:])]
    (recognised,) = shown(empty, rows).recognised
    assert recognised.layout == "columns"
    assert recognised.ignored == ("'a fine night' (A1)", "column 'weather' (D5)")
    assert "row 5 has the headings Player, Total; it has hands 1 to 1" in recognised.why


@pytest.mark.parametrize(
    ("value", "day"),
    [
        ("2026-01-31", "2026-01-31"), ("31.1.2026", "2026-01-31"), ("1/31/2026", "2026-01-31"), ("31/1/2026", "2026-01-31"),
        ("3/3/2026", "2026-03-03"), ("3/4/2026", None), ("46053", "2026-01-31"), (46053, "2026-01-31"), (46053.0, "2026-01-31"),
        (date(2026, 1, 31), "2026-01-31"), ("31.2.2026", None), ("yesterday", None), (12, None), ("2026-01-31T20:00", "2026-01-31"),
    ],
)  # fmt: skip
def test_days_are_read_as_written_or_counted_and_doubtful_ones_are_not(value: object, day: str | None) -> None:
    found = Cell(Worksheet("a", None, []), 0, 0, value).day()  # type: ignore[arg-type]
    assert (found and found.isoformat()) == day


@pytest.mark.parametrize(
    ("value", "number"),
    [("12", 12), ("-3", -3), ("−3", -3), ("12,0", 12), ("12.00", 12), (12.0, 12), ("2,5", None), (2.5, None), ("NaN", None),
     (float("nan"), None), (float("inf"), None), (1e300, None), ("9" * 40, None), ("1e3", None), ("٣", None), ("", None)],
)  # fmt: skip
def test_only_whole_numbers_of_a_possible_size_are_numbers(value: object, number: int | None) -> None:
    assert Cell(Worksheet("a", None, []), 0, 0, value).whole() == number  # type: ignore[arg-type]


# --- workbooks


def test_days_joined_cells_and_sheets_of_rounds_are_understood(empty: Ledger) -> None:
    made = Workbook()
    made.remove(made.active)
    for round in (1, 2):
        sheet = made.create_sheet(f"Round {round}")
        sheet.append(["date", "game", "table", "hand", "player", "points"])
        for player, points in zip("ABCD", (13, 13, 0, 0), strict=True):
            said = (EVENING, "hearts", 1, 1) if player == "A" else (None,) * 4
            sheet.append([*said, player, points])
        for letter in "ABCD":
            sheet.merge_cells(f"{letter}2:{letter}5")
    made.create_sheet("notes").sheet_state = "hidden"
    preview = shown(empty, saved(made))
    assert preview.ready, preview.problems
    assert [(table.round, table.players) for table in preview.tables] == [(1, tuple("ABCD")), (2, tuple("ABCD"))]
    assert preview.recognised[-1].why == "the sheet is hidden, and ignored"


def test_formulas_without_a_saved_value_and_errors_are_named_all_at_once() -> None:
    assert problems(book(A1="=1+1", B7="=SUM(B1:B6)", C2=7, D4="#REF!")) == [
        ("sheet.formula", "A1"), ("sheet.formula", "D4"), ("sheet.formula", "B7"),
    ]  # fmt: skip


def test_a_text_that_begins_like_a_formula_stays_text_and_is_harmless_in_what_is_written(ledger: Ledger) -> None:
    rows = [[cell if cell != "Ana" else CMD for cell in row] for row in ROWS]
    preview = shown(ledger, as_csv(rows))
    assert preview.ready, preview.problems
    assert preview.tables[0].players[0] == CMD
    store(preview, ledger, "tests")
    for kind in ("csv", "xlsx"):
        content = template(kind, rows)
        if kind == "csv":
            assert f"'{CMD}".encode() in content
        else:
            assert {cell.data_type for row in load_workbook(io.BytesIO(content)).active for cell in row} <= {"s", "n"}
        again = shown(ledger, content, Wishes())
        assert (again.ready, again.new) == (True, 0), again.problems


def bomb(unpacked: int) -> bytes:
    """A small workbook that unpacks to many bytes."""
    content = io.BytesIO(book(A1="player"))
    with zipfile.ZipFile(content, "a", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("xl/huge.xml", b" " * unpacked)
    return content.getvalue()


def laughs() -> bytes:
    """A workbook whose sheet has entities within entities."""
    source, content = zipfile.ZipFile(io.BytesIO(book(A1="player"))), io.BytesIO()
    entities = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    with zipfile.ZipFile(content, "w") as packed:
        for name in source.namelist():
            text = source.read(name)
            if name == "xl/worksheets/sheet1.xml":
                text = f'<!DOCTYPE l [<!ENTITY l0 "ha">{entities}]><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>&l9;</t></is></c></row></sheetData></worksheet>'.encode()  # fmt: skip
            packed.writestr(name, text)
    return content.getvalue()


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (bomb(MOST_UNPACKED), "sheet.size"), (laughs(), "sheet.format"), (b"\0" * 3_000_000, "sheet.size"),
        (b"PK\x03\x04 and no more", "file.kind"), (xlsx()[:3000], "sheet.format"), (b"\xd0\xcf\x11\xe0 old", "file.kind"),
        (bytes(range(256)), "file.kind"), (b'player,1\n"Ana\x00', "file.kind"), (b'"' + b"a" * 200_000, "sheet.format"),
        (as_csv([["player", 1], ["x" * 600, 2]]), "sheet.size"), (as_csv([["player"] * (MOST_COLUMNS + 1)]), "sheet.size"),
        (b"a\n" * (MOST_ROWS + 1), "sheet.size"), (book(A1="player", XFD2=1), "sheet.size"), (book(A1="player", A200000=1), "sheet.size"),
    ],
)  # fmt: skip
def test_files_that_are_broken_or_too_large_are_refused_with_a_code(content: bytes, code: str) -> None:
    assert problems(content)[0][0] == code


def test_a_file_of_nothing_is_said_to_be_empty(empty: Ledger) -> None:
    assert found(shown(empty, b"")) == [("file.kind", None)]


# --- templates


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_a_template_filled_in_is_an_evening(kind: str, empty: Ledger) -> None:
    assert found(shown(empty, template(kind)))[0][0] == "sheet.empty"
    rows = blank(DAY, "hearts", tables=1)
    rows[5:9] = [["Ana", 13, "", "", "", "", "", "", "", 13], ["Bela", 13], ["Cem", 0], ["Dov", 0]]
    preview = shown(empty, template(kind, rows), NEW)
    assert preview.ready, preview.problems
    assert preview.tables[0].hands == ((13, 13, 0, 0),)


def test_a_preview_needs_no_file_that_can_be_read(empty: Ledger) -> None:
    preview: Preview = shown(empty, b"PK\x03\x04")
    assert found(preview) == [("file.kind", None)]
    assert not preview.ready

"""Sheets of strangers: what programs export, what phones keep, and what stands on a sheet beside the players."""

from __future__ import annotations

import io

from openpyxl import load_workbook
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.styles import Font

from tests.spreadsheets.club_sheets import FOUR, HANDS, HEAD, JAN6, JAN13, ONE, POINTS, SPADES, Sheet, down, sheet
from tests.spreadsheets.paper import Rows, as_csv, as_xlsx

SEASON: Rows = [["Game", "Hearts"], ["Player", "6 Jan 2026", "13 Jan 2026"], ["Ann", 19, 10], ["Bob", 29, 20], ["Cy", 23, ""], ["Di", 33, 22]]  # fmt: skip
EVENINGS = {JAN6: [POINTS], JAN13: [{"Ann": 10, "Bob": 20, "Di": 22}]}
TOTALS: Rows = [*HEAD[:2], ["Name", "Points"], *([name, points] for name, points in POINTS.items())]
TABLE: Rows = [*HEAD[:2], ["Player", 1, 2, 3, 4, "Total"], *down()]
ACCENTS = ("Noël", "René", "Jürgen", "Zoé")
CANASTA: Rows = [["Date", "6 January 2026"], ["Game", "Oh Hell"], ["Name", "Points"]]
SIDES = {"Ann": 4, "Bob": 6, "Cy": 4, "Di": 6}
NOTES = "Hearts 6 Jan 2026\n" + "".join(f"{row[0]} {' '.join(map(str, row[1:5]))}\n" for row in down())


def text(name: str, content: str, says: dict[str, list[dict[str, int]]] = ONE, **more: object) -> Sheet:
    return Sheet(name, content.encode(), says, **more)  # type: ignore[arg-type]


def crossed(whole: bool) -> bytes:
    """A workbook in which a number is crossed out, the whole cell or the first part of it."""
    book = load_workbook(io.BytesIO(as_xlsx(TOTALS)))
    cell = book.active["B4"]
    if whole:
        cell.font = Font(strike=True)
    else:
        cell.value = CellRichText(TextBlock(InlineFont(strike=True), "7"), "19")
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def aligned(rows: Rows) -> str:
    return "".join(
        "".join(f"{cell!s:>6}" if at else f"{cell:10}" for at, cell in enumerate(row)) + "\n" for row in rows
    )


def thousands(*points: str) -> Rows:
    return [*CANASTA, *([name, number] for name, number in zip(FOUR, points, strict=True))]


STRANGE = [
    sheet("points of thousands", thousands("1,204", "2,000", "987", "455"), {JAN6: [{"Ann": 1204, "Bob": 2000, "Cy": 987, "Di": 455}]}),
    sheet("thousands that are round, in German", thousands("5.800", "2.000", "1.250", "3.000"), {JAN6: [{"Ann": 5800, "Bob": 2000, "Cy": 1250, "Di": 3000}]}, ";"),
    sheet("thousands with signs of their own", thousands("1'204", "2\u202f000", "1\u00a0250", "3’000"), {JAN6: [{"Ann": 1204, "Bob": 2000, "Cy": 1250, "Di": 3000}]}),
    sheet("one number that is a thousand or one", thousands("1.000", "2", "3", "4"), {}, asks=("sheet.number", "B4")),
    sheet("per cent with three digits", thousands("60.417", "50", "100", "35.166"), {}, asks=("sheet.number", "B4")),
    sheet("a blank behind the sign", [["Date", "6 January 2026"], ["Game", "Spades"], ["Player", 1, 2, 3, "Total"],
        *([row[0], *(f"- {-cell}" if cell < 0 else f"+{cell}" for cell in row[1:4]), row[4]] for row in down(FOUR, SPADES))],
        {JAN6: [{"Ann": 43, "Bob": 93, "Cy": 43, "Di": 93}]}),
    Sheet("a number that is crossed out", crossed(whole=True), {}, ("sheet.crossed", "B4")),
    Sheet("a number that is crossed out before another", crossed(whole=False), ONE),
    *(
        sheet(f"a season with a row that says {what}", [*SEASON, [what, *numbers]], EVENINGS,
              asks=("sheet.unread", "A7"), answer={"ignore": ("A7",)})
        for what, *numbers in (("Present", 4, 3), ("Players", 4, 3), ("Average", 26, "17.33"), ("Best", 19, 10), ("Worst", 33, 22))
    ),
    sheet("a season with columns that follow from it", [[*row, *more] for row, more in zip(SEASON, [[], ["Played", "Mean", "Sum"], [2, "14.5", 29], [2, "24,5", 49], [1, 23, 23], [2, "27.5", 55]], strict=True)], EVENINGS, ";"),
    sheet("a season with rows of words", [*SEASON[:2], ["Host", "Ann", "Di"], *SEASON[2:], ["Winner", "Ann", "Ann"]], EVENINGS),
    sheet("a table with a mean", [["Date", "6 January 2026"], ["Game", "Oh Hell"], ["Name", 1, 2], ["Ann", 11, 0], ["Bob", 0, 11], ["Cy", 10, 10], ["Mean", 7, 7]],
        {JAN6: [{"Ann": 11, "Bob": 11, "Cy": 20}]}, asks=("sheet.unread", "A7")),
    sheet("who dealt", [*TABLE[:3], ["Dealer", *FOUR, ""], *TABLE[3:]]),
    sheet("who dealt, hands down", [*HEAD[:2], ["Hand", "Dealer", *FOUR], *([number, FOUR[number - 1], *hand] for number, hand in enumerate(HANDS, 1))]),
    sheet("first names and surnames", [*HEAD[:2], ["First name", "Surname", "Points"], ["Ann", "Smith", 19], ["Bob", "Jones", 29], ["Cy", "Smith", 23], ["Di", "Brown", 33]],
        {JAN6: [{"Ann Smith": 19, "Bob Jones": 29, "Cy Smith": 23, "Di Brown": 33}]}),
    sheet("Name and Vorname", [*HEAD[:2], ["Name", "Vorname", "Punkte"], ["Smith", "Ann", 19], ["Jones", "Bob", 29], ["Smith", "Cy", 23], ["Brown", "Di", 33]],
        {JAN6: [{"Ann Smith": 19, "Bob Jones": 29, "Cy Smith": 23, "Di Brown": 33}]}, ";"),
    sheet("names of partners in a column of their own", [["Date", "6 January 2026"], ["Game", "Oh Hell"], ["Name", "Partner", "Points"], ["Ann", "Bob", 5], ["Cy", "Di", 6], ["Eve", "Fay", 7]],
        {JAN6: [{"Ann": 5, "Cy": 6, "Eve": 7}]}, asks=("sheet.unread", "B3"), answer={"ignore": ("B3",)}),
    sheet("numbers of rows", [*HEAD[:2], ["Lfd. Nr.", "Name", "Punkte"], *([number, *row] for number, row in enumerate(TOTALS[3:], 1))]),
    sheet("numbers of rows before the names", [*HEAD[:2], ["Name", "Points"], *([f"{number}. {name}", points] for number, (name, points) in enumerate(TOTALS[3:], 1))]),
    sheet("totals without a heading", [*HEAD[:2], ["Player", 1, 2, 3, 4, ""], *down()]),
    sheet("two sides under the names of both", [["Whist", "6 Jan 2026"], ["", "Ann & Cy", "Bob / Di"], [1, 3, 0], [2, 0, 2], [3, 1, 0], [4, 0, 4], ["Total", 4, 6]], {JAN6: [SIDES]}),
    sheet("couples of one surname", [["Whist", "6 Jan 2026"], ["", "Ann & Cy Smith", "Bob & Di Jones"], [1, 3, 0], [2, 0, 2]], {}, asks=("sheet.players", "B2")),
    sheet("totals that no hands give", [*TOTALS[:6], ["Di", 30]], {JAN6: [POINTS | {"Di": 30}]}, asks=("sheet.points", "B4"), answer={"as_written": True}),
    text("notes of a phone", NOTES),
    text("notes of a phone, with tabs", NOTES.replace(" ", "\t").replace("Hearts\t6\tJan\t", "Hearts 6 Jan ")),
    text("notes with a blank place", "Oh Hell 6 Jan 2026\n" + aligned([["Ann", 11, "", 3], ["Bob", "", 12, 4], ["Cy", "", 12, 4]]), {}, asks=("sheet.layout", None)),
    text("a page of a PDF", "THE CLUB\nHearts   6 January 2026\n\n" + aligned([["Name", 1, 2, 3, 4, "Total"], *down()])),
    text("a table drawn with lines", "# Hearts, 6 January 2026\n\n| Player | Points |\n|---|--:|\n" + "".join(f"| {name} | {points} |\n" for name, points in POINTS.items())),
    text("a quote that is not closed", 'Date,6 Jan 2026\nGame,Hearts\nName,Points\n"Ann,19\nBob,29\nCy,23\nDi,33\n', {}, asks=("sheet.format", None)),
    *(Sheet(f"accents in {encoding}", as_csv([*HEAD[:2], ["Name", "Points"], *([name, 26] for name in ACCENTS)], ";", encoding), {JAN6: [dict.fromkeys(ACCENTS, 26)]}) for encoding in ("cp1252", "mac_roman")),
    *(Sheet(f"accents in {encoding}", as_csv([*HEAD[:2], ["Name", "Points"], *([name, 26] for name in names)], ";", encoding), {}, ("sheet.format", None)) for encoding, names in (("cp850", ACCENTS), ("cp1250", ("Łukasz", "Paweł", "A", "B")))),
    sheet("days that may be two", [["Game", "Hearts"], ["Player", "1/6/2026", "1/13/2026"], ["Ann", 19, 10], ["Bob", 29, 20], ["Cy", 23, 0], ["Di", 33, 22]], {}, asks=("sheet.unread", "B2")),
]  # fmt: skip

"""Sheets of halls and of other countries: titles between blocks, totals below hands, units, signs, words nobody knows here."""

from __future__ import annotations

from itertools import accumulate

from tests.spreadsheets.club_sheets import FOUR, HANDS, JAN6, JAN13, ONE, POINTS, RUNNING, Sheet, across, down, sheet
from tests.spreadsheets.paper import Rows, as_xlsx
from tests.spreadsheets.strange_sheets import text

TITLE: Rows = [["Hearts", "6 January 2026"]]
TOTALS: Rows = [[name, points] for name, points in POINTS.items()]
SPADES = {"Ann": 43, "Bob": 93, "Cy": 43, "Di": 93}
OF_DAY = {"date": JAN6}
FOREIGN: Rows = [["Fecha", "06.01.2026"], ["Juego", "Hearts"], ["Jugador", "Mano 1", "Mano 2", "Mano 3", "Mano 4", "Suma"], *down()]  # fmt: skip


def initials() -> Rows:
    hands = [[name[0], *hand] for name, hand in zip(FOUR, HANDS, strict=True)]
    return [["Dealer", *FOUR], *hands, ["", *POINTS.values()]]


def with_running_totals(wrong: int = 0) -> Rows:
    """A pad with the running totals below each hand; one of the last ones may be wrong."""
    rows: Rows = [["", *FOUR]]
    for number, (hand, so_far) in enumerate(zip(HANDS, RUNNING, strict=True), 1):
        rows += [[number, *hand], ["", so_far[0] + wrong * (number == len(HANDS)), *so_far[1:]]]
    return rows


VILLAGE = [
    sheet("evenings below each other under their days", [["Hearts"], ["6 January 2026"], ["Player", "Points"], *TOTALS, [], ["13 January 2026"], ["Player", "Points"], *TOTALS], {JAN6: [POINTS], JAN13: [POINTS]}),
    sheet("two games of an evening under their names", [["6 January 2026"], ["Hearts"], ["Player", "Points"], *TOTALS, [], ["Spades"], ["Player", "Points"], *([name, points] for name, points in SPADES.items())], {JAN6: [POINTS, SPADES]}),
    sheet("a day after the last table", [*TITLE, ["Player", "Points"], *TOTALS, [], ["13 January 2026"]], {}, asks=("sheet.unread", "A8")),
    sheet("running totals below each hand", [*TITLE, *with_running_totals()]),
    sheet("running totals below each hand, one wrong", [*TITLE, *with_running_totals(wrong=1)], {}, asks=("sheet.sum", "B10")),
    sheet("letters of dealers, and totals without a word", [*TITLE, *initials()]),
    sheet("a title in one word with the game", [["Herzen-Abend vom 06.01.2026"], ["Name", "Punkte"], *TOTALS]),
    sheet("headings of another language", FOREIGN, asks=("sheet.date", "B1"), answer=OF_DAY),
    sheet("headings of another language, and another day given", FOREIGN, {JAN13: [POINTS]}, asks=("sheet.date", "B1"), answer={"date": JAN13}),
    sheet("a day beside an unknown word", [["Played on", "6 January 2026"], ["Game", "Hearts"], ["Player", "Points"], *TOTALS], asks=("sheet.date", "B1"), answer=OF_DAY),
    sheet("points with a unit", [*TITLE, ["Player", "Score"], *([name, f"{points} pts"] for name, points in TOTALS)]),
    sheet("numbers kept as text by a mark", [*TITLE, ["Player", "Score"], *([name, f"'{points}"] for name, points in TOTALS)]),
    sheet("a sign for the sum", [*TITLE, ["Player", 1, 2, 3, 4, "Σ"], *down()]),
    sheet("days of America", [["Hearts"], ["Player", "1/13/26", "1/20/26"], *([*row, row[1]] for row in TOTALS)], {JAN13: [POINTS], "2026-01-20": [POINTS]}),
    sheet("rounds in French, running", [["Diamonds (enchères)", "6 janvier 2026"], ["Manche", "Ann", "Bob"], *([number, *row] for number, row in enumerate(zip(accumulate((110, -20, 150, 37)), accumulate((10, 99, -20, 151)), strict=True), 1))], {JAN6: [{"Ann": 277, "Bob": 240}]}),
    sheet("two sides of a game without rules", [["Game", "Jass"], ["Date", JAN6], ["", "Ann/Cy", "Bob/Di"], [1, 97, 60], [2, 57, 100], ["Total", 154, 160]], {JAN6: [{"Ann": 154, "Bob": 160, "Cy": 154, "Di": 160}]}, asks=("sheet.game", "B1"), answer={"wins": "most", "partners": True}),
    sheet("one winner of each evening", [["Hearts"], ["Date", "Winner", "Score"], [JAN6, "Ann", 10], [JAN13, "Bob", 12]], {}, asks=("sheet.players", "B3")),
    sheet("a form with a hand that nobody played", [*TITLE, ["", *FOUR], *([number, *hand] for number, hand in enumerate(across(), 1)), [5, "", "", "", ""], ["Total", *POINTS.values()]]),
    text("notes with sums behind a sign", "Herzen am Dienstag, 6. Januar 2026\n\n" + "".join(f"{row[0]} {' '.join(map(str, row[1:5]))} = {row[5]}\n" for row in down())),
    Sheet("a title over joined cells, and places in signs", as_xlsx([["Herzen-Abend vom 06.01.2026", None, None], ["", "Name", "Punkte"], *(["🥇", *row] for row in TOTALS)]), ONE),
]  # fmt: skip

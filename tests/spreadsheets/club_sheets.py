"""Sheets as secretaries of clubs keep them, each with what it says, or with what is asked about it."""

from __future__ import annotations

from typing import NamedTuple

from tests.spreadsheets.paper import Rows, as_csv, as_xlsx


class Sheet(NamedTuple):
    """A file: its content, what it says of each evening and table (names with points or places), what is asked.

    Of a question the code and the cell are given, and what the user answers so that the sheet is read.
    """

    name: str
    content: bytes
    says: dict[str, list[dict[str, int]]]
    asks: tuple[str, str | None] | None = None
    answer: dict[str, object] = {}


JAN6, JAN13 = "2026-01-06", "2026-01-13"
HANDS = ((5, 8, 13, 0), (0, 6, 7, 13), (13, 13, 0, 0), (1, 2, 3, 20))
FOUR, OTHERS = ("Ann", "Bob", "Cy", "Di"), ("Eve", "Fay", "Gus", "Hal")
SPADES = ((52, -40, 52, -40), (-50, 63, -50, 63), (41, 70, 41, 70))
POINTS = {"Ann": 19, "Bob": 29, "Cy": 23, "Di": 33}
RUNNING = ((5, 8, 13, 0), (5, 14, 20, 13), (18, 27, 20, 13), (19, 29, 23, 33))
MORE = {"Eve": 19, "Fay": 29, "Gus": 23, "Hal": 33}
ONE = {JAN6: [POINTS]}


def down(names: tuple[str, ...] = FOUR, hands: tuple[tuple[int, ...], ...] = HANDS, *, total: bool = True) -> Rows:
    return [
        [name, *(hand[seat] for hand in hands), *([sum(hand[seat] for hand in hands)] if total else [])]
        for seat, name in enumerate(names)
    ]


def across(hands: tuple[tuple[int, ...], ...] = HANDS) -> Rows:
    return [[*hand] for hand in hands]


def numbered(rows: Rows) -> Rows:
    return [[number, *row] for number, row in enumerate(rows, 1)]


def sheet(name: str, rows: Rows, says: dict[str, list[dict[str, int]]] = ONE, delimiter: str = ",", **more: object) -> Sheet:  # fmt: skip
    return Sheet(name, as_csv(rows, delimiter), says, **more)  # type: ignore[arg-type]


HEAD: Rows = [["Date", "6 January 2026"], ["Game", "Hearts"], []]
SHEETS = [
    sheet("a score pad, printed across, with running totals", [*HEAD, ["", *FOUR], *numbered(across(RUNNING))]),
    sheet("a score pad without numbers of hands", [*HEAD, [*FOUR], *across()]),
    sheet("a score pad of running totals without numbers", [*HEAD, [*FOUR], *across(RUNNING)]),
    sheet("headings of another word", [*HEAD, ["Teilnehmer", "R1", "R2", "R3", "R4", "Ergebnis"], *down()]),
    sheet("no headings at all", [*HEAD, *down()]),
    sheet("no headings and no totals", [*HEAD, *down(total=False)]),
    sheet(
        "two tables side by side under titles",
        [*HEAD, ["Table 1", "", "", "", "", "", "", "Table 2"],
         *([*left, "", *right] for left, right in zip(
             [["Player", 1, 2, 3, 4, "Total"], *down()], [["Player", 1, 2, 3, 4, "Total"], *down(OTHERS)], strict=True))],
        {JAN6: [POINTS, MORE]},
    ),
    sheet("a title that says the game and the day", [["Hearts, Tuesday 6 January 2026"], [], ["Player", 1, 2, 3, 4, "Total"], *down()]),
    sheet("a title of the evening", [["Evening of 6 January 2026", "", "Hearts"], [], ["Player", 1, 2, 3, 4, "Total"], *down()]),
    sheet(
        "a title with another day",
        [["Printed on 12 January 2026"], *HEAD, ["Player", 1, 2, 3, 4, "Total"], *down()],
        asks=("sheet.unread", "A1"), answer={"ignore": ("A1",)},
    ),
    sheet("trailing notes", [*HEAD, ["Player", 1, 2, 3, 4, "Total"], *down(), [], ["Thanks to Bob for the cake"], ["Next time at the Lamb"]]),
    sheet(
        "a note with figures",
        [*HEAD, ["Player", 1, 2, 3, 4, "Total"], *down(), [], ["Cake: 4.50 each"]],
        asks=("sheet.unread", "A10"), answer={"ignore": ("A10",)},
    ),
    sheet("a remark between the rows", [*HEAD, ["Player", 1, 2, 3, 4, "Total"], *down()[:2], ["", "Cy came late"], *down()[2:]]),
    sheet("a column of remarks", [*HEAD, ["Player", 1, 2, 3, 4, "Total", "Remarks"], *([*row, "late"] for row in down())]),
    sheet(
        "a form's export",
        [["Timestamp", "Game", "Player 1", "Score 1", "Player 2", "Score 2", "Player 3", "Score 3", "Player 4", "Score 4"],
         ["2026-01-06 21:14:03", "Hearts", "Ann", 19, "Bob", 29, "Cy", 23, "Di", 33],
         ["2026-01-13 21:40:11", "Hearts", "Ann", 10, "Bob", 3, "Cy", 39, "Di", 0]],
        {JAN6: [POINTS], JAN13: [{"Ann": 10, "Bob": 3, "Cy": 39, "Di": 0}]},
    ),
    sheet("a blank row after every player", [*HEAD, ["Player", 1, 2, 3, 4, "Total"], *(row for each in down() for row in (each, []))]),
    sheet("a blank column", [*HEAD, ["Player", "", 1, 2, 3, 4, "", "Total"], *([row[0], "", *row[1:5], "", row[5]] for row in down())]),
    sheet(
        "places with signs",
        [["Datum", "6. Januar 2026"], ["Spiel", "Herzen"], ["Platz", "Spieler", "Punkte"], ["1.", "Ann", 10], ["T2", "Bob", 13], ["2=", "Cy", 13], ["4.", "Di", 16]],
        {JAN6: [{"Ann": 10, "Bob": 13, "Cy": 13, "Di": 16}]},
    ),
    sheet("German, with semicolons", [["Datum", "Dienstag, 6. Januar 2026"], ["Spiel", "Herzen"], [], ["Spieler", "Spiel 1", "Spiel 2", "Spiel 3", "Spiel 4", "Summe"], *down()], delimiter=";"),
    sheet("French, with tabs", [["Date", "mardi 6 janvier 2026"], ["Jeu", "Dame de pique"], [], ["Joueur", "Donne 1", "Donne 2", "Donne 3", "Donne 4", "Total"], *down()], delimiter="\t"),
    sheet("French rounds", [["Date", "6 janvier 2026"], ["Jeu", "Dame de pique"], [], ["Joueuse", "Manche 1", "Manche 2", "Manche 3", "Manche 4", "Score final"], *down()]),
    sheet("totals at the top", [*HEAD, ["Player", 1, 2, 3, 4, "Total"], ["Total", 26, 26, 26, 26, 104], *down()]),
    sheet("totals before the hands", [*HEAD, ["Player", "Total", 1, 2, 3, 4], *([row[0], row[5], *row[1:5]] for row in down())]),
    sheet(
        "negative points in brackets",
        [["Date", "6 January 2026"], ["Game", "Spades"], ["Player", 1, 2, 3, "Total"],
         *([row[0], *(f"({-cell})" if cell < 0 else cell for cell in row[1:])] for row in down(FOUR, SPADES))],
        {JAN6: [{"Ann": 43, "Bob": 93, "Cy": 43, "Di": 93}]},
    ),
    sheet("crossed-out zeros", [*HEAD, ["Player", 1, 2, 3, 4, "Total"], *([row[0], *("Ø" if cell == 0 else cell for cell in row[1:])] for row in down())]),
    sheet("a check row under the hands", [*HEAD, ["Player", 1, 2, 3, 4], *down(total=False), ["Check", 26, 26, 26, 26]]),
    sheet("stars for who took the queen", [*HEAD, ["Player", 1, 2, 3, 4, "Total"], *([row[0], *(f"{cell}*" if cell >= 13 else cell for cell in row[1:5]), row[5]] for row in down())]),
    sheet("points and running totals in turn", [*HEAD, ["Player", 1, "", 2, "", 3, ""], *([name, *(value for hand in range(3) for value in (HANDS[hand][seat], RUNNING[hand][seat]))] for seat, name in enumerate(FOUR))], {}, asks=("sheet.unread", "C5")),
    Sheet("a workbook with a sheet for each table", as_xlsx([*HEAD, ["Player", 1, 2, 3, 4], *down(total=False)], [["Game", "Hearts"], ["Player", 1, 2, 3, 4], *down(OTHERS, total=False)], titles=("Table 1", "Table 2")), {JAN6: [POINTS, MORE]}),
    Sheet("a workbook with a sheet for each evening", as_xlsx([["Game", "Hearts"], ["Player", 1, 2, 3, 4], *down(total=False)], [["Game", "Hearts"], ["Player", 1, 2, 3, 4], *down(total=False)], titles=("6 Jan 2026", "13 Jan 2026")), {JAN6: [POINTS], JAN13: [POINTS]}),
    Sheet("a workbook with a sheet of notes", as_xlsx([*HEAD, ["Player", 1, 2, 3, 4], *down(total=False)], [["We meet at the Lamb"]], titles=("Scores", "Notes")), ONE),
    sheet("a season with a column of evenings played", [["Game", "Hearts"], ["Player", "6 Jan 2026", "13 Jan 2026", "Total", "Played"], ["Ann", 5, 8, 13, 2], ["Bob", 21, 18, 39, 2], ["Cy", "", 0, 0, 1]], {JAN6: [{"Ann": 5, "Bob": 21}], JAN13: [{"Ann": 8, "Bob": 18, "Cy": 0}]}),
    sheet("a season with a column of money", [["Game", "Hearts"], ["Player", "6 Jan 2026", "13 Jan 2026", "Total", "Paid"], ["Ann", 5, 8, 13, 6], ["Bob", 21, 18, 39, 4], ["Cy", "", 0, 0, 6]], {JAN6: [{"Ann": 5, "Bob": 21}], JAN13: [{"Ann": 8, "Bob": 18, "Cy": 0}]}, asks=("sheet.unread", "E3"), answer={"ignore": ("E3",)}),
    sheet("a roll of honour", [["Roll of honour"], [], ["Date", "Winner", "Runner-up"], ["6 Jan 2026", "Ann", "Bob"], ["13 Jan 2026", "Cy", "Ann"]], {JAN6: [{"Ann": 1, "Bob": 2}], JAN13: [{"Cy": 1, "Ann": 2}]}),
]  # fmt: skip

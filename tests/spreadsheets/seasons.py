"""Seasons of several evenings, and the ways in which clubs write them: a matrix, or the winners of each evening."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from random import Random
from typing import NamedTuple

from cardledger.formats.spreadsheets.preview import Preview
from cardledger.rules.evenings.places import places
from cardledger.rules.games import games
from tests.spreadsheets.paper import NAMES, Rows, evening

DAYS = ("2026-01-06", "2026-01-13", "2026-01-20", "2026-02-03")


class Season(NamedTuple):
    """A game, and the points of each evening by name: who was not there has none."""

    game: str
    evenings: tuple[dict[str, int], ...]

    @property
    def players(self) -> list[str]:
        return sorted({name for points in self.evenings for name in points}, key=NAMES.index)

    def total(self, name: str) -> int:
        return sum(points.get(name, 0) for points in self.evenings)

    def ranked(self, day: int) -> list[tuple[int, str, int]]:
        """Places, names and points of an evening, the first place first."""
        points = self.evenings[day]
        order = places([*points.values()], low=games()[self.game].scoring.fewest)
        return sorted((place, name, number) for place, (name, number) in zip(order, points.items(), strict=True))


def season(game: str, seed: int, evenings: int = 3, hands: int = 3) -> Season:
    """A season of evenings that bots played: of more players than a table has, so that not everybody comes."""
    random, n = Random(seed), games()[game].players[seed % len(games()[game].players)]
    made = []
    for number in range(evenings):
        (table,) = evening(game, n, seed * 10 + number, tables=1, hands=hands)
        names = random.sample(NAMES[: n + 2], n)
        made.append(dict(zip(names, map(sum, zip(*table.hands, strict=True)), strict=True)))
    return Season(game, (*made,))


def turned(rows: Rows) -> Rows:
    wide = max(map(len, rows))
    return [[*line] for line in zip(*([*row, *[""] * (wide - len(row))] for row in rows), strict=True)]


def matrix(
    season: Season, days: Sequence[object] = DAYS, absent: object = "", total: str = "Total", sums: str = "",
    place: str = "", corner: str = "Player", running: bool = False,
) -> Rows:  # fmt: skip
    """Players down, evenings across."""
    low, names = games()[season.game].scoring.fewest, season.players
    ranks = dict(zip(names, places([season.total(name) for name in names], low=low), strict=True))
    rows: Rows = [[*([place] if place else []), corner, *days[: len(season.evenings)], *([total] if total else [])]]
    for name in names:
        so_far = [*accumulate(points.get(name, 0) for points in season.evenings)]
        cells = [
            absent if name not in points else so_far[day] if running else points[name]
            for day, points in enumerate(season.evenings)
        ]
        rows.append([*([ranks[name]] if place else []), name, *cells, *([season.total(name)] if total else [])])
    if sums:
        of_days = [sum(points.values()) for points in season.evenings]
        rows.append([*([""] if place else []), sums, *of_days, *([sum(of_days)] if total else [])])
    return rows


def winners(
    season: Season, headings: Sequence[object], points: str = "", days: Sequence[object] = DAYS, corner: str = "Date"
) -> Rows:
    """An evening a row, the first places in columns; points in cells (`in`), or in columns with a heading."""
    rows: Rows = [[corner]]
    for heading in headings:
        rows[0] += [heading, *([points] if points not in ("", "in", "brackets") else [])]
    for day in range(len(season.evenings)):
        row: list[object] = [days[day]]
        for _, name, number in season.ranked(day)[: len(headings)]:
            said = {"in": f"{name} {number}", "brackets": f"{name} ({number})"}.get(points, name)
            row += [said, *([number] if points not in ("", "in", "brackets") else [])]
        rows.append(row)
    return rows


def head(season: Season, rows: Rows) -> Rows:
    return [["Game", season.game], [], *rows]


GERMAN = ("6. Januar 2026", "13. Januar 2026", "20. Januar 2026", "3. Februar 2026")
SHORT = ("6-Jan-26", "13-Jan-26", "20-Jan-26", "3-Feb-26")
ENGLISH = ("Tuesday, 6 Jan 2026", "Tuesday, 13 Jan 2026", "Tuesday, 20 Jan 2026", "Tuesday, 3 Feb 2026")
FRENCH = ("6 janvier 2026", "13 janvier 2026", "20 janvier 2026", "3 février 2026")
Layout = Callable[[Season], Rows]
MATRICES: dict[str, Layout] = {
    "matrix": matrix,
    "matrix without totals": lambda made: matrix(made, total=""),
    "matrix with sums": lambda made: matrix(made, sums="Total"),
    "matrix with sums of another name": lambda made: matrix(made, sums="Kontrolle"),
    "matrix with dashes": lambda made: matrix(made, absent="-", days=SHORT),
    "matrix with places": lambda made: matrix(made, place="Place", days=ENGLISH),
    "matrix in German": lambda made: matrix(made, total="Summe", place="Platz", corner="Spieler", days=GERMAN),
    "matrix in French": lambda made: matrix(made, total="Somme", corner="Joueur", days=FRENCH, absent="–"),
    "matrix without a corner": lambda made: matrix(made, corner=""),
    "matrix of running totals": lambda made: matrix(made, running=True),
    "matrix, dates down": lambda made: turned(matrix(made, corner="Date")),
    "matrix, dates down, sums": lambda made: turned(matrix(made, corner="Date", sums="Total")),
    "matrix, dates down, without totals": lambda made: turned(matrix(made, corner="", total="", absent="-")),
}
ENGLISH_PLACES, WORDS = ("1st", "2nd", "3rd"), ("Winner", "Runner-up", "Third")
WINNERS: dict[str, Layout] = {
    "winners": lambda made: winners(made, ENGLISH_PLACES),
    "winners in words": lambda made: winners(made, WORDS[:2], days=ENGLISH),
    "winners with numbers": lambda made: winners(made, ("1.", "2.", "3."), days=GERMAN, corner="Datum"),
    "winners in plain numbers": lambda made: winners(made, (1, 2, 3), corner="Evening"),
    "winners in German": lambda made: winners(made, ("Sieger", "Zweiter"), days=GERMAN, corner="Abend vom"),
    "winners in French": lambda made: winners(made, ("Vainqueur", "Deuxième"), days=FRENCH, corner="Jour"),
    "winners with points": lambda made: winners(made, ENGLISH_PLACES, points="Points"),
    "winners with points in the cell": lambda made: winners(made, ENGLISH_PLACES, points="in"),
    "winners with points in brackets": lambda made: winners(made, WORDS, points="brackets", days=SHORT),
    "winners down": lambda made: turned(winners(made, ENGLISH_PLACES, corner="Place")),
}
LAYOUTS = MATRICES | WINNERS


def outcome(preview: Preview, made: Season, layout: str) -> str:
    """`right`, `wrong`, or the codes of the problems."""
    if not preview.ready:
        return ", ".join(sorted({problem.code for problem in preview.problems}))
    shown = [
        (evening.opening.date, {player: (table.totals or table.places)[seat] for table in evening.tables for seat, player in enumerate(table.players)})
        for evening in preview.evenings if evening.opening is not None
    ]  # fmt: skip
    if layout in MATRICES:
        return "right" if shown == [*zip(DAYS, made.evenings, strict=False)] else "wrong"
    places = len(shown[0][1])
    expected = []
    for day in range(len(made.evenings)):
        first = made.ranked(day)[:places]
        with_points = all(table.totals for evening in preview.evenings for table in evening.tables)
        said = {name: points if with_points else column for column, (_, name, points) in enumerate(first, 1)}
        expected.append((DAYS[day], said))
    return "right" if shown == expected else "wrong"

"""The event with which a club gives points for places, and the lines that say such a table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Annotated

import msgspec
from msgspec import Meta

from cardledger.errors import FormatError
from cardledger.rules.engine.events import Event
from cardledger.rules.engine.keys import OPEN, Label
from cardledger.rules.evenings.places import shared
from cardledger.rules.evenings.rounding import exact
from cardledger.sentence import Sentence

MOST_TABLES = 100
"""The number of tables that a club gives."""
MOST_ROWS = 200
"""The number of rows of a table, and of places in a row."""
MOST_POINTS = 10_000
"""More than any club gives for a place."""
LONGEST_TABLE = 20_000
"""Characters of a table as it is written."""
_PLAIN_CSV = re.compile(r"[^,:;\t|]*,[^;\t|]*")
_APART = re.compile(r"[;\t:|]|\s+")
_POINTS = re.compile(r"\d{1,5}(?:[.,]\d{1,2})?")
_FIELD = re.compile(r"(\d{1,4})\s*(%?)")


class MasterpointRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """What the places are worth: in a field of so many `entries` or more, or to the first so many `percent` of a field."""

    entries: Annotated[int, Meta(ge=1, le=1000)] | None = None
    percent: Annotated[int, Meta(ge=1, le=100)] | None = None
    points: tuple[float | int, ...]


class Masterpoints(Event, tag="masterpoints", frozen=True, kw_only=True):
    """The club gives points for the places of its evenings, by a table that it knows by a name.

    Said again under the same name it replaces what was said before, for what is published from then on; without rows
    the name is forgotten. The points themselves are derived, and stored nowhere.
    """

    name: Label
    rows: Annotated[tuple[MasterpointRow, ...], OPEN] = ()

    def phrases(self) -> Iterator[str]:
        """Yield what becomes of the name."""
        yield (
            "the masterpoints {name} are given for places"
            if self.rows
            else "the masterpoints {name} are given no longer"
        )

    def worth(self, places: Sequence[int]) -> list[Fraction]:
        """Return the points of each of the ranked entries of a field, by their places as numbers.

        Those of one place share the sum of theirs equally. A smaller field than the table has gets nothing.

        >>> row = MasterpointRow(entries=3, points=(0.3, 0.1))
        >>> [str(each) for each in Masterpoints(name="Club", rows=(row,)).worth([1, 1, 3])]
        ['1/5', '1/5', '0']
        """
        field = len(places)
        by_place = [self._of_place(place, field) for place in range(1, field + 1)]
        return shared(places, by_place)

    def _of_place(self, place: int, field: int) -> Fraction:
        for row in self.rows:
            if row.percent is not None and 100 * place <= row.percent * field:
                return exact(row.points[0])
        fitting = [row for row in self.rows if row.entries is not None and row.entries <= field]
        points = fitting[-1].points if fitting else ()
        return exact(points[place - 1]) if place <= len(points) else Fraction(0)


def expect_table(table: Masterpoints) -> None:
    """Refuse a table that says no clear thing; raises FormatError `format.key`, `format.value`, `format.size`."""
    if len(table.rows) > MOST_ROWS or any(len(row.points) > MOST_ROWS for row in table.rows):
        raise FormatError("format.size", Sentence("a table has at most {most} rows and places", most=MOST_ROWS))
    if any((row.entries is None) == (row.percent is None) for row in table.rows):
        raise FormatError("format.key", Sentence("each row has 'entries' or 'percent': give one"))
    sizes = [row.percent if row.entries is None else row.entries for row in table.rows]
    if len({row.entries is None for row in table.rows}) > 1 or sizes != sorted({*sizes}, key=lambda size: size or 0):
        raise FormatError(
            "format.value",
            Sentence("the rows are all by 'entries' or all by 'percent', each number once, smaller ones first"),
        )
    by_place = [row.points for row in table.rows if row.entries is not None]
    by_place += [tuple(row.points[0] for row in table.rows if row.percent is not None and row.points)]
    if any(list(points) != sorted(points, reverse=True) for points in by_place):
        raise FormatError("format.value", Sentence("no place is worth more than a better one: correct the points"))
    for row in table.rows:
        if not row.points or (row.percent is not None and len(row.points) != 1):
            raise FormatError(
                "format.value", Sentence("a row has a number for each place, or one number for its share of the field")
            )
        if any(not 0 <= each <= MOST_POINTS or (exact(each) * 100).denominator != 1 for each in row.points):
            raise FormatError(
                "format.value", Sentence("points are from 0 to {most}, with at most two decimals", most=MOST_POINTS)
            )


def table_written(name: str, text: str) -> Masterpoints:
    """Return the table that lines say, as CSV or as people write it; raises FormatError `format.value`, `format.size`.

    `8: 0.30 0.20 0.10` is for 8 entries or more, place by place; `33%: 0.5` is for the first third of any field. The
    first line may be a heading, whose first cell is a word.

    >>> [row.points for row in table_written("Club", "entries,1,2\\n8,0.30,0.20\\n12;0,40;0,30").rows]
    [(0.3, 0.2), (0.4, 0.3)]
    """
    if len(text) > LONGEST_TABLE:
        raise FormatError("format.size", Sentence("a table has at most {most} characters", most=LONGEST_TABLE))
    rows: list[MasterpointRow] = []
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        first, *cells = _cells(line)
        if not first or (not rows and first[:1].isalpha()):
            continue
        size = _FIELD.fullmatch(first)
        wrong = next((cell for cell in cells if not _POINTS.fullmatch(cell)), None if size else first)
        if size is None or wrong is not None or not cells:
            raise FormatError(
                "format.value",
                Sentence(
                    "line {line}, {cell}: write a size and points, such as 8: 0.30 0.20, or 33%: 0.5",
                    line=number,
                    cell=wrong or first,
                ),
            )
        key = "percent" if size[2] else "entries"
        points = tuple(float(cell.replace(",", ".")) for cell in cells)
        if not 1 <= int(size[1]) <= (100 if size[2] else 1000):
            raise FormatError("format.value", Sentence("line {line}: no field is of {size}", line=number, size=first))
        rows.append(MasterpointRow(**{key: int(size[1])}, points=tuple(int(p) if p == int(p) else p for p in points)))
    if not rows:
        raise FormatError("format.value", Sentence("the table has no line: write one such as 8: 0.30 0.20 0.10"))
    table = Masterpoints(name=name, rows=(*sorted(rows, key=lambda row: row.entries or row.percent or 0),))
    expect_table(table)
    return table


def lines_of(table: Masterpoints) -> str:
    """Return a table as lines, as `table_written` reads them."""
    return "\n".join(
        f"{row.entries if row.percent is None else f'{row.percent}%'}: {' '.join(map(str, row.points))}"
        for row in table.rows
    )


def _cells(line: str) -> list[str]:
    """Return the cells of a line, at least one; a comma is a decimal one unless the line is plain CSV."""
    text = line.strip()
    cells = text.split(",") if _PLAIN_CSV.fullmatch(text) else _APART.split(text)
    first, *more = (cell.strip(' "') for cell in cells)
    return [first, *filter(None, (cell.rstrip(",") for cell in more))]

"""Marks of thousands: `1.204` is 1204 in a sheet that says so by its other numbers; else it may be 1.2, and is asked about."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING, Final

from cardledger.formats.spreadsheets.cells import Value, Worksheet

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_MARKED = re.compile(r"\s*[+−–-]?\d{1,3}(?:(?P<mark>[.,])\d{3})(?:(?P=mark)\d{3})*\s*", re.ASCII)
_CERTAIN = re.compile(r"\s*[+−–-]?\d{1,3}(?:['’\u00a0\u202f\u2009]\d{3})+\s*", re.ASCII)
_NUMBER = re.compile(r"\s*[+−–-]? ?\d+(?:[.,]\d+)*\s*", re.ASCII)
_SMALL = re.compile(r"\s*[+−–-]?(?!100\b)[1-9]\d{2}\s*", re.ASCII)
_ROUND: Final = 3
"""So many numbers end in 0 by chance hardly ever, if they have digits behind a point."""


def may_have_thousands(text: str) -> bool:
    """Tell whether a text is a number that may have a mark of thousands, or three digits behind a point.

    >>> may_have_thousands("1.204"), may_have_thousands("12.5"), may_have_thousands("1,204,000")
    (True, False, True)
    """
    return _MARKED.fullmatch(text) is not None


def without_marks(sheet: Worksheet) -> Worksheet:
    """Return a sheet whose numbers have no marks of thousands, where nothing else can be meant by them."""
    rows: list[Sequence[Value]] = [[_plain(value) for value in row] for row in sheet.rows]
    marks = {mark for mark in ".," if any(_evident(column, mark) for column in _columns(rows))}
    if len(marks) == 1:
        (mark,) = marks
        rows = [[_unmarked(value, mark) for value in row] for row in rows]
    return sheet._replace(rows=rows)


def _plain(value: Value) -> Value:
    """Return a number without marks that can only be those of thousands: `1'204`, and narrow blanks."""
    if isinstance(value, str) and _CERTAIN.fullmatch(value):
        return re.sub(r"['’\u00a0\u202f\u2009]", "", value)
    return value


def _columns(rows: Sequence[Sequence[Value]]) -> Iterator[list[str]]:
    """Yield the numbers that stand below each other without a gap, as texts, if one of them has a mark."""
    for at in range(max(map(len, rows), default=0)):
        texts = (row[at] if at < len(row) else None for row in rows)
        for number, run in groupby(texts, lambda text: isinstance(text, str) and _NUMBER.fullmatch(text) is not None):
            column = [text for text in run if isinstance(text, str)]
            if number and any(map(may_have_thousands, column)):
                yield column


def _evident(column: Sequence[str], mark: str) -> bool:
    """Tell whether numbers say that this mark is that of thousands, and none has other digits behind it.

    One has two marks; or a smaller one below the first, which may be a heading, has none, and is more than a percentage;
    or all are round.
    """
    marked = [text for text in column if (found := _MARKED.fullmatch(text)) and found["mark"] == mark]
    if not marked or any(mark in text and text not in marked for text in column):
        return False
    return (
        any(text.count(mark) > 1 for text in marked)
        or any(map(_SMALL.fullmatch, column[1:]))
        or (len(marked) >= _ROUND and all(text.rstrip().endswith("0") for text in marked))
    )


def _unmarked(value: Value, mark: str) -> Value:
    found = _MARKED.fullmatch(value) if isinstance(value, str) else None
    return value if found is None or found["mark"] != mark or not isinstance(value, str) else value.replace(mark, "")

"""Tables in plain text that fit a width."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from textwrap import wrap
from unicodedata import combining, east_asian_width

from cardledger.record.matches.matchfile import printable

_NUMBER = re.compile(r"−?[\d.,]+(?![\w-])")
_LEAST = 16
"""Columns that the last cell of a row needs, to be broken into several lines."""


def grid(names: Sequence[str], rows: Sequence[Sequence[str]], width: int | None = None) -> Iterator[str]:
    r"""Yield rows with aligned columns, without trailing spaces, numbers to the right.

    Where `width` is not enough, the last column is broken into lines; where that is not enough either, each row is a
    block of lines, a name and a value on each.

    >>> print("\n".join(grid(["player", "points"], [["ana", "7"], ["ben", "11"]])))
    player  points
    ana          7
    ben         11
    """
    rows = [[printable(text) for text in row] for row in rows]
    left = [not any(numeric(row[i]) for row in rows) for i in range(len(names))]
    widths = [max(map(columns, column)) for column in zip(names, *rows, strict=True)]
    last = max(widths[-1], 1)  # a column can be empty
    if width is not None and sum(widths) + 2 * len(widths) - 2 > width:
        last = width - sum(widths[:-1]) - 2 * len(widths) + 2
        if last < _LEAST or not left[-1]:
            yield from _blocks(names, rows, width)
            return
    for row in (names, *rows):
        cells = [_padded(text, most, words) for text, most, words in zip(row, widths, left, strict=True)][:-1]
        first, *more = wrap(row[-1], last) or [""] if left[-1] else [_padded(row[-1], last, words=False)]
        yield "  ".join([*cells, first]).rstrip()
        indent = " " * (sum(widths[:-1]) + 2 * len(widths) - 2)
        yield from (indent + text for text in more)


def columns(text: str) -> int:
    """Return how many columns of a terminal a text takes.

    >>> columns("ana"), columns("José"), columns("日本")
    (3, 4, 4)
    """
    if text.isascii():
        return len(text)
    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def numeric(text: str) -> bool:
    """Tell whether a cell begins with a number; days and ids do not.

    >>> numeric("−3.2 (−5 to −1)"), numeric("2026-11-22"), numeric("9cc213d7")
    (True, False, False)
    """
    return _NUMBER.match(text) is not None


def _padded(text: str, most: int, words: bool) -> str:
    space = " " * (most - columns(text))
    return text + space if words else space + text


def _blocks(names: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> Iterator[str]:
    most = max(map(columns, names[1:]), default=0)
    for row in rows:
        yield row[0]
        for name, text in zip(names[1:], row[1:], strict=True):
            first, *more = wrap(text, max(width - most - 4, _LEAST // 2)) or [""]
            if first:
                yield f"  {_padded(name, most, words=True)}  {first}"
                yield from (" " * (most + 4) + part for part in more)

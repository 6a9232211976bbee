"""Plain texts as rows: notes of a phone and pages copied from a PDF, whose columns only blanks divide."""

from __future__ import annotations

import re
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from cardledger.formats.spreadsheets.cells import Cell, Worksheet
from cardledger.formats.spreadsheets.headings import facts_of, hand_of, kind_of
from cardledger.formats.spreadsheets.titles import said_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_GAP = re.compile(r"\s{2,}")
_NUMBERS = re.compile(
    r"(?P<name>\D*[^\W\d_][.')*]*)(?:\s*[:=])?(?P<rest>(?:\s+[+−-]?\d{1,6})+(?:\s+=\s+[+−-]?\d{1,6})?)\s*"
)
_WORD = re.compile(r"\S+")
_NUMBER_OR_SUM = re.compile(r"(?:=\s+)?\S+")
_LONGEST: Final = 300
"""The longest line that is divided."""


class _TextPart(NamedTuple):
    """A part of a line: where it begins and ends, and its text."""

    start: int
    end: int
    text: str


def rows_of_text(lines: Sequence[str]) -> list[list[str]]:
    """Return the lines of a text as rows of cells; a line that cannot be divided for sure is one cell.

    A name stands before its numbers. All lines of a block have as many parts, one below the other: else nobody knows
    what an empty place means.
    """
    rows: list[list[str]] = []
    divided = [_parts(line) for line in lines]
    for several, group in groupby(divided, lambda parts: len(parts) > 1):
        block = [*group]
        sure = several and len({*map(len, block)}) == 1 and _aligned(block)
        for parts in block:
            rows.append([part.text for part in parts] if sure else [lines[len(rows)].strip()])
    return rows


def _parts(line: str) -> list[_TextPart]:
    """Return the parts of a line: one of a title, or of words; headings, or a name and its numbers."""
    text = line.rstrip()
    if not text.strip() or len(text) > _LONGEST or _is_title(text):
        return [_TextPart(0, len(text), text.strip())]
    words = [*_divided(text, _WORD)]
    if len(words) > 1 and all(kind_of(word.text) or hand_of(word.text) for word in words):
        return words
    found = _NUMBERS.fullmatch(text)
    gaps = [*_between_gaps(text)]
    if found is None or len(gaps) > 2 and "=" not in found["rest"]:
        return gaps
    name = found["name"]
    start = len(name) - len(name.lstrip())
    offset = found.start("rest")
    numbers = (
        part._replace(start=part.start + offset, end=part.end + offset, text=part.text.removeprefix("=").strip())
        for part in _divided(found["rest"], _NUMBER_OR_SUM)
    )
    return [_TextPart(start, len(name), name.strip()), *numbers]


def _is_title(text: str) -> bool:
    """Tell whether a line says the day, the game or the table of what is below it."""
    cell = [Cell(Worksheet("", None, []), 0, 0, text.strip())]
    return bool(said_in(cell) or facts_of(cell))


def _divided(text: str, pattern: re.Pattern[str]) -> Iterator[_TextPart]:
    return (_TextPart(found.start(), found.end(), found[0]) for found in pattern.finditer(text))


def _between_gaps(text: str) -> Iterator[_TextPart]:
    """Yield the parts of a text between gaps of several blanks."""
    start = len(text) - len(text.lstrip())
    for gap in _GAP.finditer(text, start):
        yield _TextPart(start, gap.start(), text[start : gap.start()])
        start = gap.end()
    yield _TextPart(start, len(text), text[start:])


def _aligned(block: Sequence[Sequence[_TextPart]]) -> bool:
    """Tell whether the parts of lines stand below each other, or are divided by single blanks only."""
    if all(two.start - one.end < 2 for parts in block for one, two in pairwise(parts[1:])):
        return True
    for column in zip(*block, strict=True):
        starts, ends = {part.start for part in column}, {part.end for part in column}
        if len(starts) > 1 and len(ends) > 1 and max(starts) >= min(ends):
            return False
    return True

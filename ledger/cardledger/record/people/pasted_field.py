"""A field that is pasted: names from a text, one line for each player, pair or team, with numbers or not."""

from __future__ import annotations

import re
from typing import NamedTuple

from cardledger.errors import FormatError, RuleError
from cardledger.record.people.spelling import A_NAME, expect_name, tidy_name
from cardledger.sentence import Sentence, advising

MOST_LINES = 400
"""The most lines of a field."""
LONGEST_FIELD = 40_000
"""The most characters of a field."""
_NUMBER = re.compile(r"(\d{1,4})\s*[.):\t]\s*|(\d{1,4})\s+")
_APART = re.compile(r"[/&+\t|]")


class PastedLine(NamedTuple):
    """A line of a field: its place in the text from 1, its number if it has one, and its names."""

    line: int
    number: int | None
    names: tuple[str, ...]


def pasted_field(text: str) -> list[PastedLine]:
    """Return the lines of a field; empty ones are left out.

    Names of a line are separated by `/`, `&`, `+`, `|` or a tab; a number may stand before them. Numbers are in all
    lines or in none. Raises FormatError `format.value` for a line that can be read in two ways, RuleError `people.name`
    for one that is no name, `session.player` for a name that comes twice.

    >>> pasted_field("1. Ann Smith / Bob Jones\\n\\n2. Cleo & Dev")[1]
    PastedLine(line=3, number=2, names=('Cleo', 'Dev'))
    """
    lines = [*_lines(text)]
    if len(lines) > MOST_LINES:
        raise FormatError(
            "format.value",
            Sentence("the list has {num} lines: paste {most_lines} at most", num=len(lines), most_lines=MOST_LINES),
        )
    without = [each.line for each in lines if each.number is None]
    if without and len(without) < len(lines):
        raise FormatError(
            "format.value",
            Sentence("line {line} has no number, but others have: number all lines, or none", line=without[0]),
        )
    seen: dict[str, int] = {}
    numbers: dict[int, int] = {}
    for each in lines:
        if each.number is not None and numbers.setdefault(each.number, each.line) != each.line:
            raise FormatError(
                "format.value",
                Sentence(
                    "number {number} is in lines {before} and {line}: give another",
                    number=each.number,
                    before=numbers[each.number],
                    line=each.line,
                ),
            )
        for name in each.names:
            if name.casefold() in seen:
                raise RuleError(
                    "session.player",
                    advising(
                        Sentence(
                            "{name} is in lines {before} and {line}: write more of the name, or leave one out",
                            name=name,
                            before=seen[name.casefold()],
                            line=each.line,
                        )
                    ),
                )
            seen[name.casefold()] = each.line
    return lines


def _lines(text: str) -> list[PastedLine]:
    found = []
    for place, line in enumerate(text.splitlines(), 1):
        said = line.strip(" \r\n\ufeff")
        if not said.strip():
            continue
        if "," in said or ";" in said:
            raise FormatError(
                "format.value",
                Sentence(
                    "line {place} has a comma: write a slash between two names, and first names first", place=place
                ),
            )
        number = _NUMBER.match(said)
        names = tuple(filter(None, map(tidy_name, _APART.split(said[number.end() :] if number else said))))
        if not names:
            raise FormatError(
                "format.value", Sentence("line {place} has no name: write one, or leave the line out", place=place)
            )
        for name in names:
            try:
                expect_name(name, A_NAME)
            except RuleError as error:
                raise RuleError(
                    error.code, Sentence("line {place}: {message}", place=place, message=error.message)
                ) from None
        found.append(PastedLine(place, int(number[1] or number[2]) if number else None, names))
    return found

"""Titles and headings in other words: what a line says in a sentence, and columns that their own cells explain."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import Final

from cardledger.formats.spreadsheets.cells import Cell
from cardledger.formats.spreadsheets.days import day_in
from cardledger.formats.spreadsheets.headings import hand_of, kind_of
from cardledger.formats.spreadsheets.matrices import Line, is_day
from cardledger.rules.games.names import game_called, plain

_MOST_WORDS: Final = 7
"""The longest day or game in words: `on Tuesday, the 6th of January 2026`."""
_NUMBERED = re.compile(r"(\D{1,20}?)\s*(\d{1,3})\s*\D?")
_JOINED: Final = re.compile(r"(?<=[^\W\d]{3})-(?=[^\W\d]{3})")
_LONGEST: Final = 150


def said_in(line: Line) -> dict[str, Cell]:
    """Return the day and the game that a title says; nothing if it has other figures, or a day of something else.

    A day counts if nothing stands beside it, or a game does, or the word evening.
    """
    facts: dict[str, Cell] = {}
    filled = [cell for cell in line if not cell.empty]
    if len(filled) > len(("title", "day", "game")) or not all(
        isinstance(cell.value, str) or is_day(cell) for cell in filled
    ):
        return {}
    rest = []
    for cell in filled:
        if len(cell.text) > _LONGEST:
            return {}
        words = _words(cell)
        if not words:
            facts.setdefault("date", cell)
        words = _taken(cell, words, "date", facts)
        words = _taken(cell, words, "game", facts)
        rest += words
    others = [word for word in map(plain, rest) if word and kind_of(word) != "name"]
    if any(char.isnumeric() for word in others for char in word):
        return {}
    named = len(others) < len([word for word in rest if plain(word)])
    return facts if "game" in facts or named or not others else {}


def only_day(cells: Iterable[Cell]) -> Cell | None:
    """Return the only day that some cells say, each by itself or in words without other figures; None if there are more."""
    found: dict[str, Cell] = {}
    for cell in cells:
        if cell.whole() is not None or len(cell.text) > _LONGEST:
            continue
        facts: dict[str, Cell] = {}
        rest = _taken(cell, _words(cell), "date", facts)
        day = facts.get("date", cell)
        if day.day() is None or any(char.isnumeric() for word in rest for char in word):
            continue
        found[cell.address] = day
        if len(found) > 1:
            return None
    return next(iter(found.values()), None)


def _words(cell: Cell) -> list[str]:
    """Return the words of a cell, parts of joined ones by themselves (`Hearts-Abend`); nothing for a value that is no text."""
    return _JOINED.sub(" ", cell.text).split() if isinstance(cell.value, str) else []


def _taken(cell: Cell, words: list[str], kind: str, facts: dict[str, Cell]) -> list[str]:
    """Note the first day or game in some words, the longest that fits; return the other words."""
    for size in range(min(len(words), _MOST_WORDS), 0, -1):
        for start in range(len(words) - size + 1):
            text = " ".join(words[start : start + size]).strip(" ,;:–—-()·|")
            if (
                day_in(text, cell.sheet.year) if kind == "date" else game_called(text)
            ) is not None and kind not in facts:
                facts[kind] = cell._replace(value=text)
                return [*words[:start], *words[start + size :]]
    return words


def in_plain_words(lines: Sequence[Line]) -> list[Line]:
    """Return lines with headings that their columns explain in the words that are known.

    A heading above days only is that of the date; headings that count (`Manche 1`, `Manche 2`) are numbers of hands.
    """
    made: list[Line] = []
    for row, line in enumerate(lines):
        kinds = [kind_of(cell.text) for cell in line]
        if sum(not cell.empty for cell in line) < len(("name", "number")) or "date" in kinds and not _counted(line):
            made.append(line)
            continue
        changed = {place: cell._replace(value=number) for place, (cell, number) in _counted(line).items()}
        if (total := _unnamed_total(lines, row, kinds)) is not None:
            changed[total] = line[total]._replace(value="total")
        if "date" not in kinds:
            for place, cell in enumerate(line):
                if kinds[place] is None and not cell.empty and not is_day(cell) and _days_below(lines, row, place):
                    changed[place] = cell._replace(value="date")
                    break
        made.append([changed.get(place, cell) for place, cell in enumerate(line)] if changed else line)
    return made


def _counted(line: Line) -> dict[int, tuple[Cell, int]]:
    """Return the headings that count from 1 behind one word that is not known, with their numbers, by place."""
    found: dict[str, dict[int, tuple[Cell, int]]] = {}
    for place, cell in enumerate(line):
        parts = _NUMBERED.fullmatch(cell.text) if isinstance(cell.value, str) else None
        if parts is not None and hand_of(cell.text) is None and kind_of(parts[1]) in (None, "round", "hand"):
            found.setdefault(plain(parts[1]), {})[place] = (cell, int(parts[2]))
    for columns in found.values():
        numbers = [number for _, number in columns.values()]
        if len(numbers) > 1 and numbers == [*range(1, len(numbers) + 1)]:
            return columns
    return {}


def _unnamed_total(lines: Sequence[Line], row: int, kinds: Sequence[str | None]) -> int | None:
    """Return the place without a heading below which the sums of all hands stand, for several players; else None."""
    line = lines[row]
    hands = [place for place, cell in enumerate(line) if hand_of(cell.text)]
    if "player" not in kinds or "total" in kinds or len(hands) < len(("one", "another")):
        return None
    below = [*takewhile(lambda each: not all(cell.empty for cell in each), lines[row + 1 :])]
    for place, cell in enumerate(line):
        sums = [each[place].whole() for each in below]
        made = [sum(each[hand].whole() or 0 for hand in hands) for each in below]
        if cell.empty and len(sums) > 1 and sums == made and any(made):
            return place
    return None


def _days_below(lines: Sequence[Line], row: int, place: int) -> bool:
    """Tell whether all that stands below a heading, to the next blank line, are days."""
    found = False
    for below in range(row + 1, len(lines)):
        line = lines[below]
        if all(cell.empty for cell in line):
            break
        if place < len(line) and not line[place].empty:
            if not is_day(line[place]):
                return False
            found = True
    return found

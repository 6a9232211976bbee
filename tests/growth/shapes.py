"""Shapes of bytes: what is repeated, behind which beginning and before which ending, at any size."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

from tests.growth.measure import Read, Shape

Unit = str | Callable[[int], str]
"""What a shape repeats: a text, or a text for each number."""
OF_TEXT = (
    " ",
    "\n",
    "\r\n",
    "\t",
    "\0",
    '"',
    "'",
    "{",
    "}",
    "[",
    "]",
    "(",
    "<",
    ">",
    ";",
    "%",
    ",",
    "|",
    "\\",
    "&",
    ":",
    "-",
    "#",
    "/",
    "a",
    "1",
    "é",
    "\u0301",
    "a ",
    "1,",
    '"a',
    "\\\\",
    "\ud7ff",
    "ab\n",
    "=1=",
    "{}",
    "[]",
)


class Reader(NamedTuple):
    """A reader, and what its shapes are made of: each beginning, followed by each unit many times, and each ending.

    `halves` are shapes of two parts that both grow: what the second repeats may cost as much as the first is long. They
    begin larger, so that this outweighs what the second part costs by itself.
    """

    read: Read
    beginnings: tuple[str, ...] = ("",)
    units: tuple[Unit, ...] = ()
    endings: tuple[str, ...] = ("",)
    halves: tuple[tuple[str, Unit, str, Unit, str], ...] = ()
    of_text: tuple[Unit, ...] = OF_TEXT
    size: int = 400

    def few(self) -> Iterator[tuple[str, Shape]]:
        """Yield shapes for every day: each unit of the format behind each beginning, and all others."""
        yield from self._shapes(self.beginnings, self.units, self.endings[:1])
        yield from self._shapes(self.beginnings[:1], self.of_text, self.endings[-1:])
        for begin, first, middle, second, end in self.halves:
            yield (
                f"{begin!r} + {_said(first)} + {middle[:30]!r} + {_said(second)}",
                _halved(begin, first, middle, second, end),
            )

    def many(self) -> Iterator[tuple[str, Shape]]:
        """Yield all shapes, and each unit of the format followed by each other one."""
        yield from self._shapes(self.beginnings, (*self.units, *self.of_text), self.endings)
        for begin, first, second in product(self.beginnings[:2], self.units, self.units):
            yield f"{begin[-30:]!r} + {_said(first)} + {_said(second)}", _halved(begin, first, "", second, "")

    def _shapes(
        self, beginnings: Sequence[str], units: Sequence[Unit], endings: Sequence[str]
    ) -> Iterator[tuple[str, Shape]]:
        for begin, unit, end in product(beginnings, units, endings):
            yield f"{begin[-30:]!r} + {_said(unit)} + {end[:20]!r}", shape_of(begin, unit, end)


def _said(unit: Unit) -> str:
    return f"{unit(1)[:30]!r}…" if callable(unit) else repr(unit[:30])


def _halved(begin: str, first: Unit, middle: str, second: Unit, end: str) -> Shape:
    before, behind = shape_of(begin, first, middle), shape_of("", second, end)
    return lambda size: before(8 * size) + behind(8 * size)


def shape_of(begin: str, unit: Unit, end: str) -> Shape:
    def made(size: int) -> bytes:
        parts, length, number = [begin], len(begin) + len(end), 0
        while length < size or not number:
            parts.append(unit(number) if callable(unit) else unit)
            length += len(parts[-1])
            number += 1
        return "".join([*parts, end]).encode("utf-8", "surrogatepass")

    return made

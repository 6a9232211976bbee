"""Layouts that a club keeps under a name: how sheets of a shape are read, without anything of what stands on them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from cardledger.errors import FormatError
from cardledger.formats.spreadsheets.cells import Cell, Worksheet, address
from cardledger.formats.spreadsheets.grids import Example
from cardledger.formats.spreadsheets.headings import kind_of
from cardledger.formats.spreadsheets.matrices import MARKED, is_nothing
from cardledger.formats.spreadsheets.reading import cells
from cardledger.formats.spreadsheets.readings import number_of
from cardledger.listed import meant
from cardledger.record.people.spelling import fold
from cardledger.rules.engine.events import Event, bare
from cardledger.rules.evenings.club import ClubState
from cardledger.rules.evenings.evening_events import Layout
from cardledger.sentence import Sentence

if TYPE_CHECKING:
    from cardledger.formats.spreadsheets.wishes import Wishes
    from cardledger.record.people.recorders import Recorder
    from cardledger.record.recording.ledger import Ledger

_BITS: Final = 48
"""The size of a shape: a number that every program can read from JSON."""
_NUMBERS_OR_BLANKS = re.compile(r"[.n]+")
_CELL = re.compile(r"([A-Z]{1,3})([1-9]\d{0,4})")


_MEANT: Final = {
    "hand": Sentence("the points of a hand"),
    "running": Sentence("a running total"),
    "total": Sentence("the total"),
}
_COLUMNS: Final = {
    "hands": Sentence("the columns of numbers are hands"),
    "running": Sentence("the columns of numbers are running totals"),
}


class ClubLayout(NamedTuple):
    """A layout with its club: its id, and the number of the club's last event."""

    club: str
    seq: int
    layout: Layout


def shape_of(sheets: Sequence[Worksheet]) -> int:
    """Return the shape of some sheets: which kinds of cells follow each other, however often.

    So more players, hands or tables change nothing, and no name counts. Headings count by what they mean.
    """
    lines = dict.fromkeys(_signs(cells(sheet, row)) for sheet in sheets for row in range(len(sheet.rows)))
    said = "\n".join(line for line in lines if line)
    return int.from_bytes(hashlib.sha256(said.encode()).digest()[: _BITS // 8], "big")


def _signs(line: Sequence[Cell]) -> str:
    """Return a line in signs, a run of the same as one; blanks among numbers and at the end are not there."""
    signs = "".join(map(_sign, line)).rstrip(".")
    return "".join(
        sign for sign, _ in groupby(_NUMBERS_OR_BLANKS.sub(lambda run: "n" if "n" in run[0] else ".", signs))
    )


def _sign(cell: Cell) -> str:
    if cell.empty or is_nothing(cell):
        return "."
    if number_of(cell, MARKED) is not None:
        return "n"
    if cell.day() is not None:
        return "d"
    kind = kind_of(cell.text) if isinstance(cell.value, str) else None
    return "t" if kind is None else f"<{kind}>"


def layouts_of(ledger: Ledger, club: str | None) -> list[ClubLayout]:
    """Return the layouts of a club, by its id; those of all clubs without."""
    found = []
    for id in ledger.evenings.ids("club"):
        if club in (None, id):
            stream = ledger.evenings.stream(id)
            if isinstance(stream.state, ClubState):
                found += [ClubLayout(id, stream.seq, layout) for layout in stream.state.layouts.values()]
    return found


def named(layouts: Sequence[ClubLayout], name: str) -> ClubLayout:
    """Return the layout of a name, whatever its capitals and accents; raises FormatError `format.value`."""
    found = [each for each in layouts if fold(each.layout.name) == fold(name)]
    if len(found) == 1:
        return found[0]
    if found:
        raise FormatError("format.value", f"several clubs have a layout {name}: name the club")
    known = [each.layout.name for each in layouts]
    likely = meant(name, known) if known else ": none is kept yet"
    raise FormatError("format.value", f"there is no layout {name}{likely}")


def as_wished(wishes: Wishes, layout: Layout) -> Wishes:
    """Return wishes with what a layout says of how the results lie."""
    example = None
    if layout.score_is is not None:
        example = Example(_text(layout.name_at), _text(layout.score_at), layout.score_is)
    return wishes._replace(columns=layout.columns, example=example, ignore=tuple(map(_text, layout.ignore)))


def layout_of(wishes: Wishes, name: str, shape: int) -> Layout | None:
    """Return how wishes say that sheets of a shape lie, under a name; None if they say nothing."""
    said = wishes.said
    if said.example is None and wishes.columns is None and not said.ignore:
        return None
    return Layout(
        name=name,
        shape=shape,
        columns=wishes.columns,  # type: ignore[arg-type] # the preview has read by it
        name_at=() if said.example is None else _place(said.example.name),
        score_at=() if said.example is None else _place(said.example.score),
        score_is=None if said.example is None else said.example.what,  # type: ignore[arg-type]
        ignore=tuple(map(_place, said.ignore)),
    )


def said_in_words(layout: Layout) -> Sentence:
    """Return how a layout reads sheets, in words."""
    if layout.score_is is not None:
        return Sentence(
            "a name is in {name}, and a number of this player in {score}: {what}",
            name=_text(layout.name_at), score=_text(layout.score_at), what=_MEANT[layout.score_is],
        )  # fmt: skip
    if layout.columns is not None:
        return _COLUMNS[layout.columns]
    return Sentence("left out: {cells}", cells=tuple(map(_text, layout.ignore)))


def is_kept(layouts: Sequence[ClubLayout], layout: Layout) -> bool:
    """Whether this very layout is among those that are kept."""
    return any(bare(each.layout) == layout for each in layouts)


def keep(ledger: Ledger, club: str, layout: Layout, by: Recorder | str) -> None:
    """Record a layout of a club, unless it is kept so already."""
    if not is_kept(layouts_of(ledger, club), layout):
        ledger.evenings.record(club, [layout], ledger.evenings.stream(club).seq, by, as_written=False)


def rename(ledger: Ledger, kept: ClubLayout, name: str | None, by: Recorder | str) -> None:
    """Give a layout another name, or forget it; both are events of its club.

    Raises FormatError `format.value` for a name that another has.
    """
    events: list[Event] = [Layout(name=kept.layout.name)]
    if name is not None:
        others = [each.layout.name for each in layouts_of(ledger, kept.club) if each.layout.name != kept.layout.name]
        if fold(name) in map(fold, others):
            raise FormatError("format.value", f"the club has a layout {name} already: forget that first")
        events.append(msgspec.structs.replace(bare(kept.layout), name=name))
    ledger.evenings.record(kept.club, events, kept.seq, by, as_written=False)


def _place(text: str) -> tuple[int, ...]:
    """Return the row and column, from 1, of an address, without its sheet; raises FormatError `format.value`."""
    parts = _CELL.fullmatch(text.rpartition("!")[2].upper())
    if parts is None:
        raise FormatError("format.value", f"{text} is no cell: write it as C3")
    column = 0
    for letter in parts[1]:
        column = column * 26 + ord(letter) - ord("A") + 1
    return int(parts[2]), column


def _text(place: Sequence[int]) -> str:
    row, column = place
    return address(row - 1, column - 1)

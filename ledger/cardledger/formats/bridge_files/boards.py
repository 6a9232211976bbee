"""A board at one table as a file of any format describes it, and what is said about that file."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, BinaryIO, Final, NamedTuple

from cardledger.rules.engine.events import Event

GAME: Final = "bridge"
Json = dict[str, Any]
Extra = tuple[str, ...]
"""What has no place in an event: `("tag", name, value)`, `("section", name, text)`, `("comment", place, text)`,
`("escape", place, line)`, `("mark", place, mark)`, `("command", place, name, text)`, and a tag that stands a second
time with its section, `("again", name, value, text)`.
"""
_FREE, _TIMES = 1_000, 10
_OF_LIN = {"pbn.gap": "lin.gap", "pbn.result": "lin.result", "pbn.contract": "lin.result", "pbn.auction": "lin.call"}
"""The codes of LIN for those of PBN."""


class Notice(NamedTuple):
    """What a file says that cannot all be true, or is not as its standard has it; it changes no result."""

    code: str
    line: int
    text: str


class Broken(NamedTuple):
    """A game that was not taken: its first line, its number, and why.

    `skipped` means that there was nothing to take.
    """

    line: int
    game: int
    notice: Notice
    skipped: bool = False


class Room:
    """The room for the texts of all boards of a file: ten times its size, so that no file stands for one of its square.

    Boards take over values from the head of their file and from each other, and remarks from notes.
    """

    def __init__(self, file: BinaryIO) -> None:
        """Measure a file that can be read twice."""
        start = file.tell()
        self._left = _FREE + _TIMES * (file.seek(0, io.SEEK_END) - start)
        file.seek(start)

    def take(self, characters: int, line: int, game: int) -> Broken | None:
        """Take the room of a game, or return why it was the last one."""
        self._left -= characters
        if self._left >= 0:
            return None
        text = (
            f"the games take over more than {_TIMES} times as much text as is in the file: it is read up to here;"
            " let fewer values hold for all games"
        )
        return Broken(line, game, Notice("format.size", line, text))


class RefusedError(Exception):
    """A board that cannot be taken: the line at fault, a stable code, and what to do."""

    def __init__(self, code: str, line: int, text: str) -> None:
        super().__init__(text)
        self.notice = Notice(code, line, text)


@dataclass(slots=True)
class Said:
    """A call, with its alert and its explanation."""

    call: str
    alert: str | None = None
    explain: str | None = None
    remarks: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Board:
    """One board at one table, as a file tells it; None stands for what it does not say.

    `first` is the seat that calls first, `whole` is False if more was called than stands in `calls`. `columns` are the
    cards row by row, a column for each seat from `leader` on; `cards` are those in order of play, where a file has
    them so; -1 is a card not known. `remarks` are those on cards, by their place there. `tricks` are those of the
    declarer, or of the side `tricks_for`; `ruled` means by a ruling. `line_of` tells the line of a part, and `kept`
    gives a section as extras; `remarked` means that there are notes on calls or cards. `rulings` are those
    that the file has as events.
    """

    line: int
    game: int
    format: str = "PBN"
    names: list[str] = field(default_factory=lambda: ["", "", "", ""])
    opening: Json = field(default_factory=dict)
    number: int | None = None
    dealer: int | None = None
    vulnerable: str | None = None
    hands: list[list[str]] | None = None
    held: list[int] | None = None
    first: int | None = None
    calls: list[Said] | None = None
    whole: bool = True
    contract: str | None = None
    declarer: int | None = None
    leader: int | None = None
    columns: list[int] | None = None
    cards: list[int] | None = None
    remarks: dict[int, list[str]] = field(default_factory=dict)
    cut: bool = False
    tricks: int | None = None
    tricks_for: str | None = None
    ruled: bool = False
    points: int | None = None
    points_for: str | None = None
    artificial: tuple[int, int] | None = None
    line_of: Callable[[str], int] | None = None
    kept: Callable[[str], list[Extra]] = lambda section: []
    extras: list[Extra] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    remarked: bool = False
    rulings: list[Event] = field(default_factory=list)

    @property
    def size(self) -> int:
        """The number of characters of its texts, and of its calls and cards."""
        said = self.calls or ()
        texts = [*self.opening.values(), *self.names, *(text for extra in self.extras for text in extra)]
        texts += [text for each in said for text in (each.alert, each.explain, *each.remarks) if text]
        texts += [text for remarks in self.remarks.values() for text in remarks]
        return sum(map(len, texts)) + len(said) + len(self.columns or self.cards or ())

    def line_at(self, part: str) -> int:
        """Return the line of a part of the board."""
        return self.line_of(part) if self.line_of is not None and part else self.line

    def tell(self, code: str, text: str, part: str = "") -> None:
        """Add a notice, at the line of a part of the board; PBN's code stands for those of the other formats."""
        if self.format == "USEBIO" and code.startswith("pbn."):
            code = "usebio.line"
        elif self.format == "LIN":
            code = _OF_LIN.get(code, code)
        self.notices.append(Notice(code, self.line_at(part), text))

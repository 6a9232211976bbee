"""XLSX: the values of its sheets, read as they come; of everything else only which numbers are days.

What a file says of colours, fonts and names is not unpacked, so it costs nothing. Any file that is not as expected is a
ValueError, a KeyError, or an error of zipfile, zlib or Expat.
"""

from __future__ import annotations

import io
import posixpath
import zipfile
from collections.abc import Callable, Iterator
from datetime import date, datetime, time, timedelta
from functools import cached_property
from itertools import count
from typing import Final, NamedTuple
from xml.parsers import expat

from cardledger.formats.markup import blocks
from cardledger.formats.spreadsheets.number_formats import built_in, day_of, shows_days
from cardledger.sentence import Sentence

MOST_UNPACKED: Final = 20_000_000
"""The size of a file unpacked."""
MOST_TIMES: Final = 50
"""How many times its size a file may have unpacked, beyond the first million bytes: tables have some ten times."""
_FREE = 1_000_000
_METHODS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
_LONGEST_FORMAT = 255
_MAC_EPOCH, _EPOCH = datetime(1904, 1, 1), datetime(1899, 12, 30)  # noqa: DTZ001 # spreadsheets know no time zones
Content = str | int | float | bool | datetime | date | time | timedelta | None
Attributes = dict[str, str]


class TooLargeError(Exception):
    """A file that is too large once it is unpacked; `said` says what to do."""

    def __init__(self, said: Sentence) -> None:
        super().__init__(said)
        self.said = said


class XlsxCell(NamedTuple):
    """A cell that holds something.

    Its value, whether it is that of a formula, whether it is an error's name, and whether all of it is crossed out.
    What is crossed out beside something else in a cell is not part of it.
    """

    value: Content
    formula: bool
    error: bool
    crossed: bool = False


class SheetInFile(NamedTuple):
    """A sheet of values: its name, whether it is shown, and the part of the file that holds it."""

    name: str
    shown: bool
    part: str


class Xlsx:
    """A file, open for reading."""

    def __init__(self, content: bytes) -> None:
        """Open a file; raises TooLargeError, and BadZipFile or ValueError for what is none."""
        self._packed = zipfile.ZipFile(io.BytesIO(content))
        parts = self._packed.infolist()
        unpacked, most = sum(each.file_size for each in parts), min(MOST_UNPACKED, _FREE + MOST_TIMES * len(content))
        if unpacked > most:
            raise TooLargeError(
                Sentence(
                    "unpacked, the file has {size} bytes, more than {most}: copy the results into a new file",
                    size=f"{unpacked:,}",
                    most=f"{most:,}",
                )
            )
        if any(each.compress_type not in _METHODS for each in parts):
            raise ValueError("it is packed in another way than spreadsheets are")
        self._book = self._target("_rels/.rels", "officeDocument")
        folder, name = posixpath.split(self._book)
        self._links = posixpath.join(folder, "_rels", f"{name}.rels")
        self.epoch = _EPOCH
        self.sheets = self._sheets()

    def _sheets(self) -> list[SheetInFile]:
        """Return the sheets of values in their order, and learn from which day the file counts."""
        parts = {id: part for id, kind, part in self._linked(self._links) if kind == "worksheet"}
        found: list[SheetInFile] = []

        def begin(name: str, attributes: Attributes) -> None:
            if name == "workbookPr" and attributes.get("date1904") in ("1", "true"):
                self.epoch = _MAC_EPOCH
            elif name == "sheet" and attributes["id"] in parts:  # others are charts
                shown = attributes.get("state", "visible") == "visible"
                found.append(SheetInFile(attributes["name"], shown, parts[attributes["id"]]))

        self._read(self._book, begin)
        return found

    def _linked(self, links: str) -> list[tuple[str, str, str]]:
        """Return what a part links to: the id, the last word of the kind, and the part."""
        folder = posixpath.dirname(posixpath.dirname(links))
        found: list[tuple[str, str, str]] = []

        def begin(name: str, attributes: Attributes) -> None:
            if name == "Relationship" and attributes.get("TargetMode") != "External":
                part = posixpath.normpath(posixpath.join("/", folder, attributes["Target"]))[1:]
                found.append((attributes["Id"], attributes["Type"].rpartition("/")[2], part))

        self._read(links, begin)
        return found

    def _target(self, links: str, kind: str) -> str:
        """Return the part of a kind that another links to; empty if there is none."""
        return next((part for _, each, part in self._linked(links) if each == kind), "")

    @cached_property
    def _texts(self) -> list[tuple[str, bool]]:
        """The texts that cells share, each with whether all of it is crossed out."""
        texts: list[tuple[str, bool]] = []
        inside = _Nested()

        def begin(name: str, attributes: Attributes) -> None:
            inside.begin(name, attributes)
            if name == "si":
                inside.clear()

        def end(name: str) -> None:
            if name == "si":
                texts.append(inside.whole())
            inside.end(name)

        part = self._target(self._links, "sharedStrings")
        if part:
            self._read(part, begin, end, inside.take)
        return texts

    @cached_property
    def _styles(self) -> tuple[dict[int, bool], set[int]]:
        """The styles of numbers that are days or times, each with whether it is a length of time; and those crossed out."""
        formats: dict[int, tuple[bool, bool]] = {}
        codes: dict[int, str] = {}
        days: dict[int, bool] = {}
        crossed: set[int] = set()
        fonts: list[bool] = []
        numbers = count()
        inside = ""

        def begin(name: str, attributes: Attributes) -> None:
            nonlocal inside
            if name == "numFmt":
                codes[int(attributes["numFmtId"])] = attributes["formatCode"][:_LONGEST_FORMAT]
            elif name in ("cellXfs", "fonts"):
                inside = name
            elif name == "font" and inside == "fonts":
                fonts.append(False)
            elif name == "strike" and inside == "fonts" and fonts:
                fonts[-1] = _is_on(attributes)
            elif name == "xf" and inside == "cellXfs":
                style, format = next(numbers), int(attributes.get("numFmtId", 0))
                font = int(attributes.get("fontId", 0))
                if font < len(fonts) and fonts[font]:
                    crossed.add(style)
                if format not in formats:
                    formats[format] = shows_days(codes.get(format) or built_in(format))
                if formats[format][0]:
                    days[style] = formats[format][1]

        def end(name: str) -> None:
            nonlocal inside
            inside = "" if name == inside else inside

        part = self._target(self._links, "styles")
        if part:
            self._read(part, begin, end)
        return days, crossed

    def rows(self, sheet: SheetInFile) -> Iterator[tuple[int, dict[int, XlsxCell]]]:
        """Yield the rows of a sheet with their numbers from 0, and the cells that hold something by column from 0."""
        reader = _Rows(self)
        for _ in self._blocks(sheet.part, reader.begin, reader.end, reader.text):
            yield from reader.done
            reader.done.clear()

    def is_crossed(self, style: int) -> bool:
        """Whether cells of a style are crossed out."""
        return style in self._styles[1]

    def text(self, number: str) -> tuple[str, bool]:
        """Return a shared text by its number, and whether all of it is crossed out."""
        at = int(number)
        if at < 0:
            raise ValueError(number)
        return self._texts[at]

    def number(self, text: str, style: int) -> Content:
        """Return a number, or the day or time that it stands for; raises ValueError, OverflowError."""
        value = float(text) if {*text} & {*".eE"} else int(text)
        days = self._styles[0]
        if style not in days:
            return value
        return day_of(value, self.epoch, elapsed=days[style])

    # --- XML

    def _read(
        self,
        part: str,
        begin: Callable[[str, Attributes], None],
        end: Callable[[str], None] | None = None,
        text: Callable[[str], object] | None = None,
    ) -> None:
        for _ in self._blocks(part, begin, end, text):
            pass

    def _blocks(
        self,
        part: str,
        begin: Callable[[str, Attributes], None],
        end: Callable[[str], None] | None,
        text: Callable[[str], object] | None,
    ) -> Iterator[None]:
        """Read a part; names come without their namespace. Yield after every block."""
        parser = expat.ParserCreate(namespace_separator=" ")
        known: dict[str, str] = {}

        def local(name: str) -> str:
            return known.get(name) or known.setdefault(name, name.rpartition(" ")[2])

        def started(name: str, attributes: Attributes) -> None:
            begin(local(name), {local(each): value for each, value in attributes.items()})

        def refuse(*_: object) -> None:
            raise ValueError("it declares entities, which no spreadsheet does")

        parser.StartElementHandler = started
        parser.EndElementHandler = end and (lambda name: end(local(name)))
        parser.CharacterDataHandler = text
        parser.StartDoctypeDeclHandler = refuse
        parser.buffer_text = True
        with self._packed.open(part) as file:
            for block in blocks(file):
                parser.Parse(block)
                yield
            parser.Parse(b"", True)
            yield


class _Nested:
    """The text of a cell that counts: it stands in a `t`, which is no hint at its pronunciation, and is not crossed out."""

    def __init__(self) -> None:
        self._text = self._hint = self._strike = False
        self._pieces: list[str] = []
        self._crossed: list[str] = []

    def clear(self) -> None:
        """Begin with the text of another cell."""
        self._pieces.clear()
        self._crossed.clear()

    def begin(self, name: str, attributes: Attributes) -> None:
        """Begin an element."""
        self._hint = self._hint or name == "rPh"
        self._text = name == "t" and not self._hint
        if name == "strike":
            self._strike = _is_on(attributes)

    def end(self, name: str) -> None:
        """End an element."""
        self._hint = self._hint and name != "rPh"
        self._strike = self._strike and name != "r"
        self._text = False

    def take(self, text: str) -> None:
        """Take a text, if it counts."""
        if self._text:
            (self._crossed if self._strike else self._pieces).append(text)

    def whole(self) -> tuple[str, bool]:
        """Return the text, and whether all of it is crossed out: then it is that."""
        kept, crossed = _joined(self._pieces), _joined(self._crossed)
        return (kept, False) if kept.strip() or not crossed.strip() else (crossed, True)


def _is_on(attributes: Attributes) -> bool:
    return attributes.get("val", "1") not in ("0", "false")


class _Rows:
    """Makes rows of the elements of a sheet."""

    def __init__(self, file: Xlsx) -> None:
        self.done: list[tuple[int, dict[int, XlsxCell]]] = []
        self._file = file
        self._row = self._column = -1
        self._cells: dict[int, XlsxCell] = {}
        self._kind, self._style = "n", 0
        self._formula = self._inside = False
        self._pieces: list[str] = []
        self._inline = _Nested()

    def begin(self, name: str, attributes: Attributes) -> None:
        """Begin an element."""
        self._inline.begin(name, attributes)
        if name == "c":
            self._begin_cell(attributes)
        elif name == "v":
            self._inside = True
            self._pieces.clear()
        elif name == "f":
            self._formula = True
        elif name == "row":
            row = int(attributes["r"]) - 1 if "r" in attributes else self._row + 1
            if row <= self._row:
                raise ValueError("its rows are not in order")
            self._row, self._column, self._cells = row, -1, {}

    def _begin_cell(self, attributes: Attributes) -> None:
        place = attributes.get("r")
        self._column = _column(place) if place else self._column + 1
        self._kind, self._style, self._formula = attributes.get("t", "n"), int(attributes.get("s") or 0), False
        self._inside = False
        self._pieces.clear()
        self._inline.clear()

    def text(self, text: str) -> None:
        """Take a text."""
        if self._inside:
            self._pieces.append(text)
        self._inline.take(text)

    def end(self, name: str) -> None:
        """End an element."""
        self._inline.end(name)
        if name == "v":
            self._inside = False
        elif name == "c":
            inline, crossed = self._inline.whole()
            if self._pieces or inline or self._formula:
                self._cells[self._column] = self._cell(_joined(self._pieces) + inline, crossed)
        elif name == "row":
            self.done.append((self._row, self._cells))

    def _cell(self, text: str, crossed: bool) -> XlsxCell:
        value: Content = text or None
        kind = self._kind
        if not text or kind in ("str", "inlineStr", "e"):
            pass
        elif kind == "s":
            value, crossed = self._file.text(text)
        elif kind == "b":
            value = bool(int(text))
        elif kind == "d":
            value = datetime.fromisoformat(text)
        else:
            try:
                value = self._file.number(text, self._style)
            except (OverflowError, ValueError):
                float(text)  # what is no number at all is an error of the file
                kind, value = "e", "#VALUE!"
        crossed = crossed or self._file.is_crossed(self._style)
        return XlsxCell(value, self._formula, kind == "e" and value is not None, crossed)


def _joined(pieces: list[str]) -> str:
    return "".join(pieces).replace("x005F_", "")


def _column(place: str) -> int:
    """Return the column from 0 of an address such as `B7`."""
    column = 0
    for letter in place.rstrip("0123456789")[:4]:
        column = 26 * column + "ABCDEFGHIJKLMNOPQRSTUVWXYZ".index(letter) + 1
    return column - 1

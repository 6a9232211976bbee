"""Pictures made by the server, for previews of a link in messages: a standing, and the hands at a moment."""

from __future__ import annotations

import io
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from math import cos, pi, sin
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

WIDTH, HEIGHT = 1200, 630
"""The size that services show without cutting."""
_SCALE = 2
"""Everything is drawn larger and made smaller, so that edges are smooth."""
_PAPER, _RAISED, _INK, _SOFT, _LINE = "#faf8f4", "#ffffff", "#22262b", "#5d646c", "#e0dcd3"
_ACCENT, _TINT = "#17694c", "#e6f1ea"
_MEDALS = ("#c79a1e", "#9aa3ad", "#b0703c")
_SUITS = {"clubs": "#1b7a3d", "diamonds": "#1d5fc4", "hearts": "#c4232c", "spades": "#22262b"}
_COLOURS = {
    "red": "#d8393f", "orange": "#e8862e", "yellow": "#dcb114", "green": "#2c9a53", "cyan": "#21a8b8", "blue": "#3a78dd",
    "violet": "#8f4fc0", "purple": "#8f4fc0", "pink": "#e07bb0", "brown": "#8d6242", "grey": "#8b9097",
}  # fmt: skip
_FAMILIES = (
    ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf"), ("NotoSans-Regular.ttf", "NotoSans-Bold.ttf"),
    ("LiberationSans-Regular.ttf", "LiberationSans-Bold.ttf"), ("segoeui.ttf", "segoeuib.ttf"), ("Arial.ttf", "Arial Bold.ttf"),
    ("NotoSansCJK-Regular.ttc", "NotoSansCJK-Bold.ttc"),
)  # fmt: skip
"""Faces to look for on this machine; without them Pillow's own is used, which has plain letters only."""
_PLAIN = str.maketrans({"ß": "ss", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "æ": "ae", "Æ": "Ae",
                        "œ": "oe", "Œ": "Oe", "þ": "th", "ı": "i", "–": "-", "—": "-", "−": "-", "’": "'"})  # fmt: skip
_MOST_ROWS = 5
_DRAWN = 128
"""Pictures of each kind that are kept, of some 30 kB each."""
_MISSING = "\uffff"

Font = ImageFont.FreeTypeFont | ImageFont.ImageFont


class StandingRow(NamedTuple):
    """A row of a standing: the place as printed, the names, and what they have."""

    place: str
    names: str
    value: str


class PictureCard(NamedTuple):
    """A card of a hand: its rank and suit, or its text over colours; `mark` is `trick`, `played` or nothing.

    A back has no text.
    """

    text: str
    suit: str = ""
    colours: tuple[str, ...] = ()
    mark: str = ""


class PictureHand(NamedTuple):
    """A seat: the name, words about it, and its cards."""

    name: str
    words: str
    cards: tuple[PictureCard, ...]


@lru_cache(_DRAWN)
def standing(title: str, words: str, rows: Sequence[StandingRow]) -> bytes:
    """Return a picture of who leads, as PNG.

    A heading, a line about it, and the first rows, the first of them large.
    """
    canvas = _Canvas()
    canvas.text((70, 62), title, 60, width=1060, bold=True)
    canvas.text((70, 142), words, 30, width=1060, fill=_SOFT)
    shown = rows[:_MOST_ROWS]
    top, heights = 208, [130, *[64] * (len(shown) - 1)] if len(shown) > 3 else [140, 88, 88][: len(shown)]
    for number, (row, height) in enumerate(zip(shown, heights, strict=True)):
        first = number == 0
        medal = int(row.place.rstrip("=") or 0)
        canvas.box(
            (70, top, 1130, top + height - 12),
            _TINT if medal == 1 else _RAISED,
            _MEDALS[medal - 1] if 0 < medal < 4 else _LINE,
        )
        size, middle = (58, top + height // 2 - 6) if first else (36, top + height // 2 - 6)
        canvas.text((104, middle), row.place, size, fill=_ACCENT if medal == 1 else _SOFT, bold=True, anchor="lm")
        wide = canvas.text((1096, middle), row.value, 44 if first else 32, bold=first, anchor="rm", width=420)
        canvas.text((210, middle), row.names, size if first else 34, width=860 - wide, bold=first, anchor="lm")
        top += height
    canvas.sign()
    return canvas.png()


@lru_cache(_DRAWN)
def hands(title: str, words: str, rows: Sequence[PictureHand]) -> bytes:
    """Return a picture of the hands at a moment, as PNG.

    A row for each seat, cards on the table framed, played ones pale.
    """
    canvas = _Canvas()
    canvas.text((60, 34), title, 46, width=1080, bold=True)
    canvas.text((60, 96), words, 28, width=1080, fill=_SOFT)
    top, room = 146, (HEIGHT - 146 - 52) // max(1, len(rows))
    most = max([1, *(len(row.cards) for row in rows)])
    names = 230
    wide = min(70.0, (1140 - 60 - names) / most)
    tall = min(room - 10.0, wide * 1.5, 100)
    for row in rows:
        middle = top + room // 2
        canvas.text((60, middle - (14 if row.words else 0)), row.name, 30, width=names - 20, bold=True, anchor="lm")
        if row.words:
            canvas.text((60, middle + 20), row.words, 21, width=names - 20, fill=_SOFT, anchor="lm")
        for place, card in enumerate(row.cards):
            left = 60 + names + place * wide
            canvas.card((left, middle - tall / 2, left + wide - 5, middle + tall / 2), card)
        top += room
    canvas.sign()
    return canvas.png()


@lru_cache(_DRAWN)
def glance(title: str, lines: Sequence[str], results: Sequence[float]) -> bytes:
    """Return a picture of a player, as PNG.

    A heading, sentences about the player, and the results evening by evening.
    """
    canvas = _Canvas()
    canvas.text((70, 56), title, 58, width=1060, bold=True)
    top = 138
    for line in lines:
        canvas.text((70, top), line, 27, width=1060, fill=_INK)
        top += 48
    if len(results) > 1:
        canvas.course((84, top + 30, 1116, HEIGHT - 84), results)
    canvas.sign()
    return canvas.png()


class _Canvas:
    """A sheet of paper to draw on, in the units of the finished picture."""

    def __init__(self) -> None:
        self._image = Image.new("RGB", (WIDTH * _SCALE, HEIGHT * _SCALE), _PAPER)
        self._draw = ImageDraw.Draw(self._image)
        self._draw.rectangle((0, 0, WIDTH * _SCALE, 12 * _SCALE), fill=_ACCENT)

    def png(self) -> bytes:
        """Return the finished picture."""
        file = io.BytesIO()
        self._image.reduce(_SCALE).save(file, "PNG")
        return file.getvalue()

    def sign(self) -> None:
        """Say which program this is from."""
        self.suit("spades", (70, HEIGHT - 33), 22, _ACCENT)
        self.text((90, HEIGHT - 33), "cardledger", 24, fill=_SOFT, anchor="lm")

    def text(
        self, at: tuple[float, float], text: str, size: int, *, width: float = WIDTH, fill: str = _INK, bold: bool = False,
        anchor: str = "la",
    ) -> float:  # fmt: skip
        """Write a text, smaller or cut so that it is not wider than `width`; return how wide it is."""
        wanted, least = size, max(14, size * 2 // 3)
        shown, font = _drawable(text, wanted, bold)
        while font.getlength(shown) > width * _SCALE and wanted > least:
            wanted -= 2
            shown, font = _drawable(text, wanted, bold)
        while len(shown) > 1 and font.getlength(shown) > width * _SCALE:
            shown = f"{shown[:-2].rstrip()}…"
        self._draw.text((at[0] * _SCALE, at[1] * _SCALE), shown, fill, font=font, anchor=anchor)
        return font.getlength(shown) / _SCALE

    def box(
        self, at: tuple[float, float, float, float], fill: str, edge: str, thick: float = 2, radius: float = 14
    ) -> None:
        """Draw a box with round corners."""
        self._draw.rounded_rectangle([n * _SCALE for n in at], radius * _SCALE, fill, edge, int(thick * _SCALE))

    def course(self, at: tuple[float, float, float, float], values: Sequence[float]) -> None:
        """Draw values as dots from left to right, joined by a line, over a line at their mean."""
        left, top, right, bottom = at
        low, high = min(values), max(values)
        across, down = (right - left) / (len(values) - 1), (bottom - top) / ((high - low) or 1)
        points = [
            ((left + across * place) * _SCALE, (bottom - (value - low) * down) * _SCALE) for place, value in enumerate(values)
        ]  # fmt: skip
        middle = (bottom - (sum(values) / len(values) - low) * down) * _SCALE
        self._draw.line([(left * _SCALE, middle), (right * _SCALE, middle)], _LINE, 3 * _SCALE)
        self._draw.line(points, _ACCENT, 3 * _SCALE, joint="curve")
        for x, y in points:
            self._draw.ellipse([x - 7 * _SCALE, y - 7 * _SCALE, x + 7 * _SCALE, y + 7 * _SCALE], _ACCENT)

    def card(self, at: tuple[float, float, float, float], card: PictureCard) -> None:
        """Draw a card: rank over suit, or text over colours, or a back."""
        left, top, right, bottom = at
        wide, tall, middle = right - left, bottom - top, (left + right) / 2
        if not card.text:
            self.box(at, _ACCENT, _ACCENT, 2, 7)
            self.box((left + 5, top + 5, right - 5, bottom - 5), _ACCENT, _TINT, 1.5, 4)
            return
        pale = card.mark == "played"
        self.box(
            at,
            _PAPER if pale else _RAISED,
            _ACCENT if card.mark == "trick" else _LINE,
            4 if card.mark == "trick" else 2,
            7,
        )
        ink = _SUITS.get(card.suit, _INK)
        size = int(min(wide * 0.62, tall * 0.4))
        self.text(
            (middle, top + tall * 0.3),
            card.text,
            size,
            width=wide - 8,
            fill=_faint(ink) if pale else ink,
            bold=True,
            anchor="mm",
        )
        if card.suit:
            self.suit(
                card.suit, (middle, top + tall * 0.72), min(wide * 0.56, tall * 0.4), _faint(ink) if pale else ink
            )
        each = (wide - 12) / max(1, len(card.colours))
        for place, colour in enumerate(card.colours):
            fill = _COLOURS.get(colour, _SOFT)
            start = left + 6 + place * each
            self.box((start, top + tall * 0.6, start + each, bottom - 6), _faint(fill) if pale else fill, _RAISED, 1, 3)

    def suit(self, suit: str, at: tuple[float, float], size: float, fill: str) -> None:
        """Draw the shape of a suit around a point; faces of letters need not have these signs."""
        x, y = at
        for shape in _SHAPES[suit]:
            points = [((x + size * a) * _SCALE, (y + size * b) * _SCALE) for a, b in shape]
            self._draw.polygon(points, fill=fill)


def _circle(x: float, y: float, radius: float) -> list[tuple[float, float]]:
    return [(x + radius * cos(2 * pi * part / 48), y + radius * sin(2 * pi * part / 48)) for part in range(48)]


def _heart(up: int) -> list[list[tuple[float, float]]]:
    """A heart, or the same upside down for a spade."""
    lobes = [_circle(side * 0.23, up * -0.17, 0.245) for side in (-1, 1)]
    return [*lobes, [(-0.45, up * -0.06), (0.45, up * -0.06), (0, up * 0.5)]]


_STEM = [(-0.16, 0.5), (0.16, 0.5), (0.05, 0.1), (-0.05, 0.1)]
_SHAPES = {
    "hearts": _heart(1),
    "spades": [*_heart(-1), _STEM],
    "diamonds": [[(0, -0.52), (0.37, 0), (0, 0.52), (-0.37, 0)]],
    "clubs": [_circle(0, -0.25, 0.23), _circle(-0.25, 0.1, 0.23), _circle(0.25, 0.1, 0.23), _circle(0, 0, 0.14), _STEM],
}
"""The shapes of the suits, around (0, 0), one unit high."""


def _faint(colour: str) -> str:
    """Return a colour mixed with the paper."""
    mixed = (int(colour[at : at + 2], 16) * 3 // 10 + int(_PAPER[at : at + 2], 16) * 7 // 10 for at in (1, 3, 5))
    return "#" + "".join(f"{part:02x}" for part in mixed)


def _drawable(text: str, size: int, bold: bool) -> tuple[str, Font]:
    """Return a text as it can be written, and the first face that has all its letters.

    Else without accents, in the last.
    """
    text = " ".join(text.split())
    fonts = _fonts(size * _SCALE, bold)
    for font in fonts:
        if all(_has(font.getname(), bold, letter) for letter in {*text} - {" "}):
            return text, font
    bare = unicodedata.normalize("NFKD", text.translate(_PLAIN))
    return "".join(letter for letter in bare if not unicodedata.combining(letter)), fonts[0] if len(
        fonts
    ) > 1 else fonts[-1]


@lru_cache(256)
def _fonts(size: int, bold: bool) -> list[ImageFont.FreeTypeFont]:
    fonts = []
    for names in _FAMILIES:
        try:
            fonts.append(ImageFont.truetype(names[bold], size))
        except OSError:
            continue
    own = ImageFont.load_default(size)
    assert isinstance(own, ImageFont.FreeTypeFont)
    return [*fonts, own]


@lru_cache(4096)
def _has(name: tuple[str | None, str | None], bold: bool, letter: str) -> bool:
    """Tell whether a face has a letter: it does not look like one that no face has."""
    font = next(font for font in _fonts(32, bold) if font.getname() == name)
    missing, mask = font.getmask(_MISSING), font.getmask(letter)
    return mask.size != missing.size or bytes(mask) != bytes(missing)

"""Headings: the words for each column in English, German and French, and what a line says about all below it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from cardledger.rules.games.names import plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardledger.formats.spreadsheets.cells import Cell

WORDS: Final[dict[str, tuple[str, ...]]] = {
    "name": ("evening", "event", "abend", "anlass", "soiree"),
    "date": ("date", "day", "datum", "tag", "jour"),
    "game": ("game", "spiel", "jeu"),
    "table": ("table", "table no", "tisch", "tisch nr", "table numero"),
    "round": ("round", "runde", "durchgang", "ronde", "tour"),
    "hand": ("hand", "deal", "hand no", "gabe", "blatt", "donne", "main", "manche"),
    "player": (
        "player",
        "players",
        "name",
        "names",
        "namen",
        "noms",
        "spieler",
        "spielerin",
        "spieler in",
        "joueur",
        "joueuse",
        "nom",
        "pair",
        "team",
        "paar",
        "paire",
        "equipe",
    ),
    "points": ("points", "score", "pts", "punkte", "pkt", "pt"),
    "seat": ("seat", "sitz", "sitzplatz", "stuhl", "siege", "chaise"),
    "bid": ("bid", "bids", "ansage", "angesagt", "gebot", "annonce", "enchere"),
    "tricks": ("tricks", "stiche", "levees", "plis"),
    "total": ("total", "sum", "summe", "gesamt", "insgesamt", "somme", "σ"),
    "average": ("average", "mean", "avg", "durchschnitt", "schnitt", "mittelwert", "moyenne"),
    "place": ("place", "rank", "position", "pos", "platz", "rang", "classement"),
}
"""What a column can hold, with its headings: small letters, without accents and points."""
FACTS: Final = ("name", "date", "game", "table", "round")
"""What a line above a table, or the name of its sheet, can say for all of it."""
_KINDS = {word: kind for kind, words in WORDS.items() for word in words}
_HAND = re.compile(r"(?:(?:hand|deal|h|no|nr|spiel|gabe|donne|main)\s*)?(\d{1,3})")
_FACT = re.compile(r"([^\d\W]+)(?:(?:\s*[:.#]\s*|\s+)(\S.*)|(\d.*))")


class Headings(NamedTuple):
    """A row of headings: the place in the row of each kind, those of hands by number, and the headings not read.

    `repeated` are those of the last that the row has already.
    """

    columns: dict[str, int]
    hands: dict[int, int]
    unknown: tuple[Cell, ...]
    repeated: tuple[Cell, ...]

    @property
    def layout(self) -> str | None:
        """`hands` (a row for each player and hand), `columns` (a column for each hand), `totals`.

        None for no layout.
        """
        if "player" not in self.columns:
            return None
        if self.hands:
            return "columns"
        if "hand" in self.columns and "points" in self.columns:
            return "hands"
        return "totals" if {"points", "total", "place"} & self.columns.keys() else None


def headings_of(row: Sequence[Cell]) -> Headings | None:
    """Return a row's headings; None if it is no such row: that has a player's column, and points, places or hands."""
    columns: dict[str, int] = {}
    hands: dict[int, int] = {}
    unknown, repeated = [], []
    for column, cell in enumerate(row):
        if cell.empty:
            continue
        kind, number = kind_of(cell.text), hand_of(cell.text)
        if kind is not None and kind not in columns:
            columns[kind] = column
        elif number is not None and number not in hands:
            hands[number] = column
        else:
            unknown.append(cell)
            if kind is not None or number is not None:
                repeated.append(cell)
    headings = Headings(columns, hands, tuple(unknown), tuple(repeated))
    return headings if headings.layout else None


def kind_of(text: str) -> str | None:
    """Return what a column holds by its heading, None for an unknown one.

    >>> kind_of("Spieler:"), kind_of("Levées"), kind_of("weather")
    ('player', 'tricks', None)
    """
    return _KINDS.get(plain(text))


def hand_of(text: str) -> int | None:
    """Return the number of a hand by the heading of its column.

    >>> hand_of("3"), hand_of("Hand 3"), hand_of("Nr. 3"), hand_of("hand")
    (3, 3, 3, None)
    """
    parts = _HAND.fullmatch(plain(text))
    return int(parts[1]) if parts and int(parts[1]) else None


def facts_of(row: Sequence[Cell]) -> dict[str, Cell]:
    """Return what a line says about all below it: `Table 2` in a cell, or `Date` beside `2026-01-06`.

    Nothing for other lines.
    """
    cells = [cell for cell in row if not cell.empty]
    facts: dict[str, Cell] = {}
    place = 0  # what is said twice in a line stays as it was said first: the other is left over
    while place < len(cells):
        cell = cells[place]
        kind, value = kind_of(cell.text), cells[place + 1] if place + 1 < len(cells) else None
        if kind in FACTS and value is not None:
            facts.setdefault("date" if kind == "name" and value.day() is not None else kind, value)
            place += 2
            continue
        inner = fact_in(cell)
        if inner is None:
            return {}
        facts.setdefault(*inner)
        place += 1
    return facts


def fact_in(cell: Cell) -> tuple[str, Cell] | None:
    """Return what one text says: its kind, and the cell with the value only."""
    parts = _FACT.fullmatch(cell.text)
    kind = kind_of(parts[1]) if parts else None
    if parts is None or kind is None or kind not in FACTS:
        return None
    value = cell._replace(value=parts[2] or parts[3])
    return "date" if kind == "name" and value.day() is not None else kind, value


def adds_up(text: str) -> bool:
    """Tell whether the row of a player is that of the sums of the columns.

    >>> adds_up("Total"), adds_up("Summe:"), adds_up("Ana")
    (True, True, False)
    """
    return kind_of(text) == "total"

"""A made evening, and the ways to write it on a sheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from openpyxl import Workbook

from cardledger.formats.spreadsheets.known_to_ledger import KnownToLedger
from cardledger.formats.spreadsheets.preview import Preview, preview
from cardledger.formats.spreadsheets.wishes import Wishes
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.stream import Stream

SAMPLES = Path(__file__).parent.parent.parent / "samples" / "evenings"
NEW = Wishes(names={"*": "new"})
DAY = "2026-01-06"
NAMES = ("Ana", "Bela", "Cem", "Dov", "Eva", "Fay", "Gus", "Hal", "Ivo", "Jon", "Kim", "Liv", "Mo", "Ned", "Ola", "Pia")
Rows = list[list[object]]


class Played(NamedTuple):
    """A table of an evening: round and number, the players, and the points of each hand by seat."""

    round: int
    number: int
    players: tuple[str, ...]
    hands: tuple[tuple[int, ...], ...]


def evening(game: str, n: int, seed: int, tables: int = 2, hands: int = 3) -> list[Played]:
    """An evening of one round, its points those that bots made."""
    made = []
    for number in range(1, tables + 1):
        players = NAMES[n * (number - 1) : n * number]
        played = simulate(game, n, Random(seed * 100 + number), ["random"], players=players, max_hands=hands)
        points = tuple(tuple(hand.scores) for hand in Stream.of(played).table.hands if hand.scores is not None)
        made.append(Played(1, number, players, points))
    return made


def by_hand(game: str, tables: Sequence[Played]) -> Rows:
    """A row for each player and hand."""
    rows: Rows = [["date", "game", "table", "round", "hand", "player", "points"]]
    for table in tables:
        for number, hand in enumerate(table.hands, 1):
            rows += [
                [DAY, game, table.number, table.round, number, player, points]
                for player, points in zip(table.players, hand, strict=True)
            ]
    return rows


def by_column(game: str, tables: Sequence[Played]) -> Rows:
    """A column for each hand, the tables divided by blank rows."""
    rows: Rows = [["Date", DAY], ["Game", game]]
    for table in tables:
        rows += [[], ["Player", *range(1, len(table.hands) + 1), "Total"]]
        for seat, player in enumerate(table.players):
            points = [hand[seat] for hand in table.hands]
            rows.append([player, *points, sum(points)])
    return rows


def totals(game: str, tables: Sequence[Played]) -> Rows:
    """The totals only."""
    rows: Rows = [["date", "game", "table", "player", "points"]]
    for table in tables:
        for seat, player in enumerate(table.players):
            rows.append([DAY, game, table.number, player, sum(hand[seat] for hand in table.hands)])
    return rows


LAYOUTS = {"hands": by_hand, "columns": by_column, "totals": totals}


def as_csv(rows: Sequence[Sequence[object]], delimiter: str = ",", encoding: str = "utf-8") -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=delimiter).writerows(rows)
    return text.getvalue().encode(encoding)


def as_xlsx(*sheets: Sequence[Sequence[object]], titles: Sequence[str] = ()) -> bytes:
    book = Workbook()
    book.remove(book.active)
    for number, rows in enumerate(sheets):
        sheet = book.create_sheet(titles[number] if titles else f"Sheet {number + 1}")
        for row in rows:
            sheet.append(row)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def shown(ledger: Ledger, content: bytes | Rows, wishes: Wishes = NEW, name: str = "night.csv") -> Preview:
    return preview(KnownToLedger(ledger), [(name, content if isinstance(content, bytes) else as_csv(content))], wishes)


def found(preview: Preview) -> list[tuple[str, str | None]]:
    """The code and the cell of every problem."""
    return [(problem.code, problem.cell) for problem in preview.problems]

"""A match to take away: as the match file, and as a table for a spreadsheet."""

from __future__ import annotations

import csv
import io
from itertools import takewhile
from typing import TYPE_CHECKING

from flask import Response

from api.secrecy import Secrets, sees_all
from ledger.readmodels.matchlist import match_row

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from flask import Blueprint

    from ledger.ledger import Ledger

_COLUMNS = (
    "match", "game", "date", "event", "table", "place", "hand", "ended_by", "seat", "player", "dealer", "tricks_taken",
    "bid", "penalty", "closed", "score", "total",
)  # fmt: skip
_ROWS = """SELECT h.match, game, date, event, board, place, h.hand, ended_by, seat, player, seat = dealer, tricks_taken,
    bid, penalty, closed, score, total
    FROM hands AS h JOIN seats AS s ON s.match = h.match AND s.hand = h.hand JOIN matches AS m ON m.match = h.match
    WHERE h.match = ? ORDER BY h.hand, seat"""
_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n")
_MARK = "\ufeff"
"""Begins the file: without it, spreadsheets take UTF-8 for something else."""


def add_routes(pages: Blueprint, ledger: Ledger) -> None:
    """Add the downloads."""

    @pages.get("/matches/<match>.jsonl")
    def match_file(match: str) -> Response:
        (lines,) = ledger.export([match])
        if not sees_all():
            # Up to the first card that is not to be seen yet: the beginning of a match file is one, too.
            secrets, rows = Secrets(ledger.stream(match)), ledger.cleared(ledger.store.read(match))
            shown = takewhile(lambda row: secrets.public_line(row.line, row.seq) == row.line, rows)
            lines = "".join(row.line + "\n" for row in shown)
        return download(lines, f"{match}.jsonl", "application/jsonl; charset=utf-8")

    @pages.get("/matches/<match>.csv")
    def match_table(match: str) -> Response:
        match_row(ledger, match)
        rows = ledger.views.reader.execute(_ROWS, (match,))
        return download(as_csv(_COLUMNS, rows), f"{match}.csv", "text/csv; charset=utf-8")


def as_csv(columns: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    """Return rows as CSV for a spreadsheet, names of columns first."""
    text = io.StringIO(_MARK, newline="")
    text.seek(0, io.SEEK_END)
    writer = csv.writer(text)
    writer.writerow(columns)
    writer.writerows([harmless(value) for value in row] for row in rows)
    return text.getvalue()


def harmless(value: object) -> object:
    """Return a value for a cell, text so that no spreadsheet takes it for a formula.

    >>> harmless("=1+1"), harmless("ana"), harmless(-3)
    ("'=1+1", 'ana', -3)
    """
    if isinstance(value, str) and value.lstrip(" \u00a0\u200b\ufeff").startswith(_FORMULA):
        return f"'{value}"
    return value


def download(content: str | bytes, name: str, kind: str) -> Response:
    """Return an answer that a browser keeps as a file."""
    return Response(content, content_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})

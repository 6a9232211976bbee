"""Downloads of a match: as a match file, and as a table for a spreadsheet."""

from __future__ import annotations

import csv
import io
from itertools import takewhile
from typing import TYPE_CHECKING

from flask import Response

from cardledger.formats.spreadsheets.cells import harmless
from cardledger.pseudonyms import left
from cardledger.record.readmodels.questions.match_list import match_row
from cardledger.record.recording.secrecy import Secrets
from cardledger_api.auth.visible import sees_all
from cardledger_api.current import current_ledger
from cardledger_web.pages.blueprint import pages

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


_COLUMNS = (
    "match", "game", "date", "event", "table", "place", "hand", "ended_by", "seat", "player", "dealer", "tricks_taken",
    "side", "score", "total", "facts of the seat", "facts of the hand",
)  # fmt: skip
_LABELS = slice(_COLUMNS.index("event"), _COLUMNS.index("hand"))
_ROWS = """SELECT h.match, game, date, event, table_name, venue, h.hand, ended_by, seat, player, seat = dealer, tricks_taken,
    side, score, total, s.facts, h.facts
    FROM hands AS h JOIN seats AS s ON s.match = h.match AND s.hand = h.hand JOIN matches AS m ON m.match = h.match
    WHERE h.match = ? ORDER BY h.hand, seat"""
_MARK = "\ufeff"
"""The beginning of the file: without it, spreadsheets do not recognise UTF-8."""


@pages.get("/matches/<match>.jsonl")
def match_file(match: str) -> Response:
    ledger = current_ledger()
    (lines,) = ledger.export([match])
    if not sees_all(match):
        # Only up to the first hidden card: the beginning of a match file is a match file too.
        secrets, rows = Secrets.of(ledger, match), ledger.cleared(ledger.store.read(match))
        shown = takewhile(lambda row: secrets.public_line(row.line, row.seq) == row.line, rows)
        lines = "".join(row.line + "\n" for row in shown)
    return download(lines, f"{match}.jsonl", "application/jsonl; charset=utf-8")


@pages.get("/matches/<match>.csv")
def match_table(match: str) -> Response:
    ledger = current_ledger()
    match_row(ledger, match)
    rows = (
        (*row[: _LABELS.start], *(text and left(text) for text in row[_LABELS]), *row[_LABELS.stop :])
        for row in ledger.views.reader.execute(_ROWS, (match,))
    )
    return download(as_csv(_COLUMNS, rows), f"{match}.csv", "text/csv; charset=utf-8")


def as_csv(columns: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    """Return rows as CSV for a spreadsheet, names of columns first."""
    text = io.StringIO(_MARK, newline="")
    text.seek(0, io.SEEK_END)
    writer = csv.writer(text)
    writer.writerow(columns)
    writer.writerows([harmless(value) for value in row] for row in rows)
    return text.getvalue()


def download(content: str | bytes, name: str, kind: str) -> Response:
    """Return an answer that a browser saves as a file."""
    return Response(content, content_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})

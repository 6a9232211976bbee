"""Every table of the pages of statistics to take away, as CSV or Parquet, asked for as the page asks."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flask import Response, abort, render_template

from ledger.errors import StoreError
from ledger.games import games
from ledger.readmodels.careers import met
from ledger.stats import Query, Statistics, Table, accountant
from ledger.stats.export import write_parquet
from ledger.stats.field import field_means, spread
from ledger.stats.worth_seeing import KINDS
from web import statsview
from web.luckview import told
from web.pages.downloads import as_csv, download
from web.pages.players import given
from web.pages.season import season_asked, season_of
from web.persons import called
from web.playerview import difference

if TYPE_CHECKING:
    from flask import Blueprint

    from ledger.ledger import Ledger

Given = Mapping[str, str]
_MOST = 50


def add_routes(pages: Blueprint, ledger: Ledger) -> None:
    """Add the tables."""

    @pages.get("/tables/<name>.csv", defaults={"form": "csv"})
    @pages.get("/tables/<name>.parquet", defaults={"form": "parquet"})
    def table(name: str, form: str) -> Response | tuple[str, int]:
        if name not in TABLES:
            abort(404)
        if form == "parquet" and find_spec("pyarrow") is None:
            sentence = (
                "Parquet needs pyarrow beside the server: pip install 'cardledger[analytics]'. CSV works without."
            )
            return render_template("error.html", status=501, heading="Not as Parquet here", sentence=sentence), 501
        found = _named(TABLES[name](ledger, given()), ledger)
        if form == "csv":
            rows = ([row[column] for column in found.columns] for row in found.rows)
            return download(as_csv(found.columns, rows), f"{name}.csv", "text/csv; charset=utf-8")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "table"
            write_parquet(found, path)
            return download(path.read_bytes(), f"{name}.parquet", "application/vnd.apache.parquet")


def _named(table: Table, ledger: Ledger) -> Table:
    """Return a table with what the players are called beside their ids."""
    if "player" not in table.columns:
        return table
    at = table.columns.index("player") + 1
    names = called(ledger, [row["player"] for row in table.rows])
    rows = [row | {"name": name} for row, name in zip(table.rows, names, strict=True)]
    columns = (*table.columns[:at], "name", *table.columns[at:])
    return Table(table.name, columns, rows, table.query, table.basis, table.notes, table.by)


def _game(asked: Given) -> str:
    id = asked.get("game", "")
    return id if id in games() else abort(404)


def _player(ledger: Ledger, asked: Given) -> Table:
    query = statsview.selection(asked, by=True)
    return Statistics.of(ledger.views).player(asked.get("player", ""), query, asked.get("game"))


def _players(ledger: Ledger, asked: Given) -> Table:
    return Statistics.of(ledger.views).players(_game(asked), statsview.selection(asked))


def _ratings(ledger: Ledger, asked: Given) -> Table:
    return Statistics.of(ledger.views).ratings(_game(asked), asked.get("player"))


def _field(ledger: Ledger, asked: Given) -> Table:
    return field_means(Statistics.of(ledger.views).sheets.sheet(_game(asked)), statsview.selection(asked))


def _points(ledger: Ledger, asked: Given) -> Table:
    return spread(Statistics.of(ledger.views).sheets.sheet(_game(asked)), statsview.selection(asked))


def _luck(ledger: Ledger, asked: Given) -> Table:
    account = accountant.luck(ledger, _game(asked))
    if account is None:
        raise StoreError("store.unknown", "what deals were worth is being put together")
    given_up = {one["player"]: one for one in account["reviews"]}
    names = ("cost", "cost_low", "cost_high", "decisions", "bad")
    rows = [
        {**one, "reviewed": given_up.get(one["player"], {}).get("hands", 0)}
        | {name: given_up.get(one["player"], {}).get(name) for name in names}
        for one in account["players"]
    ]
    columns = (
        "player", "hands", "matches", "points", "low", "high", "adjusted", "adjusted_low", "adjusted_high", "luck",
        "reviewed", *names,
    )  # fmt: skip
    return _plain("luck", rows, (told(account), *account["notes"]), columns)


def _season(part: str, *columns: str) -> Callable[[Ledger, Given], Table]:
    def table(ledger: Ledger, asked: Given) -> Table:
        found = season_of(ledger, season_asked(ledger, dict(asked)))
        rows: list[dict[str, Any]] = {
            "standings": [row for some in found.standings.values() for row in some],
            "attendance": found.attendance,
            "nights": found.days,
        }[part]
        return _plain(part, rows, (f"events up to {ledger.views.position}",), columns)

    return table


def _sights(ledger: Ledger, asked: Given) -> Table:
    limit = asked.get("limit", "")
    most = min(int(limit), _MOST) if limit.isascii() and limit.isdigit() else _MOST
    game, kind = asked.get("game"), asked.get("kind")
    seen = accountant.sights(ledger, game if game in games() else None, kind if kind in KINDS else None, most)
    rows = seen["sights"] if seen else []
    return _plain("worth-seeing", rows, (), ("kind", "match", "hand", "game", "amount", "seq", "detail"))


def _deal(ledger: Ledger, asked: Given) -> Table:
    found = accountant.deal(ledger, asked.get("deal", ""))
    rows = [
        {"match": table["match"], "hand": table["hand"], **{name: seat[name] for name in _SEAT}}
        for table in found["tables"]
        for seat in table["seats"]
    ]
    return _plain("deal", rows, (f"deal {found['deal']}",), ("match", "hand", *_SEAT))


_SEAT = ("place", "seat", "player", "score", "matchpoints", "difference")


def _against(ledger: Ledger, asked: Given) -> Table:
    rows = [
        row | dict(zip(("difference", "low", "high"), difference(row), strict=True))
        for row in met(ledger, asked.get("player", ""), asked.get("other", ""))
        if row["hands"]
    ]
    columns = ("game", "seats", "matches", "complete", "hands", "points", "more", "fewer", "difference", "low", "high")
    return _plain("against", rows, (f"{asked.get('player')} less {asked.get('other')}",), columns)


def _plain(name: str, rows: list[dict[str, Any]], notes: tuple[str, ...], columns: tuple[str, ...]) -> Table:
    return Table(name, columns, rows, Query().text, {}, notes)


TABLES: dict[str, Callable[[Any, Given], Table]] = {
    "player": _player,
    "players": _players,
    "ratings": _ratings,
    "field": _field,
    "points": _points,
    "luck": _luck,
    "standings": _season("standings", "game", "seats", "player", "matches", "complete", "won", "hands", "points"),
    "attendance": _season("attendance", "player", "days", "matches", "hands", "won"),
    "nights": _season("nights", "day", "matches", "hands"),
    "worth-seeing": _sights,
    "deal": _deal,
    "against": _against,
}
"""The tables by their names in addresses."""

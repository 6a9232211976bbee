"""The resource of tables: every table of statistics, as JSON, CSV, Parquet or Arrow, with the filters of its page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from flask import Response
from marshmallow import EXCLUDE, Schema, fields, validate

from cardledger.errors import FormatError, StoreError
from cardledger.record.readmodels.questions.card_in_hand import WAYS
from cardledger.rules.games import games
from cardledger.sentence import Sentence, advising, choosing
from cardledger.study.analyse.what_if_answers import WhatIfAnswers
from cardledger.study.stats import Query, Statistics, StatsTable
from cardledger.study.stats.arrow_export import as_arrow, as_parquet
from cardledger.study.stats.dealer import dealers_favour
from cardledger.study.stats.definitions import definitions
from cardledger.study.stats.estimators import REVIEW, WORTH
from cardledger.study.stats.export import as_csv, as_json
from cardledger.study.stats.forecasts import forecasts
from cardledger.study.stats.head_to_head import head_to_head
from cardledger.study.stats.luck import accountant
from cardledger.study.stats.measures.field import field_means, spread
from cardledger.study.stats.partner_calls import partner_calls
from cardledger.study.stats.query import FILTERS
from cardledger.study.stats.review.worth_seeing import KINDS
from cardledger_api.auth.visible import deal_shown
from cardledger_api.blueprint import operations
from cardledger_api.current import current_ledger
from cardledger_api.http.fields import Whole, between
from cardledger_api.http.operations import ARROW, CSV, JSON, PARQUET, media_wanted
from cardledger_api.resources.hands import HOW
from cardledger_api.resources.seasons import SeasonQuery, season_asked, season_of
from cardledger_api.resources.stats_queries import SelectionQuery
from cardledger_api.resources.what_if import row_of

if TYPE_CHECKING:
    from cardledger.record.recording.ledger import Ledger
    from cardledger.rules.engine.definition import Definition

Given = Mapping[str, str]
FORMATS: dict[str, str] = {"json": JSON, "csv": CSV, "parquet": PARQUET, "arrow": ARROW}
"""Media types by the names of formats."""
_MOST = 50
_SEASON = SeasonQuery(unknown=EXCLUDE)


class TableArguments(SelectionQuery):
    """What the table is about, as far as it needs it, filters for its hands, and its format."""

    game = fields.String(load_default=None)
    player = fields.String(load_default=None)
    other = fields.String(load_default=None, metadata={"description": "id of the other player (head-to-head)"})
    deal = fields.String(load_default=None, metadata={"description": "fingerprint of a deal (deal)"})
    how = fields.String(load_default=None, validate=validate.OneOf([*WAYS]), metadata={"description": HOW})
    kind = fields.String(load_default=None, validate=validate.OneOf([*KINDS]))
    rules = fields.String(load_default=None, metadata={"description": "the edition that judges (what-if)"})
    limit = Whole(load_default=None, validate=between(1, _MOST))
    format = fields.String(
        load_default=None,
        validate=validate.OneOf([*FORMATS]),
        metadata={"description": "format of the answer, instead of a media type in Accept"},
    )


class NamedTableSchema(Schema):
    """A table of statistics: its columns, a row for each line, and what it was computed from."""

    name = fields.String()
    query = fields.String()
    definitions = fields.List(fields.String())
    notes = fields.List(fields.String())
    columns = fields.List(fields.String())
    rows = fields.List(fields.Dict())


class TableNamesSchema(Schema):
    """The names of the tables, and the formats that they come in."""

    tables = fields.List(fields.String())
    formats = fields.List(fields.String())


@operations.add("GET", "/tables", answer=TableNamesSchema)
def list_of_tables() -> dict[str, Any]:
    """List the tables of statistics."""
    return {"tables": [*TABLES], "formats": [*FORMATS]}


@operations.add(
    "GET",
    "/tables/<name>",
    query=TableArguments,
    answer=NamedTableSchema,
    media=tuple(FORMATS.values()),
    problems=(406, 501),
    headers={"Accept": "the media type of a format"},
    heavy=True,
    example={"path": {"name": "standings"}, "query": {"since": "2026-01-01"}},
)
def read_named_table(name: str, query: dict[str, Any]) -> Response | dict[str, Any]:
    """Read a table of statistics as JSON, CSV, Parquet or Arrow (an IPC stream), with the names of players.

    In Parquet and Arrow, the metadata `cardledger` holds the query and what the table was computed from.
    """
    ledger = current_ledger()
    format = query.pop("format")
    media = FORMATS[format] if format else media_wanted(*FORMATS.values())
    table = named_table(ledger, name, {key: str(value) for key, value in query.items() if value is not None})
    if media == JSON:
        return as_json(table) | {"columns": table.columns}
    content, ending = as_file(table, media)
    headers = {"Content-Disposition": f'attachment; filename="{name}.{ending}"'}
    return Response(content, headers=headers, content_type=f"{CSV}; charset=utf-8" if media == CSV else media)


def as_file(table: StatsTable, media: str) -> tuple[bytes, str]:
    """Return a table as a file of a media type, and the ending of its name; raises StoreError `store.extra`."""
    if media == CSV:
        return as_csv(table).encode(), "csv"
    return (as_parquet(table), "parquet") if media == PARQUET else (as_arrow(table), "arrow")


def named_table(ledger: Ledger, name: str, asked: Given) -> StatsTable:
    """Return a table of `TABLES`, with the names of players beside their ids; raises StoreError `store.unknown`."""
    if name not in TABLES:
        raise StoreError("store.unknown", choosing(Sentence("there is no table {name!r}", name=name), name, TABLES))
    ask = partial(TABLES[name], ledger, asked)
    table = (
        Statistics.of(ledger.views).recent(asked.get("game"), ("table", name, *sorted(asked.items())), ask)
        if name in _OF_SHEETS
        else ask()
    )
    if "player" not in table.columns:
        return table
    at, called = table.columns.index("player") + 1, ledger.people().name
    rows = [row | {"name": called(row["player"])} for row in table.rows]
    columns = (*table.columns[:at], "name", *table.columns[at:])
    return replace(table, columns=columns, rows=rows, comparison=None)


def selection(given: Given, *, by: bool = False) -> Query:
    """Return the query of an address. `seats` of other pages is `size` here; `by` says whether the answer can be split.

    Raises FormatError `format.key` for a split of what is never split: it would be left out without a word.
    """
    if not by and given.get("by", "").strip():
        raise FormatError("format.key", f"this is not split by {given['by'].strip()!r}: leave out `by`")
    names = (*FILTERS, "scale", "by") if by else (*FILTERS, "scale")
    asked = {name: given[name] for name in names if given.get(name, "").strip()}
    if by and given.get("and", "").strip() not in ("", asked.get("by")):
        asked["by"] = ",".join(filter(None, (asked.get("by"), given["and"])))
    if "size" not in asked and given.get("seats", "").strip():
        asked["size"] = given["seats"]
    return Query.parse(asked)


def _game(asked: Given) -> str:
    id = asked.get("game", "")
    if id not in games():
        raise StoreError("store.unknown", advising(f"there is no game {id!r}: give the id of one as `game`"))
    return id


def _player(ledger: Ledger, asked: Given) -> StatsTable:
    query = selection(asked, by=True)
    return Statistics.of(ledger.views).player(asked.get("player", ""), query, asked.get("game"))


def _change(ledger: Ledger, asked: Given) -> StatsTable:
    query = selection(asked)
    return Statistics.of(ledger.views).change(asked.get("player", ""), query, asked.get("game"))


def _evenings(ledger: Ledger, asked: Given) -> StatsTable:
    return Statistics.of(ledger.views).evenings(asked.get("player", ""), selection(asked), _game(asked))


def _company(ledger: Ledger, asked: Given) -> StatsTable:
    query = selection(asked)
    return Statistics.of(ledger.views).company(asked.get("player", ""), query, asked.get("game"))


def _players(ledger: Ledger, asked: Given) -> StatsTable:
    return Statistics.of(ledger.views).players(_game(asked), selection(asked, by=True))


def _cards(ledger: Ledger, asked: Given) -> StatsTable:
    how, player = asked.get("how") or "dealt", asked.get("player") or None
    return Statistics.of(ledger.views).cards(_game(asked), selection(asked), how, player)


def _decisions(ledger: Ledger, asked: Given) -> StatsTable:
    return accountant.decisions(ledger, _game(asked), selection(asked), asked.get("of") or "all", patience=None)


def _after_bad_hand(ledger: Ledger, asked: Given) -> StatsTable:
    bad = asked.get("bad") or "play"
    return accountant.after_bad_hand(ledger, _game(asked), selection(asked), bad, patience=None)


def _partner_calls(ledger: Ledger, asked: Given) -> StatsTable:
    sheet = Statistics.of(ledger.views).sheets.sheet(_game(asked))
    return partner_calls(ledger.views, sheet, selection(asked), asked.get("of") or "kinds")


def _dealer(ledger: Ledger, asked: Given) -> StatsTable:
    return dealers_favour(Statistics.of(ledger.views), _game(asked) if asked.get("game") else None)


def _forecasts(ledger: Ledger, asked: Given) -> StatsTable:
    return forecasts(Statistics.of(ledger.views), _game(asked) if asked.get("game") else None)


def _ratings(ledger: Ledger, asked: Given) -> StatsTable:
    return Statistics.of(ledger.views).ratings(_game(asked), asked.get("player"))


def _field(ledger: Ledger, asked: Given) -> StatsTable:
    return field_means(Statistics.of(ledger.views).sheets.sheet(_game(asked)), selection(asked, by=True))


def _points(ledger: Ledger, asked: Given) -> StatsTable:
    return spread(Statistics.of(ledger.views).sheets.sheet(_game(asked)), selection(asked))


def _luck(ledger: Ledger, asked: Given) -> StatsTable:
    account = accountant.luck(ledger, _game(asked))
    if account is None:
        raise StoreError("store.unknown", advising("the worth of deals is being computed: try again in a moment"))
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
    return _plain(
        "luck", rows, (f"events up to {account['basis']['position']}", *account["notes"]), columns, WORTH, REVIEW
    )


def _season(part: str, *columns: str) -> Callable[[Ledger, Given], StatsTable]:
    def table(ledger: Ledger, asked: Given) -> StatsTable:
        asked_season = season_of(ledger, season_asked(ledger, _SEASON.load({**asked})))
        rows: list[dict[str, Any]] = {
            "standings": [row for some in asked_season.standings.values() for row in some],
            "attendance": asked_season.attendance,
            "nights": asked_season.days,
        }[part]
        return _plain(part, rows, (f"events up to {ledger.views.position}",), columns)

    return table


def _sights(ledger: Ledger, asked: Given) -> StatsTable:
    limit = asked.get("limit", "")
    most = min(int(limit), _MOST) if limit.isascii() and limit.isdigit() else _MOST
    game, kind = asked.get("game"), asked.get("kind")
    seen = accountant.sights(ledger, game if game in games() else None, kind if kind in KINDS else None, most)
    rows = seen["sights"] if seen else []
    return _plain("worth-seeing", rows, (), ("kind", "match", "hand", "game", "amount", "seq", "detail"), REVIEW, WORTH)


def _deal(ledger: Ledger, asked: Given) -> StatsTable:
    account = deal_shown(ledger, asked.get("deal", ""))
    rows = [
        {"match": table["match"], "hand": table["hand"], **{name: seat[name] for name in _SEAT}}
        for table in account["tables"]
        for seat in table["seats"]
    ]
    return _plain("deal", rows, (f"deal {account['deal']}",), ("match", "hand", *_SEAT))


def _what_if(ledger: Ledger, asked: Given) -> StatsTable:
    answer = WhatIfAnswers.of(ledger).get(_game(asked), asked.get("rules", ""))
    rows = [row_of(one) for one in answer.listed]
    for row in rows:
        row |= {name: row[name] and " ".join(map(str, row[name])) for name in ("scores", "other")}
    columns = ("match", "hand", "date", "outcome", "seq", "trick", "scores", "other")
    return _plain("what-if", rows, (f"{answer.game} under {answer.rules}, events up to {answer.position}",), columns)


_SEAT = ("place", "seat", "player", "score", "matchpoints", "difference")


def _definitions(ledger: Ledger, asked: Given) -> StatsTable:
    return definitions(asked.get("game"))


def _head_to_head(ledger: Ledger, asked: Given) -> StatsTable:
    return head_to_head(ledger, asked.get("player", ""), asked.get("other", ""))


def _plain(
    name: str, rows: list[dict[str, Any]], notes: tuple[str, ...], columns: tuple[str, ...], *definitions: Definition
) -> StatsTable:
    return StatsTable(name, columns, rows, Query().text, {}, notes, definitions=definitions)


TABLES: dict[str, Callable[[Any, Given], StatsTable]] = {
    "player": _player,
    "players": _players,
    "change": _change,
    "evenings": _evenings,
    "company": _company,
    "cards": _cards,
    "decisions": _decisions,
    "after-bad-hand": _after_bad_hand,
    "dealer": _dealer,
    "forecasts": _forecasts,
    "partner-calls": _partner_calls,
    "ratings": _ratings,
    "field": _field,
    "points": _points,
    "luck": _luck,
    "standings": _season("standings", "game", "seats", "player", "matches", "complete", "won", "hands", "points"),
    "attendance": _season("attendance", "player", "days", "matches", "hands", "won"),
    "nights": _season("nights", "day", "matches", "hands"),
    "worth-seeing": _sights,
    "deal": _deal,
    "head-to-head": _head_to_head,
    "definitions": _definitions,
    "what-if": _what_if,
}
"""The tables by their names in addresses."""
_OF_SHEETS = frozenset(
    {
        "player",
        "players",
        "change",
        "evenings",
        "company",
        "cards",
        "decisions",
        "after-bad-hand",
        "dealer",
        "forecasts",
        "partner-calls",
        "ratings",
        "field",
        "points",
    }
)
"""The tables for which all hands of a game are looked at."""

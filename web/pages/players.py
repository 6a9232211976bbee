"""Pages of players: the list, one player, and two who met."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from flask import abort, render_template, request
from marshmallow import EXCLUDE, Schema, fields, validate

from api.fields import Whole
from api.hands import HandQuery, search
from api.schemas import Day
from api.secrecy import sees_all
from ledger.games import games
from ledger.readmodels.careers import ORDERS, career, list_players, matches_of, meetings, met, met_most
from ledger.readmodels.violationlist import count_violations
from web.figures_records import ahead, form
from web.pages.playerid import PlayerId
from web.playerview import chosen, game_rows, in_all, month_days

if TYPE_CHECKING:
    from flask import Blueprint

    from ledger.ledger import Ledger

_ON_A_PAGE = 50
_MATCHES = 10
_HANDS = 6
_OTHERS = 8
_DRAWN = 150
"""Matches that a figure shows, the latest."""


class _ListQuery(Schema):
    """Which players to list; a page is a number from 1 on."""

    q = fields.String(load_default=None)
    game = fields.String(load_default=None)
    order = fields.String(load_default="hands", validate=validate.OneOf([*ORDERS]))
    page = Whole(load_default=1, validate=validate.Range(1, 1_000_000))


class _Query(Schema):
    """Which game of a player to look at, and which of their matches."""

    game = fields.String(load_default=None)
    seats = Whole(load_default=None, validate=validate.Range(1, 100))
    seat = Whole(load_default=None, validate=validate.Range(0, 100))
    place = Whole(load_default=None, validate=validate.Range(0, 100))
    since = Day(load_default=None)
    until = Day(load_default=None)
    after = fields.String(load_default=None, validate=validate.Regexp(r"^\d{4}-\d\d-\d\d\.\d{1,18}$"))


_LIST, _QUERY = _ListQuery(unknown=EXCLUDE), _Query(unknown=EXCLUDE)
_FILTERS = ("seat", "place", "since", "until")


def add_routes(pages: Blueprint, ledger: Ledger) -> None:
    """Add the pages of players."""
    pages.record_once(lambda state: state.app.url_map.converters.update(player=PlayerId))

    @pages.get("/players")
    def player_list() -> str:
        asked = _LIST.load(given())
        page = asked.pop("page")
        search = asked.pop("q")
        found = list_players(ledger, _ON_A_PAGE + 1, (page - 1) * _ON_A_PAGE, search, **asked)
        return render_template(
            "players.html",
            found=found[:_ON_A_PAGE],
            more=len(found) > _ON_A_PAGE,
            page=page,
            search=search,
            asked=asked,
            games=games(),
        )

    @pages.get("/players/<player:player>")
    def player(player: str) -> str:
        asked = _QUERY.load(given())
        rows = game_rows(career(ledger, player)) or abort(404)
        shown = chosen(rows, asked["game"], asked["seats"]) or abort(404)
        here: dict[str, Any] = {"game": shown.game, "seats": shown.seats}
        filters: dict[str, Any] = {name: asked[name] for name in _FILTERS if asked[name] is not None}
        day, _, position = (asked["after"] or "").partition(".")
        matches = matches_of(ledger, player, _MATCHES, (day, int(position)) if day else None, **here, **filters)
        latest = matches_of(ledger, player, _DRAWN, **here).matches[::-1]
        drawn = [row for row in latest if row["hands"]]
        hands: dict[str, Any] = HandQuery().load({"player": player, "limit": str(_HANDS)})
        return render_template(
            "player.html",
            player=player,
            rows=rows,
            total=in_all(rows),
            shown=shown,
            here=here,
            months=[(month, tally, month_days(month)) for month, tally in sorted(shown.by_month.items(), reverse=True)],
            matches=[row | {"others": _others(row)} for row in matches.matches],
            next=matches.next and f"{matches.next[0]}.{matches.next[1]}",
            after=asked["after"],
            filters=filters,
            hands=search(ledger, hands)["hands"],
            others=met_most(ledger, player, _OTHERS),
            violations=count_violations(ledger, player=player, under_way=sees_all()),
            games=games(),
            figure=form(*columns(drawn, "date", "total", "hands")).to_json() if len(drawn) > 1 else None,
        )

    @pages.get("/players/<player:player>/against/<player:other>")
    def head_to_head(player: str, other: str) -> str:
        asked = _QUERY.load(given())
        if player == other or not all(matches_of(ledger, name, 1).matches for name in (player, other)):
            abort(404)
        rows = met(ledger, player, other)
        wanted = {name: asked[name] for name in ("game", "seats") if asked[name] is not None}
        shown = next((row for row in rows if wanted.items() <= row.items()), None)
        found = meetings(ledger, player, other, _DRAWN, game=shown["game"], seats=shown["seats"]) if shown else []
        differences = [row["total"] - row["other_total"] for row in found]
        dates = [row["date"] for row in found]
        return render_template(
            "head-to-head.html",
            player=player,
            other=other,
            rows=rows,
            shown=shown,
            found=found,
            games=games(),
            figure=ahead(player, dates[::-1], differences[::-1]).to_json() if len(found) > 1 else None,
        )


def given() -> dict[str, str]:
    """Return what an address asks for, without what a form left empty."""
    return {name: text for name, text in request.args.items() if text.strip()}


def columns(rows: list[dict[str, Any]], *names: str) -> list[list[Any]]:
    """Return columns of rows."""
    return [[row[name] for row in rows] for name in names]


def _others(row: dict[str, Any]) -> list[str]:
    """Return who else sat at the table of a player's match."""
    return [name for seat, name in enumerate(json.loads(row["players"])) if seat != row["seat"]]

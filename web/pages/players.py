"""Pages of players: the list, one player, and two who met."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from flask import abort, g, redirect, render_template, request, url_for
from marshmallow import EXCLUDE, Schema, fields, validate

from api.fields import Whole
from api.hands import HandQuery, search
from api.schemas import Day
from api.secrecy import sees_all
from ledger.games import games
from ledger.readmodels.careers import ORDERS, career, list_players, matches_of, meetings, met, met_most
from ledger.readmodels.violationlist import count_violations
from ledger.stats import Statistics
from ledger.stats.tables import measures_of
from web.figures_records import ahead, form
from web.luckview import player_luck
from web.pages.playerid import PlayerId
from web.pages.whoiswho import changed
from web.persons import called, people_of
from web.playerview import chosen, difference, game_rows, in_all, month_days
from web.statsview import player_stats, selection

if TYPE_CHECKING:
    from flask import Blueprint
    from werkzeug.wrappers import Response

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
    def player(player: str) -> str | Response:
        return elsewhere(player) or player_page(player)

    @pages.post("/players/<player:player>")
    def change_player(player: str) -> Response | tuple[str, int]:
        wrong, status = changed(ledger, request.form)
        if wrong is None:
            return redirect(url_for("pages.player", player=ledger.people().person(player), _anchor="person"), 303)
        g.pop("people", None)
        return player_page(player, wrong), status

    def elsewhere(player: str, other: str | None = None) -> Response | None:
        """Return the way to the persons that ids mean, None for those who go by their own."""
        person = people_of(ledger).person
        if other is None:
            same, endpoint, names = person(player) == player, "pages.player", {"player": person(player)}
        else:
            names = {"player": person(player), "other": person(other)}
            same, endpoint = names == {"player": player, "other": other}, "pages.head_to_head"
        asked: dict[str, Any] = {**request.args, **names}
        return None if same else redirect(url_for(endpoint, **asked))

    def player_page(player: str, wrong: str | None = None) -> str:
        asked = _QUERY.load(given())
        rows = game_rows(career(ledger, player)) or abort(404)
        query = selection(given(), by=True)
        shown = chosen(rows, asked["game"], query.size) or abort(404)
        game = games().get(shown.game)
        people = people_of(ledger)
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
            ids=people.ids(player),
            person_seq=people.seq,
            wrong=wrong,
            stats=game
            and player_stats(Statistics.of(ledger.views), player, game, query, given().get("measure"), people),
            luck=game and player_luck(ledger, player, game.id),
            measures=measures_of(game.id) if game else (),
            played=list(dict.fromkeys(row.game for row in rows)),
            rows=rows,
            total=in_all(rows),
            shown=shown,
            here=here,
            months=[(month, tally, month_days(month)) for month, tally in sorted(shown.by_month.items(), reverse=True)],
            matches=[row | {"others": _others(ledger, row)} for row in matches.matches],
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
    def head_to_head(player: str, other: str) -> str | Response:
        if (there := elsewhere(player, other)) is not None:
            return there
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
            differences={(row["game"], row["seats"]): difference(row) for row in rows if row["hands"]},
            shown=shown,
            found=found,
            games=games(),
            figure=ahead(called(ledger, [player])[0], dates[::-1], differences[::-1]).to_json()
            if len(found) > 1
            else None,
        )


def given() -> dict[str, str]:
    """Return what an address asks for, without what a form left empty."""
    return {name: text for name, text in request.args.items() if text.strip()}


def columns(rows: list[dict[str, Any]], *names: str) -> list[list[Any]]:
    """Return columns of rows."""
    return [[row[name] for row in rows] for name in names]


def _others(ledger: Ledger, row: dict[str, Any]) -> list[str]:
    """Return who else sat at the table of a player's match."""
    seated = people_of(ledger).seated(row["match"], json.loads(row["players"]))
    return [name for seat, name in enumerate(seated) if seat != row["seat"]]

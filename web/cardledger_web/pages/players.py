"""Pages of players: the list, one player, and two who met."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from flask import abort, g, redirect, render_template, request, url_for
from marshmallow import EXCLUDE, Schema, fields, validate

from cardledger.record.readmodels.questions.careers import ORDERS, career, list_players, matches_of, meetings, met_most
from cardledger.record.readmodels.questions.evening_list import other_games
from cardledger.record.readmodels.questions.violation_list import count_violations
from cardledger.rules.engine.days import UNKNOWN, known_day
from cardledger.rules.games import games
from cardledger.study.stats import Statistics
from cardledger.study.stats.head_to_head import head_to_head as head_to_head_of
from cardledger.study.stats.measures.of_game import measures_of
from cardledger.study.stats.review.situations import TITLES
from cardledger_api.auth.visible import sees_all
from cardledger_api.current import current_ledger, people_of
from cardledger_api.http.fields import Whole
from cardledger_api.http.schemas import Day
from cardledger_api.resources.hands import HandQuery, search
from cardledger_api.resources.tables import selection
from cardledger_web.figures.records import ahead, form
from cardledger_web.pages.blueprint import pages
from cardledger_web.pages.people import changed
from cardledger_web.views.beside import MOST_BESIDE, NOBODY, peers_of, versus
from cardledger_web.views.luck import costly_decisions, player_luck
from cardledger_web.views.other_game_form import choice_of, is_other, named_by
from cardledger_web.views.persons import called
from cardledger_web.views.player import chosen, game_rows, in_all, month_days
from cardledger_web.views.player_evenings import evenings_of
from cardledger_web.views.portrait import PortraitView
from cardledger_web.views.stats import player_stats

if TYPE_CHECKING:
    from werkzeug.wrappers import Response

    from cardledger.record.recording.ledger import Ledger

_ON_A_PAGE = 50
_MATCHES = 10
_EVENINGS = 10
_HANDS = 6
_OTHERS = 8
_DRAWN = 150
"""The number of latest matches in a figure."""


class _ListQuery(Schema):
    """Filters for players; pages are numbered from 1."""

    q = fields.String(load_default=None)
    game = fields.String(load_default=None)
    order = fields.String(load_default="hands", validate=validate.OneOf([*ORDERS]))
    page = Whole(load_default=1, validate=validate.Range(1, 1_000_000))


class _PlayersQuery(Schema):
    """The game of a player to show, and filters for their matches."""

    game = fields.String(load_default=None)
    seats = Whole(load_default=None, validate=validate.Range(1, 100))
    seat = Whole(load_default=None, validate=validate.Range(0, 100))
    place = Whole(load_default=None, validate=validate.Range(0, 100))
    since = Day(load_default=None)
    until = Day(load_default=None)
    how = fields.String(load_default=None, validate=validate.OneOf(("against", "with")))
    after = fields.String(load_default=None, validate=validate.Regexp(r"^(\d{4}-\d\d-\d\d|unknown)\.\d{1,18}$"))


LIST, QUERY = _ListQuery(unknown=EXCLUDE), _PlayersQuery(unknown=EXCLUDE)
"""The queries of the addresses of the list and of a player."""
_FILTERS = ("seat", "place", "since", "until")


@pages.get("/players")
def player_list() -> str:
    ledger = current_ledger()
    asked = LIST.load(given())
    page = asked.pop("page")
    search = asked.pop("q")
    choice = asked["game"] or ""
    game = {"other_game": named_by(choice)} if is_other(choice) else {"game": choice or None}
    rows = list_players(ledger, _ON_A_PAGE + 1, (page - 1) * _ON_A_PAGE, search, order=asked["order"], **game)
    return render_template(
        "players.html",
        found=rows[:_ON_A_PAGE],
        more=len(rows) > _ON_A_PAGE,
        page=page,
        search=search,
        asked=asked,
        games=games(),
        others={choice_of(name): name for name in other_games(ledger)},
    )


@pages.get("/players/<player:player>")
def player(player: str) -> str | Response | tuple[str, int]:
    return elsewhere(player) or player_page(player)


@pages.post("/players/<player:player>")
def change_player(player: str) -> Response | tuple[str, int]:
    ledger = current_ledger()
    wrong, status = changed(ledger, request.form)
    if wrong is None:
        return redirect(url_for("pages.player", player=ledger.people().person(player), _anchor="person"), 303)
    g.pop("people", None)
    page = player_page(player, wrong)
    return (page if isinstance(page, str) else page[0]), status


def elsewhere(player: str, other: str | None = None, endpoint: str = "pages.player") -> Response | None:
    """Return a redirect to the persons of some ids, None if each id is a person's own."""
    ledger = current_ledger()
    person = people_of(ledger).person
    if other is None:
        same, names = person(player) == player, {"player": person(player)}
    else:
        names = {"player": person(player), "other": person(other)}
        same, endpoint = names == {"player": player, "other": other}, "pages.head_to_head"
    asked: dict[str, Any] = {**request.args, **names}
    return None if same else redirect(url_for(endpoint, **asked))


def player_page(player: str, wrong: str | None = None) -> str | tuple[str, int]:
    ledger = current_ledger()
    asked = QUERY.load(given())
    rows, people = game_rows(career(ledger, player)), people_of(ledger)
    evenings = evenings_of(ledger, player, _EVENINGS)
    if not rows:
        if not evenings.evenings:
            abort(404)
        return render_template(
            "player_without_matches.html", player=player, ids=people.ids(player), person_seq=people.seq, wrong=wrong,
            evenings=evenings, games=games(),
        )  # fmt: skip
    query = selection(given(), by=True)
    shown = chosen(rows, asked["game"], query.size) or abort(404)
    game = games().get(shown.game)
    here: dict[str, Any] = {"game": shown.game, "seats": shown.seats}
    filters: dict[str, Any] = {name: asked[name] for name in _FILTERS if asked[name] is not None}
    day, _, position = (asked["after"] or "").partition(".")
    matches = matches_of(ledger, player, _MATCHES, (known_day(day), int(position)) if day else None, **here, **filters)
    latest = matches_of(ledger, player, _DRAWN, **here).matches[::-1]
    drawn = [row for row in latest if row["hands"] and row["date"] is not None]
    statistics = Statistics.of(ledger.views)
    luck = player_luck(ledger, player, game.id, decisions_by()) if game else None
    peers = peers_of(ledger, player, game.id, request.args.getlist("beside")) if game else NOBODY
    hands: dict[str, Any] = HandQuery().load({"player": player, "limit": str(_HANDS)})
    page = render_template(
        "player.html",
        player=player,
        ids=people.ids(player),
        person_seq=people.seq,
        wrong=wrong,
        stats=game and player_stats(statistics, player, game, query, given().get("measure"), people),
        portrait=game
        and PortraitView(statistics, player, game, query, given().get("measure"), peers.players).portrait(people, luck),
        peers=peers,
        most_beside=MOST_BESIDE,
        versus=versus(ledger, player, peers.players, game.id, shown.seats) if game else (),
        luck=luck,
        costly=costly_decisions(ledger, player, game.id) if game and luck and luck.habits else (),
        situations=TITLES,
        measures=measures_of(game.id) if game else (),
        played=list(dict.fromkeys(row.game for row in rows)),
        rows=rows,
        total=in_all(rows),
        shown=shown,
        here=here,
        undated=shown.matches - sum(tally.matches for tally in shown.by_month.values()),
        months=[(month, tally, month_days(month)) for month, tally in sorted(shown.by_month.items(), reverse=True)],
        matches=[row | _company(ledger, row) for row in matches.matches],
        next=matches.next and f"{matches.next[0] or UNKNOWN}.{matches.next[1]}",
        after=asked["after"],
        filters=filters,
        hands=search(ledger, hands)["hands"],
        evenings=evenings,
        others=met_most(ledger, player, _OTHERS),
        violations=count_violations(ledger, player=player, under_way=sees_all()),
        games=games(),
        figure=form(*columns(drawn, "date", "total", "hands")) if len(drawn) > 1 else None,
    )
    return (page, 400) if peers.refused else page


@pages.get("/players/<player:player>/against/<player:other>")
def head_to_head(player: str, other: str) -> str | Response:
    ledger = current_ledger()
    if (there := elsewhere(player, other)) is not None:
        return there
    asked = QUERY.load(given())
    rows = head_to_head_of(ledger, player, other).rows
    wanted = {name: asked[name] for name in ("how", "game", "seats") if asked[name] is not None}
    shown = next((row for row in rows if wanted.items() <= row.items()), None)
    matches = (
        meetings(ledger, player, other, _DRAWN, **{name: shown[name] for name in ("how", "game", "seats")})
        if shown
        else []
    )
    figure = None
    if len(matches) > 1 and shown and shown["how"] == "against":
        dated = [row for row in reversed(matches) if row["date"] is not None]
        differences = [row["total"] - row["other_total"] for row in dated]
        figure = (
            ahead(called(ledger, [player])[0], [row["date"] for row in dated], differences) if len(dated) > 1 else None
        )
    return render_template(
        "head-to-head.html",
        player=player,
        other=other,
        against=[row for row in rows if row["how"] == "against"],
        partners=[row for row in rows if row["how"] == "with"],
        shown=shown,
        found=matches,
        games=games(),
        figure=figure,
    )


def decisions_by() -> tuple[str, ...]:
    """Return the situations by which decisions are split: none, one or two."""
    asked = (given().get("decisions"), given().get("decisions_and"))
    return tuple(dict.fromkeys(id for id in asked if id in TITLES))


def given() -> dict[str, str]:
    """Return the query of an address, without empty fields of a form."""
    return {name: text for name, text in request.args.items() if text.strip()}


def columns(rows: list[dict[str, Any]], *names: str) -> list[list[Any]]:
    """Return columns of rows."""
    return [[row[name] for row in rows] for name in names]


def _company(ledger: Ledger, row: dict[str, Any]) -> dict[str, list[str]]:
    """Return the other players at the table of a player's match: the `partners`, and all `others`."""
    seated = people_of(ledger).seated(row["match"], json.loads(row["players"]))
    own = next((side for side in json.loads(row["sides"]) if row["seat"] in side), [row["seat"]])
    partners = [seated[seat] for seat in own if seat != row["seat"]]
    return {"partners": partners, "others": [name for seat, name in enumerate(seated) if seat not in own]}

"""Pages of statistics: the players of a game, hands worth seeing, one deal at several tables."""

from __future__ import annotations

from importlib.util import find_spec
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import parse_qsl

from flask import abort, current_app, render_template
from marshmallow import EXCLUDE, Schema, fields, validate

from cardledger.record.readmodels.questions.card_in_hand import IN_TRICKS
from cardledger.record.readmodels.questions.evening_list import other_games
from cardledger.record.readmodels.questions.match_list import match_row
from cardledger.rules.games import games
from cardledger.study.stats import Statistics
from cardledger.study.stats.compare import PAIR
from cardledger.study.stats.dealer import dealers_favour
from cardledger.study.stats.definitions import definitions
from cardledger.study.stats.forecasts import QUESTIONS, forecasts
from cardledger.study.stats.luck import accountant
from cardledger.study.stats.partner_calls import GROUPINGS, has_partners_calls, partner_calls
from cardledger.study.stats.review.habits import in_words
from cardledger.study.stats.review.worth_seeing import KINDS
from cardledger_api.auth.limits import heavy
from cardledger_api.auth.visible import deal_shown
from cardledger_api.current import current_ledger, people_of
from cardledger_api.http.fields import GameId, Whole
from cardledger_api.resources.tables import selection
from cardledger_web.figures import stats as figures_stats
from cardledger_web.languages import N_, _, decimal, ngettext
from cardledger_web.pages.blueprint import pages
from cardledger_web.pages.players import given
from cardledger_web.views import stats as statsview
from cardledger_web.views.card_worths import WAYS_IN_WORDS, behind, cards_of, ways_of, worths_figure
from cardledger_web.views.cards import drawn
from cardledger_web.views.luck import basis_in_words, of_situation
from cardledger_web.views.scales import scales_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardledger.study.stats import Query
    from cardledger_api.auth.access import Access

BAD_BY = {
    "play": N_("points without luck"),
    "result": N_("points as scored"),
    "deal": N_("cards dealt"),
}
"""By what a hand is bad, in words."""
SIGHTS = {
    "swing": (N_("Biggest swings"), N_("the most points between the best and the worst of a hand")),
    "costliest": (
        N_("Costliest choices"),
        N_("the points that a choice gave up; clear mistakes in hands reviewed so far"),
    ),
    "rarest": (N_("Rarest rules"), N_("the result was decided by a rule that seldom applies")),
    "closest": (N_("Closest hands"), N_("the fewest points between the best and the worst of a hand")),
}
"""The kinds of hands worth seeing, with heading and meaning."""
_EACH = 5
_ALONE = 25
_FEW = 2
"""The number of hands shown: of a kind in one game, of one kind alone, and of each game in the full list."""
_DEALS = 20
_PARQUET = find_spec("pyarrow") is not None


class _SightQuery(Schema):
    """Filters by game and kind."""

    game = GameId(load_default=None)
    kind = fields.String(load_default=None, validate=validate.OneOf([*KINDS]))
    limit = Whole(load_default=None, validate=validate.Range(1, 50))


QUERY = _SightQuery(unknown=EXCLUDE)
"""The query of the page\'s address."""


@pages.get("/stats/<game>")
def game_stats(game: str) -> str:
    ledger = current_ledger()
    statistics = Statistics.of(current_ledger().views)
    chosen = games().get(game) or abort(404)
    query = selection(given(), by=True)
    luck = accountant.luck(ledger, game)
    return render_template(
        "game_stats.html",
        partners_call=has_partners_calls(game),
        stats=statsview.game_stats(statistics, chosen, query, people_of(ledger), given().get("measure") or "points"),
        behind=statsview.hands_behind(query),
        luck=luck,
        luck_basis=luck and basis_in_words(luck),
        games=games(),
        others=other_games(ledger),
    )


@pages.get("/stats/<game>/pairs")
@heavy
def pairs(game: str) -> str:
    statistics = Statistics.of(current_ledger().views)
    access: Access = current_app.extensions["cardledger.access"]
    access.require("admin")
    chosen = games().get(game) or abort(404)
    query = selection(given())
    return render_template("pairs.html", game=chosen, query=query, found=statistics.pairs(game, query))


@pages.get("/stats/<game>/partnerships")
@heavy
def partnerships(game: str) -> str:
    chosen = games().get(game) or abort(404)
    query = selection(given())
    statistics = Statistics.of(current_ledger().views)
    found = statistics.partnerships(game, query)
    return render_template(
        "partnerships.html", game=chosen, query=query, found=found, between=PAIR,
        scale_choices=scales_of(statistics, game, query),
    )  # fmt: skip


@pages.get("/stats/<game>/cards")
@heavy
def cards(game: str) -> str:
    chosen = games().get(game) or abort(404)
    query, how, player = selection(given()), given().get("how", "dealt"), given().get("player")
    ledger = current_ledger()
    statistics = Statistics.of(ledger.views)
    found = statistics.recent(
        game, ("cards", query, how, player), lambda: statistics.cards(game, query, how, player)
    )  # fmt: skip
    return render_template(
        "cards.html", game=chosen, query=query, found=found, figure=worths_figure(chosen, found), cards=cards_of(chosen),
        how=how, ways=ways_of(chosen), in_words=WAYS_IN_WORDS, in_tricks=how in IN_TRICKS,
        who=player and people_of(ledger).name(player), player=player, behind=behind(chosen, query, how, player),
    )  # fmt: skip


@pages.get("/stats/<game>/decisions")
@heavy
def decisions(game: str) -> str:
    chosen = games().get(game) or abort(404)
    query = selection(given())
    found = accountant.decisions(current_ledger(), game, query)
    leads = accountant.decisions(current_ledger(), game, query, "opening-leads")
    return render_template(
        "decisions.html", game=chosen, query=query, found=found, leads=leads, of_situation=of_situation
    )


@pages.get("/stats/<game>/after-bad-hand")
@heavy
def after_bad_hand(game: str) -> str:
    chosen = games().get(game) or abort(404)
    query, bad = selection(given()), given().get("bad", "play")
    if bad not in BAD_BY:
        abort(404)
    found = accountant.after_bad_hand(current_ledger(), game, query, bad)
    return render_template("after_bad_hand.html", game=chosen, query=query, found=found, bad=bad, bad_by=BAD_BY)


@pages.get("/stats/<game>/partner-calls")
@heavy
def partners_calls(game: str) -> str:
    chosen = games().get(game) or abort(404)
    query, of = selection(given()), given().get("of", "kinds")
    if of not in GROUPINGS or not has_partners_calls(game):
        abort(404)
    views = current_ledger().views
    found = partner_calls(views, Statistics.of(views).sheets.sheet(game), query, of)
    return render_template("partner_calls.html", game=chosen, query=query, found=found, of=of)


@pages.get("/definitions")
def definition_list() -> str:
    measures: dict[str | None, list[list[dict[str, Any]]]] = {}
    estimators: list[list[dict[str, Any]]] = []
    for (game, what, _id), rows in groupby(definitions().rows, itemgetter("game", "what", "id")):
        (estimators if what == "estimator" else measures.setdefault(game, [])).append([*rows])
    return render_template("definitions.html", estimators=estimators, measures=measures, games=games())


@pages.get("/dealer")
@heavy
def dealer() -> str:
    found = dealers_favour(Statistics.of(current_ledger().views))
    return render_template("dealer.html", found=found, games=games())


@pages.get("/forecasts")
@heavy
def forecast_page() -> str:
    chosen = given().get("game") or None
    if chosen and chosen not in games():
        abort(404)
    found = forecasts(Statistics.of(current_ledger().views), chosen)
    by_question = {
        (id, question): [row for row in found.rows if (row["game"], row["question"]) == (id, question)]
        for id in found.basis
        for question in QUESTIONS
    }
    asked = {
        key: (rows[0], rows[1:], figures_stats.calibration([_told(row) for row in rows[1:]]))
        for key, rows in by_question.items()
        if rows
    }
    return render_template("forecasts.html", found=found, asked=asked, chosen=chosen, games=games())


def _told(row: Mapping[str, Any]) -> tuple[float, float, float | None, float | None]:
    """Return what was foretold and what happened, with its interval."""
    return row["foretold"], row["happened"], row["low"], row["high"]


def detail(one: Mapping[str, Any]) -> str | None:
    """Return the costly choice with its cards as drawn, or the rule."""
    ledger = current_ledger()
    if one["kind"] != "costliest":
        return cast("str | None", one["detail"])
    cards = drawn(ledger.stream(one["match"]).table.pack)
    return " ".join(cards[word].text if word in cards else word for word in one["detail"].split())


@pages.get("/worth-seeing")
@heavy
def worth_seeing() -> str:
    ledger = current_ledger()
    asked = QUERY.load(given())
    limit = asked["limit"] or (_ALONE if asked["kind"] else _EACH if asked["game"] else _FEW)
    seen = accountant.sights(ledger, asked["game"], asked["kind"], limit)
    deals = accountant.same_deals(ledger, asked["game"], _DEALS)
    rows = (
        [one | {"row": match_row(ledger, one["match"]), "detail": detail(one)} for one in seen["sights"]]
        if seen
        else []
    )
    return render_template(
        "worth_seeing.html",
        asked=asked,
        kinds={id: words for id, words in SIGHTS.items() if asked["kind"] in (None, id)},
        all_kinds=SIGHTS,
        seen=seen,
        rows=rows,
        deals=deals,
        games=games(),
    )


@pages.get("/deals/<deal>")
def same_deal(deal: str) -> str:
    ledger = current_ledger()
    account = deal_shown(ledger, deal)
    first = ledger.stream(account["tables"][0]["match"]).table
    cards = drawn(first.pack)
    for table in account["tables"]:
        table["row"] = match_row(ledger, table["match"])
    return render_template(
        "same_deal.html",
        deal=account,
        game=games()[account["game"]],
        hands=[[cards[face] for face in hand] for hand in account["hands"]],
        upcard=account["upcard"] and cards[account["upcard"]],
        n=first.n,
    )


def _in_span(ends: tuple[float | None, float | None], kind: str = "mean") -> str:
    return statsview.interval(*ends, kind)


def _said(query: Query, name: str) -> str:
    """Return the value of a filter in an address."""
    return _arguments(query.text).get(name, "")


def _arguments(text: str) -> dict[str, str]:
    """Return the arguments of the query of an address."""
    return dict(parse_qsl(text))


def _filters(text: str) -> dict[str, str]:
    """Return the arguments of a query without its split, for what is never split.

    >>> _filters("since=2026-01-01&by=turn")
    {'since': '2026-01-01'}
    """
    return {name: value for name, value in parse_qsl(text) if name != "by"}


def _forest_size(players: int) -> str:
    return "few" if players <= 6 else "some" if players <= 14 else "many"


def sight_words(kind: str, amount: float) -> str:
    """Say in words why a hand is worth seeing.

    >>> sight_words("swing", 20.0), sight_words("costliest", 1.25)
    ('20 points apart', 'cost 1.2 points')
    """
    if kind == "costliest":
        return _("cost %(points)s points", points=decimal(f"{amount:.1f}"))
    if kind == "rarest":
        return ngettext("in %(num)s hand", "in %(num)s hands", round(amount))
    return ngettext("%(num)s point apart", "%(num)s points apart", round(amount))


pages.add_app_template_filter(statsview.number, "in_digits")
pages.add_app_template_filter(lambda score: decimal(f"{score:.3f}"), "of_brier")
pages.add_app_template_filter(_in_span, "in_span")
pages.add_app_template_filter(in_words, "habit_in_words")
pages.add_app_template_filter(of_situation, "of_situation")
pages.add_app_template_filter(_said, "said")
pages.add_app_template_filter(statsview.place, "place")
pages.add_app_template_filter(_arguments, "arguments")
pages.add_app_template_filter(_filters, "filters")
pages.add_app_template_filter(_forest_size, "forest_size")
pages.add_app_template_filter(sight_words, "sight")
pages.add_app_template_global(lambda: _PARQUET, "takes_parquet")

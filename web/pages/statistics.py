"""Pages of statistics: who is good at a game, hands worth seeing, one deal at several tables."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import parse_qsl

from flask import abort, render_template
from marshmallow import EXCLUDE, Schema, fields, validate

from api.fields import GameId, Whole
from ledger.games import games
from ledger.readmodels.matchlist import match_row
from ledger.stats import Statistics, accountant
from ledger.stats.compare import MIN_HANDS, MIN_MATCHES
from ledger.stats.worth_seeing import KINDS
from web import statsview
from web.cards import drawn
from web.luckview import told
from web.pages.players import given
from web.persons import people_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flask import Blueprint

    from ledger.ledger import Ledger
    from ledger.stats import Query

SIGHTS = {
    "swing": ("Biggest swings", "the most points between the best and the worst of a hand"),
    "costliest": ("Costliest choices", "what a choice gave up, of those reviewed by now and beyond doubt"),
    "rarest": ("Rarest rules", "a rule decided something that hardly ever does"),
    "closest": ("Closest hands", "the fewest points between the best and the worst of a hand"),
}
"""The ways to be worth seeing, with their headings and what they mean."""
_EACH = 5
_ALONE = 25
_FEW = 2
"""Hands shown of a kind in one game, of one kind alone, and of each game where all are shown."""
_DEALS = 20
_PARQUET = find_spec("pyarrow") is not None


class _SightQuery(Schema):
    """Of which game, and of which kind."""

    game = GameId(load_default=None)
    kind = fields.String(load_default=None, validate=validate.OneOf([*KINDS]))
    limit = Whole(load_default=None, validate=validate.Range(1, 50))


_SIGHTS = _SightQuery(unknown=EXCLUDE)


def add_routes(pages: Blueprint, ledger: Ledger) -> None:
    """Add the pages of statistics, and what templates need for them."""
    found = Statistics.of(ledger.views)
    pages.add_app_template_filter(statsview.number, "in_digits")
    pages.add_app_template_filter(_in_span, "in_span")
    pages.add_app_template_filter(_said, "said")
    pages.add_app_template_filter(_arguments, "arguments")
    pages.add_app_template_filter(_forest_size, "forest_size")
    pages.add_app_template_filter(sight_words, "sight")
    pages.add_app_template_global(lambda: _PARQUET, "takes_parquet")

    @pages.get("/stats/<game>")
    def game_stats(game: str) -> str:
        chosen = games().get(game) or abort(404)
        query = statsview.selection(given())
        luck = accountant.luck(ledger, game)
        return render_template(
            "game_stats.html",
            stats=statsview.game_stats(found, chosen, query, people_of(ledger)),
            behind=statsview.hands_behind(query),
            luck=luck,
            luck_told=luck and told(luck),
            games=games(),
            min_hands=MIN_HANDS,
            min_matches=MIN_MATCHES,
        )

    def detail(one: Mapping[str, Any]) -> str | None:
        """Return the choice that cost something with its cards as they are drawn, or the rule."""
        if one["kind"] != "costliest":
            return cast("str | None", one["detail"])
        cards = drawn(ledger.stream(one["match"]).table.pack)
        return " ".join(cards[word].text if word in cards else word for word in one["detail"].split())

    @pages.get("/worth-seeing")
    def worth_seeing() -> str:
        asked = _SIGHTS.load(given())
        limit = asked["limit"] or (_ALONE if asked["kind"] else _EACH if asked["game"] else _FEW)
        seen = accountant.sights(ledger, asked["game"], asked["kind"], limit)
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
            deals=accountant.same_deals(ledger, asked["game"], _DEALS),
            games=games(),
        )

    @pages.get("/deals/<deal>")
    def same_deal(deal: str) -> str:
        found = accountant.deal(ledger, deal)
        first = ledger.stream(found["tables"][0]["match"]).table
        cards = drawn(first.pack)
        for table in found["tables"]:
            table["row"] = match_row(ledger, table["match"])
        return render_template(
            "same_deal.html",
            deal=found,
            game=games()[found["game"]],
            hands=[[cards[face] for face in hand] for hand in found["hands"]],
            upcard=found["upcard"] and cards[found["upcard"]],
            n=first.n,
        )


def _in_span(ends: tuple[float | None, float | None], kind: str = "mean") -> str:
    return statsview.interval(*ends, kind)


def _said(query: Query, name: str) -> str:
    """Return what an address says for a filter."""
    return _arguments(query.text).get(name, "")


def _arguments(text: str) -> dict[str, str]:
    """Return the arguments of the query of an address."""
    return dict(parse_qsl(text))


def _forest_size(players: int) -> str:
    return "few" if players <= 6 else "some" if players <= 14 else "many"


def sight_words(kind: str, amount: float) -> str:
    """Return in words why a hand is worth seeing.

    >>> sight_words("swing", 20.0), sight_words("costliest", 1.25)
    ('20 points apart', 'cost 1.2 points')
    """
    if kind == "costliest":
        return f"cost {amount:.1f} points"
    if kind == "rarest":
        return f"in {amount:.0f} hand{'' if amount == 1 else 's'}"
    return f"{amount:.0f} point{'' if amount == 1 else 's'} apart"

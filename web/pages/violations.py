"""The page of violations: how many there are by rule, player, game and month, and the list of them."""

from __future__ import annotations

import json
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from flask import render_template
from marshmallow import EXCLUDE, Schema, fields

from api.schemas import Day
from api.secrecy import sees_all
from api.violations import Cursor
from ledger import events as ev
from ledger.games import games, start
from ledger.readmodels.violationlist import count_violations, judged_hands, list_violations
from web.cards import drawn
from web.figures_records import bars, by_month
from web.pages.players import given
from web.persons import people_of
from web.playerview import month_days

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flask import Blueprint

    from ledger.cards import Pack
    from ledger.ledger import Ledger
    from web.cards import Card

_ON_A_PAGE = 25
_FILTERS = ("game", "rule", "player", "since", "until")


class _Query(Schema):
    """Which violations to show."""

    game = fields.String(load_default=None)
    rule = fields.String(load_default=None)
    player = fields.String(load_default=None)
    since = Day(load_default=None)
    until = Day(load_default=None)
    after = Cursor(load_default=None)


_QUERY = _Query(unknown=EXCLUDE)


def add_routes(pages: Blueprint, ledger: Ledger) -> None:
    """Add the page of violations."""

    @pages.get("/violations")
    def violations() -> str:
        asked = given()
        query = _QUERY.load(asked)
        after = query.pop("after")
        listed = list_violations(ledger, _ON_A_PAGE, after, under_way=sees_all(), **query)
        counts = count_violations(ledger, under_way=sees_all(), **query)
        facets = {name: _added(counts, name) for name in ("rule", "player", "game", "month")}
        facets["month"].sort(reverse=True)
        titles = {id: game.title for id, game in games().items()}
        names = {id: people_of(ledger).name(id) for id, _ in facets["player"]}
        return render_template(
            "violations.html",
            listed=listed.violations,
            next=listed.next and "{}-{}".format(*listed.next),
            after=asked.get("after"),
            filters={name: asked[name] for name in _FILTERS if name in asked},
            number=sum(row["count"] for row in counts),
            judged=dict(_added(counts, "game", "judged")),
            hands=judged_hands(ledger, **query),
            facets=facets,
            figures=_figures(facets, {"game": titles, "player": names}),
            month_days=month_days,
            games=games(),
            cards=_cards,
        )


def _cards(found: dict[str, Any]) -> Mapping[str, Card]:
    """Return the cards of the pack that a violation's match is played with, by their faces."""
    return drawn(_pack(found["game"], found["options"], found["seats"]))


@lru_cache
def _pack(game: str, options: str, seats: int) -> Pack:
    players = tuple(str(seat) for seat in range(seats))
    pack: Pack = start(ev.Open(game=game, players=players, options=json.loads(options))).pack
    return pack


def _added(counts: list[dict[str, Any]], by: str, what: str = "count") -> list[tuple[str, int]]:
    """Return the counts by one of their columns, the highest first."""
    sums: Counter[str] = Counter()
    for row in counts:
        sums[row[by]] += row[what]
    return sorted(sums.items(), key=lambda pair: (-pair[1], pair[0]))


def _figures(facets: dict[str, list[tuple[str, int]]], words: dict[str, dict[str, str]]) -> dict[str, str]:
    """Return a figure for each way to count, as JSON; none where there is nothing to count."""
    if not facets["rule"]:
        return {}
    months, numbers = zip(*facets["month"], strict=True)
    found = {"month": by_month(months, numbers, "violations").to_json()}
    for name in ("rule", "player", "game"):
        texts, counts = zip(*facets[name], strict=True)
        found[name] = bars([words.get(name, {}).get(text, text) for text in texts], counts, "violations").to_json()
    return found

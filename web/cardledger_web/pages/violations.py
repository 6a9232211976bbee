"""The page of violations: counts by rule, player, game and month, and the list."""

from __future__ import annotations

import json
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from flask import render_template
from marshmallow import EXCLUDE, Schema, fields

from cardledger.record.readmodels.questions.violation_list import count_violations, judged_hands, list_violations
from cardledger.rules.engine import events as ev
from cardledger.rules.games import games, start
from cardledger_api.auth.visible import sees_all
from cardledger_api.current import current_ledger, people_of
from cardledger_api.http.schemas import Day
from cardledger_api.resources.hands import search
from cardledger_api.resources.violations import Cursor
from cardledger_web.figures.records import bars, by_month
from cardledger_web.languages import _
from cardledger_web.pages.blueprint import pages
from cardledger_web.pages.hands import HANDS
from cardledger_web.pages.players import given
from cardledger_web.views.cards import drawn
from cardledger_web.views.player import month_days

if TYPE_CHECKING:
    from collections.abc import Mapping

    import plotly.graph_objects as go

    from cardledger.record.recording.ledger import Ledger
    from cardledger.rules.engine.cards import Pack
    from cardledger_web.views.cards import DrawnCard

_ON_A_PAGE = 25
_FILTERS = ("game", "rule", "player", "since", "until")


class _ViolationsQuery(Schema):
    """Filters for violations."""

    game = fields.String(load_default=None)
    rule = fields.String(load_default=None)
    player = fields.String(load_default=None)
    since = Day(load_default=None)
    until = Day(load_default=None)
    after = Cursor(load_default=None)


QUERY = _ViolationsQuery(unknown=EXCLUDE)
"""The query of the page\'s address."""
_DOUBTFUL = 10
"""The number of newest hands with doubtful points."""


@pages.get("/violations")
def violations() -> str:
    ledger = current_ledger()
    asked = given()
    query = QUERY.load(asked)
    after = query.pop("after")
    listed = list_violations(ledger, _ON_A_PAGE, after, under_way=sees_all(), **query)
    counts = count_violations(ledger, under_way=sees_all(), **query)
    facets = {name: _added(counts, name) for name in ("rule", "player", "game", "month")}
    facets["month"].sort(reverse=True)
    number = sum(row["count"] for row in counts)
    titles = {id: game.title for id, game in games().items()}
    names = {id: people_of(ledger).name(id) for id, _ in facets["player"]}
    return render_template(
        "violations.html",
        listed=listed.violations,
        next=listed.next and "{}-{}".format(*listed.next),
        after=asked.get("after"),
        filters={name: asked[name] for name in _FILTERS if name in asked},
        number=number,
        undated=number - sum(many for _, many in facets["month"]),
        judged=dict(_added(counts, "game", "judged")),
        hands=judged_hands(ledger, under_way=sees_all(), **query),
        doubtful=_doubtful(ledger, asked),
        facets=facets,
        figures=_figures(facets, {"game": titles, "player": names}),
        month_days=month_days,
        games=games(),
        cards=_cards,
    )


def _doubtful(ledger: Ledger, asked: dict[str, str]) -> dict[str, Any]:
    """Return the newest hands with impossible points; they break no rule, so a filter by rule excludes them."""
    if "rule" in asked:
        return {"hands": [], "next": None}
    filters = {name: asked[name] for name in _FILTERS if name in asked}
    return search(ledger, HANDS.load(filters | {"doubtful": "true", "limit": str(_DOUBTFUL)}))


def _cards(violation: dict[str, Any]) -> Mapping[str, DrawnCard]:
    """Return the cards of the pack in a violation's match, by face."""
    return drawn(_pack(violation["game"], violation["options"], violation["seats"]))


@lru_cache
def _pack(game: str, options: str, seats: int) -> Pack:
    players = tuple(str(seat) for seat in range(seats))
    pack: Pack = start(ev.Open(game=game, players=players, options=json.loads(options))).pack
    return pack


def _added(counts: list[dict[str, Any]], by: str, what: str = "count") -> list[tuple[str, int]]:
    """Return the counts by one of their columns, the highest first; a violation of an unknown day is in no month."""
    sums: Counter[str] = Counter()
    for row in counts:
        if row[by] is not None:
            sums[row[by]] += row[what]
    return sorted(sums.items(), key=lambda pair: (-pair[1], pair[0]))


def _figures(facets: dict[str, list[tuple[str, int]]], words: dict[str, dict[str, str]]) -> dict[str, go.Figure]:
    """Return a figure for each way to count; none without violations."""
    if not facets["rule"]:
        return {}
    figures = {}
    if facets["month"]:
        months, numbers = zip(*facets["month"], strict=True)
        figures["month"] = by_month(months, numbers, _("violations"))
    for name in ("rule", "player", "game"):
        texts, counts = zip(*facets[name], strict=True)
        figures[name] = bars([words.get(name, {}).get(text, text) for text in texts], counts, _("violations"))
    return figures

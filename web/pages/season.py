"""The page of a club's season: an event or a span of days; who played what, how often, and how it went."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import render_template
from marshmallow import EXCLUDE, Schema, fields

from api.schemas import Day
from ledger.games import games
from ledger.readmodels import season as seasons
from ledger.readmodels.searches import named
from ledger.stats.shelf import Shelf
from web.figures_stats import nights
from web.pages.players import given

if TYPE_CHECKING:
    from flask import Blueprint

    from ledger.ledger import Ledger
    from ledger.readmodels.season import Season

_OFFERED = 200
_SHOWN = 30
"""Players that a table shows, the first of them."""


class _Query(Schema):
    """Which season: an event, days, or both; without any of it the year of the last day of play."""

    event = fields.String(load_default=None)
    since = Day(load_default=None)
    until = Day(load_default=None)


_QUERY = _Query(unknown=EXCLUDE)


def add_routes(pages: Blueprint, ledger: Ledger) -> None:
    """Add the page of the season."""

    @pages.get("/season")
    def season() -> str:
        asked = season_asked(ledger, given())
        found = season_of(ledger, asked)
        days = [row["day"] for row in found.days]
        return render_template(
            "season.html",
            asked=asked,
            season=found,
            args={name: value for name, value in asked.items() if value is not None},
            most=_SHOWN,
            events=[text for text, _ in named(ledger, "event")[:_OFFERED]],
            position=ledger.views.position,
            figure=nights(
                days, [row["matches"] for row in found.days], [row["hands"] for row in found.days]
            ) if len(days) > 1 else None,
            games=games(),
        )  # fmt: skip


def season_asked(ledger: Ledger, given: dict[str, str]) -> dict[str, Any]:
    """Return which season an address means."""
    asked: dict[str, Any] = _QUERY.load(given)
    last = None if any(asked.values()) else seasons.latest_day(ledger)
    return asked | {"since": f"{last[:4]}-01-01", "until": f"{last[:4]}-12-31"} if last else asked


def season_of(ledger: Ledger, asked: dict[str, Any]) -> Season:
    """Return a season, the one put together before if nothing has been recorded since."""
    fewest = frozenset(id for id, game in games().items() if game.fewest)
    found: Season = Shelf.of(ledger.views).get(
        ("season", *asked.items()),
        ledger.store.last_position(),
        lambda: seasons.season(ledger, fewest=fewest, **asked),
    )
    return found

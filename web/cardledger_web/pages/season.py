"""The page of a club's season: an event or a span of days; players, games, matches and results."""

from __future__ import annotations

from flask import render_template
from marshmallow import EXCLUDE

from cardledger.record.people.names import is_pseudonym
from cardledger.record.readmodels.questions.searches import named
from cardledger.rules.games import games
from cardledger_api.current import current_ledger
from cardledger_api.resources.seasons import SeasonQuery, season_asked, season_of
from cardledger_web.figures.stats import nights
from cardledger_web.pages.blueprint import pages
from cardledger_web.pages.players import given

_OFFERED = 200
_SHOWN = 500
"""The number of players in a table."""


QUERY = SeasonQuery(unknown=EXCLUDE)
"""The query of the page\'s address."""


@pages.get("/season")
def season() -> str:
    ledger = current_ledger()
    asked = season_asked(ledger, QUERY.load(given()))
    asked_season = season_of(ledger, asked)
    days = [row["day"] for row in asked_season.days]
    return render_template(
        "season.html",
        asked=asked,
        season=asked_season,
        args={name: value for name, value in asked.items() if value is not None},
        most=_SHOWN,
        events=[text for text, _ in named(ledger, "event")[:_OFFERED] if not is_pseudonym(text)],
        position=ledger.views.position,
        figure=nights(
            days, [row["matches"] for row in asked_season.days], [row["hands"] for row in asked_season.days]
        ) if len(days) > 1 else None,
        games=games(),
    )  # fmt: skip

"""The page of a club's season: an event or a span of days; players, games, matches and results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import render_template, url_for
from marshmallow import EXCLUDE

from cardledger.pseudonyms import is_pseudonym
from cardledger.record.readmodels.questions.evening_list import other_games
from cardledger.record.readmodels.questions.searches import named
from cardledger.rules.games import games
from cardledger.study.stats.table_results import table_results
from cardledger_api.current import current_ledger
from cardledger_api.resources.seasons import SeasonQuery, season_asked, season_of
from cardledger_web.dates import in_words, month
from cardledger_web.figures.linked import FigureMark, nights
from cardledger_web.figures.records import bars
from cardledger_web.languages import _, ngettext
from cardledger_web.pages.blueprint import pages
from cardledger_web.pages.players import given
from cardledger_web.views.persons import called
from cardledger_web.views.player import month_days, span_of

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from cardledger.record.recording.ledger import Ledger
    from cardledger.study.stats.table_results import TableResults

_OFFERED = 200
_MONTH = len("2026-11")
_BARS = 10
"""The number of players in a figure."""
_GAMES = 20
"""The games without rules, those played last, that are compared."""
_SHOWN = 500
"""The number of players in a table."""


QUERY = SeasonQuery(unknown=EXCLUDE)
"""The query of the page\'s address."""


@pages.get("/season")
def season() -> str:
    ledger = current_ledger()
    asked = season_asked(ledger, QUERY.load(given()))
    asked_season = season_of(ledger, asked)
    span = span_of(asked["since"], asked["until"])
    # The days go on around the one that is looked at: those of the event, or of its year.
    around = asked if span is None else season_asked(ledger, {"event": asked["event"]} | _year(asked, span))
    played = [_mark(row, asked["event"], span) for row in season_of(ledger, around).days]
    return render_template(
        "season.html",
        asked=asked,
        season=asked_season,
        args={name: value for name, value in asked.items() if value is not None},
        most=_SHOWN,
        events=[text for text, _number in named(ledger, "event")[:_OFFERED] if not is_pseudonym(text)],
        position=ledger.views.position,
        monthly=any(len(row["day"]) == _MONTH for row in asked_season.days),
        winners=_most(ledger, asked_season.attendance, "won", _("matches won")),
        days_there=_most(ledger, asked_season.attendance, "days", _("days")) if len(asked_season.days) > 1 else None,
        around={name: value for name, value in around.items() if value is not None},
        whole=span and _back(asked["event"], span),
        figure=nights(played, _("hands")) if len(played) > 1 else None,
        games=games(),
        others=_other_games(ledger, asked),
    )


def _other_games(ledger: Ledger, asked: dict[str, Any]) -> list[tuple[str, TableResults]]:
    """Return the games without rules of some days, each with how its players did; none of an event of matches."""
    if asked["event"] is not None:
        return []
    found = [
        (name, table_results(ledger, name, since=asked["since"], until=asked["until"]))
        for name in other_games(ledger)[:_GAMES]
    ]
    return [(name, results) for name, results in found if results.players]


def _most(ledger: Ledger, rows: list[dict[str, Any]], name: str, what: str) -> go.Figure | None:
    """Return a bar for each of the players with the most of something."""
    some = sorted(rows, key=lambda row: -row[name])[:_BARS]
    some = [row for row in some if row[name]]
    return bars(called(ledger, [row["player"] for row in some]), [row[name] for row in some], what) if some else None


def _year(asked: dict[str, Any], span: tuple[str, str]) -> dict[str, str | None]:
    """Return the days around those that are looked at: of the whole event, or of a year."""
    if asked["event"] is not None:
        return {"since": None, "until": None}
    return {"since": f"{span[0][:4]}-01-01", "until": f"{span[0][:4]}-12-31"}


def _mark(row: dict[str, Any], event: str | None, span: tuple[str, str] | None) -> FigureMark:
    """Return a day of play (or a month) in the figure; it leads to the season of that day alone, or back from it."""
    day = row["day"]
    days = {"since": day, "until": day} if len(day) > _MONTH else month_days(day)
    said = ", ".join(
        (
            in_words(day) if len(day) > _MONTH else month(f"{day}-01"),
            ngettext("%(num)s match", "%(num)s matches", row["matches"]),
            ngettext("%(num)s hand", "%(num)s hands", row["hands"]),
        )
    )
    if (days["since"], days["until"]) == span:
        return FigureMark(days["since"], row["hands"], said, _back(event, span), chosen=True)
    return FigureMark(days["since"], row["hands"], said, url_for("pages.season", event=event, **days))


def _back(event: str | None, span: tuple[str, str]) -> str:
    """Return the address of the season around some days."""
    year: dict[str, Any] = _year({"event": event}, span)
    return url_for("pages.season", event=event, **year)

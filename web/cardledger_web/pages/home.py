"""The first page and the search.

Tonight or last night, matches under way, recent events, leaders, and links to the rest.
"""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from flask import render_template, request

from cardledger.errors import LedgerError
from cardledger.record.readmodels.questions.evening_list import list_evenings
from cardledger.record.readmodels.questions.match_list import list_matches
from cardledger.record.readmodels.questions.searches import LONGEST
from cardledger.rules.games import games
from cardledger.study.stats import Query, Statistics
from cardledger.study.stats.cache import Shelf
from cardledger_api.auth.visible import public_filters, public_row
from cardledger_api.current import current_ledger
from cardledger_api.http.findings import findings_here
from cardledger_api.resources.searches import found_by, games_called, other_games_called, rules_saying
from cardledger_web.dates import today
from cardledger_web.pages.blueprint import pages
from cardledger_web.pages.kept import kept_for_readers
from cardledger_web.views.card_search import cards_called
from cardledger_web.views.evening import EveningView
from cardledger_web.views.help_search import sections_with
from cardledger_web.views.notable import notable

if TYPE_CHECKING:
    from cardledger.record.recording.ledger import Ledger
    from cardledger.rules.engine.game import Game
    from cardledger.rules.stream import Stream
    from cardledger_web.views.notable import Notable

_LIVE = 6
_LATELY = 6
_NOTABLE = 4
_LEADERS = 5
_BOARDS = 3
_FOUND = 20
_SECTIONS = 6


@pages.get("/")
def home() -> str:
    return kept_for_readers(partial(_home, current_ledger()))


def _home(ledger: Ledger) -> str:
    lately = [
        public_row(ledger, row) for row in list_matches(ledger, _LATELY, **public_filters({"over": True})).matches
    ]
    night, (boards, other_games) = tonight(ledger), _boards(ledger)
    tables = {table.match for _, table in night.live} if night else set()
    live = [each for each in _live(ledger) if each[0]["match"] not in tables]
    return render_template(
        "home.html",
        amiss=findings_here().first,
        night=night,
        is_tonight=night is not None and night.opening.date == today(),
        lately=lately,
        live=live,
        notable=_latest_notable(ledger),
        boards=boards,
        other_games=other_games,
        games=games(),
    )


@pages.get("/search")
def search_all() -> str:
    ledger = current_ledger()
    text = request.args.get("q", "")[:LONGEST]
    return render_template(
        "search.html", text=text.strip(), found=found_by(ledger, text, _FOUND), titles=games_called(text), games=games(),
        others=other_games_called(ledger, text)[:_FOUND], cards=cards_called(ledger, text)[:_FOUND],
        most=_FOUND, rules=rules_saying(text)[:_FOUND], sections=sections_with(text, _SECTIONS),
    )  # fmt: skip


def tonight(ledger: Ledger) -> EveningView | None:
    """Return the evening of today, or the latest before; None if there is none, or it cannot be read."""
    with suppress(LedgerError):
        for row in list_evenings(ledger, 1, until=today()).evenings:
            return EveningView(ledger, row["evening"], compare=False)
    return None


def _boards(ledger: Ledger) -> tuple[list[tuple[Game[Any], list[dict[str, Any]]]], list[Game[Any]]]:
    """Return the leaders of the games recorded last.

    As they are now or were shortly before, and the other games played.

    Leaders are in the order of the comparison. Places are those of the pool with the most hands; a game whose
    comparison is not ready is left out.
    """
    statistics, shelf, position = Statistics.of(ledger.views), Shelf.of(ledger.views), ledger.views.position
    reader = ledger.views.reader
    played = {game for (game,) in reader.execute("SELECT DISTINCT game FROM standings WHERE hands > 0")}
    latest = {
        id: reader.execute("SELECT max(position) FROM matches WHERE game = ?", [id]).fetchone()[0] for id in played
    }
    boards: list[tuple[Game[Any], list[dict[str, Any]]]] = []
    others = []
    for id in sorted(played & games().keys(), key=lambda game: -latest[game]):
        if len(boards) == _BOARDS:
            others.append(games()[id])
        elif rows := shelf.get_stale(("leaders", id), position, partial(_leaders, statistics, id)):
            boards.append((games()[id], rows))
    return boards, others


def _leaders(statistics: Statistics, game: str) -> list[dict[str, Any]]:
    rows = statistics.players(game, Query()).rows
    return [row for row in rows if row["pool"] == 1 and row["rank_low"] is not None][:_LEADERS]


def _live(ledger: Ledger) -> list[tuple[dict[str, Any], Stream]]:
    """Return the matches under way, the one with the latest event first, each with its stream."""
    live = []
    rows = sorted(
        list_matches(ledger, 10 * _LIVE, **public_filters({"over": False})).matches,
        key=lambda row: row["recorded_at"],
        reverse=True,
    )
    for row in rows[:_LIVE]:
        with suppress(LedgerError):  # a match that cannot be read must not hide the others
            live.append((public_row(ledger, row), ledger.stream(row["match"])))
    return live


def _latest_notable(ledger: Ledger) -> list[Notable]:
    """Return the newest matches with notable events that the reader may see."""
    kinds = (public_filters({kind: True}) for kind in ("violations", "corrections"))
    rows = {row["match"]: row for kind in kinds for row in list_matches(ledger, _NOTABLE, **kind).matches}
    notables = []
    for row in sorted(rows.values(), key=lambda row: -row["position"])[:_NOTABLE]:
        with suppress(LedgerError):
            found = notable(ledger, row)
            notables += [found] if found.violations or found.corrections else []
    return notables

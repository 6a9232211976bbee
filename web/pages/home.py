"""The first page and the search: what goes on, what happened lately, who leads, and where to find the rest."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flask import render_template, request

from api.secrecy import Secrets, public_row, sees_all
from ledger.errors import LedgerError
from ledger.games import games
from ledger.readmodels.leaderboards import MIN_HANDS, leaderboard, table_sizes
from ledger.readmodels.matchlist import list_matches
from ledger.readmodels.searches import search
from web.matchview import correction_rows, violation_rows
from web.persons import people_of, seated

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flask import Blueprint

    from ledger.corrections import Stream
    from ledger.game import Game
    from ledger.ledger import Ledger
    from web.matchview import CorrectionRow, ViolationRow

_LIVE = 6
_LATELY = 6
_NOTABLE = 4
_LEADERS = 5
_FOUND = 20
_LONGEST = 200
"""Characters of a search that count."""


@dataclass(frozen=True, slots=True)
class Notable:
    """A match in which rules were broken or the record was mended, with the latest of either."""

    row: dict[str, Any]
    game: Game
    players: Sequence[str]
    violations: list[ViolationRow]
    corrections: list[CorrectionRow]


def add_routes(pages: Blueprint, ledger: Ledger) -> None:
    """Add the first page and the search."""

    @pages.get("/")
    def home() -> str:
        lately = [public_row(ledger, row) for row in list_matches(ledger, _LATELY, over=True).matches]
        live = _live(ledger)
        sizes = table_sizes(ledger)
        return render_template(
            "home.html",
            lately=lately,
            live=live,
            notable=_notable(ledger),
            boards=[leaderboard(ledger, game, sizes[id][0], _LEADERS) for id, game in games().items() if id in sizes],
            least=MIN_HANDS,
            games=games(),
        )

    @pages.get("/search")
    def search_all() -> str:
        text = request.args.get("q", "")[:_LONGEST]
        found = search(ledger, text, _FOUND)
        shown = [public_row(ledger, row) for row in found.matches]
        titles = [game for game in games().values() if text.strip() and text.strip().lower() in game.title.lower()]
        return render_template(
            "search.html", text=text.strip(), found=found, matches=shown, titles=titles, games=games(), most=_FOUND
        )


def _live(ledger: Ledger) -> list[tuple[dict[str, Any], Stream]]:
    """Return the matches under way, the one with the latest event first, each with its stream."""
    found = []
    rows = sorted(
        list_matches(ledger, 10 * _LIVE, over=False).matches, key=lambda row: row["recorded_at"], reverse=True
    )
    for row in rows[:_LIVE]:
        with suppress(LedgerError):  # one that cannot be read is not to hide the others
            found.append((public_row(ledger, row), ledger.stream(row["match"])))
    return found


def _notable(ledger: Ledger) -> list[Notable]:
    """Return the newest matches with something notable that whoever asks may know."""
    kinds = ("violations" if sees_all() else "violations_over", "corrections")
    rows = {row["match"]: row for kind in kinds for row in list_matches(ledger, _NOTABLE, **{kind: True}).matches}
    found = []
    for row in sorted(rows.values(), key=lambda row: -row["position"])[:_NOTABLE]:
        with suppress(LedgerError):
            stream = ledger.stream(row["match"])
            secrets = None if sees_all() else Secrets(stream)
            table = stream.table
            found.append(
                Notable(
                    row,
                    table.game,
                    people_of(ledger).seated(row["match"], table.players),
                    violation_rows(stream, secrets),
                    correction_rows(stream, secrets, seated(ledger, row["match"], table.players)),
                )
            )
    return found

"""The page of puzzles: decisions of the club's own hands with one best choice, which the player missed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import render_template
from marshmallow import EXCLUDE, Schema, fields

from cardledger.record.readmodels.questions.match_list import match_row
from cardledger.rules.games import games
from cardledger.study.stats.luck import accountant
from cardledger_api.auth.invitations import today
from cardledger_api.auth.limits import heavy
from cardledger_api.current import current_ledger
from cardledger_api.http.fields import GameId
from cardledger_api.resources.own import own_player
from cardledger_web.pages.blueprint import pages
from cardledger_web.pages.players import given
from cardledger_web.views.persons import called

if TYPE_CHECKING:
    from typing import Any

    from cardledger.study.stats.review.puzzles import PosedPuzzle

_LISTED = 40
"""The puzzles of each game that are shown, those that people miss most often."""


class _PuzzleQuery(Schema):
    """A game; the day whose puzzle is shown first."""

    game = GameId(load_default=None)
    day = fields.Date(load_default=None)


QUERY = _PuzzleQuery(unknown=EXCLUDE)


@pages.get("/puzzles")
@heavy
def puzzle_list() -> str:
    ledger = current_ledger()
    asked = QUERY.load(given())
    day = asked["day"] or today()
    found = accountant.puzzles(ledger, asked["game"], day, _LISTED)
    puzzles, first = ([], None) if found is None else (found["puzzles"], found["today"])
    return render_template(
        "puzzles.html",
        asked=asked,
        found=found,
        day=day.isoformat(),
        first=None if first is None else _row(first),
        rows=[_row(one) for one in puzzles if one != first],
        games=games(),
        own=own_player(),
    )


def _row(puzzle: PosedPuzzle) -> dict[str, Any]:
    ledger = current_ledger()
    row = match_row(ledger, puzzle.match)
    players = ledger.people().seated(puzzle.match, ledger.stream(puzzle.match).table.players)
    (name,) = called(ledger, [players[puzzle.seat]])
    return {"puzzle": puzzle, "row": row, "name": name}

"""Matches whose hands are posed to nobody: a player left them out, or their evening is not over."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardledger.record.people.people import People
    from cardledger.record.readmodels import ReadModels

_LEFT_OUT = """SELECT match FROM players WHERE player IN (SELECT value FROM json_each(?))
    UNION SELECT b.match FROM evening_boards AS b JOIN evenings AS e USING (evening)
    WHERE e.status = 'open' AND b.match IS NOT NULL"""


def left_out_of_puzzles(views: ReadModels, people: People) -> frozenset[str]:
    """Return the matches none of whose hands is a puzzle now.

    All hands of a match in which somebody sat who left their hands out, as an answer shows every hand of the table; and
    matches with boards of an evening that is not over, as other tables may yet play them. Asked of current tables.
    """
    persons = json.dumps(sorted(people.unposed()))
    return frozenset(match for (match,) in views.current.execute(_LEFT_OUT, (persons,)))

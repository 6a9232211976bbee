"""What texts in answers can be: statuses, phases, roles, verdicts, codes and games.

Later versions may know more of them.
"""

from __future__ import annotations

from functools import cache
from typing import get_args

from werkzeug.http import HTTP_STATUS_CODES

from cardledger.codes import CODES
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.rulebook import COMMON
from cardledger.rules.engine.shown import Kind, Per
from cardledger.rules.games import games
from cardledger.study.analyse.what_if_answers import OUTCOMES
from cardledger_api.http.operations import ROLES

STATUSES = ("open", "complete", "ended", "void")
OVER = "over"
"""The phase of a match that is over.

Any other is the type of the event that comes next, or the name of a phase of the game.
"""


@cache
def enumerations() -> dict[str, tuple[str, ...]]:
    """Return the values of a key wherever it stands, but for the schemas in `OTHER_VALUES`."""
    rules = {rule.id for game in games().values() for rule in game.book.rules} | {rule.id for rule in COMMON}
    refusals = {f"http.{name.lower().replace(' ', '-')}" for status, name in HTTP_STATUS_CODES.items() if status >= 400}
    return {
        "status": STATUSES,
        "policy": ("strict", "record"),
        "phase": tuple(sorted({OVER, *ev.TYPES, *(phase.name for game in games().values() for phase in game.phases)})),
        "role": ROLES,
        "ended_by": ("play", "claim", "score"),
        "code": tuple(sorted(CODES.keys() | rules | refusals)),
    }


OTHER_VALUES = {("Code", "code")}
"""Keys of schemas that have other values: any code can be looked up."""
VALUES_IN = {
    ("Ruling", "verdict"): ("allowed", "broken", "resolved"),
    ("Fact", "per"): get_args(Per),
    ("Fact", "kind"): get_args(Kind),
    ("OtherHand", "outcome"): OUTCOMES,
}
"""Values of keys that have them in one schema alone."""


def values_of(schema: str, key: str) -> tuple[str, ...] | None:
    """Return the values that a key of a schema can have, None if it can be any text."""
    if (schema, key) == ("Open", "game"):
        return tuple(games())
    if (schema, key) in OTHER_VALUES:
        return None
    return VALUES_IN.get((schema, key)) or enumerations().get(key)

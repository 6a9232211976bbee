"""The columns that are open.

What an anonymous edition holds, column by column. What is not declared here stays in the ledger.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from cardledger.record.readmodels import TABLES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardledger.record.readmodels.model import Described

Treatment = Literal["as it is", "match", "player", "day"]
"""What becomes of a value: it goes out as it is, a match or a player gets a new number, a day is made coarser."""


@dataclass(frozen=True, slots=True)
class OpenColumn:
    """A column that may go out: what becomes of its values, and their unit ("" for words and numbers of things)."""

    treatment: Treatment = "as it is"
    unit: str = ""


_AS_IT_IS, _MATCH = OpenColumn(), OpenColumn("match")
_POINTS, _CARDS = OpenColumn(unit="points"), OpenColumn(unit="cards")
_HANDS, _TRICKS = OpenColumn(unit="hands"), OpenColumn(unit="tricks")
OPEN_COLUMNS: Final[Mapping[str, Mapping[str, OpenColumn]]] = {
    "matches": {
        "match": _MATCH, "game": _AS_IT_IS, "rules": _AS_IT_IS, "status": _AS_IT_IS, "policy": _AS_IT_IS,
        "seats": OpenColumn(unit="players"), "date": OpenColumn("day"), "hands": _HANDS, "hands_complete": _HANDS,
    },
    "players": {
        "match": _MATCH, "seat": _AS_IT_IS, "player": OpenColumn("player"), "hands": _HANDS, "total": _POINTS,
        "won": _AS_IT_IS, "place": _AS_IT_IS, "side": _AS_IT_IS,
    },
    "hands": {
        "match": _MATCH, "hand": _AS_IT_IS, "dealer": _AS_IT_IS, "ended_by": _AS_IT_IS, "tricks": _TRICKS,
        "hidden": _AS_IT_IS,
    },
    "seats": {
        "match": _MATCH, "hand": _AS_IT_IS, "seat": _AS_IT_IS, "tricks_taken": _TRICKS, "score": _POINTS,
        "total": _POINTS, "side": _AS_IT_IS,
    },
    "arrivals": {"match": _MATCH, "hand": _AS_IT_IS, "step": _AS_IT_IS, "came": _AS_IT_IS, "faces": _CARDS},
    "calls": {"match": _MATCH, "hand": _AS_IT_IS, "nth": _AS_IT_IS, "seat": _AS_IT_IS, "call": _AS_IT_IS},
    "tricks": {
        "match": _MATCH, "hand": _AS_IT_IS, "trick": _AS_IT_IS, "leader": _AS_IT_IS, "cards": _CARDS,
        "taker": _AS_IT_IS, "rule": _AS_IT_IS, "played_by": _AS_IT_IS,
    },
}  # fmt: skip
"""The open columns by table, in the order in which they are written."""
_NEW_MEANING: Final = {
    "match": "number of the match in this edition, in an order that tells nothing",
    "player": "number of the player in this edition, in an order that tells nothing; "
    "empty for a guest or an erased person",
    "day": "day of play, as coarse as the edition has days; empty if it has none",
}


@dataclass(frozen=True, slots=True)
class OpenField:
    """A column of an edition as others read it: its type is a word of Frictionless."""

    name: str
    type: str
    meaning: str
    unit: str
    treatment: Treatment
    null: bool


_TYPES: Final = {"TEXT": "string", "INTEGER": "integer", "REAL": "number", "BOOLEAN": "boolean"}


def fields_of(table: str) -> list[OpenField]:
    """Return the columns of a table of an edition, with the meanings of the read models."""
    described: Described = TABLES[table]
    found = []
    for name, column in OPEN_COLUMNS[table].items():
        kind, meaning = described.columns[name]
        numbered = column.treatment in ("match", "player")
        found.append(
            OpenField(
                name,
                "integer" if numbered else "string" if column.treatment == "day" else _TYPES[kind.partition(" ")[0]],
                _NEW_MEANING.get(column.treatment, meaning),
                column.unit,
                column.treatment,
                "NOT NULL" not in kind or column.treatment in ("player", "day"),
            )
        )
    return found

"""The facts of games in the OpenAPI document: the keys that they add to results, hands, seats and tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardledger.rules.games import games

if TYPE_CHECKING:
    from cardledger.rules.engine.shown import Fact


def _keys(**keys: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an object that always has these keys."""
    return {"type": "object", "properties": keys, "required": [*keys]}


_TEXT = {"type": "string"}
_NUMBER = {"type": "integer"}
_SEAT = {"type": "integer", "minimum": 0}
FORMS: dict[str, dict[str, Any]] = {
    "int": _NUMBER,
    "bool": {"type": "boolean"},
    "card": _TEXT,
    "cards": {"type": "array", "items": _TEXT},
    "suit": _TEXT,
    "seat": _SEAT,
    "seats": {"type": "array", "items": _SEAT},
    "call": _TEXT,
    "calls": {"type": "array", "items": _TEXT},
    "contract": _keys(
        seat=_SEAT | {"description": "seat that made the call"}, call=_TEXT | {"description": "the call"}
    ),
    "text": _TEXT,
    "ruling": {"$ref": "#/components/schemas/Adjust"},
    "pairs": {
        "type": "array",
        "items": _keys(
            debtor=_SEAT | {"description": "seat that gives"}, creditor=_SEAT | {"description": "seat that receives"}
        ),
    },
    "pile": {"type": "array", "items": _TEXT},
    "stock": _NUMBER,
}
"""The JSON of a fact's value, by its kind."""
_NULL = {"type": "null"}


def declare_facts(schemas: dict[str, Any]) -> None:
    """Add to the schemas with facts an optional key for each fact that an installed game has there."""
    every = [(game.id, fact) for game in games().values() for fact in game.shown.facts]
    of_match = [one for one in every if one[1].per.startswith("match") and one[1].result]
    of_hand = [one for one in every if not one[1].per.startswith("match")]
    results = [one for one in of_hand if one[1].result]
    shown = [one for one in of_hand if (one[1].result if one[1].table is None else one[1].table)]
    for name, found in (("Result", of_match), ("Hand", results), ("Table", shown), ("ReplayedTable", shown)):
        if name in schemas:
            schemas[name]["properties"] |= _by_key(found, [*schemas[name]["properties"]])


def _by_key(found: list[tuple[str, Fact]], taken: list[str]) -> dict[str, Any]:
    """Return the schemas of facts by key, without keys that are taken."""
    facts: dict[str, list[tuple[str, Fact]]] = {}
    for game, fact in found:
        if fact.key not in taken:
            facts.setdefault(fact.key, []).append((game, fact))
    return {key: _schema(of_key) for key, of_key in facts.items()}


def _schema(facts: list[tuple[str, Fact]]) -> dict[str, Any]:
    """Return the schema of a key, which several games may use for different kinds of values."""
    forms: list[dict[str, Any]] = []
    for _, fact in facts:
        form = FORMS[fact.kind]
        if "seat" in fact.per:
            form = {"type": "array", "items": {"anyOf": [form, _NULL]}}  # null: this seat has none yet
        if form not in forms:
            forms.append(form)
    titles = dict.fromkeys(fact.title for _, fact in facts)
    said = "; ".join(f"{title} ({', '.join(game for game, fact in facts if fact.title == title)})" for title in titles)
    return {"anyOf": [*forms, _NULL], "description": said}

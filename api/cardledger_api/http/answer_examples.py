"""An example of each answer, made from its schema, so that no example is older than what it shows."""

from __future__ import annotations

from typing import Any

from cardledger_api.http.open_sets import KNOWN

_ID = "0b54a1a2-4c1d-4000-8000-000000000001"
_HASH = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
_TEXTS = {
    "alert": "forcing", "aside": "3C", "best": "QS", "better": "most", "bots": "cautious-2", "by": "ana", "call": "pass",
    "calls": "pass", "card": "TD", "cards": "TD", "cell": "C4", "cells": "C4", "checkpoint": "club\n12\n…", "choices": "clubs",
    "club": f"club-{_ID}", "code": "store.conflict", "columns": "player", "contract": "3NT",
    "counted": "12", "day": "2026-01-31", "deal": "d1a2c3e4", "detail": "somebody else recorded an event first",
    "edition": "2", "evening": f"session-{_ID}", "event": "Tuesday Cards", "events": "play", "ew_percent": "50.00",
    "ew_points": "4", "explain": "13+ points", "face": "TD", "file": "tuesday.csv", "first": "2026-01-31", "first_root": "q83v…",
    "formats": "csv", "formula": "points / hands", "game": "hearts", "group": "2026-01", "hash": _HASH, "id": _ID, "ids": "ana",
    "ignored": "D1", "imported_by": "import", "instance": "/api/v1/matches", "key": "trump", "keys": "dealer", "kind": "suit",
    "last": "2026-03-07", "law": "64A", "layout": "hands", "lead": "4H", "league": f"league-{_ID}", "left_out": "score",
    "legal": "4H", "likely": "ana", "line": "ns", "made": "TD", "match": _ID, "meaning": "Somebody else recorded an event first.",
    "measure": "points", "name": "Ana", "names": "Ana", "new_players": "dev", "next": "12", "note": "club\n12\n…",
    "notes": "1 match is under way", "now": "14", "ns_percent": "50.00", "ns_points": "4", "openapi": "3.1.0",
    "origin": "club.example/cardledger", "path": "q83v…", "per": "hand", "percent": "54.17", "place": "Main Street 1",
    "player": "ana", "players": "ana", "points": "12", "query": "since=2026-01-01", "reason": "misread", "reasons": "they have not met",
    "receipt": "cardledger-receipt/1", "recorded": "ana plays TD", "remark": "read as points", "remedy": "Read the new events, then append again.",
    "request_id": "5f1e8a03c96b7d24", "required": "dealer", "review": "review-2", "root": "q83v…", "rule": "follow.suit",
    "rules": "hearts/1", "running": "52.08", "salt": "q83v…", "scope": _ID, "second": "ben", "session": f"session-{_ID}",
    "sheet": "Tuesday", "similar": "Ana", "sitting_out": "eva", "source": "the rulebook", "stream": _ID, "suits": "H",
    "summary": "Avoid hearts and the queen of spades.", "table": "3", "tables": "standings", "text": "the long table", "then": "12",
    "title": "Hearts", "to": "2026-03-07", "token": "cl_…", "total": "36", "type": "play", "until": "2026-03-07", "value": "ahead",
    "values": "ahead", "verdict": "allowed", "view": "spectator", "weight": "1/2", "why": "a column without a heading", "words": "ana plays TD",
}  # fmt: skip
"""What the text of a key may look like; other texts are shown as the key."""
_FORMATS = {"date-time": "2026-01-31T19:30:00.000Z", "date": "2026-01-31", "binary": "…"}
_REFERENCE = "#/components/schemas/"


def example_of(schema: dict[str, Any], schemas: dict[str, Any], key: str = "") -> Any:
    """Return a value that a schema allows: of an object the keys that are always there, of a list one entry."""
    if "$ref" in schema:
        name = schema["$ref"].removeprefix(_REFERENCE)
        return example_of(schemas[name], schemas, key)
    for choice in ("oneOf", "anyOf", "allOf"):
        if choice in schema:
            return example_of(schema[choice][0], schemas, key)
    for known in ("enum", KNOWN):
        if known in schema:
            return schema[known][0]
    kinds = schema.get("type", "object" if "properties" in schema else None)
    kind = next((kind for kind in kinds if kind != "null"), "null") if isinstance(kinds, list) else kinds
    match kind:
        case "object":
            properties = schema.get("properties", {})
            return {
                name: example_of(properties[name], schemas, name)
                for name in properties
                if name in schema.get("required", ())
            }
        case "array":
            return [example_of(schema.get("items", {}), schemas, key)]
        case "integer" | "number":
            return max(schema.get("minimum", 1), 1)
        case "boolean":
            return True
        case "string":
            return _FORMATS.get(schema.get("format", "")) or _TEXTS.get(key, key or "text")
    return None if kind == "null" else _TEXTS.get(key, 1)

"""Headers that any answer may have, described once."""

from __future__ import annotations

from typing import Any

_TEXT = {"type": "string"}
HEADERS: dict[str, dict[str, Any]] = {
    "X-Request-Id": {
        "description": "id of the request in the log of the server: "
        "what this header of the request says, if it has one",
        "schema": _TEXT | {"pattern": "^[A-Za-z0-9._:=-]{1,80}$"},
    },
    "RateLimit-Policy": {
        "description": "how many requests may come at once (`q`), and in how many seconds as many more "
        "(`w`), for `reads` or `writes`; absent on a server without limits",
        "schema": _TEXT,
        "example": '"reads";q=1000;w=5',
    },
    "RateLimit": {
        "description": "how many of them are left (`r`), and in how many seconds all will be again (`t`)",
        "schema": _TEXT,
        "example": '"reads";r=998;t=1',
    },
    "Retry-After": {
        "description": "after how many seconds to ask again; absent if the server cannot know",
        "schema": {"type": "integer", "minimum": 0},
    },
}
"""The headers by name, as components of the document."""
_WAIT = ("429", "503")
"""Statuses that ask a client to wait."""


def add_headers(responses: dict[str, Any]) -> None:
    """Say of all answers of an operation which common headers they may have."""
    for status, answer in responses.items():
        names = [name for name in HEADERS if name != "Retry-After" or status in _WAIT]
        answer["headers"] = answer.get("headers", {}) | {
            name: {"$ref": f"#/components/headers/{name}"} for name in names
        }

"""Examples of operations as command lines, made from their declarations."""

from __future__ import annotations

import json
import re
import shlex
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

from cardledger_api.http.operations import EVENT_STREAM

if TYPE_CHECKING:
    from cardledger_api.http.operations import Operation

_VARIABLE = re.compile(r"<(?:\w+:)?(\w+)>")
SERVER = "http://127.0.0.1:8000"


def address(operation: Operation, prefix: str) -> str:
    """Return path and query of an operation's example."""
    given = operation.example.get("path", {})
    path = _VARIABLE.sub(
        lambda variable: quote(str(given.get(variable[1], variable[1].upper())), safe=""), operation.path
    )
    query = operation.example.get("query")
    return prefix + path + (f"?{urlencode(query)}" if query else "")


def curl(operation: Operation, prefix: str) -> str:
    """Return an operation's example as a command of curl."""
    words = ["curl", "-s"]
    if EVENT_STREAM in operation.media:
        words.append("-N")
    if operation.method != "GET":
        words += ["-X", operation.method]
    if operation.role != "reader" or operation.method != "GET":
        words += ["-H", "Authorization: Bearer TOKEN"]
    for name, value in operation.example.get("headers", {}).items():
        words += ["-H", f"{name}: {value}"]
    body = operation.example.get("body")
    if body is not None:
        if not any(name.lower() == "content-type" for name in operation.example.get("headers", {})):
            words += ["-H", f"Content-Type: {operation.body_media[0]}"]
        words += ["-d", body if isinstance(body, str) else json.dumps(body)]
    return shlex.join([*words, SERVER + address(operation, prefix)])

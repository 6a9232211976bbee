"""Every address of pages and API, from the map of addresses and the description of the API, asked by anybody."""

from __future__ import annotations

import re
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any

from cardledger_api.http.streams import streams_of
from cardledger_web.app import ledger_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from flask import Flask
    from flask.testing import FlaskClient

Answer = tuple[int, bytes]
"""Status and bytes."""
ASKED = {
    "q": ("MATCH", "a1"), "view": ("all",), "show": ("broken",), "at": ("SEQ",), "embed": ("1",), "by": ("lead",),
    "kind": ("swing",), "after": ("0",), "match": ("MATCH",), "game": ("GAME",), "player": ("PLAYER",),
}  # fmt: skip
"""Values of queries: all that pages take, and what the description of the API does not list."""
_FEW = 6
"""The number of listed values that are all asked for."""
_WHAT_IF = re.compile(r"/matches/.*/what-if$")
_CHANGING = re.compile(
    rb'"request_id": ?"[^"]*"|<code>[0-9a-f]{8}-[0-9a-f]+</code>|\b\d\d:\d\d(:\d\d[.\d]*)?(Z|\b)|dc:(date|modified)[^<]*<'
)


def everywhere(app: Flask, parts: Mapping[str, Any], queries: bool = True) -> list[tuple[str, str]]:
    """Return method and address of every page and operation that takes no change, with all `queries` or none.

    `parts` fill in the addresses. A part with several values stands for as many addresses.
    """
    found = []
    for method, rule, more in _rules(app):
        names = re.findall(r"<(?:\w+:)?(\w+)>", rule)
        values = [given if isinstance(given := parts.get(name, "x"), (list, tuple)) else [given] for name in names]
        for chosen in product(*values):
            address = rule
            for value in chosen:
                address = re.sub(r"<[^>]*>", str(value), address, count=1)
            for query in ("", *more) if queries else ("",):
                asked = query.replace("SEQ", str(parts["seq"][-1]))
                for name in ("match", "game", "player"):
                    asked = asked.replace(name.upper(), str(parts[name]))
                found.append((method, f"{address}{asked}"))
    return found


@cache
def _rules(app: Flask) -> list[tuple[str, str, list[str]]]:
    described = app.test_client().get("/api/v1/openapi.json").json["paths"]
    rules = []
    for rule in app.url_map.iter_rules():
        if rule.endpoint.startswith("static") or rule.rule.startswith(("/sign-", "/metrics")):
            continue
        path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
        operation = described.get(path, {}).get("get", {})
        if "GET" in rule.methods:
            rules.append(("GET", rule.rule, [*_queries(operation, rule.rule)]))
        elif _WHAT_IF.search(rule.rule):
            rules.append(("POST", rule.rule, []))
    return rules


def _queries(operation: Mapping[str, Any], rule: str) -> Iterator[str]:
    """Yield the queries that an operation takes, or a page of matches may take."""
    if not operation and re.search("match|search|hands|stats|tables|players", rule):
        yield from (f"?{name}={value}" for name, values in ASKED.items() for value in values)
    for one in operation.get("parameters", ()):
        if one["in"] == "query":
            listed = one["schema"].get("enum", ())
            values = (*(listed if len(listed) <= _FEW else ()), *ASKED.get(one["name"], ()))
            yield from (f"?{one['name']}={value}" for value in values)


def told(client: FlaskClient, asked: list[tuple[str, str]], deals: Sequence[str]) -> dict[tuple[str, str], Answer]:
    """Return the status and bytes of the answer to each question, without the times and ids that change with each.

    The names of deals, which are made of their cards, are replaced by their places.
    """
    streams_of(client.application).lifetime = 0.0
    names = {deal: f"deal-{place}" for place, deal in enumerate(deals)}

    def named(text: str) -> str:
        for deal, name in names.items():
            text = text.replace(deal, name)
        return text

    return {
        (method, named(address)): (status, named(text.decode("latin-1")).encode("latin-1"))
        for (method, address), (status, text) in _answers(client, asked)
    }


def _answers(client: FlaskClient, asked: list[tuple[str, str]]) -> Iterator[tuple[tuple[str, str], Answer]]:
    note = {"events": [{"type": "note", "text": "what if"}]}
    for method, address in asked:
        with client.open(address, method=method, json=note if method == "POST" else None) as answer:
            heads = f"{answer.headers.get('ETag')} {answer.headers.get('Location')}".encode()
            yield (method, address), (answer.status_code, _CHANGING.sub(b"", answer.data) + heads)


def parts_of(app: Flask, match: str, **more: Any) -> dict[str, Any]:
    """Return what fills in the addresses of a match, of its players and of what is played there."""
    table = ledger_of(app).stream(match).table
    seq = ledger_of(app).stream(match).seq
    found = ledger_of(app).views.file.reader.execute("SELECT cards_hash FROM deals ORDER BY match, hand")
    deals = [*dict.fromkeys(key for (key,) in found if key)]
    return {
        "match": match, "game": table.game.id, "id": table.game.id, "player": table.players[0], "other": table.players[1],
        "hand": [*range(1, len(table.hands) + 1)], "number": [*range(1, len(table.hands) + 1)],
        "seq": sorted({1, 2, 3, seq // 2, seq}), "deal": deals or ["0" * 32], "board": [1, 2], "entry": [1, 2],
        "name": ["rulings", "hands", "deal", "worth-seeing", "luck", "reviews", "players"], "code": "store.behind", "language": "de", **more,
    }  # fmt: skip

"""No question and no body costs the server more than its length: every operation of the API, with each of its arguments."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote, quote_from_bytes

import pytest

from cardledger_web.app import access_of, ledger_of
from tests.api.abuse import Request, ask
from tests.evenings.night import made
from tests.growth.measure import Read, grown, slowed
from tests.growth.shapes import OF_TEXT, Unit, shape_of

if TYPE_CHECKING:
    from flask import Flask

UNITS: tuple[Unit, ...] = ("a:1,", lambda i: f"a{i}:1,", "1..2,", "a.b", "2026-01-01", *OF_TEXT)
EVENTS: tuple[Unit, ...] = (
    '{"type":"note","text":"a"},', '{"type":"x"},', lambda i: f'{{"type":"play","seat":{i},"card":"2C"}},', "[", '{"a":', "1,",
    lambda i: f'{{"type":"arrive","player":"p{i}"}},', '{"type":"retract","to":1},',
)  # fmt: skip
JSON = "application/json"
TURNS = {"everyday": (0, 16), "long": range(0, len(UNITS), 7)}
"""Which units an argument gets, counted from its own place among all arguments: so all take turns with all of them."""
PARTS = 6
KEYS: tuple[Unit, ...] = (lambda i: f'"k{i}":1,', '"type":"a",', '"events":[],')


class Asked(NamedTuple):
    """A place of a request where somebody may write anything, with the reader that sends it and what begins and ends it."""

    name: str
    read: Read
    begin: str
    units: tuple[Unit, ...]
    end: str


class Places:
    """The places of the requests to an application: each argument of each operation, and its body."""

    def __init__(self, app: Flask, turns: Iterable[int]) -> None:
        self.app, self.turns = app, tuple(turns)
        self.document = app.test_client().get("/api/v1/openapi.json").json
        night = made(ledger_of(app))
        self.known = {
            "match": ledger_of(app).matches()[0],
            "session": night.session,
            "club": night.club,
            "league": night.league,
            "game": "ruff",
            "player": "ana",
        }
        self.headers = {"Host": "127.0.0.1", "Authorization": f"Bearer {access_of(app).lend('growth', 'admin')}"}

    def __iter__(self) -> Iterator[Asked]:
        numbers = count()
        for path, methods in self.document["paths"].items():
            for method, operation in methods.items():
                if "text/event-stream" in json.dumps(operation["responses"]):
                    continue  # it does not end
                yield from self.of_operation(method.upper(), path, operation, numbers)

    def filled(self, path: str) -> str:
        return re.sub(r"{(\w+)}", lambda found: quote(self.known.get(found[1], "1")), path)

    def of_operation(
        self, method: str, path: str, operation: dict[str, Any], numbers: Iterator[int]
    ) -> Iterator[Asked]:
        name, there = operation["operationId"], self.filled(path)
        for given in operation.get("parameters", ()):
            argument, where = given["name"], given["in"]
            begin, _, end = (there, "", "") if where == "query" else map(self.filled, path.partition(f"{{{argument}}}"))
            place = next(numbers)
            units = tuple(UNITS[(place + step) % len(UNITS)] for step in self.turns)
            if where != "header":
                yield Asked(f"{name}: {argument}", self.asking(method, begin, argument, where, end), "", units, "")
        content = operation.get("requestBody", {}).get("content", {})
        if JSON in content:
            send = self.sending(method, there)
            yield Asked(f"{name}: events", send, '{"events":[', EVENTS, "0]}")
            yield Asked(f"{name}: keys", send, "{", KEYS, '"a":1}')
            for key in self.keys(content[JSON]["schema"]):
                yield Asked(f"{name}: {key}", send, f'{{"{key}":"', ("a", "\\u0061", " "), '"}')

    def keys(self, schema: dict[str, Any]) -> list[str]:
        name = schema.get("$ref", "").rpartition("/")[2]
        return [*self.document["components"]["schemas"].get(name, schema).get("properties", {})]

    def ask(self, asked: Request) -> int:
        """Send a request; return the size of the answer in steps."""
        answer = ask(self.app, asked)
        assert answer.status < 500, (answer, asked)
        return len(answer.body) // 100

    def asking(self, method: str, begin: str, argument: str, where: str, end: str) -> Read:
        def read(data: bytes) -> int:
            value = quote_from_bytes(data, safe="")
            path, query = (begin, f"{argument}={value}") if where == "query" else (begin + value + end, "")
            return self.ask(Request(method, path, query, self.headers, b""))

        return read

    def sending(self, method: str, path: str) -> Read:
        headers = self.headers | {"Content-Type": JSON, "If-Match": "*"}
        return lambda data: self.ask(Request(method, path, "", headers, data))


def test_no_argument_and_no_body_makes_more_calls_than_it_is_long(empty: Flask) -> None:
    shapes = [(place, unit) for place in Places(empty, TURNS["everyday"]) for unit in place.units]
    assert len(shapes) > 500
    costs = ((place, unit, grown(place.read, shape_of(place.begin, unit, place.end), 500)) for place, unit in shapes)
    assert [f"{place.name}, {place.begin!r} + {unit!r}: {cost}" for place, unit, cost in costs if cost] == []


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("part", range(PARTS))
def test_no_argument_and_no_body_takes_more_time_than_it_is_long(app: Flask, part: int) -> None:
    """Every argument gets six of the 42 units of a text, in turn: all with all of them took more than an hour."""
    shapes = [(place, unit) for place in [*Places(app, TURNS["long"])][part::PARTS] for unit in place.units]
    costs = (
        (place, unit, slowed(place.read, shape_of(place.begin, unit, place.end), 16_000)) for place, unit in shapes
    )
    assert [f"{place.name}, {place.begin!r} + {unit!r}: {cost}" for place, unit, cost in costs if cost] == []

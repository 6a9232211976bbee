"""Bodies of requests follow their schemas for any data: a reader and marshmallow never differ."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import pytest
from flask import Response
from hypothesis import given
from hypothesis import strategies as st
from marshmallow import EXCLUDE, Schema, ValidationError, fields, post_load, validate, validates_schema

from cardledger_api.http.answers import WholeAnswer
from cardledger_api.http.bodies import reader
from cardledger_api.http.fields import EventList

if TYPE_CHECKING:
    from collections.abc import Callable


class Inner(Schema):
    face = fields.String(required=True)


class Outer(Schema):
    id = fields.String(required=True, attribute="match")
    seq = fields.Integer(data_key="number", strict=True, validate=validate.Range(1, 9))
    given = fields.String(load_default="nothing", allow_none=True)
    shown = fields.String(dump_only=True)
    inner = fields.Nested(Inner)


class Hooked(Outer):
    @post_load
    def louder(self, data: dict[str, Any], **_: object) -> dict[str, Any]:
        return {**data, "match": data["match"].upper()}


class Judged(Outer):
    @validates_schema
    def judge(self, data: dict[str, Any], **_: object) -> None:
        if data.get("seq") == 7:
            raise ValidationError("not seven")


class Lenient(Outer):
    class Meta:
        unknown = EXCLUDE


class Deep(Schema):
    id = fields.String(attribute="inner.match")


class Events(Schema):
    events = EventList(required=True)


VALUES = st.none() | st.booleans() | st.integers(-2, 12) | st.text(max_size=3)
BODIES = (
    VALUES
    | st.lists(VALUES)
    | st.fixed_dictionaries(
        {},
        optional={
            "id": st.text() | VALUES, "number": VALUES, "given": VALUES, "shown": VALUES, "other": VALUES,
            "inner": VALUES | st.fixed_dictionaries({"face": VALUES}),
        },
    )
    | st.fixed_dictionaries({
        "id": st.text(), "number": st.integers(1, 9), "given": st.none() | st.text(),
        "inner": st.fixed_dictionaries({"face": st.text()}),
    })
)  # fmt: skip


def said(load: Callable[[Any], Any], body: Any) -> object:
    """Return what a body is read as, or what is wrong with it."""
    try:
        return load(body)
    except ValidationError as error:
        return error.messages


@pytest.mark.parametrize("kind", [Outer, Hooked, Judged, Lenient, Deep])
@given(body=BODIES)
def test_a_reader_and_its_schema_agree(kind: type[Schema], body: Any) -> None:
    assert said(reader(kind()), body) == said(kind().load, body)


@given(st.lists(st.just({"type": "pass", "seat": 1}), max_size=3) | VALUES)
def test_events_are_read_as_the_schema_reads_them(events: Any) -> None:
    assert said(reader(Events()), {"events": events}) == said(Events().load, {"events": events})


def test_whole_answers_take_the_short_way_only_where_werkzeug_changes_nothing() -> None:
    headers = {"Location": "/api/v1/matches/7?after=1", "ETag": '"2"'}
    for status, method in product((200, 201, 204, 304, 404), ("GET", "POST", "HEAD")):
        short = WholeAnswer(b"{}\n", status, headers, "application/json")
        long = Response(b"{}\n", status, headers, content_type="application/json")
        assert sent(short, method) == sent(long, method)


def sent(answer: Response, method: str) -> tuple[str, list[tuple[str, str]], bytes]:
    """Return the status, the headers and the body that an answer sends."""
    told: list[Any] = []

    def start(status: str, headers: list[tuple[str, str]], _error: Any = None, /) -> Callable[[bytes], object]:
        told.extend((status, headers))
        return told.append

    body = b"".join(answer({"REQUEST_METHOD": method}, start))
    status, headers = told
    return status, headers, body

"""Answers follow their schemas for any data: a writer and marshmallow never differ."""

from __future__ import annotations

import json
import sqlite3
from collections import namedtuple
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from marshmallow import Schema, fields, post_dump

from cardledger_api.http.answers import as_json, writer
from cardledger_api.http.fields import Flag


class Inner(Schema):
    face = fields.String()
    points = fields.Integer(allow_none=True)


class Hooked(Schema):
    face = fields.String()

    @post_dump
    def louder(self, data: dict[str, Any], **_: object) -> dict[str, Any]:
        return {key: value.upper() for key, value in data.items()}


class Outer(Schema):
    id = fields.String(attribute="match")
    seq = fields.Integer(data_key="number")
    text = fields.Integer(as_string=True)
    sure = fields.Boolean()
    closed = Flag(allow_none=True)
    given = fields.String(dump_default="nothing")
    deep = fields.String(attribute="inner.face")
    both = fields.Function(lambda value: [1, 2])
    anything = fields.Raw()
    options = fields.Dict()
    inner = fields.Nested(Inner, allow_none=True)
    inners = fields.List(fields.Nested(Inner))
    many = fields.Nested(Inner, many=True)
    rows = fields.List(fields.List(fields.Integer(), allow_none=True))
    hooked = fields.Nested(Hooked)
    hookeds = fields.List(fields.Nested(Hooked))


KEYS = ("match", "seq", "text", "sure", "closed", "given", "anything", "options", "inner", "inners", "many", "rows")
SCALARS = st.none() | st.booleans() | st.integers() | st.text()
INNER = st.fixed_dictionaries({}, optional={"face": st.none() | st.text(), "points": st.none() | st.integers()})
OUTER = st.fixed_dictionaries(
    {},
    optional={
        "match": SCALARS,
        "seq": st.none() | st.integers() | st.booleans(),
        "text": st.none() | st.integers(),
        "sure": st.none() | st.booleans(),
        "closed": st.sampled_from([None, 0, 1]),
        "given": SCALARS,
        "anything": SCALARS,
        "options": st.none() | st.dictionaries(st.text(), SCALARS),
        "inner": st.none() | INNER,
        "inners": st.none() | st.lists(INNER),
        "many": st.none() | st.lists(INNER),
        "rows": st.none() | st.lists(st.none() | st.lists(st.none() | st.integers())),
        "hooked": st.fixed_dictionaries({"face": st.text()}),
        "hookeds": st.lists(st.fixed_dictionaries({"face": st.text()})),
    },
)


@pytest.mark.long
@given(OUTER)
def test_a_writer_and_its_schema_agree(value: dict[str, Any]) -> None:
    told, said = writer(Outer())(value), Outer().dump(value)
    assert told == said
    assert [*told] == [*said]
    assert json.loads(as_json(told)) == json.loads(json.dumps(said))


def test_objects_and_rows_are_read_as_dicts_are() -> None:
    values = {"face": "AS", "points": None}
    db = sqlite3.connect(":memory:")
    db.row_factory = sqlite3.Row
    row = db.execute("SELECT 'AS' AS face, NULL AS points").fetchone()
    db.close()
    named = namedtuple("named", values)(**values)
    for value in (values, SimpleNamespace(**values), named, row):
        assert writer(Inner())(value) == values


def test_an_answer_is_one_line_and_keeps_its_letters() -> None:
    assert as_json({"player": "Zoë", "text": "a\nb"}) == '{"player":"Zoë","text":"a\\nb"}\n'.encode()


@pytest.mark.parametrize("value", ["1", 1.0])
def test_values_of_another_type_are_converted_by_the_field(value: object) -> None:
    assert writer(Inner())({"points": value}) == Inner().dump({"points": value}) == {"points": 1}

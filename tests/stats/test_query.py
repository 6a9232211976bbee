"""Queries: each has exactly one text form, and errors are explained in words."""

from __future__ import annotations

from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardledger.errors import FormatError
from cardledger.study.stats import Query

NAMES = st.text(st.characters(exclude_categories=("Cc", "Cs")), min_size=1, max_size=8)
DIMENSIONS = st.text(st.characters(exclude_categories=("Cc", "Cs"), exclude_characters=","), min_size=1, max_size=8)
DAYS = st.dates().map(str)
OPTIONS = st.dictionaries(
    st.sampled_from(["hands", "chips", "target"]),
    st.integers(1, 500) | st.booleans() | st.none() | st.text(st.characters(exclude_characters=","), max_size=5),
)


@given(
    since=st.none() | DAYS,
    event=st.none() | NAMES,
    against=st.sets(NAMES, max_size=3),
    seat=st.none() | st.integers(0, 7),
    option=OPTIONS,
    by=st.none() | st.lists(DIMENSIONS, min_size=1, max_size=2, unique=True).map(",".join),
)
def test_the_text_of_a_query_parses_to_the_same_query(since, event, against, seat, option, by) -> None:
    query = Query(
        since=since,
        event=event,
        against=tuple(sorted(against)),
        seat=seat,
        option=tuple(sorted(option.items())),
        by=by,
    )
    assert Query.parse(dict(parse_qsl(query.text, keep_blank_values=True))) == query


def test_an_address_is_as_short_as_it_can_be() -> None:
    assert Query().text == ""
    given = {"option": "layout:8x10,target:null", "against": "ben,chloe", "by": None}
    assert Query.parse(given).text == "against=ben,chloe&option=layout:8x10,target:null"


@pytest.mark.parametrize(
    "word", ["{", "[1]", '{"a":1}', "[" * 5000, "NaN", "-Infinity", "1e999", "9" * 5000, "a:b", ""]
)
def test_an_impossible_option_value_is_a_word_that_selects_nothing(word: str) -> None:
    query = Query.parse({"option": f"hands:{word}"})
    assert query.option == (("hands", word),)
    assert Query.parse(dict(parse_qsl(query.text))) == query


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("since", "yesterday", "format.value"),
        ("seat", "-1", "format.value"),
        ("seat", "1_0", "format.value"),
        ("size", "four", "format.value"),
        ("option", "hands", "format.value"),
        ("colour", "red", "format.key"),
    ],
)
def test_ambiguous_input_is_refused(name: str, text: str, code: str) -> None:
    with pytest.raises(FormatError) as refused:
        Query.parse({name: text})
    assert refused.value.code == code

"""Lines as the program writes them: the quick way of reading them says the same as the usual one, of any line."""

from __future__ import annotations

import json
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardledger.errors import FormatError
from cardledger.record.matches.canonical import events_on
from cardledger.record.matches.shape import parse
from cardledger.rules.engine import events as ev
from tests.tables import SIZES, any_match
from tests.test_broken_files import mutations
from tests.test_matchfile import COMMON, EVENTS, needed, whole


def quick(line: bytes) -> object:
    """Return what the quick way says of a line, None if it leaves it; expect that it is what `parse` says."""
    (found,) = events_on([line])
    assert found is None or found == parse(line)
    return found


@pytest.mark.parametrize("kind", EVENTS)
def test_a_canonical_line_is_read_the_quick_way_and_another_one_is_left(kind: str) -> None:
    has_simple_form = kind not in ("open", "give", "amend")
    for event in (needed(kind), whole(kind), whole(kind) | COMMON):
        line = ev.encode(parse(json.dumps(event).encode()))
        for ending in (b"", b"\n", b"\r\n"):
            assert (quick(line + ending) is not None) == has_simple_form
        for other in (b" " + line, line.replace(b":", b": ", 1), json.dumps(dict(reversed(event.items()))).encode()):
            assert quick(other) is None


@pytest.mark.parametrize(
    "line",
    [
        b'{"type":"play","seat":1,"card":"10S"}',
        b'{"type":"deal","dealer":0,"hands":[["2c"],["3C"],["4C"]]}',
        b'{"type":"play","seat":1,"seat":1,"card":"5S"}',
        b'{"type":"play","seat":1,"card":"5S","by":null}',
        b'{"type":"note","text":"\\ud800"}',
        b'{"type":"note","text":"\xff"}',
        b'{"type":"note","text":"' + 20_000 * b"a" + b'"}',
    ],
)
def test_a_line_with_something_to_say_about_is_left_to_the_usual_way(line: bytes) -> None:
    assert events_on([line]) == [None]


def test_an_id_or_a_time_that_is_none_is_left_to_the_usual_way_which_refuses_it() -> None:
    for key, value in (("id", "7"), ("at", "yesterday"), ("imported_at", "2026-13-01T00:00:00Z")):
        line = ev.encode(ev.Pass(seat=1, **{key: value}))
        assert quick(line) is None
        with pytest.raises(FormatError) as refused:
            parse(line)
        assert refused.value.code == "format.value"


def test_lines_that_are_one_event_only_together_are_left() -> None:
    halves = [b'{"type":"play",\n', b'"seat":1,"card":"5S"}\n']
    two = b'{"type":"pass","seat":1}{"type":"pass","seat":2}\n'
    assert events_on(halves) == [None, None]
    assert events_on([two]) == [None]
    assert events_on([two, *halves]) == [None, None, None]


@given(st.sampled_from(SIZES), st.integers(0, 2**32))
@settings(max_examples=60)
def test_any_changed_line_is_read_the_same_both_ways(game: tuple[str, int], seed: int) -> None:
    rng = Random(seed)
    events = any_match(*game, rng, policy=rng.choice(["strict", "record"]), wild=0.2, events=rng.randrange(2, 40))
    lines = [ev.encode(event) for event in events]
    for line in mutations(lines, rng):
        try:
            retold = json.dumps(json.loads(line), separators=(",", ":")).encode()  # its keys as before, without spaces
        except ValueError:
            retold = line
        for each in (line, retold):
            quick(each)


@given(st.sampled_from(SIZES), st.integers(0, 2**32))
@settings(max_examples=60)
def test_lines_read_together_say_the_same_as_one_by_one(game: tuple[str, int], seed: int) -> None:
    rng = Random(seed)
    events = any_match(*game, rng, policy=rng.choice(["strict", "record"]), wild=0.2, events=rng.randrange(2, 40))
    lines = [ev.encode(event) for event in events]
    mixed = rng.choices([*lines, *mutations(lines, rng), *(b"\n", b"{}", b"\xff")], k=rng.randrange(2, 30))
    if rng.random() < 0.5:
        mixed = lines  # all canonical
    ended = [line.strip(b"\r\n") + rng.choice([b"\n", b"\r\n"]) for line in mixed]
    ended = [line for line in ended if line.strip()]
    assert events_on(ended) == [event for line in ended for event in events_on([line])]

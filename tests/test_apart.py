"""What others send is read by a process of its own: its items come here, and whatever it does, it can be ended."""

from __future__ import annotations

import io
import multiprocessing
import pickle
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from cardledger.apart import apart
from cardledger.errors import FormatError, LedgerError
from cardledger.formats.bridge_files.reading import read_file_of_matches
from cardledger.formats.bridge_files.usebio_evening import evenings_in
from cardledger.record.matches.matchfile import Problem, read_matches
from cardledger.record.recording.evening_files import read_evenings
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.events import encode
from cardledger.rules.evenings import evening_events as evenings
from tests import apart as readers
from tests.bridge_files.made import pbn
from tests.conftest import SAMPLES


def read(reader: Callable[..., Any], content: bytes = b"", *given: Any, **more: Any) -> Iterator[Any]:
    return apart(reader, io.BytesIO(content), *given, **{"gone": lambda: False, "seconds": 60.0} | more)


@pytest.fixture(autouse=True)
def no_process_stays() -> Iterator[None]:
    yield
    assert multiprocessing.active_children() == []


def test_items_come_in_their_order_with_what_was_given() -> None:
    wanted = [b"%d\n" % number for number in range(1000)]
    assert [*read(readers.lines, b"".join(wanted), "x", strict=True)] == [*wanted, (("x",), {"strict": True})]


def test_a_file_is_read_from_where_it_stands() -> None:
    file = io.BytesIO(b"one\ntwo\n")
    file.readline()
    assert next(apart(readers.lines, file, gone=lambda: False, seconds=60.0)) == b"two\n"


@pytest.mark.parametrize(
    "content", [pbn().encode(), b"[Event", *(SAMPLES / name for name in ("ruff-debts.jsonl", "hearts-slips.jsonl"))]
)
def test_matches_are_the_same_as_read_here(content: Any) -> None:
    content = content if isinstance(content, bytes) else content.read_bytes()
    here = [*read_file_of_matches(io.BytesIO(content), "x", keep_going=True)]
    there = [*read(read_file_of_matches, content, "x", keep_going=True)]
    assert [vars_of(item) for item in there] == [vars_of(item) for item in here]
    assert here


def vars_of(item: Any) -> object:
    stream = getattr(item, "stream", None)
    return (item.events, item.line, item.sheets, item.source, stream.table.totals) if stream else str(item)


def test_a_stream_with_corrections_is_the_same_in_another_process() -> None:
    content = (SAMPLES / "diversity-corrections.jsonl").read_bytes()
    (match, *_), (there, *_) = read_matches(io.BytesIO(content), "x"), read(read_matches, content, "x")
    assert there.stream.corrections == match.stream.corrections
    assert there.stream.events == match.stream.events


def test_what_the_reader_raises_is_raised_here_after_its_items() -> None:
    items = read(readers.refusing)
    assert next(items) == "begun"
    with pytest.raises(FormatError, match="too long") as caught:
        next(items)
    assert caught.value.code == "format.size"
    with pytest.raises(RuntimeError, match="lambda"):
        next(read(readers.broken))


def test_a_reader_that_never_ends_is_ended() -> None:
    with pytest.raises(LedgerError) as caught:
        [*read(readers.endless, seconds=0.1)]
    assert caught.value.code == "format.effort"


def test_a_reader_that_takes_all_memory_is_ended() -> None:
    with pytest.raises(LedgerError) as caught:
        [*read(readers.greedy)]
    assert (caught.value.code, "memory" in caught.value.message) == ("format.effort", True)


def test_a_reader_that_is_killed_is_an_error() -> None:
    with pytest.raises(LedgerError) as caught:
        [*read(readers.killed)]
    assert caught.value.code == "format.effort"


def test_a_reader_ends_when_the_client_leaves() -> None:
    asked = iter([False, False, True])
    with pytest.raises(LedgerError) as caught:
        [*read(readers.endless, gone=lambda: next(asked))]
    assert caught.value.code == "format.left"


def test_a_reader_ends_when_nobody_wants_its_items_any_more() -> None:
    items = read(readers.lines, b"a\n" * 100_000)
    assert next(items) == b"a\n"
    items.close()


def test_an_event_is_written_in_another_process_as_it_was_read() -> None:
    xml = io.BytesIO((SAMPLES / "evenings" / "bridge-pairs.xml").read_bytes())
    events = [event for evening in evenings_in(xml) for event in evening.events(None, dict.fromkeys(range(999), "x"))]
    for path in SAMPLES.rglob("*.jsonl"):
        for read_them in (read_evenings, read_matches):
            items = read_them(io.BytesIO(path.read_bytes()), "x")
            events += [event for item in items if not isinstance(item, Problem) for event in item.events]
    assert {type(event) for event in events} > {ev.Open, evenings.Session, ev.Amend}
    assert [encode(pickle.loads(pickle.dumps(event))) for event in events] == [encode(event) for event in events]

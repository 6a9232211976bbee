"""The cache of matches: whoever touches it holds its lock, whatever the ledger is asked."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Any

import pytest

from cardledger.record.matches.matchfile import read_file
from cardledger.record.recording import match_cache
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.engine import events as ev
from tests.conftest import SAMPLES
from tests.evenings.night import made
from tests.waiting import together
from tests.web.club import opened


class Owned:
    """The lock of a cache, which knows its thread."""

    def __init__(self, lock: Any) -> None:
        self.lock, self.owner, self.depth = lock, 0, 0

    def __enter__(self) -> None:
        self.lock.acquire()
        self.owner, self.depth = threading.get_ident(), self.depth + 1

    def __exit__(self, *_: object) -> None:
        self.depth -= 1
        if not self.depth:
            self.owner = 0
        self.lock.release()


class Watched(OrderedDict[str, Any]):
    """The matches of a cache, which remember the touches of threads without the lock."""

    def __init__(self, lock: Owned) -> None:
        super().__init__()
        self.lock, self.touched, self.wrong = lock, 0, list[str]()


def watched(name: str) -> Any:
    def method(self: Watched, *given: Any, **more: Any) -> Any:
        if (lock := getattr(self, "lock", None)) is not None:
            self.touched += 1
            if lock.owner != threading.get_ident():
                self.wrong.append(name)
        return getattr(OrderedDict, name)(self, *given, **more)

    return method


for each in (
    "__getitem__",
    "__setitem__",
    "__delitem__",
    "__iter__",
    "get",
    "pop",
    "popitem",
    "move_to_end",
    "values",
    "items",
):
    setattr(Watched, each, watched(each))


@pytest.fixture
def cache(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> Watched:
    """The cache of a ledger, small enough to forget matches."""
    monkeypatch.setattr(match_cache, "_LIVE", 2)
    memory = ledger._memory
    lock = Owned(memory.lock)
    monkeypatch.setattr(memory, "lock", lock)
    monkeypatch.setattr(memory, "_live", Watched(lock))
    return memory._live  # type: ignore[return-value]


def test_recording_reading_and_importing_touch_it_with_its_lock_only(ledger: Ledger, cache: Watched) -> None:
    match = ledger.record(None, [opened(), ev.Note(text="one")], 0).match
    ledger.record(match, [ev.Note(text="two")], 2)
    ledger.stream(match)
    for _ in range(2):
        list(ledger.import_matches(read_file(SAMPLES / "diversity-club-night.jsonl")))
    list(ledger.folded_each(ledger.matches()))
    list(ledger.verify())
    assert cache.touched > 20
    assert cache.wrong == []


def test_an_evening_touches_it_with_its_lock_only(ledger: Ledger, cache: Watched) -> None:
    night = made(ledger)
    ledger.evenings.stream(night.session)
    list(ledger.verify())
    assert cache.touched > 10
    assert cache.wrong == []


def test_threads_that_record_and_read_more_matches_than_it_keeps_all_succeed(ledger: Ledger, cache: Watched) -> None:
    def evening() -> None:
        for _ in range(10):
            match = ledger.record(None, [opened(), ev.Note(text="one")], 0).match
            assert ledger.record(match, [ev.Note(text="two")], 2).seq == 3
            list(ledger.folded_each(ledger.matches()[-4:]))

    together(*[evening] * 4)
    assert cache.wrong == []
    assert len(cache) <= 2

"""The cache of matches: whoever touches it holds its lock, whatever the ledger is asked."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, Any, ClassVar

import pytest

from cardledger.record.matches.matchfile import read_file
from cardledger.record.recording import match_cache
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.engine import events as ev
from tests.conftest import SAMPLES
from tests.evenings.night import made
from tests.waiting import together
from tests.web.club import opened

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class Owned:
    """A lock of which one can learn whether this thread holds it."""

    made: ClassVar[list[Owned]] = []

    def __init__(self) -> None:
        self.lock, self.owner, self.depth = threading.RLock(), 0, 0
        self.made.append(self)

    def __enter__(self) -> None:
        self.lock.acquire()
        self.owner, self.depth = threading.get_ident(), self.depth + 1

    def __exit__(self, *_: object) -> None:
        self.depth -= 1
        if not self.depth:
            self.owner = 0
        self.lock.release()


class Watched(OrderedDict[str, Any]):
    """The matches of a cache, which remember every touch, and those of threads without its lock."""

    made: ClassVar[list[Watched]] = []

    def __init__(self) -> None:
        super().__init__()
        self.lock, self.touched, self.wrong = Owned.made[-1], 0, list[str]()
        self.made.append(self)


def watched(name: str) -> Any:
    def method(self: Watched, *given: Any, **more: Any) -> Any:
        if (lock := getattr(self, "lock", None)) is not None:
            self.touched += 1
            if lock.owner != threading.get_ident():
                self.wrong.append(name)
        return getattr(OrderedDict, name)(self, *given, **more)

    return method


for each in ("__getitem__", "__setitem__", "__delitem__", "__iter__", "get", "pop", "popitem", "move_to_end", "values"):
    setattr(Watched, each, watched(each))


@pytest.fixture
def ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ledger]:
    """A ledger whose cache is watched, and small enough to forget matches."""
    monkeypatch.setattr(match_cache, "MOST", 2)
    monkeypatch.setattr(match_cache, "RLock", Owned)
    monkeypatch.setattr(match_cache, "OrderedDict", Watched)
    with Ledger(tmp_path / "club.db") as opened:
        yield opened


@pytest.fixture
def cache(ledger: Ledger) -> Watched:
    """The cache of the ledger."""
    return Watched.made[-1]


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

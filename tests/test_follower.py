"""The follower: work in the background is done once for all who asked, and whoever stops it is never kept waiting."""

from __future__ import annotations

import threading

import pytest

from ledger.readmodels import follower as module
from ledger.readmodels.follower import Follower


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOMENT", 0.01)


def test_what_is_asked_for_is_done_and_what_is_asked_for_last_is_done_before_stopping() -> None:
    done, worked = [], threading.Event()
    follower = Follower(lambda: (done.append(1), worked.set()))
    follower.soon()
    assert worked.wait(20)
    follower.soon()
    follower.stop()
    assert len(done) >= 2
    before = len(done)
    follower.stop()
    follower.soon()
    assert len(done) == before, "nothing is done after the end"


def test_nobody_asked_so_nothing_is_done() -> None:
    done: list[int] = []
    Follower(lambda: done.append(1)).stop()
    assert done == []


def test_stopping_ends_at_whatever_moment_it_comes() -> None:
    """Just when the moment is over and the asking is about to be crossed off, too."""
    follower = Follower(lambda: None)

    class Crossing(threading.Event):
        def clear(self) -> None:
            stopper.start()
            assert follower._stopping.wait(20)
            assert self.called.wait(20)
            super().clear()

        def set(self) -> None:
            super().set()
            if follower._stopping.is_set():
                self.called.set()

        called = threading.Event()

    follower._wanted = Crossing()
    stopper = threading.Thread(target=follower.stop, daemon=True)
    follower.soon()
    assert follower._wanted.called.wait(20)
    stopper.join(20)
    assert not stopper.is_alive()

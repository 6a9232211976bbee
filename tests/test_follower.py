"""The follower: background work is done once for all requests, and stopping it never waits long."""

from __future__ import annotations

import threading

import pytest

from cardledger.record.readmodels import follower as module
from cardledger.record.readmodels.follower import Follower
from tests.waiting import LIMIT


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOMENT", 0.01)


def test_requested_work_is_done_and_the_last_request_is_done_before_stopping() -> None:
    done, worked = [], threading.Event()
    follower = Follower(lambda: (done.append(1), worked.set()))
    follower.soon()
    assert worked.wait(LIMIT)
    follower.soon()
    follower.stop()
    assert len(done) >= 2
    before = len(done)
    follower.stop()
    follower.soon()
    assert len(done) == before, "nothing is done after the end"


def test_without_a_request_nothing_is_done() -> None:
    done: list[int] = []
    Follower(lambda: done.append(1)).stop()
    assert done == []


def test_stopping_works_at_any_moment() -> None:
    """Even at the moment when the wait is over and the request is about to be cleared."""
    follower = Follower(lambda: None)

    class Crossing(threading.Event):
        def clear(self) -> None:
            stopper.start()
            assert follower.stopping.wait(LIMIT)
            assert self.called.wait(LIMIT)
            super().clear()

        def set(self) -> None:
            super().set()
            if follower.stopping.is_set():
                self.called.set()

        called = threading.Event()

    follower.wanted = Crossing()
    stopper = threading.Thread(target=follower.stop, daemon=True)
    follower.soon()
    assert follower.wanted.called.wait(LIMIT)
    stopper.join(LIMIT)
    assert not stopper.is_alive()

"""The shelf: slow answers are made once, and nobody waits if the last answer is only a little old."""

from __future__ import annotations

import threading
from types import SimpleNamespace

import pytest

from cardledger.record.readmodels.background import Background
from cardledger.study.stats.cache import Shelf
from tests.waiting import LIMIT, wait_until


def eventually(found: Shelf, answer: object) -> bool:
    """Wait until an answer stands on a shelf."""
    return wait_until(lambda: found.peek("question") == answer, f"the answer {answer}")


def test_an_answer_is_made_once_for_a_stamp() -> None:
    kept, made = Shelf(Background()), []
    for stamp in (1, 1, 2, 2):
        assert kept.get("question", stamp, lambda: made.append(1) or len(made)) == stamp
    assert len(made) == 2


def test_an_old_answer_serves_while_a_new_one_is_made() -> None:
    kept, go_on = Shelf(Background()), threading.Event()
    kept.get("question", 1, lambda: "old")
    assert kept.get_stale("question", 2, lambda: go_on.wait(LIMIT) and "new") == "old"
    assert kept.get_stale("question", 2, lambda: "never made: it is being made") == "old"
    go_on.set()
    assert eventually(kept, "new")


def test_readers_wait_for_a_first_answer_up_to_the_given_patience() -> None:
    kept, go_on = Shelf(Background()), threading.Event()
    assert kept.get_stale("question", 1, lambda: go_on.wait(LIMIT) and "answer", patience=0.01) is None
    threading.Timer(0.05, go_on.set).start()
    assert kept.get_stale("question", 1, lambda: "never made: it is being made", patience=None) == "answer"


def test_a_failed_answer_is_made_again() -> None:
    kept = Shelf(Background())
    assert kept.get_stale("question", 1, lambda: 1 / 0) is None
    with pytest.raises(ZeroDivisionError):
        kept.get_stale("question", 1, lambda: 1 / 0, patience=None)
    assert kept.get_stale("question", 1, lambda: "answer", patience=None) == "answer"


def test_a_slow_answer_rests_before_it_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SimpleNamespace(now=0)
    monkeypatch.setattr("cardledger.study.stats.cache.time", SimpleNamespace(monotonic=lambda: clock.now))
    kept = Shelf(Background())

    def slow() -> int:
        clock.now += 3
        return clock.now

    assert kept.get_stale("question", 1, slow, patience=None) == 3
    clock.now = 5
    assert kept.get_stale("question", 2, lambda: "too early") == 3
    clock.now = 6
    kept.get_stale("question", 2, slow)
    assert eventually(kept, 9)


def test_questions_that_fail_leave_nothing() -> None:
    kept = Shelf(Background())
    for number in range(300):
        assert kept.get_stale(number, 1, lambda: 1 / 0, patience=LIMIT) is None
    assert not [each for each in vars(kept).values() if isinstance(each, dict) and each]

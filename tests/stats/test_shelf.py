"""The shelf: what takes a while is made once, and nobody waits for what is only a little old."""

from __future__ import annotations

import threading
import time

import pytest

from ledger.stats.shelf import Shelf


def eventually(found: Shelf, answer: object) -> bool:
    """Tell whether an answer comes to stand on a shelf."""
    until = time.monotonic() + 5
    while found.found("question") != answer and time.monotonic() < until:
        time.sleep(0.005)
    return bool(found.found("question") == answer)


def test_an_answer_is_made_once_for_a_stamp() -> None:
    kept, made = Shelf(), []
    for stamp in (1, 1, 2, 2):
        assert kept.get("question", stamp, lambda: made.append(1) or len(made)) == stamp
    assert len(made) == 2


def test_an_old_answer_serves_while_a_new_one_is_made() -> None:
    kept, go_on = Shelf(), threading.Event()
    kept.get("question", 1, lambda: "old")
    assert kept.soon("question", 2, lambda: go_on.wait(5) and "new") == "old"
    assert kept.soon("question", 2, lambda: "never made: it is being made") == "old"
    go_on.set()
    assert eventually(kept, "new")


def test_a_first_answer_is_waited_for_as_long_as_patience_lasts() -> None:
    kept, go_on = Shelf(), threading.Event()
    assert kept.soon("question", 1, lambda: go_on.wait(5) and "answer", patience=0.01) is None
    threading.Timer(0.05, go_on.set).start()
    assert kept.soon("question", 1, lambda: "never made: it is being made", patience=None) == "answer"


def test_one_that_fails_is_made_again() -> None:
    kept = Shelf()
    assert kept.soon("question", 1, lambda: 1 / 0) is None
    with pytest.raises(ZeroDivisionError):
        kept.soon("question", 1, lambda: 1 / 0, patience=None)
    assert kept.soon("question", 1, lambda: "answer") == "answer"

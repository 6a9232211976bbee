"""Reviews in the background: who asks never waits for a long hand, the last question is served first, closing ends it."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

import pytest

from ledger.stats import reviewer as module
from ledger.stats.kept import Kept
from ledger.stats.reviewer import Reviewer
from tests.stats.night import evening, recorded

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from ledger.ledger import Ledger
    from ledger.stats.kept import KeptHand


class Slow:
    """Stands for the computing: takes each hand up, and is through with it when it is told so."""

    def __init__(self) -> None:
        self.begun: list[KeptHand] = []
        self.go = threading.Semaphore(0)

    def __call__(self, hands: Sequence[KeptHand], kept: Kept) -> Iterator[KeptHand]:
        for hand in hands:
            self.begun.append(hand)
            assert self.go.acquire(timeout=20)
            yield hand

    def busy_with(self, *hands: KeptHand) -> None:
        until = time.monotonic() + 20
        while self.begun != [*hands]:
            assert time.monotonic() < until, self.begun
            time.sleep(0.002)


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with recorded(tmp_path / "club.db", evening("diamonds-draw", 2, hands=4)) as ledger:
        yield ledger


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[Slow]:
    slow = Slow()
    monkeypatch.setattr(module, "compute", slow)
    yield slow
    slow.go.release(100)


def known(ledger: Ledger) -> list[KeptHand]:
    with Kept(ledger) as kept:
        kept.catch_up()
        return kept.hands()


def test_who_asks_waits_no_longer_than_said_and_whoever_asked_last_is_next(ledger: Ledger, slow: Slow) -> None:
    reviewer, hands = Reviewer(ledger), known(ledger)
    reviewer.ask(hands[:2], 0.01)
    slow.busy_with(hands[0])
    reviewer.ask(hands[3:], 0.01)
    slow.go.release()
    slow.busy_with(hands[0], hands[3])
    slow.go.release()
    reviewer.ask(hands[1:2], 0.01)
    slow.busy_with(hands[0], hands[3], hands[1])


def test_closing_the_ledger_ends_after_the_hand_under_way(ledger: Ledger, slow: Slow) -> None:
    Reviewer(ledger).ask(hands := known(ledger), 0.01)
    slow.busy_with(hands[0])
    closing = threading.Thread(target=ledger.close)
    closing.start()
    assert ledger.views.closing.wait(20)
    slow.go.release()
    closing.join(20)
    assert not closing.is_alive()
    assert slow.begun == hands[:1]


def test_who_asks_gets_all_of_it_when_that_is_soon_done(ledger: Ledger) -> None:
    hands = [hand for hand in known(ledger) if hand.why is None]
    reviewer = Reviewer(ledger)
    reviewer.ask(hands[:1], 60)
    reviewer.ask(hands[1:2], 60)
    with Kept(ledger) as kept:
        assert [module.kept_review(hand, kept).pending for hand in hands[:3]] == [False, False, True]


def test_an_error_ends_the_work_but_not_what_comes_after(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    hands, whole = known(ledger), module.compute
    monkeypatch.setattr(module, "compute", lambda *_: 1 // 0)
    monkeypatch.setattr(threading, "excepthook", lambda _: None)
    reviewer = Reviewer(ledger)
    reviewer.ask(hands[:1], 60)
    monkeypatch.setattr(module, "compute", whole)
    reviewer.ask(hands[:1], 60)
    with Kept(ledger) as kept:
        assert not module.kept_review(hands[0], kept).pending

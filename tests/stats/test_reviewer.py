"""Reviews in the background: nobody waits for a long hand, the latest request goes first, closing ends the work."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from cardledger.study.stats.luck.luck_store import LuckStore
from cardledger.study.stats.review import reviewer as module
from cardledger.study.stats.review.reviewer import Reviewer
from tests.stats.night import evening, recorded
from tests.waiting import LIMIT, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from cardledger.record.recording.ledger import Ledger
    from cardledger.study.stats.luck.luck_store import StoredHand


class Slow:
    """A stand-in for the computation: takes each hand, and finishes it on command."""

    def __init__(self) -> None:
        self.begun: list[StoredHand] = []
        self.go = threading.Semaphore(0)

    def __call__(self, hands: Sequence[StoredHand], store: LuckStore) -> Iterator[StoredHand]:
        for hand in hands:
            self.begun.append(hand)
            assert self.go.acquire(timeout=LIMIT)
            yield hand

    def busy_with(self, *hands: StoredHand) -> None:
        wait_until(lambda: self.begun == [*hands], "the work on those hands")


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


def known(ledger: Ledger) -> list[StoredHand]:
    with LuckStore(ledger) as store:
        store.catch_up()
        return store.hands()


def test_a_request_waits_no_longer_than_allowed_and_the_latest_request_is_next(ledger: Ledger, slow: Slow) -> None:
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
    assert ledger.views.background.closing.wait(LIMIT)
    slow.go.release()
    closing.join(LIMIT)
    assert not closing.is_alive()
    assert slow.begun == hands[:1]


@pytest.mark.long
def test_a_request_gets_the_whole_review_if_it_is_done_soon(ledger: Ledger) -> None:
    hands = [hand for hand in known(ledger) if hand.why is None]
    reviewer = Reviewer(ledger)
    reviewer.ask(hands[:1], LIMIT)
    reviewer.ask(hands[1:2], LIMIT)
    with LuckStore(ledger) as store:
        assert [module.stored_review(hand, store).pending for hand in hands[:3]] == [False, False, True]


@pytest.mark.long
def test_an_error_ends_the_work_but_not_later_work(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    hands, whole = known(ledger), module.compute
    monkeypatch.setattr(module, "compute", lambda *_: 1 // 0)
    monkeypatch.setattr(threading, "excepthook", lambda _: None)
    reviewer = Reviewer(ledger)
    reviewer.ask(hands[:1], LIMIT)
    monkeypatch.setattr(module, "compute", whole)
    reviewer.ask(hands[:1], LIMIT)
    with LuckStore(ledger) as store:
        assert not module.stored_review(hands[0], store).pending

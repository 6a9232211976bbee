"""Answers about luck: nobody waits for a large backlog, and answers are soon complete."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from cardledger.study.stats.luck import accountant
from cardledger.study.stats.luck.luck_store import LuckStore
from tests.stats.night import evening, recorded
from tests.waiting import LIMIT, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from cardledger.record.recording.ledger import Ledger


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with recorded(tmp_path / "club.db", evening("diamonds-draw", 2, matches=2, hands=1)) as ledger:
        yield ledger


def test_a_small_backlog_is_read_before_answering(ledger: Ledger) -> None:
    assert accountant.luck(ledger, "diamonds-draw", patience=0.0) is not None
    with LuckStore(ledger) as store:
        assert store.position == ledger.store.last_position()


def test_during_a_large_import_answers_are_never_half_current(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    go_on, take_in = threading.Event(), accountant.catch_up
    monkeypatch.setattr(accountant, "BEHIND", 3)
    monkeypatch.setattr(accountant.Shelf.get_stale, "__defaults__", (0.0,))
    monkeypatch.setattr(accountant, "catch_up", lambda ledger: go_on.wait(LIMIT) and take_in(ledger))
    assert accountant.luck(ledger, "diamonds-draw", patience=0.0) is None
    go_on.set()
    told = wait_until(lambda: accountant.luck(ledger, "diamonds-draw", patience=0.0))
    assert told == accountant.luck(ledger, "diamonds-draw", patience=None)
    with LuckStore(ledger) as store:
        assert store.position == ledger.store.last_position()


def test_an_answer_about_many_hands_is_made_in_the_background_and_is_the_same(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_once = accountant.luck(ledger, "diamonds-draw", patience=None)
    accountant.Shelf.of(ledger.views).clear()
    monkeypatch.setattr(accountant, "AT_ONCE", 0)
    assert accountant.luck(ledger, "diamonds-draw", patience=None) == at_once

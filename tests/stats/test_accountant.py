"""Answers about luck: nobody waits while much is taken in, and nobody is told less than there is for long."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

import pytest

from ledger.stats import accountant
from ledger.stats.kept import Kept
from tests.stats.night import evening, recorded

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ledger.ledger import Ledger


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with recorded(tmp_path / "club.db", evening("diamonds-draw", 2, matches=2, hands=1)) as ledger:
        yield ledger


def test_what_is_little_is_taken_in_before_it_is_told(ledger: Ledger) -> None:
    assert accountant.luck(ledger, "diamonds-draw", patience=0.0) is not None
    with Kept(ledger) as kept:
        assert kept.position == ledger.store.last_position()


def test_while_much_is_taken_in_nothing_half_known_is_told_and_soon_all_of_it(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on, take_in = threading.Event(), accountant._catch_up
    monkeypatch.setattr(accountant, "_BEHIND", 3)
    monkeypatch.setattr(accountant, "_catch_up", lambda ledger: go_on.wait(20) and take_in(ledger))
    assert accountant.luck(ledger, "diamonds-draw", patience=0.0) is None
    go_on.set()
    until = time.monotonic() + 20
    while (told := accountant.luck(ledger, "diamonds-draw", patience=0.0)) is None and time.monotonic() < until:
        time.sleep(0.01)
    assert told == accountant.luck(ledger, "diamonds-draw", patience=None)
    with Kept(ledger) as kept:
        assert kept.position == ledger.store.last_position()


def test_an_answer_about_many_hands_is_made_aside_and_is_the_same(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_once = accountant.luck(ledger, "diamonds-draw", patience=None)
    accountant.Shelf.of(ledger.views)._kept.clear()
    monkeypatch.setattr(accountant, "_AT_ONCE", 0)
    assert accountant.luck(ledger, "diamonds-draw", patience=None) == at_once

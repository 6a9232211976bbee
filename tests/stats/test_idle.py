"""A server computes luck and reviews while nobody records."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from itertools import count
from typing import TYPE_CHECKING

import pytest

from cardledger.errors import StoreError
from cardledger.rules.engine import events as ev
from cardledger.study.stats.luck.luck_store import LuckStore
from cardledger.study.stats.review.idle import IdleReviews, compute_all
from cardledger.study.stats.review.reviews import stored_review
from tests.stats.night import evening, recorded
from tests.waiting import LIMIT, wait_until

if TYPE_CHECKING:
    from pathlib import Path

    from cardledger.record.recording.ledger import Ledger

pytestmark = [pytest.mark.long, pytest.mark.timeout(1800)]


def pending(ledger: Ledger) -> int:
    with LuckStore(ledger) as store:
        store.catch_up()
        return sum(stored_review(hand, store).pending for hand in store.hands("why IS NULL"))


def wait_for(number: int, ledger: Ledger, seconds: float = 200) -> None:
    end = time.monotonic() + seconds
    while pending(ledger) != number:
        assert time.monotonic() < end
        time.sleep(0.2)


def test_missing_reviews_are_computed_once_the_ledger_is_quiet(tmp_path: Path) -> None:
    with recorded(tmp_path / "club.db", evening("ruff", matches=1, hands=2)) as ledger:
        assert pending(ledger) == 2
        idle = IdleReviews(ledger, quiet=1)
        idle.start()
        wait_for(0, ledger)
        # A match recorded later is computed too.
        idle.quiet = 3600  # not before it was seen to be missing
        (events,) = evening("ruff", matches=1, hands=1, hidden=True)
        ledger.record(None, events, 0)
        assert pending(ledger) == 1
        idle.quiet = 0
        wait_for(0, ledger)


def test_recording_and_closing_stop_the_work(tmp_path: Path) -> None:
    with recorded(tmp_path / "club.db", evening("diamonds-bid", matches=1, hands=3)) as ledger:
        idle = IdleReviews(ledger, quiet=0.5)
        idle.start()
        first = wait_until(lambda: idle.process, "the process")
        match = ledger.matches()[0]
        ledger.record(match, [ev.Note(text="all have gone home")], ledger.stream(match).seq)
        wait_until(lambda: first.returncode is not None, "the end of the process")
        second = wait_until(lambda: idle.process is not first and idle.process, "another process")
    assert second.returncode is not None


def test_a_store_that_is_away_for_a_moment_only_delays_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with recorded(tmp_path / "club.db", evening("ruff", matches=1, hands=1)) as ledger:
        last_position, looks = ledger.store.last_position, count(1)
        back = threading.Event()

        def away() -> int:
            if next(looks) > 2:
                back.set()
            else:
                raise StoreError("store.open", "the database is away")
            return last_position()

        monkeypatch.setattr(ledger.store, "last_position", away)
        IdleReviews(ledger, quiet=0.5).start()
        assert back.wait(LIMIT)
        wait_for(0, ledger)


def test_the_process_ends_well_while_its_server_lives(tmp_path: Path) -> None:
    with recorded(tmp_path / "club.db", evening("ruff", matches=1, hands=1)) as ledger:
        at, views = tmp_path / "club.db", ledger.views.file.path
    command = [sys.executable, "-m", "cardledger.study.stats.review.idle"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.write(f"{at}\n{views}\n".encode())
        process.stdin.flush()
        assert (process.wait(LIMIT), process.stderr.read()) == (0, b"")


def test_all_hands_are_computed_and_none_twice(tmp_path: Path) -> None:
    with recorded(tmp_path / "club.db", evening("ruff", matches=1, hands=1)) as ledger:
        assert compute_all(ledger) == 1
        assert compute_all(ledger) == 0

"""Turns: what waits is done together, everybody learns of their own, and nobody waits for a turn that is not taken."""

from __future__ import annotations

import signal
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from cardledger.record.recording.group_commit import GroupCommit
from tests.waiting import LIMIT, wait_until


def waiting(turns: GroupCommit[int], number: int) -> None:
    """Return when this many jobs wait for their turn."""
    wait_until(lambda: len(turns.waiting) >= number, f"{number} who wait")


class Slow:
    """Work that takes a given time and remembers its groups."""

    def __init__(self) -> None:
        self.groups: list[list[int]] = []
        self.may = threading.Semaphore(0)
        self.turns = GroupCommit(self.work)

    def work(self, jobs: list[int]) -> None:
        self.groups.append(jobs)
        self.may.acquire(timeout=LIMIT)
        if 13 in jobs:
            raise ZeroDivisionError


def test_waiting_work_is_done_together_and_in_order() -> None:
    slow = Slow()
    with ThreadPoolExecutor(4) as pool:
        done = [pool.submit(slow.turns.do, 0)]
        for number in (1, 2, 3):
            done.append(pool.submit(slow.turns.do, number))
            waiting(slow.turns, number)
        slow.may.release(2)
        for each in done:
            each.result(LIMIT)
    assert slow.groups == [[0], [1, 2, 3]]


def test_many_jobs_of_many_threads_are_done_once_each() -> None:
    done: list[int] = []
    turns = GroupCommit(done.extend)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(turns.do, range(4000)))
    assert sorted(done) == [*range(4000)]


def test_an_error_affects_only_its_own_writer() -> None:
    slow = Slow()
    with ThreadPoolExecutor(3) as pool:
        wrong = pool.submit(slow.turns.do, 13)
        wait_until(lambda: slow.groups)
        right = pool.submit(slow.turns.do, 1)
        waiting(slow.turns, 1)
        slow.may.release(2)
        with pytest.raises(ZeroDivisionError):
            wrong.result(LIMIT)
        right.result(LIMIT)
    slow.may.release()
    slow.turns.do(2)
    assert slow.groups == [[13], [1], [2]]


def test_a_client_that_stops_waiting_blocks_no_other() -> None:
    def interrupt(_number: int, _frame: object) -> None:
        raise InterruptedError

    before = signal.signal(signal.SIGUSR1, interrupt)
    slow = Slow()
    try:
        with ThreadPoolExecutor(3) as pool:
            first = pool.submit(slow.turns.do, 0)
            wait_until(lambda: slow.groups)
            main = threading.main_thread().ident
            assert main is not None
            pool.submit(lambda: (waiting(slow.turns, 1), signal.pthread_kill(main, signal.SIGUSR1)))
            with pytest.raises(InterruptedError):
                slow.turns.do(1)
            last = pool.submit(slow.turns.do, 2)
            waiting(slow.turns, 1)
            slow.may.release(2)
            first.result(LIMIT)
            last.result(LIMIT)
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert slow.groups == [[0], [2]]

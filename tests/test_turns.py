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
    wait_until(lambda: len(turns) >= number, f"{number} who wait")


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


@pytest.mark.parametrize("others", [0, 1, 2])
def test_a_client_that_is_interrupted_when_its_turn_has_come_hands_it_on(others: int) -> None:
    """The signal comes when the lead is this thread's already, and nobody else would take it."""
    slow = Slow()
    clients = [threading.Thread(target=slow.turns.do, args=(number,), daemon=True) for number in range(others + 2)]
    first, *rest, last = clients

    def interrupt(_number: int, _frame: object) -> None:
        slow.may.release()
        first.join(LIMIT)  # its work is done, and the turn of the main thread has come
        raise InterruptedError

    before = signal.signal(signal.SIGUSR1, interrupt)
    try:
        first.start()
        wait_until(lambda: slow.groups)
        main = threading.main_thread().ident
        assert main is not None

        def follow() -> None:
            waiting(slow.turns, 1)
            for number, client in enumerate(rest, 2):
                client.start()
                waiting(slow.turns, number)
            signal.pthread_kill(main, signal.SIGUSR1)

        threading.Thread(target=follow, daemon=True).start()
        with pytest.raises(InterruptedError):
            slow.turns.do(99)
    finally:
        signal.signal(signal.SIGUSR1, before)
    slow.may.release(2)
    for client in rest:
        client.join(LIMIT)
    last.start()
    last.join(LIMIT)
    assert slow.groups == [[0], *([[*range(1, others + 1)]] if others else []), [others + 1]]
    assert 99 not in [number for group in slow.groups for number in group]


def test_a_client_that_is_interrupted_when_its_work_is_done_hands_on_no_turn_of_another() -> None:
    slow = Slow()
    first, second, third, fourth = (
        threading.Thread(target=slow.turns.do, args=(n,), daemon=True) for n in (0, 1, 3, 4)
    )

    def interrupt(_number: int, _frame: object) -> None:
        slow.may.release()
        first.join(LIMIT)
        wait_until(lambda: len(slow.groups) == 2)
        third.start()
        waiting(slow.turns, 1)
        slow.may.release()
        second.join(LIMIT)  # it has done the work of the main thread too, and the third one leads
        wait_until(lambda: len(slow.groups) == 3)
        raise InterruptedError

    before = signal.signal(signal.SIGUSR1, interrupt)
    try:
        first.start()
        wait_until(lambda: slow.groups)
        second.start()
        waiting(slow.turns, 1)
        main = threading.main_thread().ident
        assert main is not None
        follower = threading.Thread(
            target=lambda: (waiting(slow.turns, 2), signal.pthread_kill(main, signal.SIGUSR1)), daemon=True
        )
        follower.start()
        with pytest.raises(InterruptedError):
            slow.turns.do(2)
    finally:
        signal.signal(signal.SIGUSR1, before)
    fourth.start()
    waiting(slow.turns, 1)  # the third one still leads: two at once would store side by side
    slow.may.release(2)
    for client in (third, fourth):
        client.join(LIMIT)
    assert slow.groups == [[0], [1, 2], [3], [4]]

"""Turns of readers: however many ask, few are worked for at once, and scorers wait for none of them."""

from __future__ import annotations

import threading
from contextlib import closing
from http.client import HTTPConnection
from typing import TYPE_CHECKING, Any

import pytest

from cardledger_api.auth.known_scorers import MOST, KnownScorers
from cardledger_api.auth.limits import Limits, heavy
from cardledger_api.http.gate import gate_of
from cardledger_api.http.turns import Turn, WorkTurns, aside, turns_of
from cardledger_web.app import access_of, create_app, ledger_of
from cardledger_web.serving.server import listen, run
from tests.waiting import LIMIT, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flask import Flask


class Worker(threading.Thread):
    """A thread that takes a turn and stays until released; what it has worked so far is said by the test."""

    def __init__(self, turns: WorkTurns, log: list[str], name: str) -> None:
        super().__init__(name=name, daemon=True)
        self.turns, self.log, self.may_go = turns, log, threading.Event()
        self.start()

    def run(self) -> None:
        with Turn(self.turns):
            self.log.append(self.name)
            self.may_go.wait()


class Processor:
    """What the processor worked for each thread, and the time, as a test says it."""

    def __init__(self) -> None:
        self.now, self.busy = 0.0, True

    def worked(self, _: int) -> float:
        return self.now if self.busy else 0.0


def turns_with(processor: Processor, most: int = 1) -> WorkTurns:
    return WorkTurns(most, processor.worked, lambda: processor.now, look=0.001)


@pytest.mark.parametrize("most", [1, 2, 3])
def test_so_many_work_at_once_and_those_who_came_first_come_first(most: int) -> None:
    log: list[str] = []
    turns = turns_with(Processor(), most)
    workers = []
    for number in range(8):
        workers.append(Worker(turns, log, str(number)))
        wait_until(lambda number=number: turns.taken + turns.queued == number + 1)
    for number, worker in enumerate(workers):
        wait_until(lambda number=number: len(log) == min(number + most, 8))
        assert turns.taken == min(most, 8 - number)
        worker.may_go.set()
        worker.join(LIMIT)
    assert log == [str(number) for number in range(8)]
    assert (turns.taken, turns.queued) == (0, 0)


def test_a_turn_is_lent_while_its_thread_waits_for_something_else() -> None:
    log: list[str] = []
    processor = Processor()
    turns = turns_with(processor)
    first = Worker(turns, log, "first")
    wait_until(lambda: turns.taken == 1)
    second = Worker(turns, log, "second")
    wait_until(lambda: turns.queued == 1)
    processor.now = 10.0  # the first has worked all the time
    third = Worker(turns, log, "third")
    wait_until(lambda: turns.queued == 2)
    assert log == ["first"]
    processor.busy = False
    processor.now = 20.0
    wait_until(lambda: log == ["first", "second"])
    first.may_go.set()
    first.join(LIMIT)
    assert turns.taken == 1, "it had lent its turn: giving it back lets nobody in"
    for worker in (second, third):
        worker.may_go.set()
        worker.join(LIMIT)
    assert log == ["first", "second", "third"]


def test_whoever_waits_aside_has_no_turn_and_takes_one_of_others_afterwards() -> None:
    short, long = WorkTurns(), WorkTurns()
    with Turn(short):
        assert short.taken == 1
        with aside(long):
            assert (short.taken, long.taken) == (0, 0)
        assert (short.taken, long.taken) == (0, 1)
    assert (short.taken, long.taken) == (0, 0)
    with aside(long):  # without a turn, as scorers are
        pass
    assert long.taken == 0


def test_nobody_waits_for_a_turn_once_the_server_ends() -> None:
    log: list[str] = []
    turns = turns_with(Processor())
    workers = [Worker(turns, log, "") for _ in range(5)]
    wait_until(lambda: turns.queued == 4)
    turns.stop()
    wait_until(lambda: len(log) == 5)
    for worker in workers:
        worker.may_go.set()
        worker.join(LIMIT)


def test_scorers_are_known_by_their_last_request_and_forgotten_in_time() -> None:
    known = KnownScorers()
    known.learn({"HTTP_AUTHORIZATION": "Bearer a"}, scorer=True)
    known.learn({"HTTP_COOKIE": "cardledger=b"}, scorer=True)
    assert known.sent({"AUTHORIZATION": "Bearer a"})
    assert known.sent({"COOKIE": "cardledger=b"})
    assert not known.sent({})
    assert not known.sent({"AUTHORIZATION": "Bearer c"})
    known.learn({"HTTP_AUTHORIZATION": "Bearer a"}, scorer=False)
    known.learn({}, scorer=True)
    assert not known.sent({"AUTHORIZATION": "Bearer a"})
    for number in range(MOST + 10):
        known.learn({"HTTP_AUTHORIZATION": f"Bearer {number}"}, scorer=True)
    assert len(known) == MOST
    assert not known.sent({"AUTHORIZATION": "Bearer 9"})


# --- on a server


class Crowded:
    """A server, with addresses that the test holds."""

    def __init__(self, app: Flask, server: Any) -> None:
        self.app, self.port = app, server.effective_port
        self.turns, self.gate = turns_of(app), gate_of(app)
        self.scorer = {"Authorization": f"Bearer {access_of(app).lend('tests', 'scorer')}"}
        self.inside = 0
        self.go = threading.Event()

    def ask(self, path: str, **headers: str) -> tuple[int, bytes]:
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=LIMIT)) as line:
            line.request("GET", path, headers=headers)
            answer = line.getresponse()
            return answer.status, answer.read()

    def hold(self) -> dict[str, str]:
        """Work, as the processor sees it, until the test says so."""
        self.inside += 1
        while not self.go.is_set():
            sum(range(100))
        return {}


@pytest.fixture
def crowded(tmp_path: Path) -> Iterator[Crowded]:
    app = create_app(tmp_path / "club.db", limits=Limits.of(0))
    app.get("/held")(lambda: server.hold())
    app.get("/held-long", endpoint="long")(heavy(lambda: server.hold()))
    listening = listen(app, 0)
    server = Crowded(app, listening)
    serving = threading.Thread(target=run, args=(listening,))
    serving.start()
    try:
        yield server
    finally:
        server.go.set()
        listening.task_dispatcher.shutdown()
        listening.close()
        listening.trigger.close()
        serving.join(LIMIT)
        access_of(app).close()
        ledger_of(app).close()


def test_one_reader_at_a_time_is_worked_for_and_scorers_wait_for_none(crowded: Crowded) -> None:
    assert crowded.ask("/api/v1/me", **crowded.scorer)[0] == 200  # now it is known
    readers = [threading.Thread(target=crowded.ask, args=("/held",)) for _ in range(10)]
    for reader in readers:
        reader.start()
    wait_until(lambda: crowded.turns.short.queued == 9)
    for _ in range(20):
        assert crowded.ask("/api/v1/me", **crowded.scorer)[0] == 200
        assert crowded.ask("/health/live")[0] == 200
    assert (crowded.inside, crowded.turns.short.queued) == (1, 9)
    crowded.go.set()
    for reader in readers:
        reader.join(LIMIT)
    assert crowded.inside == 10


@pytest.mark.parametrize("path", ["/", "/nowhere", "/static/style.css", "/api/v1/openapi.json"])
def test_every_request_of_a_reader_takes_a_turn_whatever_its_address(crowded: Crowded, path: str) -> None:
    blocks = threading.Thread(target=crowded.ask, args=("/held",))
    blocks.start()
    wait_until(lambda: crowded.inside == 1)
    asks = threading.Thread(target=crowded.ask, args=(path,))
    asks.start()
    wait_until(lambda: crowded.turns.short.queued == 1)
    crowded.go.set()
    for thread in (blocks, asks):
        thread.join(LIMIT)


def test_expensive_answers_take_turns_of_their_own(crowded: Crowded) -> None:
    threads = [threading.Thread(target=crowded.ask, args=("/held-long",)) for _ in range(2)]
    for thread in threads:
        thread.start()
    wait_until(lambda: crowded.turns.long.queued == 1)
    assert crowded.ask("/api/v1/games")[0] == 200
    assert (crowded.inside, crowded.turns.long.taken) == (1, 1)
    crowded.go.set()
    for thread in threads:
        thread.join(LIMIT)


def test_who_is_no_scorer_any_more_waits_with_the_readers(crowded: Crowded) -> None:
    access = access_of(crowded.app)
    name = "guest"
    text = access.tokens.create(name, "scorer", 1)
    guest = {"Authorization": f"Bearer {text}"}
    assert crowded.ask("/api/v1/me", **guest)[0] == 200
    sent = {"AUTHORIZATION": guest["Authorization"]}
    assert access.known.sent(sent)
    access.tokens.revoke(name)
    assert crowded.ask("/api/v1/me", **guest)[0] == 401
    assert not access.known.sent(sent)
    reader = {"Authorization": f"Bearer {access.lend('reader', 'reader')}"}
    assert crowded.ask("/api/v1/me", **reader)[0] == 200
    assert not access.known.sent({"AUTHORIZATION": reader["Authorization"]})

"""The gate: never more inside than allowed, scorers first, and nobody fills all waiting places."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardledger_api.http.gate import Busy, Gate, TooManyAtOnce
from tests.waiting import LIMIT, wait_until

MOVES = st.lists(st.one_of(st.tuples(st.sampled_from("abcd"), st.integers(0, 2)), st.integers(0, 9)), max_size=50)


@given(MOVES, st.integers(1, 5), st.integers(1, 3), st.integers(0, 2))
def test_there_are_never_more_inside_than_allowed(moves: list, most: int, each: int, kept: int) -> None:
    gate = Gate(most, each, kept, patience=0)
    inside: list[tuple[str, int, Callable[[], None]]] = []
    for move in moves:
        if isinstance(move, int):
            if inside:
                *_, leave = inside.pop(move % len(inside))
                leave()
                leave()
        else:
            client, rank = move
            readers, own = sum(of < 2 for _, of, _ in inside), sum(of == client for of, *_ in inside)
            fits = len(inside) < most and own < each and (rank == 2 or readers < most - kept)
            if fits:
                inside.append((client, rank, gate.enter(client, rank)))
            else:
                with pytest.raises(TooManyAtOnce if own >= each else Busy) as refused:
                    gate.enter(client, rank)
                assert int(refused.value.get_response().headers["Retry-After"]) > 0
        assert gate.inside == len(inside)


class Comer(threading.Thread):
    """A client that comes to a gate and stays until released."""

    def __init__(self, gate: Gate, client: str, rank: int, log: list[str]) -> None:
        super().__init__()
        self.gate, self.client, self.rank, self.log = gate, client, rank, log
        self.may_go = threading.Event()
        self.start()

    def run(self) -> None:
        try:
            leave = self.gate.enter(self.client, self.rank)
        except (Busy, TooManyAtOnce):
            self.log.append(f"{self.client} refused")
            return
        self.log.append(self.client)
        self.may_go.wait(LIMIT)
        leave()


def waits_for(gate: Gate, number: int) -> None:
    """Wait until this many clients are at a gate or inside."""
    wait_until(lambda: gate.inside + gate.queued >= number, f"comer {number}")


def test_scorers_go_first_then_the_client_with_the_fewest_then_the_first_to_arrive() -> None:
    gate, log = Gate(most=2, each=2, kept=0, patience=LIMIT), []
    comers = []
    for number, (client, rank) in enumerate([("a", 0), ("a", 0), ("a", 0), ("b", 0), ("c", 0), ("s", 2)], 1):
        comers.append(Comer(gate, client, rank, log))
        waits_for(gate, number)
    wait_until(lambda: len(log) == 2, "the first two")
    comers[0].may_go.set()
    for number, client in ((3, "s"), (4, "b"), (5, "c")):
        wait_until(lambda number=number: len(log) == number, client)
        next(comer for comer in comers if comer.client == client).may_go.set()
    for comer in comers:
        comer.may_go.set()
        comer.join(LIMIT)
    assert log == ["a", "a", "s", "b", "c", "a"]
    assert gate.inside == 0


def test_one_client_cannot_fill_the_waiting_places() -> None:
    gate, log = Gate(most=1, each=1, kept=0, waiting=4, patience=LIMIT), []
    comers = []
    for number in range(1, 6):
        comers.append(Comer(gate, "greedy", 0, log))
        waits_for(gate, number)
    comers.append(Comer(gate, "other", 0, log))
    wait_until(lambda: len(log) == 2, "the refusal")
    assert sorted(log) == ["greedy", "greedy refused"]
    for comer in comers:
        comer.may_go.set()
    for comer in comers:
        comer.join(LIMIT)
    assert Counter(log) == {"greedy": 4, "other": 1, "greedy refused": 1}
    assert gate.inside == gate.queued == 0


def test_no_request_waits_at_a_stopped_gate() -> None:
    gate, log = Gate(most=1, kept=0, patience=10 * LIMIT), []
    inside, waiting = Comer(gate, "a", 0, log), None
    waits_for(gate, 1)
    waiting = Comer(gate, "b", 0, log)
    waits_for(gate, 2)
    gate.stop()
    waiting.join(LIMIT)
    assert not waiting.is_alive()
    inside.may_go.set()
    inside.join(LIMIT)

"""A queue of several parties: each gets its turn, whatever the length of another's line."""

from __future__ import annotations

from collections import deque

import pytest
from hypothesis import given
from hypothesis import strategies as some

from cardledger_api.http.fair_queue import FairQueue


def queue() -> FairQueue[tuple[str, int]]:
    return FairQueue(lambda item: item[0])


def test_a_newcomer_waits_for_one_of_each_other_party() -> None:
    line = queue()
    for number in range(100):
        line.append(("flood", number))
    line.append(("ulm", 0))
    line.append(("kiel", 0))
    assert [line.popleft() for _ in range(4)] == [("flood", 0), ("ulm", 0), ("kiel", 0), ("flood", 1)]
    assert len(line) == len([*line]) == 98


def test_an_empty_queue_has_nothing() -> None:
    assert not queue()
    with pytest.raises(IndexError):
        queue().popleft()


@given(some.lists(some.one_of(some.none(), some.sampled_from("abc"))))
def test_each_party_is_served_in_its_order_and_nothing_is_lost(course: list[str | None]) -> None:
    line, plain = queue(), {party: deque() for party in "abc"}
    for number, party in enumerate(course):
        if party is not None:
            line.append((party, number))
            plain[party].append((party, number))
        elif line:
            waiting = {party for party, own in plain.items() if own}
            item = line.popleft()
            assert item[0] in waiting
            assert item == plain[item[0]].popleft()
        assert len(line) == sum(map(len, plain.values()))

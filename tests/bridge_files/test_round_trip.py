"""Reading, writing and reading again: the same events, and the same extras."""

from __future__ import annotations

from typing import Any

import pytest

from cardledger.formats.bridge_files.writing import written
from cardledger.record.matches.matchfile import MatchInFile
from cardledger.rules.engine import events as ev
from tests.bridge_files import test_lin, test_pbn
from tests.bridge_files.made import items_of, random_games


def told(item: MatchInFile) -> tuple[list[Any], list[Any]]:
    """Return the events of a match without its extras, and the extras in any order."""
    extras = [extra for event in item.events if isinstance(event, ev.Note) for extra in event.extras or ()]
    shift = any(isinstance(event, ev.Note) and event.extras for event in item.events)
    events: list[Any] = []
    for event in item.events:
        if isinstance(event, ev.Note) and event.extras is not None:
            continue
        if isinstance(event, ev.Note) and event.about is not None:
            event = ev.Note(text=event.text, about=event.about - shift)
        events.append(event)
    return events, sorted(extras)


def again(item: MatchInFile) -> MatchInFile:
    """Return a match written and read."""
    text = "".join(written([item.stream], "pbn"))
    [back] = items_of(text)
    assert isinstance(back, MatchInFile), f"{back}\n{text}"
    return back


BOARDS = {
    f"{case.what} {number}": item
    for case in test_pbn.CASES
    for number, item in enumerate(items_of(case.text), 1)
    if isinstance(item, MatchInFile)
}


@pytest.mark.parametrize("name", BOARDS)
def test_pbn_comes_back_with_the_same_events_and_extras(name: str) -> None:
    item = BOARDS[name]
    first, second = told(item), told(again(item))
    assert second[0] == first[0]
    assert second[1] == first[1]


def test_random_boards_come_back() -> None:
    for item in items_of("".join(random_games(30, seed=5))):
        assert isinstance(item, MatchInFile)
        assert told(again(item)) == told(item)


ROOMS = {
    name: [item for item in items_of(text, "made.lin") if isinstance(item, MatchInFile)]
    for name, (text, _) in test_lin.CASES.items()
}


@pytest.mark.parametrize("name", ROOMS)
def test_lin_comes_back_with_the_same_events_and_extras(name: str) -> None:
    first = ROOMS[name]
    text = "".join(written([item.stream for item in first], "lin"))
    second = items_of(text, "made.lin") if text else []
    assert len(second) == len(first), text
    for item, back in zip(first, second, strict=True):
        assert isinstance(back, MatchInFile), f"{back}\n{text}"
        assert told(back) == told(item), text


@pytest.mark.parametrize("name", ROOMS)
def test_boards_of_lin_are_the_same_as_pbn(name: str) -> None:
    for item in ROOMS[name]:
        [back] = items_of("".join(written([item.stream], "pbn")))
        assert isinstance(back, MatchInFile)
        first, second = (match.stream.table.hands for match in (item, back))
        assert [(hand.scores, hand.calls, hand.tricks) for hand in first] == [
            (hand.scores, hand.calls, hand.tricks) for hand in second
        ]

"""Verification reads a match at once, and names the same event as if it had read it event by event."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from cardledger.errors import LedgerError
from cardledger.record.recording.ledger import Ledger
from cardledger.record.recording.loaded_match import refold
from cardledger.record.store import Stored
from cardledger.record.store.chain import START, chain
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev

PLACE = 30
"""The index of the event that is changed."""


@pytest.fixture
def rows(ledger: Ledger) -> list[Stored]:
    """A match as stored."""
    events = [*simulate("hearts", 4, Random(5), ["random"], {}, players=("Ann", "ben", "chloe", "dev"), max_hands=2)]
    match = ledger.record(None, [*events, ev.Note(text="a late night")], 0).match
    return ledger.store.read(match)


def linked(rows: list[Stored]) -> list[Stored]:
    """Return rows with the hashes of their lines, as somebody with a program would write them."""
    lines = [row.line for row in rows]
    return [row._replace(hash=hash) for row, (_, hash) in zip(rows, chain(START, lines), strict=True)]


def with_line(change: Callable[[str], object]) -> Callable[[list[Stored]], list[Stored]]:
    def changed(rows: list[Stored]) -> list[Stored]:
        return [
            row._replace(line=change(row.line)) if index == PLACE else row  # type: ignore[arg-type]
            for index, row in enumerate(rows)
        ]

    return changed


def halved(rows: list[Stored]) -> list[Stored]:
    """Split two lines elsewhere: neither is an event, though joined by a comma they are two."""
    first, second = rows[PLACE].line, rows[PLACE + 1].line
    lines = [row.line for row in rows]
    cut = second.index(",")
    lines[PLACE : PLACE + 2] = [f"{first},{second[:cut]}", second[cut + 1 :]]
    return linked([row._replace(line=line) for row, line in zip(rows, lines, strict=True)])


def turned_round(rows: list[Stored]) -> list[Stored]:
    return [*rows[:PLACE], rows[PLACE + 1], rows[PLACE], *rows[PLACE + 2 :]]


def relinked(change: Callable[[str], str]) -> Callable[[list[Stored]], list[Stored]]:
    return lambda rows: linked(with_line(change)(rows))


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda rows: [*rows[:PLACE], *rows[PLACE + 1 :]], "store.gap"),
        (turned_round, "store.gap"),
        (with_line(lambda line: line.replace("T", "U", 1)), "store.hash"),
        (with_line(lambda line: 5), "store.hash"),
        (with_line(lambda line: line.encode()), "store.hash"),
        (lambda rows: [*rows[:PLACE], rows[PLACE]._replace(hash=START), *rows[PLACE + 1 :]], "store.hash"),
        (relinked(lambda line: line[:-1]), "store.line"),
        (relinked(lambda line: f"{line},{line}"), "store.line"),
        (halved, "store.line"),
        (relinked(lambda line: line.replace(f'"seq":{PLACE + 1}', '"seq":2')), "store.hash"),
        (relinked(lambda line: line.replace(f',"seq":{PLACE + 1}', "")), "store.hash"),
        (relinked(lambda line: line.replace('"seat":', '"seat":9')), "table.range"),
    ],
)
def test_the_first_wrong_event_is_named(
    rows: list[Stored], change: Callable[[list[Stored]], list[Stored]], code: str
) -> None:
    with pytest.raises(LedgerError) as wrong:
        refold(rows[0].match, change(rows))
    assert (wrong.value.code, wrong.value.index) == (code, PLACE)


def test_the_opening_must_be_that_of_the_match(rows: list[Stored]) -> None:
    with pytest.raises(LedgerError) as wrong:
        refold("another", rows)
    assert (wrong.value.code, wrong.value.index) == ("store.hash", 0)


def test_a_sound_match_is_folded_whole(ledger: Ledger, rows: list[Stored]) -> None:
    folded = refold(rows[0].match, rows, ledger.store.names)
    assert folded.stream.seq == len(rows)
    assert [*folded.players] == ["Ann", "ben", "chloe", "dev"]
    assert (folded.position, folded.hash) == (rows[0].position, rows[-1].hash)

"""A replaced match equals the corrected file, and nothing of the old match is lost."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardledger.errors import LedgerError, SimilarError
from cardledger.record.matches.replay import result
from cardledger.record.recording.loaded_match import bare
from cardledger.record.recording.replacing import replacement
from cardledger.rules.engine import events as ev
from cardledger.rules.stream import Stream, unroll
from tests.archive.streams import corrected
from tests.tables import SIZES, Sitting, opening

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardledger.record.recording.ledger import Ledger


def says(stream: Stream) -> object:
    """Return the content of a match, without the numbers of its events."""
    said = result(stream.table)
    violations = [{**found, "seq": None} for found in said["violations"]]
    return said | {"violations": violations}, [bare(event) for _, event in unroll(stream.heads[-1])]


def replaced(stored: Sequence[ev.Event], wanted: Sequence[ev.Event]) -> Stream:
    stream = Stream.of(stored)
    stream.extend(replacement("x", stored, wanted))
    return stream


def another(events: list[ev.Event], how: str, rng: Random) -> list[ev.Event]:
    """Return a match as a file may have it after it was corrected."""
    at = rng.randrange(1, len(events) + 1)
    if how == "shorter":
        return events[:at]
    if how == "longer":
        return [*events, ev.Note(text="more", about=at), ev.Retract(to=at), ev.Note(text="and more")]
    first = events[0]
    assert isinstance(first, ev.Open)
    if how == "another opening":
        return [msgspec.structs.replace(first, event="Spring", date="2026-03-01"), *events[1:]]
    other = corrected(first.game, len(first.players), rng)
    if how == "another course":
        return other
    return [
        first,
        *(event for event in events[1:at] if isinstance(event, ev.Note)),
        ev.Void(),
        ev.Retract(to=1),
        *_later(other[1:], rng),
    ]


def _later(events: list[ev.Event], rng: Random) -> list[ev.Event]:
    """Return the events of a match up to the first that names a number."""
    numbered = (ev.Retract, ev.Amend, ev.Note)
    end = next((place for place, event in enumerate(events) if isinstance(event, numbered)), len(events))
    return events[: rng.randrange(end + 1)]


@pytest.mark.long
@given(
    st.sampled_from(SIZES),
    st.integers(0, 2**32),
    st.sampled_from(["shorter", "longer", "another opening", "another course", "an odd one"]),
)
@settings(max_examples=150)
def test_a_replaced_match_equals_the_file(size: tuple[str, int], seed: int, how: str) -> None:
    rng = Random(seed)
    stored = corrected(*size, rng)
    wanted = another(stored, how, rng)
    if isinstance(wanted[0], ev.Open) and how in ("another course", "an odd one"):
        wanted[0] = msgspec.structs.replace(wanted[0], policy="record", options=stored[0].options)  # type: ignore[attr-defined]
    wanted[0] = msgspec.structs.replace(wanted[0], rules=stored[0].rules)  # type: ignore[attr-defined]
    try:
        expected = Stream.of(wanted)
    except LedgerError:  # a file that is refused replaces nothing
        return
    stream = replaced(stored, wanted)
    assert says(stream) == says(expected)
    assert stream.events[: len(stored)] == stored
    assert replacement("x", stream.events, stream.events) == []
    again = replaced(stream.events, stored)
    assert says(again) == says(Stream.of(stored))


def test_the_common_beginning_stays_and_only_the_rest_is_taken_back() -> None:
    match = Sitting("ruff", 3).deal().claim(5, 5, 5)
    wanted = [*match.stream.events[:2], ev.Claim(tricks=(6, 5, 4)), ev.Note(text="read again", about=3)]
    made = replacement("x", match.stream.events, wanted)
    assert [ev.type_of(event) for event in made] == ["retract", "claim", "note"]
    assert (made[0].to, made[2].about) == (2, 5)  # type: ignore[attr-defined]


def test_a_file_that_goes_on_only_adds() -> None:
    match = Sitting("ruff", 3).deal().claim(5, 5, 5)
    amend = ev.Amend(about=3, event=ev.Claim(tricks=(6, 5, 4)))
    assert replacement("x", match.stream.events, [*match.stream.events, amend]) == [amend]


def test_another_opening_is_amended_and_the_play_stays() -> None:
    events = Sitting("ruff", 3).deal().claim(5, 5, 5).stream.events
    first = msgspec.structs.replace(opening("ruff", 3), players=("ana", "ben", "clara"), date="2026-03-01")
    (amend,) = replacement("x", events, [first, *events[1:]])
    assert isinstance(amend, ev.Amend)
    assert (amend.about, amend.event) == (1, first)
    back, amend, claim = replacement("x", events, [first, events[1], ev.Claim(tricks=(6, 5, 4))])
    assert isinstance(back, ev.Retract)
    assert (back.to, ev.type_of(amend), ev.type_of(claim)) == (2, "amend", "claim")


def test_a_match_keeps_its_edition_of_the_rules(ledger: Ledger) -> None:
    match = ledger.record(None, [msgspec.structs.replace(opening("ruff", 3), rules="ruff/1")], 0).match
    ledger.replace(match, [msgspec.structs.replace(opening("ruff", 3), date="2026-03-01")])
    assert ledger.stream(match).table.opening.rules == "ruff/1"
    ledger.record(match, [ev.Amend(about=1, event=opening("ruff", 3))], 2)
    assert ledger.stream(match).table.opening.rules == "ruff/1"


@pytest.mark.parametrize("other", [opening("ruff-2", 3), opening("ruff", 4)])
def test_another_game_or_number_of_players_replaces_nothing(ledger: Ledger, other: ev.Open) -> None:
    match = ledger.record(None, [opening("ruff", 3)], 0).match
    with pytest.raises(SimilarError, match="declare it void"):
        ledger.replace(match, [other])
    assert len(ledger.events(match)) == 1

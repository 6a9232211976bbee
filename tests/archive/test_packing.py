"""The packed form says everything: lines come back to the byte, and matches fold to the same without them."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardledger.errors import LedgerError, StoreError
from cardledger.record.matches.replay import result
from cardledger.record.people import people
from cardledger.record.store.codec import decode
from cardledger.rules.bots.simulation import league
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.table_view import state
from cardledger.rules.games import games
from cardledger.rules.stream import Stream, unroll
from cardledger.study.archive.columns import SAID
from cardledger.study.archive.course import courses
from cardledger.study.archive.letters import Alphabets, Meanings
from cardledger.study.archive.packing import rows_of
from cardledger.study.archive.page import Page
from tests.archive.streams import MATCH, corrected, recorded, recordings, stored
from tests.tables import SIZES, Policy, any_match, opening
from tests.thorough import many

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardledger.record.store import Recording


def page(*packed: Recording) -> Page:
    rows = [row for recording in packed for row in rows_of(recording)]
    letters = Alphabets()
    return Page(letters.table(rows), Meanings(letters.meanings()))


def bare(events: Sequence[ev.Event]) -> list[ev.Event]:
    return [msgspec.structs.replace(event, seq=None, id=None, at=None, by=None) for event in events]


def comes_back(recording: Recording) -> None:
    """Demand the very lines of a stream, and its very events."""
    packed = page(recording)
    assert list(packed.recordings()) == [recording]
    matches = list(courses(packed))
    if recording.match == people.STREAM:
        assert matches == []
    else:
        assert bare(matches[0].events) == bare(decode(recording.lines))


@pytest.mark.long
@given(recordings())
@settings(max_examples=60)
def test_every_stream_comes_back_byte_for_byte(recording: Recording) -> None:
    comes_back(recording)


@pytest.mark.long
@given(recordings())
@settings(max_examples=many(600, 5_000))
def test_thousands_of_streams_come_back_byte_for_byte(recording: Recording) -> None:
    comes_back(recording)


@given(st.lists(st.tuples(st.sampled_from(SIZES), st.integers(0, 2**32)), min_size=1, max_size=4))
@settings(max_examples=30)
def test_matches_fold_to_the_same_from_columns(chances: list[tuple[tuple[str, int], int]]) -> None:
    packed = []
    for number, (size, seed) in enumerate(chances):
        match = f"{number:08x}{MATCH[8:]}"
        packed.append(stored(corrected(*size, Random(seed)), match, number))
    for course, recording in zip(courses(page(*packed)), packed, strict=True):
        folded, expected = course.stream(), Stream.of(decode(recording.lines))
        assert kept(folded) == kept(expected)
        assert (folded.seq, folded.corrected) == (expected.seq, expected.corrected)
        assert bare(folded.events) == bare(expected.events)
        chains = [[(seq, *bare([event])) for seq, event in unroll(each.heads[-1])] for each in (folded, expected)]
        assert chains[0] == chains[1]
        assert (course.match, course.position, course.hash) == (recording.match, recording.position, recording.hash)
        assert bare([course.opening, course.latest]) == bare([expected.events[0], expected.events[-1]])
        assert (course.opening.at, course.latest.at) == (expected.events[0].at, expected.events[-1].at)


def kept(stream: Stream) -> object:
    """Return all that a table keeps of a match, and what may come next."""
    table = stream.table
    hands = [(hand.first, hand.last, hand.exposed, hand.totals, hand.hidden) for hand in table.hands]
    return result(table), hands, state(table), state(table.copy())


def outcome(fold: Callable[[], Stream]) -> object:
    """Return what folding comes to: the table, or how it is refused."""
    try:
        return kept(fold())
    except LedgerError as error:
        return error.code, error.message


def _wrong(event: ev.Play | ev.Draw | ev.Discard, rng: Random) -> list[dict[str, Any]]:
    """Return the possible errors of an event."""
    seat = {"seat": rng.randint(-1, 8)}
    if not isinstance(event, ev.Draw):
        return [seat, {"card": rng.choice(["AS", "R1", "80", "no"])}]
    other = "discards" if event.source == "stock" else "stock"
    cards = [
        ("AS",),
        ("80",),
        ("no",),
        ("",),
        event.cards * 2,
        event.cards[::-1],
        (*event.cards, "AS"),
        event.cards[1:],
    ]
    return [seat, {"source": other}, {"cards": rng.choice(cards)}]


@pytest.mark.long
@given(st.sampled_from(SIZES), st.integers(0, 2**32), st.sampled_from(["strict", "record"]))
@settings(max_examples=120)
def test_wrong_play_is_refused_in_the_same_words(size: tuple[str, int], seed: int, policy: Policy) -> None:
    rng = Random(seed)
    events = any_match(*size, rng, policy, wild=0.2, events=rng.choice([20, 60, 150]))
    for _ in range(rng.randint(0, 2)):
        place = rng.randrange(1, len(events))
        if isinstance(event := events[place], ev.Play | ev.Draw | ev.Discard):
            events[place] = msgspec.structs.replace(event, **rng.choice(_wrong(event, rng)))
        elif rng.random() < 0.5:
            del events[place]
    (course,) = courses(page(stored(events)))
    assert outcome(course.stream) == outcome(lambda: Stream.of(events))


@pytest.mark.parametrize("game", games())
def test_plays_draws_and_discards_are_folded_without_events(game: str) -> None:
    (events,) = league(game, 4, 1, 1, max_hands=2)
    ended_by_rule = Stream.of(events).table.status == "complete"
    assert ended_by_rule or events[-1].reason  # type: ignore[attr-defined] # it is in `rest`
    (course,) = courses(page(stored(events)))
    with pytest.MonkeyPatch.context() as patch:
        for kind in (ev.Play, ev.Draw, ev.Discard):
            patch.setattr(ev, kind.__name__, None)
        assert len(course.stream().events) == len(course)


BESIDE = {"call": {"alert", "explain"}, "adjust": {"kind"}}
"""Types of events that stand in `rest` if they have one of these keys."""


@pytest.mark.parametrize(("game", "n"), SIZES)
def test_plays_are_stored_in_columns(game: str, n: int) -> None:
    """Only explained calls, rulings, corrections and notes stand in `rest`: the rest can be counted in columns."""
    for seed in range(5):
        for row in rows_of(stored(any_match(game, n, Random(seed), "record", wild=0.2))):
            said = [json.loads(rest["line"]) for rest in row["rest"] or ()]
            assert all(BESIDE.get(line["type"], set()) & line.keys() for line in said), said


def test_a_row_is_a_hand() -> None:
    events = [event for event in any_match("diversity", 4, Random(1), events=500) if not isinstance(event, ev.Note)]
    assert isinstance(events[1], ev.Deal)
    events.insert(1, ev.Note(text="late"))
    first, *rows = rows_of(stored(events))
    assert (first["hand"], first["first_seq"], first["types"]) == (0, 1, ("open", "note"))
    assert [row["hand"] for row in rows] == list(range(1, len(rows) + 1))
    assert {len(row["types"]) for row in rows} == {53}
    assert {row["types"][0] for row in rows} == {"deal"}
    assert rows[0]["first_seq"] == 3
    assert sorted(rows[0]["cards"][1:]) == sorted(card for hand in rows[0]["deal"] for card in hand)


def test_a_hand_reopened_by_a_retract_gets_another_row() -> None:
    sheet = [ev.Deal(dealer=seat, hands=None) for seat in range(4)]
    score = ev.Score(scores=(3, 3, 3, 4))
    events = [
        opening("diversity", 4),
        sheet[0],
        score,
        sheet[1],
        ev.Retract(to=2),
        ev.Note(text="again"),
        score,
        sheet[1],
    ]
    Stream.of(events)
    rows = rows_of(stored(events))
    assert [(row["hand"], row["first_seq"]) for row in rows] == [(0, 1), (1, 2), (2, 4), (1, 6), (2, 8)]
    assert [row["dealer"] for row in rows] == [None, 0, 1, None, 1]
    assert {row["corrections"] for row in rows} == {1}


def test_only_events_that_columns_cannot_hold_are_in_rest() -> None:
    lines = stored([opening("diversity", 4), ev.Play(seat=1, card="9S"), ev.Play(seat=300, card="9S")]).lines
    lines[1] = lines[1].replace("54.887Z", "54.88Z")
    lines.append(json.dumps(json.loads(lines[0])))
    (row,) = rows_of(recorded(lines))
    assert [said["seq"] for said in row["rest"]] == [2, 3, 4]
    assert (row["seats"], row["cards"]) == ((None, 1, None, None), (None, "9S", "9S", None))
    assert row["digits"] == 3


def test_ids_are_written_where_they_do_not_follow_from_others() -> None:
    events = [opening("diversity", 4), ev.Note(text="a"), ev.End()]
    named = stored(events)
    assert rows_of(named)[0]["ids"] is None
    lines = [*named.lines[:2], named.lines[2].replace(named.lines[2].partition('"id":"')[2][:36], "b" * 36)]
    assert rows_of(recorded(lines))[0]["ids"] == [None, None, "b" * 36]


def test_every_type_of_event_has_its_place() -> None:
    """A new type of event needs columns, or must be left to `rest` on purpose."""
    elsewhere = {ev.Open, ev.Deal, ev.Claim, ev.Score}
    left = {ev.Retract, ev.Amend, ev.Note, ev.Void, ev.Adjust}
    assert set(SAID) | elsewhere | left == set(ev.TYPES.values())


def test_a_tampered_match_is_not_packed() -> None:
    recording = stored([opening("diversity", 4), ev.Note(text="a"), ev.End()])
    with pytest.raises(StoreError) as refused:
        rows_of(recording._replace(lines=[*recording.lines[:2], recording.lines[2].replace("ana", "eva")]))
    assert refused.value.code == "store.hash"

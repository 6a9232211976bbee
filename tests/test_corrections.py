"""Corrections: what retract, amend, note and end do to a match, and which of them are refused."""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardledger.errors import LedgerError
from cardledger.record.matches import match_size
from cardledger.record.matches.hand_replay import corrected_by
from cardledger.record.matches.matchfile import MatchInFile
from cardledger.record.matches.replay import result
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.rulebook import Violation
from cardledger.rules.stream import Stream, unroll
from tests.tables import SIZES, Policy, Sitting, any_match, opening, problem, read, state

TRICK = "5C 6C 7C 8C"


def started(policy: Policy = "strict", trick: str = TRICK) -> Sitting:
    """Open, deal (2) and a first trick (3 to 6) of Ruff for four; seat 0 leads, seat 1 is short of spades."""
    hands = ("5C 9C 3S", "6C TC AH", "7C JC 4S", "8C QC 5S")
    return Sitting("ruff", 4, policy).deal(*hands, dealer=3).play(trick)


def amend(about: int, event: ev.Event, **keys: object) -> ev.Amend:
    return ev.Amend(about=about, event=event, **keys)  # type: ignore[arg-type]


def retract(to: int) -> ev.Retract:
    return ev.Retract(to=to)


def play(seat: int, card: str) -> ev.Play:
    return ev.Play(seat=seat, card=card)


# --- retract


def test_retract_takes_the_match_back() -> None:
    match = started()
    expected = state(started(trick="5C 6C").table)
    match.do(ev.Retract(to=4, reason="misread"))
    assert state(match.table) == expected
    assert match.stream.seq == 7
    match.play("JC")


def test_retract_to_the_opening_leaves_a_match_without_a_deal() -> None:
    assert started().do(retract(1)).turn == ("deal", None)


def test_retract_to_the_event_before_changes_nothing() -> None:
    match = started()
    expected = match.result
    assert match.do(retract(6)).result == expected


def test_retract_of_a_retract_undoes_it() -> None:
    match = started().do(retract(2))
    assert match.turn == ("play", 0)
    assert match.do(retract(6)).result == started().result


def test_retract_to_a_retract_keeps_it() -> None:
    match = started().do(retract(3)).play("TC").do(retract(7))  # TC is retracted, the retract stands
    assert match.turn == ("play", 1)
    assert match.table.hand.trick == started(trick="5C").table.hand.trick


def test_retract_takes_back_an_amendment_too() -> None:
    match = started().do(amend(4, play(1, "TC")))
    assert match.result != started().result
    assert match.do(retract(6)).result == started().result


def test_retract_reopens_a_match_that_is_over() -> None:
    match = Sitting("ruff", 3, rounds=1).deal().claim(5, 5, 5)
    assert match.result["status"] == "complete"
    match.do(retract(2)).claim(6, 5, 4)
    assert match.result["winners"] == [0]
    match = started().do(ev.End()).do(retract(6))
    assert (match.result["status"], match.turn[0]) == ("open", "play")


@pytest.mark.parametrize("to", [0, -1, 7, 8, 10**20])
def test_retract_outside_the_match_is_refused(to: int) -> None:
    started().refuses(retract(to), "table.range")


@given(st.sampled_from(SIZES), st.integers(0, 2**32), st.data())
@settings(max_examples=60)
def test_any_stream_then_a_retract_is_its_prefix(game: tuple[str, int], seed: int, data: st.DataObject) -> None:
    rng = Random(seed)
    events = any_match(*game, rng, policy="record", wild=0.2, events=rng.randrange(2, 90))
    events += [ev.Note(text="so far")] * data.draw(st.integers(0, 2))
    to = data.draw(st.integers(1, len(events)))
    stream = Stream.of([*events, ev.Retract(to=to)])
    assert state(stream.table) == state(Stream.of(events[:to]).table)
    stream.append(ev.Retract(to=len(events)))
    assert state(stream.table) == state(Stream.of(events).table)


# --- amend


def test_an_amended_event_counts_in_place_of_the_original() -> None:
    match = started().do(amend(4, play(1, "TC"), reason="misheard"))
    assert match.last == (0, "5C TC 7C 8C", 1, "trick.led-suit")
    assert match.turn == ("play", 1)
    assert match.stream.seq == 7


def test_amend_of_an_amended_event_replaces_it_again() -> None:
    match = started().do(amend(4, play(1, "TC"))).do(amend(4, play(1, "6C")))
    assert match.result == started().result


def test_amend_may_change_the_kind_of_an_event_of_play() -> None:
    match = started().do(amend(6, ev.Claim(tricks=(3, 3, 3, 3))))
    assert match.result["hands"][0]["claimed"] == [3, 3, 3, 3]
    match = Sitting("ruff", 4).deal().claim(3, 3, 3, 3).do(amend(3, ev.Score(scores=(1, 2, 3, 4))))
    assert match.result["totals"] == [1, 2, 3, 4]


def test_amend_of_a_deal_by_a_deal() -> None:
    match = started("record")
    deal = match.stream.heads[1][1]
    first, second, *others = deal.hands
    a, b = first[-1], second[-1]
    other = ((*first[:-1], b), (*second[:-1], a), *others)
    match.do(amend(2, msgspec.structs.replace(deal, hands=other)))
    assert b in match.held(0).split()
    match.do(amend(2, ev.Deal(dealer=3, hands=None)))
    assert match.table.hidden


def test_amend_of_the_opening_by_one_of_the_same_game_and_number() -> None:
    match = started()
    other = msgspec.structs.replace(opening("ruff", 4, rounds=9), players=("w", "x", "y", "z"))
    match.do(amend(1, other))
    assert match.result["players"] == ["w", "x", "y", "z"]
    assert match.result["options"] == {"rounds": 9}


def test_amend_may_carry_the_common_keys() -> None:
    inner = ev.Play(seat=1, card="TC", seq=4, by="ana", at="2026-01-02T03:04:05Z")
    assert started().do(amend(4, inner)).last[1] == "5C TC 7C 8C"
    started().refuses(amend(4, ev.Play(seat=1, card="TC", seq=7)), "format.seq")


def test_amend_of_a_retracted_event_is_refused() -> None:
    match = started().do(retract(3))
    match.refuses(amend(4, play(1, "TC")), "table.phase")
    match.do(retract(6)).do(amend(4, play(1, "TC")))


@pytest.mark.parametrize(
    ("about", "event", "code"),
    [
        (0, play(1, "TC"), "table.range"),
        (-1, play(1, "TC"), "table.range"),
        (8, play(1, "TC"), "table.range"),
        (9, play(1, "TC"), "table.range"),
        (7, play(1, "TC"), "table.phase"),  # a note
        (2, play(1, "TC"), "table.phase"),
        (1, play(1, "TC"), "table.phase"),
        (3, ev.Deal(dealer=3, hands=None), "table.phase"),
        (3, opening("ruff", 4), "table.phase"),
        (2, opening("ruff", 4), "table.phase"),
        (1, ev.Deal(dealer=3, hands=None), "table.phase"),
        (1, opening("ruff-2", 4), "table.phase"),
        (1, opening("ruff", 3), "table.phase"),
        (1, opening("ruff", 4, colour=1), "format.option"),
        (1, opening("ruff", 4, rounds=0), "table.range"),
        (4, play(0, "9C"), "table.turn"),
        (4, play(4, "9C"), "table.range"),
        (4, play(1, "5C"), "table.holding"),
        (4, ev.Bid(seat=1, amount=1), "table.phase"),
        (4, play(1, "AH"), "follow.suit"),
        (4, play(1, "8C"), "table.holding"),
        (2, ev.Deal(dealer=3, hands=((), (), (), ())), "table.deck"),
        (2, ev.Deal(dealer=2, hands=None), "table.turn"),
        (3, ev.Score(scores=(1, 2, 3, 4)), "table.phase"),  # the plays after it are in no hand
    ],
)
def test_amend_refused_with_its_code(about: int, event: ev.Event, code: str) -> None:
    started().do(ev.Note(text="so far")).refuses(amend(about, event), code)


def test_amend_of_a_note_retract_amend_or_end_is_refused() -> None:
    match = started().do(ev.Note(text="a"), retract(6), amend(4, play(1, "TC")), ev.End())
    for about in (7, 8, 9, 10):
        match.refuses(amend(about, play(0, "9C")), "table.phase")


def broken_by(match: Sitting, correction: ev.Event) -> str:
    with pytest.raises(LedgerError) as refused:
        match.stream.append(correction)
    return refused.value.message


def test_a_refused_correction_names_the_event_it_breaks() -> None:
    # The taker of the first trick changes, so that the lead of the second (7) is another's.
    match = started().play("QC")
    assert "event 7 breaks" in broken_by(match, amend(4, play(1, "TC")))
    assert "event 4 breaks" in broken_by(match, amend(4, play(1, "AH")))
    assert "event 3 breaks" in broken_by(match, amend(2, ev.Deal(dealer=2, hands=None)))
    assert "event 1 breaks" in broken_by(match, amend(1, opening("ruff", 4, rounds=0)))
    match.refuses(amend(4, play(1, "TC")), "table.turn")


def test_an_amendment_that_breaks_a_strict_match_is_refused() -> None:
    match = started("record", "5C AH 7C 8C")
    assert [found.seq for found in match.table.violations] == [4]
    message = broken_by(match, amend(1, opening("ruff", 4, "strict")))
    assert "event 4 breaks" in message
    match.refuses(amend(1, opening("ruff", 4, "strict")), "follow.suit")
    match.do(amend(4, play(1, "6C"))).do(amend(1, opening("ruff", 4, "strict")))
    assert match.table.violations == []


def test_violations_keep_the_number_as_first_recorded() -> None:
    match = started("record").do(ev.Note(text="a"), retract(4)).play("JC 8C")
    match.do(amend(4, play(1, "AH")))
    legal = tuple(sorted(card for card in match.held(1).split() if card[1] == "C"))
    assert match.table.violations == [Violation(4, 1, "follow.suit", legal)]
    match.play("6C")
    assert [found.seq for found in match.table.violations] == [4]


def test_a_violation_after_corrections_keeps_its_own_number() -> None:
    match = started("record", "5C").do(ev.Note(text="a"), retract(3)).do(play(1, "AH"))
    assert [found.seq for found in match.table.violations] == [6]


def test_hidden_hands_judged_after_a_correction_name_the_right_events() -> None:
    known = Sitting("ruff", 3, "record").deal("5S", "6S AH", dealer=2)
    plays = known.play("5S").do(play(1, "AH")).legally(43).stream
    events = [plays.heads[0][1], ev.Deal(dealer=2, hands=None), *(head[1] for head in plays.heads[2:])]
    with_note = Stream.of([*events[:3], ev.Note(text="a"), ev.Retract(to=3), *events[3:]])
    assert [found.seq for found in with_note.table.violations] == [6]


# --- note and end


def test_note_has_no_effect_at_any_moment() -> None:
    match = Sitting("ruff", 3, rounds=1).do(ev.Note(text="a")).deal().do(ev.Note(text="", about=3))
    match.claim(5, 5, 5)
    before = state(match.table)
    match.do(ev.Note(text="b"), ev.Note(text="c", about=1))
    assert state(match.table) == before
    assert match.do(retract(4), ev.Note(text="d")).turn == ("play", 1)


@pytest.mark.parametrize("about", [0, -1, 7, 8])
def test_note_about_no_event_is_refused(about: int) -> None:
    started().refuses(ev.Note(text="a", about=about), "table.range")


def test_a_note_may_be_about_an_event_that_no_longer_counts() -> None:
    started().do(retract(3), ev.Note(text="a", about=5), ev.Note(text="b", about=8))


def test_end_stops_a_match_before_its_rule_says_so() -> None:
    match = started().do(ev.End(reason="closing time"))
    assert (match.result["status"], match.result["winners"]) == ("ended", [])
    assert match.result["hands"][0]["complete"] is False
    match.refuses(play(3, "QC"), "table.phase").refuses(ev.End(), "table.phase")
    match.do(ev.Note(text="a"))


def test_end_may_come_at_any_moment_but_after_the_match() -> None:
    assert Sitting("ruff", 3).do(ev.End()).result["status"] == "ended"
    assert Sitting("ruff", 3).deal().claim(5, 5, 5).do(ev.End()).result["totals"] == [5, 5, 5]
    Sitting("ruff", 3, rounds=1).deal().claim(5, 5, 5).refuses(ev.End(), "table.phase")


def test_amend_after_the_end_corrects_the_match_that_ended() -> None:
    match = started().do(ev.End()).do(amend(4, play(1, "TC")))
    assert (match.result["status"], match.last[2]) == ("ended", 1)


def test_amend_after_a_complete_match_may_change_who_won() -> None:
    match = Sitting("ruff", 3, rounds=1).deal().claim(6, 5, 4)
    assert match.do(amend(3, ev.Claim(tricks=(4, 5, 6)))).result["winners"] == [2]


def test_amend_that_ends_a_match_before_its_last_hand_is_refused() -> None:
    match = Sitting("diamonds-draw", 2, target=50).scored(49, 0).scored(5, 5)
    match.refuses(amend(3, ev.Score(scores=(50, 0))), "table.phase")
    assert "event 4 breaks" in broken_by(match, amend(3, ev.Score(scores=(50, 0))))


def test_an_opening_cannot_follow_in_a_match_under_way() -> None:
    started().refuses(opening("ruff", 4), "table.phase")


# --- void


@given(st.sampled_from(SIZES), st.integers(0, 2**32), st.sampled_from(["strict", "record"]))
@settings(max_examples=60)
def test_a_void_match_is_brought_back_unchanged(size: tuple[str, int], seed: int, policy: Policy) -> None:
    rng = Random(seed)
    events = any_match(*size, rng, policy, wild=0.2, events=rng.randrange(2, 90))
    stream = Stream.of(events)
    before = state(stream.table)
    stream.append(ev.Void(reason="played with 51 cards"))
    assert (stream.table.status, stream.table.winners, stream.table.choices()) == ("void", [], ())
    assert result(stream.table)["hands"] == result(Stream.of(stream.events[:-1]).table)["hands"]
    stream.append(ev.Note(text="who took the ace home?"))
    stream.append(retract(stream.seq - 2))
    assert state(stream.table) == before
    assert stream.corrected == stream.seq
    assert state(Stream.of(stream.events).table) == state(stream.table)


def test_nothing_but_a_note_and_a_retract_follows_a_void() -> None:
    match = started().do(ev.Void())
    for event in (play(3, "QC"), ev.End(), ev.Void(), amend(4, play(1, "TC")), ev.Score(scores=(1, 2, 3, 4))):
        match.refuses(event, "table.phase")
    with pytest.raises(LedgerError, match="bring it back"):
        match.stream.append(play(0, "9C"))
    match.do(ev.Note(text="it was the wrong evening"))
    assert match.do(retract(4)).result == started(trick="5C 6C").result


def test_a_retract_to_a_void_or_later_leaves_the_match_void() -> None:
    match = started().do(ev.Void(), ev.Note(text="a"), retract(6))
    assert match.result["status"] == "open"
    match.do(retract(7))
    assert (match.result["status"], match.turn) == ("void", ("over", None))
    assert match.do(retract(6)).result == started().result


def test_a_match_is_void_at_any_moment() -> None:
    assert Sitting("ruff", 3).do(ev.Void()).result["status"] == "void"
    assert Sitting("ruff", 3).do(ev.End(), ev.Void()).result["status"] == "void"
    won = Sitting("ruff", 3, rounds=1).deal().claim(6, 5, 4)
    assert won.result["winners"] == [0]
    assert (won.do(ev.Void()).result["winners"], won.result["totals"]) == ([], [6, 5, 4])
    assert won.do(retract(3)).result["winners"] == [0]


def test_a_void_is_not_an_event_of_play() -> None:
    match = started().do(ev.Void())
    match.do(retract(6))
    match.refuses(amend(7, play(1, "TC")), "table.phase")
    line = {"type": "amend", "about": 4, "event": {"type": "void"}}
    assert problem(opening("ruff", 4), *recorded()[:5], line) == (7, "format.type")


# --- many of them


def long_match(corrections: int) -> list[ev.Event]:
    """Score sheets, then as many retracts to here and there, and the last one back to where all of them count."""
    sheets = corrections // 4
    rng = Random(corrections)
    events: list[ev.Event] = [opening("ruff", 3, rounds=100_000)]
    for number in range(sheets):
        events += [ev.Deal(dealer=number % 3, hands=None), ev.Claim(tricks=(5, 5, 5))]
    here = len(events)
    return [*events, *(retract(rng.randrange(1, here)) for _ in range(corrections)), retract(here)]


def seconds(work: Callable[[], object]) -> float:
    """Return the processor's time that some work takes, the shortest of three times, but at least 50 ms.

    Clocks count coarsely: shorter work may seem to take no time at all.
    """
    found = []
    for _ in range(3):
        begun = time.process_time()
        work()
        found.append(time.process_time() - begun)
    return max(min(found), 0.05)


@pytest.mark.long
@pytest.mark.parametrize("audit", [False, True])
def test_ten_times_the_retracts_take_about_ten_times_as_long(audit: bool) -> None:
    few, many = long_match(200), long_match(2_000)
    assert seconds(lambda: Stream.of(many, audit)) < 30 * seconds(lambda: Stream.of(few, audit))


def test_ten_times_the_notes_take_about_ten_times_as_long() -> None:
    few, many = ([opening("ruff", 3), *[ev.Note(text="x")] * count] for count in (3_000, 30_000))
    assert seconds(lambda: Stream.of(many)) < 30 * seconds(lambda: Stream.of(few))


@pytest.mark.long
def test_for_ten_times_the_events_the_correction_of_each_takes_ten_times_as_long() -> None:
    few, many = (Stream.of(long_match(count)) for count in (500, 5_000))
    assert seconds(lambda: corrected_by(many)) < 30 * seconds(lambda: corrected_by(few))


@pytest.mark.long
@pytest.mark.parametrize("audit", [False, True])
def test_after_very_many_retracts_the_match_is_unchanged(audit: bool) -> None:
    events = long_match(2_000)
    stream = Stream.of(events, audit)
    here = len(events) - 2_001
    expected = Stream.of(events[:here], audit)
    assert state(stream.table) == state(expected.table)
    assert stream.table.trail == expected.table.trail
    assert len(stream.corrections) == 2_001


@given(st.sampled_from(SIZES), st.integers(0, 2**32))
@settings(max_examples=40)
def test_the_correction_that_removed_or_changed_an_event_is_found(game: tuple[str, int], seed: int) -> None:
    rng = Random(seed)
    events = any_match(*game, rng, policy="record", wild=0.1, events=40)
    stream = Stream.of(events)
    plain = Stream.of(events)
    expected: dict[int, int] = {}
    before = dict(unroll(stream.heads[-1]))
    for _ in range(12):
        to = rng.randrange(1, stream.seq + 1)
        about = msgspec.structs.replace(rng.choice(events), seq=None)
        event = rng.choice(
            [retract(to), ev.Amend(about=min(to, len(events)), event=about), ev.Note(text="x"), ev.Void()]
        )
        try:
            stream.append(event)
        except LedgerError:
            continue
        plain = Stream.of(stream.events)
        after = dict(unroll(stream.heads[-1]))
        amends = {id(one.event): seq for seq, one in enumerate(stream.events, 1) if isinstance(one, ev.Amend)}
        expected |= dict.fromkeys(before.keys() - after.keys(), stream.seq)
        for seq, counts in after.items():
            expected.pop(seq, None)
            if id(counts) in amends:
                expected[seq] = amends[id(counts)]
        before = after
    assert corrected_by(stream) == corrected_by(plain) == expected
    assert state(stream.table) == state(plain.table)


def test_a_copy_is_independent_of_what_the_original_takes_back() -> None:
    stream = Stream.of(long_match(400)[:-1])
    other = stream.copy()
    states = []
    for one in (stream, other):
        for to in (150, 3, 201, 100):
            one.append(retract(to))
        states.append(state(one.table))
    assert states[0] == states[1]
    other.append(retract(5))
    assert state(stream.table) == states[0]
    assert len(stream.heads) == stream.seq == other.seq - 1


def test_amends_that_play_very_many_events_again_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_size, "MAX_AMENDED", 100)
    sheets = [*long_match(40)[:21]]
    first = amend(3, ev.Claim(tricks=(5, 5, 5)))
    (found,) = read(*sheets, *[first] * 6)
    assert isinstance(found, MatchInFile)
    assert problem(*sheets, *[first] * 7) == (28, "format.size")
    last = amend(21, ev.Claim(tricks=(5, 5, 5)))
    assert isinstance(read(*sheets, *[last] * 90, ev.End())[0], MatchInFile), "late ones cost little"
    assert isinstance(read(*sheets, *[first] * 6, retract(21), ev.End())[0], MatchInFile), (
        "it can be put right and ended"
    )


# --- in files


def test_an_impossible_event_is_an_error_even_if_retracted_later() -> None:
    match = started()
    lines = [head[1] for head in match.stream.heads]
    assert problem(*lines, play(0, "9C"), retract(6)) == (7, "table.turn")


def test_corrections_replay_the_same_from_a_file() -> None:
    match = started().do(retract(4), amend(4, play(1, "TC")), retract(7), ev.Note(text="a")).play("JC")
    lines = [opening("ruff", 4), *recorded()]
    (found,) = read(*lines)
    assert isinstance(found, MatchInFile)
    assert result(found.stream.table) == match.result


def recorded() -> list[ev.Event]:
    deal = started().stream.heads[1][1]
    plays = [play(seat, card) for seat, card in enumerate(TRICK.split())]
    corrections = [retract(4), amend(4, play(1, "TC")), retract(7), ev.Note(text="a")]
    return [deal, *plays, *corrections, play(2, "JC")]


@given(st.sampled_from(SIZES), st.integers(0, 2**32))
@settings(max_examples=40)
def test_random_corrections_leave_the_counting_events_or_change_nothing(game: tuple[str, int], seed: int) -> None:
    rng = Random(seed)
    events = any_match(*game, rng, policy="record", wild=0.1, events=60)
    counting = [*events]
    stream = Stream.of(events)
    for _ in range(5):
        about = rng.randrange(1, len(events))
        event = rng.choice(events)
        try:
            stream.append(ev.Amend(about=about + 1, event=msgspec.structs.replace(event, seq=None)))
        except LedgerError:
            continue
        counting[about] = event
    expected = Stream.of(counting).table
    assert state(stream.table) == state(expected)

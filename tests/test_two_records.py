"""Two records of one hand: aligned by trick in every game, settled without a question where they say the same, and two ways on."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from cardledger.errors import LedgerError
from cardledger.record.matches.two_records import MAX_ENTRIES, HandPart, TwoRecords, Way, two_records
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger.rules.games import games
from cardledger.rules.stream import Stream, unroll

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

SUITS = tuple(tuple(f"{rank}{suit}" for rank in "23456789TJQKA") for suit in "CDHS")
BASE = (ev.Open(game="diversity", players=("ana", "ben", "chloe", "dev")), ev.Deal(dealer=0, hands=SUITS))
PLAYS = tuple(
    ev.Play(seat=seat, card=card) for card, seat in (("2D", 1), ("2H", 2), ("2S", 3), ("2C", 0), ("3H", 2), ("3S", 3))
)
OTHER = ev.Play(seat=2, card="4H")
NOTE = ev.Note(text="rain")


def counting(stream: Stream) -> list[ev.Event]:
    return [ev.bare(event) for _, event in unroll(stream.heads[-1])]


def lines(events: Iterable[ev.Event]) -> list[bytes]:
    return sorted(map(ev.encode, events))


def after(stream: Stream, way: Way) -> list[ev.Event]:
    """Return what counts once a way is recorded."""
    tried = stream.copy()
    tried.extend([step.event for step in way.steps])
    return counting(tried)


def compared(
    theirs: Sequence[ev.Event], mine: Sequence[ev.Event], base: Sequence[ev.Event] = BASE
) -> tuple[Stream, TwoRecords]:
    stream = Stream.of([*base, *theirs])
    return stream, two_records(stream, len(base), mine)


def amended(card: str, about: int = 3) -> ev.Amend:
    """Return an amendment of the first card."""
    return ev.Amend(about=about, event=ev.Play(seat=1, card=card))


@pytest.mark.parametrize(
    ("theirs", "mine", "outcome", "keep", "replace"),
    [
        # the same amendment is recorded once, a single one always
        ((amended("3D"),), (amended("3D"),), "contained", "3D", None),
        ((amended("3D"), PLAYS[1]), (PLAYS[1], amended("3D"), PLAYS[2]), "goes on", "3D", None),
        ((PLAYS[1],), (amended("3D"),), "contained", "3D", None),
        ((amended("3D"),), (PLAYS[1],), "goes on", "3D", None),
        # two that say different things are one question
        ((amended("4D"),), (amended("3D"),), "differs", "4D", "3D"),
        ((amended("4D"), PLAYS[1]), (PLAYS[1], amended("3D"), PLAYS[2]), "differs", "4D", "3D"),
        ((amended("4D"), OTHER), (PLAYS[1], amended("3D"), PLAYS[2]), "differs", "4D", "3D"),
    ],
)
def test_an_event_that_both_amended_is_amended_once_or_asked_about(
    theirs: Sequence[ev.Event], mine: Sequence[ev.Event], outcome: str, keep: str, replace: str | None
) -> None:
    stream, found = compared(theirs, mine, (*BASE, PLAYS[0]))
    assert found.outcome == outcome
    kept = after(stream, found.keep)
    assert kept[2] == ev.Play(seat=1, card=keep)
    assert sum(isinstance(event, ev.Amend) for event in (*theirs, *(step.event for step in found.keep.steps))) == 1
    if replace is not None:
        assert found.rows[0].part == HandPart(1, "trick", 1)
        assert found.rows[0].first == 0
        replaced = after(stream, found.replace)
        assert replaced[2] == ev.Play(seat=1, card=replace)
        assert replaced[3:] == [event for event in mine if not isinstance(event, ev.Amend)]


@pytest.mark.parametrize(
    ("theirs", "mine", "outcome"),
    [
        (PLAYS[:2], PLAYS[:2], "contained"),
        (PLAYS[:4], PLAYS[:2], "contained"),
        (PLAYS[:2], PLAYS[:4], "goes on"),
        ((), PLAYS[:2], "goes on"),
        ((NOTE,), PLAYS[:2], "goes on"),
        ((PLAYS[0], OTHER), PLAYS[:3], "differs"),
        # as they count: what was put right is no difference
        (PLAYS[:2], (PLAYS[0], OTHER, ev.Retract(to=3), PLAYS[1]), "contained"),
        (PLAYS[:2], (PLAYS[0], OTHER, ev.Amend(about=4, event=PLAYS[1]), PLAYS[2]), "goes on"),
        ((PLAYS[0], OTHER, ev.Amend(about=4, event=PLAYS[1])), PLAYS[:3], "goes on"),
        ((ev.Play(seat=1, card="3D"), ev.Retract(to=2), *PLAYS[:2]), PLAYS[:3], "goes on"),
        # what both knew, and one has taken back, is one
        (PLAYS[:1], (ev.Retract(to=1),), "differs"),
        ((ev.Retract(to=1),), PLAYS[:1], "differs"),
    ],
)
def test_nobody_is_asked_unless_the_records_say_different_things(
    theirs: Sequence[ev.Event], mine: Sequence[ev.Event], outcome: str
) -> None:
    stream, found = compared(theirs, mine)
    assert found.outcome == outcome
    own = counting(Stream.of([*BASE, *mine]))
    assert after(stream, found.replace) == own
    if outcome == "contained":
        assert after(stream, found.keep) == counting(stream)
    if outcome == "goes on":
        assert after(stream, found.keep) == own


def test_rows_are_tricks_and_the_first_difference_has_a_place() -> None:
    stream, found = compared((*PLAYS[:4], OTHER), PLAYS)
    one, two = found.rows
    assert (one.part, one.first) == (HandPart(1, "trick", 1), None)
    assert (two.part, two.theirs, two.mine, two.first) == (HandPart(1, "trick", 2), (OTHER,), PLAYS[4:], 0)
    assert after(stream, found.keep) == [*counting(stream), PLAYS[5]], "what is beyond theirs follows"
    assert found.keep.more == 1
    assert found.replace.steps[0].event == ev.Retract(to=6), "what is the same stays recorded"
    assert found.replace.known == ((0, 3), (1, 4), (2, 5), (3, 6))


def test_notes_and_amendments_of_what_both_know_are_kept_in_both_ways() -> None:
    amend = ev.Amend(about=1, event=ev.Open(game="diversity", players=("ana", "ben", "chloe", "eva")))
    stream, found = compared((PLAYS[0], OTHER), (PLAYS[0], NOTE, PLAYS[1], amend))
    for way in (found.keep, found.replace):
        assert [step.event for step in way.steps if step.event in (NOTE, amend)] == [NOTE, amend]
    assert after(stream, found.keep)[1:] == counting(stream)[1:]


def test_what_others_amended_before_the_hand_stays_amended() -> None:
    base = (BASE[0], ev.Deal(dealer=0, hands=None), ev.Score(scores=(1, 2, 4, 6)), ev.Deal(dealer=1, hands=None))
    amend = ev.Amend(about=3, event=ev.Score(scores=(2, 1, 4, 6)))
    theirs, mine = (ev.Score(scores=(6, 4, 2, 1)), amend), (ev.Score(scores=(1, 2, 4, 6)),)
    stream, found = compared(theirs, mine, base)
    assert after(stream, found.replace)[2:] == [amend.event, base[3], *mine]
    assert after(stream, found.keep) == counting(stream)


def test_entries_that_the_rules_refuse_are_not_compared_and_follow_the_phones_record() -> None:
    wrong = ev.Bid(seat=0, amount=3)
    _, found = compared(PLAYS[:1], (*PLAYS[:2], wrong))
    assert found.outcome == "goes on"
    assert [step.event for step in found.keep.steps] == [PLAYS[1], wrong]


def test_a_comparison_has_a_limit() -> None:
    with pytest.raises(LedgerError, match=f"{MAX_ENTRIES:,}"):
        compared((), [NOTE] * (MAX_ENTRIES + 1))


@pytest.mark.parametrize("game", games())
def test_in_every_game_each_event_is_in_a_row_and_both_ways_give_what_they_say(game: str) -> None:
    size = games()[game].sizes[0]
    played = [
        event
        for event in simulate(game, size, Random(5), ["cautious"], max_hands=2)[:120]
        if not isinstance(event, ev.End)
    ]
    base, rest = played[:2], [ev.bare(event) for event in played[2:]]
    half = len(rest) // 2
    stream, found = compared(rest[:half], rest, base)
    assert (found.outcome, after(stream, found.keep)) == ("goes on", counting(Stream.of([*base, *rest])))
    assert lines(event for row in found.rows for event in row.mine) == lines(rest)
    assert lines(event for row in found.rows for event in row.theirs) == lines(rest[:half])
    assert {row.part.kind for row in found.rows} <= {"deal", "bidding", "trick", "turn", "result", "end"}
    stream, found = compared(rest, rest[:half], base)
    assert (found.outcome, found.keep.steps) == ("contained", ())
    # one of the phones leaves out the last event and says it is over
    mine = [*rest[:half], ev.End(reason="dinner")]
    stream, found = compared(rest, mine, base)
    assert found.outcome == "differs"
    assert any(row.first is not None and row.theirs for row in found.rows)
    assert after(stream, found.replace) == counting(Stream.of([*base, *mine]))

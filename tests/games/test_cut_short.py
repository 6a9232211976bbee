"""Hidden hands cut short: judged on the cards shown, as an independent reading of the rulebook says, and never wrongly."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardledger.rules import games
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.editions import newest
from tests.games.folding import folded, hide
from tests.games.options import any_options
from tests.games.shown import Course
from tests.tables import opening, step

SIZES = [(id, n) for id, known in games.editions().items() if id != "hecto-diversity" for n in newest(known).players]


def recorded(game: str, n: int, rng: Random) -> tuple[list[ev.Event], Any]:
    """A match at random with cards against the rules, that stops within its second or third hand at the latest."""
    match = games.start(opening(game, n, "record", **any_options(game, n, rng)))
    events: list[ev.Event] = [match.opening]
    most = rng.randrange(3, 150)
    waits = game == "diamonds-draw"  # hidden, its hands wait for their score
    while match.status == "open" and len(events) < most and not (waits and match.hands and match.hand.over):
        event = step(match, rng, wild=0.3)
        match.apply(event, len(events) + 1)
        events.append(event)
    return events, match


def cut(match: Any, rng: Random) -> ev.Event:
    """An event that cuts the hand under way short."""
    kinds = {choice.type for choice in match.choices()}
    if "claim" in kinds and match.game.id != "hearts" and rng.random() < 0.4:
        playing = match.hand.rotation[0]
        left = match.hand.tricks_left
        return ev.Claim(tricks=tuple(left if seat == playing[0] else 0 for seat in range(match.n)))
    if rng.random() < 0.5:
        return ev.End()
    return ev.Score(scores=(7,) * match.n)


def reference(match: Any, events: list[ev.Event]) -> list[tuple[Any, ...]]:
    """What the cards shown in the last hand forbid."""
    hand = match.hands[-1]
    start = hand.first
    numbered = [*enumerate(events, 1)][start:]
    game = match.game.id
    aside = events[start - 1].aside or ()
    trump = "CDHS"[hand.order] if game == "euchre" else None
    options = {**match.options, "aside": aside, "trump": trump}
    numbered = [
        (seq, event)
        for seq, event in numbered
        if not (isinstance(event, ev.Give) and event.card is not None and not isinstance(event.card, str))
    ]
    return Course(game, match.n, options, numbered, len(hand.rotation[hand.dealer])).judged()


@given(st.sampled_from(SIZES), st.integers(0, 2**32), st.sampled_from(["strict", "record"]))
@settings(max_examples=200)
def test_a_hidden_hand_cut_short_is_judged_on_the_cards_shown(game: tuple[str, int], seed: int, policy: Any) -> None:
    rng = Random(seed)
    events, _ = recorded(*game, rng)
    heard = hide(events, policy, aside=rng.random() < 0.5)
    hidden = folded(heard)
    if hidden.hand.over:
        return
    before = len(hidden.violations)
    first = hidden.hand.first
    wanted = reference(hidden, heard)
    hidden.apply(cut(hidden, rng), len(events) + 1)
    found = [(v.seq, v.seat, v.rule, v.legal) for v in hidden.violations]
    assert [one for one in found if one[0] >= first] == wanted
    assert len(found) == before + len(wanted)
    assert hidden.strict == (policy == "strict")


@given(st.sampled_from(SIZES), st.integers(0, 2**32))
@settings(max_examples=100)
def test_nothing_is_judged_wrongly(game: tuple[str, int], seed: int) -> None:
    """With the full deal the same event breaks a rule too; two rules may turn out to be another one."""
    rng = Random(seed)
    events, known = recorded(*game, rng)
    hidden = folded(hide(events))
    if hidden.hand.over or game[0] == "poison-hearts":
        return
    hidden.apply(ev.Score(scores=(7,) * known.n), len(events) + 1)
    truth = {v.seq: v.rule for v in known.violations}
    for found in hidden.violations:
        assert truth.get(found.seq) in {found.rule, "follow.suit"}
        assert truth[found.seq] == found.rule or found.rule == "first-trick.no-points"


@pytest.mark.long
@pytest.mark.parametrize(("game", "n"), SIZES)
def test_many_hands_cut_short_are_judged_on_the_cards_shown(game: str, n: int) -> None:
    for seed in range(300):
        test_a_hidden_hand_cut_short_is_judged_on_the_cards_shown.hypothesis.inner_test((game, n), seed, "record")

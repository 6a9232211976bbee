"""Shortcuts say what the duties say: those that bind after the first trick, and that none binds a lead any more."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from cardledger.rules import games
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.editions import newest
from cardledger.rules.engine.phases import TrickPlay
from tests.games.options import any_options
from tests.tables import opening, step

SIZES = [
    (id, n)
    for id, known in games.editions().items()
    for n in newest(known).players
    if any(isinstance(phase, TrickPlay) for phase in newest(known).phases)
]


@given(st.sampled_from(SIZES), st.integers(0, 2**32))
@settings(max_examples=80)
def test_shortcuts_allow_what_all_duties_allow(game: tuple[str, int], seed: int) -> None:
    rng = Random(seed)
    match = games.start(opening(*game, "record", **any_options(*game, rng)))
    for seq in range(2, rng.randrange(20, 120)):
        if match.status != "open":
            break
        event, phase, hand = step(match, rng, 0.3), match.phase, match.hand
        if isinstance(event, ev.Play) and isinstance(phase, TrickPlay):
            held = hand.held[event.seat]
            allowed = held
            for duty in phase.binding(hand).duties:
                allowed &= duty.cards(hand, held)
            assert phase.legal_cards(match, hand, held) == allowed
            if not hand.bound and not hand.trick:
                assert allowed == held
        match.apply(event, seq)


@given(st.sampled_from(SIZES), st.integers(0, 2**32))
@settings(max_examples=80)
def test_more_cards_never_make_a_card_legal(game: tuple[str, int], seed: int) -> None:
    """What makes it right to judge by the cards shown: a duty broken among some of the cards held is broken among all."""
    rng = Random(seed)
    match = games.start(opening(*game, "record", **any_options(*game, rng)))
    for seq in range(2, rng.randrange(20, 120)):
        if match.status != "open":
            break
        event, phase, hand = step(match, rng, 0.3), match.phase, match.hand
        if isinstance(event, ev.Play) and isinstance(phase, TrickPlay):
            held = hand.held[event.seat]
            bit = held & match.pack.mask[event.card]
            some = held & rng.getrandbits(len(match.pack.faces)) | bit
            if phase.first_card is not None and not hand.tricks:
                some |= held & phase.first_card(hand)  # who leads it is known when the first lead is judged
            duties = phase.binding(hand).duties
            for duty in duties:
                if not duty.cards(hand, some) & bit:
                    assert any(not other.cards(hand, held) & bit for other in duties), duty.rule
        match.apply(event, seq)

"""What holds for every game of the next engine: hidden hands, copies, choices, sides, and a test for each rule."""

from __future__ import annotations

import importlib
import json
import re
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardledger.errors import LedgerError
from cardledger.record.matches.replay import result
from cardledger.rules import games
from cardledger.rules.bots.random_bot import events_of
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.editions import newest
from cardledger.rules.engine.event_types import readers
from cardledger.rules.engine.fields import duplicate
from cardledger.rules.engine.phases import TrickPlay
from cardledger.rules.engine.table_view import state
from cardledger.rules.stream import Stream
from tests.games.folding import folded, hide
from tests.games.options import any_options
from tests.tables import Policy, Sitting, from_stock, opening, step

GAMES = {id: newest(known) for id, known in games.editions().items()}
SIZES = [(id, n) for id, game in GAMES.items() for n in game.players]
CLASSICS = ("whist", "hearts", "spades", "oh-hell", "euchre")
PLAYED_OUT = [(id, n) for id, n in SIZES if id not in ("diamonds-draw", "hecto-diversity")]
"""Games whose hands are played to the last card, so that the deal turns out."""

any_size = st.sampled_from(SIZES)
seeds = st.integers(0, 2**32)


def played(game: str, n: int, rng: Random, policy: Policy = "record", wild: float = 0.2, most: int = 200) -> Any:
    """A match at random with random options, and its events in `match.told`."""
    match = games.start(opening(game, n, policy, **any_options(game, n, rng)))
    events: list[ev.Event] = [match.opening]
    while match.status == "open" and len(events) < most:
        event = step(match, rng, wild if policy == "record" else 0.0)
        match.apply(event, len(events) + 1)
        events.append(event)
    return match, events


# --- the tests themselves


def proofs(game: str) -> set[str]:
    """The names of the tests of a game, without `test_`."""
    module = importlib.import_module(f"tests.games.test_{game.replace('-', '_')}")
    return {name.removeprefix("test_") for name in dir(module) if name.startswith("test_")}


def as_name(rule: str) -> str:
    return re.sub(r"[.-]", "_", rule)


@pytest.mark.parametrize(("game", "rule"), [(id, rule.id) for id in CLASSICS for rule in GAMES[id].book])
def test_every_rule_has_a_test_named_after_it(game: str, rule: str) -> None:
    assert any(name.startswith(f"{as_name(rule)}_") for name in proofs(game))


@pytest.mark.parametrize(("game", "rule"), [(i, r.id) for i in CLASSICS for r in GAMES[i].book if r.breakable])
def test_every_breakable_rule_has_a_test_that_breaks_it(game: str, rule: str) -> None:
    assert any(name.startswith(f"{as_name(rule)}_irregular") for name in proofs(game))


@pytest.mark.parametrize("game", CLASSICS)
def test_every_test_is_named_after_a_rule_of_its_game(game: str) -> None:
    rules = tuple(f"{as_name(rule.id)}_" for rule in GAMES[game].book)
    assert [name for name in proofs(game) if not name.startswith(rules)] == []


# --- hidden hands


@given(st.sampled_from(PLAYED_OUT), seeds, st.sampled_from(["strict", "record"]))
@settings(max_examples=150)
def test_a_hidden_deal_gives_the_result_of_the_known_one(game: tuple[str, int], seed: int, policy: Policy) -> None:
    rng = Random(seed)
    known, events = played(*game, rng)
    while not known.hand.over:
        event = step(known, rng, 0.2)
        events.append(event)
        known.apply(event, len(events))
    hidden = folded(hide(events, policy, aside=rng.random() < 0.5))
    assert result(hidden) == result(known)
    assert [hand.exposed for hand in hidden.hands] == [hand.exposed for hand in known.hands]


# --- what could have been broken


@given(any_size, seeds)
@settings(max_examples=60)
def test_under_strict_no_decision_counts_as_one_at_which_a_rule_could_be_broken(
    game: tuple[str, int], seed: int
) -> None:
    match, events = played(*game, Random(seed), policy="strict")
    for table in (match, Stream.of(events, audit=True).table):
        assert [hand.exposed for hand in table.hands] == [[0] * match.n] * len(match.hands)
    recorded = folded([msgspec.structs.replace(events[0], policy="record"), *events[1:]])
    assert [hand.scores for hand in recorded.hands] == [hand.scores for hand in match.hands], "only the counts differ"


def test_a_call_counts_as_one_that_could_break_a_rule_only_where_breaking_it_is_recorded() -> None:
    def counted(policy: Policy) -> list[int]:
        board = Sitting("bridge", 4, policy).do(ev.Deal(board=1, hands=None))
        return board.call("1C", "pass", "1H").hand.exposed  # type: ignore[no-any-return]

    assert (counted("strict"), counted("record")) == ([0, 0, 0, 0], [1, 1, 1, 0])


# --- folding


@given(any_size, seeds)
@settings(max_examples=60)
def test_a_match_from_its_stored_lines_is_the_same(game: tuple[str, int], seed: int) -> None:
    match, events = played(*game, Random(seed))
    again = [readers().one.decode(ev.encode(event)) for event in events]
    assert json.dumps(result(folded(again))) == json.dumps(result(match))


@given(any_size, seeds)
@settings(max_examples=60)
def test_a_copy_goes_on_alone(game: tuple[str, int], seed: int) -> None:
    rng = Random(seed)
    match, events = played(*game, rng, most=rng.randrange(2, 120))
    if match.status != "open":
        return
    before = json.dumps([result(match), state(match)])
    copy = match.copy()
    for _ in range(20):
        if copy.status == "open":
            events.append(step(copy, rng))
            copy.apply(events[-1], len(events))
    assert json.dumps([result(match), state(match)]) == before


@given(any_size, seeds)
@settings(max_examples=60)
def test_a_refused_event_changes_nothing(game: tuple[str, int], seed: int) -> None:
    rng = Random(seed)
    match, events = played(*game, rng, "strict", most=rng.randrange(2, 120))
    _, foreign = played(*rng.choice(SIZES), rng, most=40)
    for event in foreign[1:]:
        before = json.dumps([result(match), state(match) | {"seq": 0}, known(match)])
        try:
            match.copy().apply(event, len(events) + 1)
        except LedgerError:
            with pytest.raises(LedgerError):
                match.apply(event, len(events) + 1)
            assert json.dumps([result(match), state(match) | {"seq": 0}, known(match)]) == before


def known(match: Any) -> list[object]:
    """The knowledge of hidden hands."""
    return [[world.pool, world.known, world.left, world.only, world.dealt] for world in match.worlds]


# --- choices


@given(any_size, seeds)
@settings(max_examples=80)
def test_every_offered_choice_is_accepted_and_no_other_card(game: tuple[str, int], seed: int) -> None:
    rng = Random(seed)
    match, events = played(*game, rng, "strict", most=rng.randrange(2, 150))
    if match.hand.over:
        return
    for choice in match.choices():
        for event in events_of(choice) if choice.seat is not None else ():
            if isinstance(event, ev.Draw) and event.source == "stock":
                event = ev.Draw(seat=event.seat, source="stock", cards=from_stock(match, rng))
            match.copy().apply(event, len(events) + 1)
        if choice.type == "play" and choice.seat is not None:
            for card in {*match.pack.faces} - {*choice.cards}:
                with pytest.raises(LedgerError):
                    match.apply(ev.Play(seat=choice.seat, card=card), len(events) + 1)


# --- duties


@given(any_size, seeds)
@settings(max_examples=80)
def test_more_cards_never_make_a_card_legal(game: tuple[str, int], seed: int) -> None:
    """What makes judging by cards shown sound: a duty broken among some cards held is broken among all."""
    rng = Random(seed)
    match, _ = played(*game, rng, most=rng.randrange(2, 150))
    if match.hand.over or not isinstance(match.phase, TrickPlay) or match.hand.moment != "play":
        return
    hand, seat = duplicate(match.hand), match.hand.turn
    held = hand.held[seat]
    if match.phase.first_card is not None and not hand.trick and not hand.tricks:
        return  # the first lead is judged only once the card that must lead is seen
    legal = match.phase.legal_cards(match, hand, held)
    for face in match.pack.list(held):
        card = match.pack.of[face][1]
        if not card & held:
            continue
        some = held & rng.getrandbits(80) | card
        if not match.phase.legal_cards(match, hand, some) & card:
            assert not legal & card, face


# --- sides


@given(st.sampled_from(["whist", "spades", "euchre"]), seeds)
@settings(max_examples=40)
def test_partners_share_points_and_win_together(game: str, seed: int) -> None:
    match, _ = played(game, 4, Random(seed), most=400)
    assert match.totals[:2] == match.totals[2:]
    assert {(seat + 2) % 4 for seat in match.winners} == {*match.winners}
    for hand in match.hands:
        if hand.scores is not None:
            assert hand.scores[:2] == hand.scores[2:]


# --- conservation


@given(seeds)
@settings(max_examples=40)
def test_the_points_of_hearts_are_26_except_for_agreed_options(seed: int) -> None:
    match, _ = played("hearts", 4, Random(seed), most=300)
    for hand in match.hands:
        if hand.scores is None or hand.agreed:
            continue
        points = sum(hand.scores)
        points += 10 if hand.jack else 0
        points += 5 * hand.taken.count(0) if hand.no_trick_bonus and hand.shot < 0 else 0
        assert points == (26 if hand.shot < 0 else -26 if hand.moon else 78)


@given(any_size, seeds)
@settings(max_examples=60)
def test_every_card_is_played_once_and_every_trick_is_taken(game: tuple[str, int], seed: int) -> None:
    match, _ = played(*game, Random(seed))
    for hand in match.hands:
        if hand.scores is None or game[0] in ("poison-hearts", "hecto-diversity", "diamonds-draw"):
            continue
        cards = [card for _, cards, _, _ in hand.tricks for card in cards]
        assert len(cards) == len({*cards})
        if hand.claimed is None and not hand.agreed and hand.tricks:
            assert sum(hand.taken) == len(hand.tricks) == hand.each

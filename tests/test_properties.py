"""Laws of every game, checked on random matches: conservation, legal choices, and independence from unseen cards."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardledger.errors import LedgerError, RuleError
from cardledger.record.matches.matchfile import write
from cardledger.record.matches.replay import result
from cardledger.record.matches.shape import parse
from cardledger.record.store.codec import decode, decode_one
from cardledger.rules.bots.random_bot import events_of
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.game import best_total
from cardledger.rules.engine.phases import TrickPlay
from cardledger.rules.engine.phases.exchange import PassHand
from cardledger.rules.games import games
from cardledger.rules.stream import Stream
from tests.tables import SIZES, Policy, any_match, any_options, deck, from_stock, opening, state, step, whole_hands

MATCHES = st.tuples(st.sampled_from(SIZES), st.integers(0, 2**32), st.sampled_from(["strict", "record"]))
TRICKS = [(game, n) for game, n in SIZES if any(isinstance(phase, TrickPlay) for phase in games()[game].phases)]
Chance = tuple[tuple[str, int], int, Policy]


def match_of(chance: Chance, events: int = 150) -> list[ev.Event]:
    (game, n), seed, policy = chance
    return any_match(game, n, Random(seed), policy, wild=0.2, events=events)


# --- conservation


def cards_of(table: Any) -> Counter[str]:
    """Where all the cards of a hand under way are; each is in one place."""
    hand = table.hand
    places = [*hand.held, *(1 << card for card in hand.trick), getattr(hand, "stock", hand.aside)]
    places += [1 << card for card in getattr(hand, "discards", ())]
    if table.turned_up == "table" and not hasattr(hand, "discards") and not getattr(hand, "ordered_up", False):
        places.append(1 << hand.upcard)
    if isinstance(hand, PassHand) and hand.moment == "give":
        places += hand.passed
    return Counter(face for cards in places for face in table.pack.list(cards))


@given(MATCHES)
@settings(max_examples=180)
def test_cards_are_conserved_at_every_step(chance: Chance) -> None:
    events = match_of(chance)
    stream = Stream(events[0])
    out: Counter[str] = Counter()
    for event in events[1:]:
        stream.append(event)
        table: Any = stream.table
        if isinstance(event, ev.Deal):
            out = Counter()
        if isinstance(event, ev.Close | ev.Layoff):
            out[event.card] += 1
        if isinstance(event, ev.Discard) and not hasattr(table.hand, "discards"):
            out[str(event.card)] += 1  # laid away face down
        if table.hand.over:
            continue
        gone = Counter(out)
        for _, cards, _, rule in table.hand.tricks:
            gone.update(table.pack.faces[card] for card in cards if rule != "trick.tie")
        assert cards_of(table) + gone == Counter(deck(table)[0])


@given(st.sampled_from(TRICKS), st.integers(0, 2**32))
@settings(max_examples=180)
def test_tricks_sum_to_those_of_the_hand(game: tuple[str, int], seed: int) -> None:
    stream = Stream.of(whole_hands(*game, Random(seed), hands=2))
    table: Any = stream.table
    for hand, dealt in zip(result(table)["hands"], table.hands, strict=True):
        removed = sum(trick["rule"] == "trick.removed" for trick in hand["tricks"])
        taken = [trick["taker"] for trick in hand["tricks"] if trick["taker"] is not None]
        assert hand["tricks_taken"] == [taken.count(seat) for seat in range(table.n)]
        if game[0] != "diamonds-draw":
            assert sum(hand["tricks_taken"]) + removed == dealt.each or dealt.agreed
        for trick, after in zip(hand["tricks"], hand["tricks"][1:], strict=False):
            step = 1 if game[0] == "diversity" else 0
            taker = trick["leader"] if trick["taker"] is None else trick["taker"]
            assert after["leader"] == (taker + step) % table.n


@given(st.sampled_from([size for size in SIZES if size[0].startswith("ruff")]), st.integers(0, 2**32))
@settings(max_examples=150)
def test_debts_balance_and_leave_equal_hands(game: tuple[str, int], seed: int) -> None:
    rng = Random(seed)
    stream = Stream(opening(*game, policy="record", rounds=3))
    moved = 0
    while stream.table.hand.moment != "over":
        event = step(stream.table, rng, 0.2)
        stream.append(event)
        table: Any = stream.table
        if isinstance(event, ev.Give):
            moved += 1
        if isinstance(event, ev.Deal):
            moved = 0
            taken = table.hands[-2].taken if len(table.hands) > 1 else [0] * table.n
            quota = sum(taken) // table.n
            owed = sum(max(0, quota - tricks) for tricks in taken)
            assert owed == sum(max(0, tricks - quota) for tricks in taken)
        elif table.hand.moment == "play" and not table.hand.over and not table.hand.tricks and not table.hand.trick:
            assert moved == 2 * owed
            assert {held.bit_count() for held in table.hand.held} == {table.hand.each}


@given(st.integers(3, 6), st.booleans(), st.integers(0, 2**32))
@settings(max_examples=120)
def test_ties_of_poison_hearts_end(n: int, double: bool, seed: int) -> None:
    """Under `strict`, a trick has no more ties than its leader has faces."""
    rng = Random(seed)
    stream = Stream(opening("poison-hearts", n, double_suits=double, rounds=1))
    while stream.table.hand.moment != "over":
        stream.append(step(stream.table, rng))
    (hand,) = result(stream.table)["hands"]
    tried: list[str] = []
    for trick in hand["tricks"]:
        tried.append(trick["cards"][0])
        assert len(tried) == len(set(tried)) <= 60 // n
        if trick["rule"] != "trick.tie":
            tried = []
    assert not tried, "the last trick was taken or removed"


@given(MATCHES)
@settings(max_examples=150)
def test_totals_are_sums_of_scores_and_stop_at_0_with_chips(chance: Chance) -> None:
    shown = result(Stream.of(match_of(chance, 400)).table)
    totals = [0] * len(shown["players"])
    for hand in shown["hands"]:
        if hand["complete"]:
            totals = [total + points for total, points in zip(totals, hand["scores"], strict=True)]
            if shown["options"].get("chips"):
                totals = [max(0, total) for total in totals]
    assert shown["totals"] == totals
    if games()[shown["game"]].winners is not best_total:
        return
    best = (min if games()[shown["game"]].fewest else max)(totals)
    over = shown["status"] == "complete"
    assert shown["winners"] == ([seat for seat, total in enumerate(totals) if total == best] if over else [])


@given(st.integers(3, 6), st.booleans(), st.integers(0, 2**32))
@settings(max_examples=90)
def test_scores_of_poison_hearts_follow_from_the_tricks(n: int, double: bool, seed: int) -> None:
    events = whole_hands("poison-hearts", n, Random(seed), hands=1)
    events[0] = opening("poison-hearts", n, "record")
    if any(len(face) == 3 for face in events[1].hands[0] + events[1].hands[1] + events[1].hands[2]):  # type: ignore[attr-defined]
        events[0] = opening("poison-hearts", n, "record", double_suits=True)
    hand = result(Stream.of(events).table)["hands"][0]
    taken: list[list[str]] = [[] for _ in range(n)]
    for trick in hand["tricks"]:
        if trick["taker"] is not None:
            taken[trick["taker"]] += trick["cards"]
    counts = [Counter("".join(card[:-1] for card in cards)) for cards in taken]

    def free(seat: int, suit: str) -> bool:
        return all(counts[seat][suit] > counts[other][suit] for other in range(n) if other != seat)

    assert hand["scores"] == [
        sum(not all(free(seat, suit) for suit in card[:-1]) for card in taken[seat]) for seat in range(n)
    ]


# --- folding


@pytest.mark.long
@given(MATCHES, st.data())
@settings(max_examples=180)
def test_a_prefix_and_the_rest_fold_to_the_whole(chance: Chance, data: st.DataObject) -> None:
    events = match_of(chance, 100)
    cut = data.draw(st.integers(1, len(events)))
    whole = Stream.of(events)
    prefix = Stream.of(events[:cut])
    before = state(prefix.table)
    other = prefix.copy()
    other.extend(events[cut:])
    assert state(other.table) == state(whole.table)
    assert state(prefix.table) == before, "a copy that goes on changes nothing"
    table = prefix.table.copy()
    for seq, event in enumerate(events[cut:], cut + 1):
        table.apply(event, seq)
    assert state(table) == state(whole.table)
    assert state(prefix.table) == before
    prefix.extend(events[cut:])
    assert state(prefix.table) == state(whole.table)


@given(MATCHES)
@settings(max_examples=90)
def test_the_audit_trail_changes_no_result(chance: Chance) -> None:
    events = match_of(chance, 100)
    audited, plain = Stream.of(events, audit=True), Stream.of(events)
    assert state(audited.table) | {"trail": None} == state(plain.table)
    trail = audited.table.trail or []
    assert {ruling.rule for ruling in trail if ruling.rule not in audited.table.game.book} == set()
    assert [ruling.seq for ruling in trail] == sorted(ruling.seq for ruling in trail)
    broken = [(ruling.seq, ruling.rule) for ruling in trail if ruling.verdict == "broken"]
    assert broken == [(found.seq, found.rule) for found in plain.table.violations]


@given(MATCHES)
@settings(max_examples=90)
def test_violations_are_in_order_one_an_event_and_name_other_cards(chance: Chance) -> None:
    events = match_of(chance)
    found = Stream.of(events).table.violations
    assert chance[2] == "record" or found == []
    assert [one.seq for one in found] == sorted({one.seq for one in found})
    for one in found:
        event: Any = events[one.seq - 1]
        assert event.seat == one.seat
        assert getattr(event, "card", "") not in one.legal
        assert list(one.legal) == sorted(set(one.legal))


# --- what may come


def offers(table: Any, rng: Random) -> list[ev.Event]:
    """Return every event that `choices` offers, but for deals and draws and the like one of each kind."""
    found: list[ev.Event] = []
    for choice in table.choices():
        if choice.type == "deal":
            continue
        if choice.type == "score":
            points = [rng.randrange(-9, 99) for _ in range(table.n)]
            found.append(ev.Score(scores=tuple(points[side] for side in table.side)))
        elif choice.type == "claim":
            taker = (table.hand.turn or 0) if len(table.hand.rotation[0]) < table.n else 0
            found.append(ev.Claim(tricks=tuple(choice.total * (seat == taker) for seat in range(table.n))))
        elif choice.type == "draw" and choice.sources == ("stock",):
            found.append(ev.Draw(seat=choice.seat, source="stock", cards=from_stock(table, rng)))
        elif choice.seat is None:
            card = rng.choice(choice.cards)
            holders = [seat for seat in range(table.n) if table.may_hold(seat) & table.pack.mask[card]]
            found.append(ev.Play(seat=rng.choice(holders), card=card))
        else:
            found += events_of(choice)
    return found


ONE_CARD = {"play": ev.Play, "discard": ev.Discard, "close": ev.Close, "layoff": ev.Layoff, "give": ev.Give}


@given(st.sampled_from(SIZES), st.integers(0, 2**32), st.booleans())
@settings(max_examples=120)
def test_every_choice_is_accepted_and_no_other_card_under_strict(
    game: tuple[str, int], seed: int, hidden: bool
) -> None:
    rng = Random(seed)
    stream = Stream(opening(*game, **any_options(game[0], rng)))
    for _ in range(rng.randrange(2, 120)):
        table: Any = stream.table
        if table.hand.moment in ("over", "score"):
            break
        event = step(table, rng)
        if hidden and isinstance(event, ev.Deal):
            event = msgspec.structs.replace(event, hands=None, aside=None, stock=None)
        stream.append(event)
    table = stream.table
    strict = state(table)
    for event in offers(table, rng):
        table.copy().apply(event, 999)
    assert state(table) == strict
    if table.hidden:
        return
    for kind, make in ONE_CARD.items():
        fits = [choice for choice in table.choices() if choice.type == kind]
        for face in {*table.pack.faces} - {face for choice in fits for face in choice.cards}:
            keys = {"to": fits[0].to if fits else 0} if kind == "give" else {}
            with pytest.raises(LedgerError):
                table.apply(make(seat=table.hand.turn or 0, card=face, **keys), 999)
    assert state(table) == strict


@given(st.sampled_from(SIZES), st.integers(0, 2**32))
@settings(max_examples=120)
def test_record_stores_irregular_cards_that_strict_refuses(game: tuple[str, int], seed: int) -> None:
    """An irregular card is one that `strict` refuses with a breakable rule; any other wrong event is refused under both."""
    rng = Random(seed)
    events = any_match(*game, rng, events=rng.randrange(2, 80))
    strict, record = (
        Stream.of([msgspec.structs.replace(events[0], policy=policy), *events[1:]]) for policy in ("strict", "record")
    )
    table: Any = strict.table
    if table.hand.turn is None:
        return
    for face in table.pack.list(table.hand.held[table.hand.turn]):
        event = ev.Play(seat=table.hand.turn, card=face)
        try:
            table.copy().apply(event, 999)
            broken = None
        except RuleError as error:
            broken = error
        after = record.table.copy()
        if broken is None or broken.legal:
            after.apply(event, 999)
            expected = [] if broken is None else [(broken.code, broken.legal)]
            assert [(one.rule, one.legal) for one in after.violations if one.seq == 999] == expected
            assert broken is None or table.game.book[broken.code].breakable
        else:
            with pytest.raises(RuleError) as refused:
                after.apply(event, 999)
            assert refused.value.code == broken.code


# --- codec and chance


@given(MATCHES)
@settings(max_examples=120)
def test_events_come_back_from_their_lines_which_are_canonical(chance: Chance) -> None:
    events = match_of(chance, 80)
    events = [msgspec.structs.replace(event, seq=seq) for seq, event in enumerate(events, 1)]
    lines = write(events).splitlines()
    assert [parse(one) for one in lines] == events
    assert decode([one.decode() for one in lines]) == events
    assert [decode_one(one.decode()) for one in lines] == events
    assert write(parse(one) for one in lines) == write(events)
    assert all(one == msgspec.json.encode(msgspec.json.decode(one)) for one in lines), "no spaces, nothing escaped"
    assert {hash(event) for event in events if not isinstance(event, ev.Open)}


PROGRAM = """
from hashlib import sha256
from random import Random
from tests.tables import SIZES, any_match
from cardledger.rules.stream import Stream
from cardledger.record.matches.matchfile import write
from cardledger.record.matches.replay import result
for game, n in SIZES:
    events = any_match(game, n, Random(f"{game}/{n}"), "record", wild=0.2)
    stream = Stream.of(events, audit=True)
    print(sha256(write(events)).hexdigest(), sha256(repr((result(stream.table), stream.table.trail)).encode()).hexdigest())
"""


@pytest.mark.long
def test_nothing_depends_on_the_order_of_hashes() -> None:
    runs = [
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            cwd=Path(__file__).parent.parent,
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert runs[0] == runs[1]
    assert len(runs[0].splitlines()) == len(SIZES)

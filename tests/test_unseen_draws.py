"""Draws that nobody saw: `"cards": null`. What such a scorer knows is true, and nothing legal is refused."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardledger.errors import FormatError
from cardledger.record.matches.describe import event_in_words, trail
from cardledger.record.matches.matchfile import MatchInFile, Problem, read_file, write
from cardledger.record.matches.replay import audit, result
from cardledger.record.matches.withholding import redacted
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.event_types import readers
from cardledger.rules.engine.unseen import without_unseen
from cardledger.rules.games import games, start
from cardledger.rules.stream import Stream
from cardledger.study.archive.columns import event_of, spec_of
from tests.tables import Sitting, any_options, opening, step

DRAWING = [(id, n) for id in ("diamonds-draw", "hecto-diversity") for n in games()[id].sizes]
UNSEEN = ev.Draw(seat=0, source="stock", cards=None)


def scorers(event: ev.Event, game: Any, rng: Random, sees: float) -> ev.Event:
    """The event as a scorer records it who sees no hands, and a drawn card now and then."""
    if isinstance(event, ev.Draw) and rng.random() < sees:
        return event
    if isinstance(event, ev.Open):
        return msgspec.structs.replace(event, policy="strict")
    return without_unseen(event, game)


def expect_true(scorer: Any, table: Any) -> None:
    """Demand that what a scorer holds for possible, and for certain, is so."""
    held, stock = table.hand.held, table.hand.stock
    for world in scorer.worlds:
        assert world.left == [cards.bit_count() for cards in held]
        for seat, cards in enumerate(held):
            assert not cards & ~world.could_hold(seat), "the true hand is possible"
            assert not world.known[seat] & ~cards, "what is surely held is held"
        assert scorer.hand.stock_left == table.hand.stock_left
        if scorer.hand.moment == "draw" and stock:
            offered = next(choice.cards for choice in scorer.choices() if choice.sources == ("stock",))
            assert not stock & ~sum(table.pack.mask[face] for face in offered), "the true stock is possible"


@given(st.sampled_from(DRAWING), st.integers(0, 2**32), st.sampled_from([0.0, 0.0, 0.5]), st.sampled_from([0.0, 0.2]))
@settings(max_examples=120)
def test_a_scorer_who_sees_no_draws_knows_nothing_wrong(
    game: tuple[str, int], seed: int, sees: float, wild: float
) -> None:
    rng = Random(seed)
    table = start(opening(*game, "record", **any_options(game[0], rng)))
    scorer = start(scorers(table.opening, table.game, rng, sees))
    scorer.strict = not wild
    for seq in range(2, 260):
        if table.status != "open" or (table.hand.over and len(table.hands) == 2):
            break
        event = step(table, rng, wild)
        table.apply(event, seq)
        seen = scorers(event, table.game, rng, sees)
        assert readers().one.decode(ev.encode(seen)) == seen
        scorer.apply(seen, seq)
        if table.hand.over:
            if not scorer.hand.over:
                assert "score" in {choice.type for choice in scorer.choices()}
                scorer.apply(ev.Score(scores=tuple(table.hands[-1].scores)), seq)
        else:
            expect_true(scorer, table)
    whole, part = result(table), result(scorer)
    assert part["totals"] == whole["totals"]
    broken, proven = ({(one["seq"], one["seat"], one["rule"]) for one in each["violations"]} for each in (whole, part))
    assert proven <= broken, "what the cards shown prove"
    for one, other in zip(whole["hands"], part["hands"], strict=True):
        assert {key: other[key] for key in ("tricks", "tricks_taken", "scores")} == {
            key: one[key] for key in ("tricks", "tricks_taken", "scores")
        }


@pytest.mark.parametrize(("game", "n"), [("diamonds-draw", 3), ("hecto-diversity", 2)])
def test_a_hidden_match_with_unseen_draws_is_written_read_audited_and_told(game: str, n: int, tmp_path) -> None:
    events = simulate(game, n, Random(7), ["cautious"], hidden=True, max_hands=2)
    drawn = [event for event in events if isinstance(event, ev.Draw) and event.source == "stock"]
    assert drawn and all(event.cards is None for event in drawn)
    file = tmp_path / "match.jsonl"
    file.write_bytes(write(events))
    assert b'"cards":null' in file.read_bytes()
    (found,) = read_file(file)
    assert isinstance(found, MatchInFile)
    assert result(found.stream.table) == result(Stream.of(events).table)
    told = "\n".join(trail(audit(events), found.stream.table.players))
    assert "draws unseen cards from the stock" in told
    assert "nobody saw" in told
    assert redacted(drawn[0], found.stream.table.game) == drawn[0]
    assert event_of(spec_of(drawn[0])) is None, "an archive keeps its line"


def test_the_audit_of_a_draw_says_that_nobody_saw_it() -> None:
    match = Sitting("diamonds-draw", 3).deal(hidden=True).play("5S 6S 7S").do(UNSEEN)
    assert event_in_words(UNSEEN, ("ana", "ben", "cai")) == "ana draws unseen cards from the stock"
    assert match.table.hand.held == [0, 0, 0]
    match.play("AH KH QH")  # drawn, or held before


def test_null_is_refused_where_the_cards_are_known() -> None:
    known = Sitting("diamonds-draw", 3).deal().legally(3)
    seat = known.table.hand.turn
    unseen = ev.Draw(seat=seat, source="stock", cards=None)
    with pytest.raises(FormatError, match="the hands are known: name the cards") as refused:
        known.do(unseen)
    assert refused.value.code == "format.value"
    hidden = Sitting("hecto-diversity", 2).deal(hidden=True, upcard="80")
    with pytest.raises(FormatError, match="all have seen the discards: name the card"):
        hidden.do(ev.Draw(seat=hidden.table.hand.turn, source="discards", cards=None))


def test_a_draw_without_its_cards_says_that_null_will_do(tmp_path) -> None:
    file = tmp_path / "match.jsonl"
    begun = write([ev.Open(game="diamonds-draw", players=("a", "b", "c")), ev.Deal(dealer=0, hands=None)])
    file.write_bytes(begun + b'{"type":"draw","seat":1,"from":"stock"}\n')
    (found,) = read_file(file)
    assert isinstance(found, Problem)
    assert found.error.message == "draw needs the key 'cards', null if nobody saw them"


def test_the_order_of_a_recorded_stock_says_what_was_drawn() -> None:
    match = Sitting("diamonds-draw", 3).deal(hidden=True, stock="AH KH").play("TC 9C JC")
    seat = match.table.hand.turn
    match.do(ev.Draw(seat=seat, source="stock", cards=None))
    (world,) = match.table.worlds
    assert match.table.pack.list(world.known[seat]) == ["AH"]


def test_a_card_of_a_renewed_stock_that_nobody_saw_may_be_in_the_hand_that_drew_it_and_in_no_other() -> None:
    match = Sitting("hecto-diversity", 8).deal(hidden=True, upcard="80")
    while match.table.hand.stock_left:
        match.do(ev.Draw(seat=match.table.hand.turn, source="stock", cards=None)).discard(
            match.choice("discard").cards[0]
        )
    drawer = match.table.hand.turn
    match.do(ev.Draw(seat=drawer, source="stock", cards=None))
    (world,), bit = match.table.worlds, match.table.pack.mask["80"]
    assert [seat for seat in range(8) if world.could_hold(seat) & bit] == [drawer]
    discarded = next(card for card in match.choice("discard").cards if card != "80")
    match.discard(discarded).draw("80")
    (world,) = match.table.worlds
    assert [seat for seat in range(8) if world.could_hold(seat) & bit] == [(drawer + 1) % 8]

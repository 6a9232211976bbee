"""The cards dealt as data: as visible as the deal, whatever happens to a match."""

from __future__ import annotations

import json
from random import Random

import pytest

from cardledger.record.readmodels.model import Folded
from cardledger.record.readmodels.questions.card_in_hand import arrivals_shown, deals_shown
from cardledger.record.readmodels.tables.arrivals import ARRIVALS, DEALT
from cardledger.record.readmodels.tables.calls import CALLS
from cardledger.record.recording.ledger import Ledger
from cardledger.record.recording.secrecy import Secrets
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger.rules.games import games
from cardledger.rules.stream import Stream

WORDS = {"dealt", "drawn", "taken", "passed", "given", "picked up"}


def shown(ledger: Ledger) -> set[tuple[str, int]]:
    """Return the hands of which readers are shown cards."""
    found = {(at, hand) for at, hand, *_ in arrivals_shown(ledger.views, "whist")}
    assert found == {(at, hand) for at, hand, _ in deals_shown(ledger.views, "whist")}
    match = dict(ledger.views.reader.execute("SELECT position, match FROM matches").fetchall())
    return {(match[at], hand) for at, hand in found}


@pytest.mark.parametrize("game", games())
def test_cards_are_shown_event_by_event_as_secrecy_has_the_deal(game: str) -> None:
    """At every event of a match with hands taken back: the hands shown are those over, and nothing of them is secret."""
    n, rng = games()[game].sizes[0], Random(game)
    stream: Stream | None = None
    for event in simulate(game, n, rng, ("random",), max_hands=3):
        if stream is not None and stream.seq > 3 and rng.random() < 0.02:
            keep = rng.randrange(1, stream.seq)
            trial = stream.copy()
            trial.append(ev.Retract(to=keep))
            check(trial)
        if stream is None:
            stream = Stream(event)
        else:
            stream.append(event)
        if type(event) is not ev.Play or stream.table.hand.over:
            check(stream)


def check(stream: Stream) -> None:
    secrets = Secrets(stream)
    folded = Folded("m", 1, stream.events[0], stream.events[-1], b"", stream)
    rows = [*ARRIVALS.rows(folded, 1)]
    hands = {hand.number: hand for hand in stream.table.hands}
    for _, number, _, how, cards in rows:
        assert how in WORDS
        assert len(json.loads(cards)) == stream.table.n
        assert hands[number].over
        assert not secrets.covers(hands[number].first)
    known = {hand.number for hand in stream.table.hands if hand.scores is not None and not hand.hidden}
    assert known <= {row[1] for row in rows}


def deals(n: int, seed: int) -> list[ev.Event]:
    return simulate("whist", n, Random(seed), ("random",), max_hands=2)


def test_a_deal_that_another_table_has_yet_to_play_is_not_shown_to_readers(ledger: Ledger) -> None:
    events = deals(4, 1)
    whole = ledger.record(None, events, 0).match
    hands = {(whole, hand.number) for hand in ledger.stream(whole).table.hands if hand.scores is not None}
    assert (whole, 1) in hands
    assert shown(ledger) == hands
    other = ledger.record(None, events[:2], 0).match  # the same first deal
    assert shown(ledger) == hands - {(whole, 1)}
    ledger.record(other, [ev.Void()], 2)
    assert shown(ledger) == hands
    ledger.record(whole, [ev.Void()], len(events))
    assert shown(ledger) == set()


@pytest.mark.parametrize("game", games())
def test_every_call_of_a_hand_that_is_over_has_a_row(game: str) -> None:
    events = simulate(game, games()[game].sizes[0], Random(game), ("random",), max_hands=2)
    stream = Stream.of(events)
    over = [hand for hand in stream.table.hands if hand.scores is not None]
    rows = [*CALLS.rows(Folded("m", 1, events[0], events[-1], b"", stream), 1)]
    made = [
        (hand.number, event.seat, str(event.amount) if isinstance(event, ev.Bid) else event.call)
        for hand in over
        for event in events[hand.first : hand.last]
        if isinstance(event, ev.Bid | ev.Call)
    ]
    assert [(hand, seat, call) for _, hand, _, seat, call in rows] == made


def test_each_card_has_a_row_with_the_player_who_got_it(ledger: Ledger) -> None:
    match = ledger.record(None, simulate("hearts", 4, Random(3), ("random",), max_hands=1), 0).match
    ledger.views.catch_up()
    found = ledger.views.reader.execute("SELECT * FROM dealt WHERE game = 'hearts'")
    rows = [dict(zip(DEALT.columns, row, strict=True)) for row in found]
    assert {row["match"] for row in rows} == {match}
    first = [row for row in rows if row["hand"] == 1]
    assert sum(row["came"] == "dealt" for row in first) == 52
    assert sum(row["came"] == "passed" for row in first) == 12
    assert {row["player"] for row in rows} == {*ledger.stream(match).table.players}
    assert not [*arrivals_shown(ledger.views, "spades")]

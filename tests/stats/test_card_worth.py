"""What a card is worth: intervals hold what simulation knows, evenings are one observation, secret deals tell nothing."""

from __future__ import annotations

from random import Random

import msgspec
import numpy as np
import pytest

from cardledger.record.recording.ledger import Ledger
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger.rules.stream import Stream
from cardledger.study.stats import Query, Statistics
from cardledger.study.stats.card_worth import FEWEST_EVENINGS, CardWorth, worth_of_cards

FACES = [(rank + suit, rank, suit) for suit in "CDHS" for rank in "23456789TJQKA"]


def league(rng: np.random.Generator, worth: np.ndarray, evenings: int, deals: int, form: float) -> list[CardWorth]:
    """Return what cards are worth in a league: four hands a deal, points by card, luck of the evening and noise."""
    n = evenings * deals
    order = np.argsort(rng.random((n, 52)), axis=1).reshape(n, 4, 13)
    dealt = worth[order].sum(axis=2)
    points = dealt + np.array([0.0, 1.0, -1.0, 2.0]) + rng.normal(0, 2, (n, 4))
    points += np.repeat(rng.normal(0, form, (evenings, 4)), deals, axis=0)
    held = np.repeat(np.arange(n * 4), 13), order.ravel()
    place = np.tile(np.arange(4), n)
    return worth_of_cards(FACES, held, points.ravel(), place, np.repeat(np.arange(evenings), deals * 4))


def truth(worth: np.ndarray) -> np.ndarray:
    """Return the mean of hands with each card, less that of all: the other twelve cards come from the other 51."""
    return worth + 12 * (worth.sum() - worth) / 51 - 13 * worth.mean()


def coverage(leagues: int, evenings: int, deals: int, form: float) -> tuple[float, float, float, float]:
    """Return the share of intervals that hold, raw and pooled, and both mean squared errors."""
    rng = np.random.default_rng(7)
    hit, errors = np.zeros(2), np.zeros(2)
    for _ in range(leagues):
        ranks, suits = np.tile(np.linspace(-0.5, 1, 13), 4), np.repeat([0.2, 0.0, -0.2, 0.5], 13)
        worth = ranks + suits + rng.normal(0, 0.15, 52)
        true = truth(worth)
        for one, at in zip(league(rng, worth, evenings, deals, form), true, strict=True):
            assert one.worth is not None and one.low is not None and one.high is not None
            assert one.pooled is not None and one.pooled_low is not None and one.pooled_high is not None
            hit += one.low <= at <= one.high, one.pooled_low <= at <= one.pooled_high
            errors += (one.worth - at) ** 2, (one.pooled - at) ** 2
    return (*(hit / leagues / 52), *(errors / leagues / 52))


@pytest.mark.parametrize(("evenings", "deals", "form"), [(12, 24, 0.0), (40, 12, 1.0)])
def test_intervals_hold_and_pooling_comes_nearer(evenings: int, deals: int, form: float) -> None:
    raw, leaning, error, less = coverage(20, evenings, deals, form)
    assert 0.93 <= raw <= 0.97
    assert 0.93 <= leaning <= 0.97
    assert less < 0.8 * error


def test_a_card_without_enough_evenings_has_no_figure() -> None:
    rows = league(np.random.default_rng(1), np.zeros(52), FEWEST_EVENINGS - 1, 5, 0.0)
    assert {(row.worth, row.low, row.pooled) for row in rows} == {(None, None, None)}
    assert not worth_of_cards([], (np.array([], dtype=int),) * 2, np.array([]), np.array([]), np.array([]))


def club(ledger: Ledger, evenings: int) -> list[list[ev.Event]]:
    """Record a match of two hands of whist on each of some days."""
    played = []
    for day in range(evenings):
        events = simulate("whist", 4, Random(day), ("cautious",), max_hands=2)
        events[0] = msgspec.structs.replace(events[0], date=f"2026-03-{day + 1:02}")
        ledger.record(None, events, 0)
        played.append(events)
    ledger.views.catch_up()
    return played


def hands_with(ledger: Ledger) -> int:
    ledger.views.catch_up()
    return sum(row["hands"] for row in Statistics.of(ledger.views).cards("whist", Query()).rows)


def test_every_card_of_a_ledger_is_counted_where_it_was_dealt(ledger: Ledger) -> None:
    club(ledger, FEWEST_EVENINGS)
    table = Statistics.of(ledger.views).cards("whist", Query())
    assert len(table.rows) == 52
    hands = table.basis["whist"].hands
    assert {row["hands"] for row in table.rows} == {hands}
    assert all(row["low"] <= row["worth"] <= row["high"] for row in table.rows)
    dealer_left = Statistics.of(ledger.views).cards("whist", Query(turn=1))
    assert sum(row["hands"] for row in dealer_left.rows) == hands * 13


def test_a_deal_that_another_table_has_yet_to_play_tells_nothing(ledger: Ledger) -> None:
    played = club(ledger, 2)
    every = hands_with(ledger)
    other = ledger.record(None, played[0][:2], 0).match  # the same first deal, under way
    assert hands_with(ledger) == every - 52
    ledger.record(other, [ev.Void()], 2)
    assert hands_with(ledger) == every


@pytest.mark.long
def test_intervals_hold_the_difference_of_means_of_twenty_thousand_deals_between_bots() -> None:
    """Leagues of 40 evenings of 20 hands of whist, drawn from 20,000 deals: the truth is that of all of them."""
    rng = np.random.default_rng(3)
    raw, pooled = coverage_of_bots(*dealt_to_bots(20_000), rng, leagues=60, deals=800)
    assert 0.93 <= raw <= 0.97
    assert 0.93 <= pooled <= 0.97


def test_intervals_hold_between_bots_in_few_deals() -> None:
    """The same with a pool of 600 deals: each league is a third of it, so its intervals hold more often."""
    raw, pooled = coverage_of_bots(*dealt_to_bots(600), np.random.default_rng(3), leagues=10, deals=200)
    assert raw >= 0.93
    assert pooled >= 0.93


def dealt_to_bots(deals: int) -> tuple[np.ndarray, np.ndarray]:
    """Return for each deal of whist between bots the seat of each card, and the points of each seat."""
    seats, points = [], []
    order = {face: at for at, (face, _, _) in enumerate(FACES)}
    for seed in range(deals):
        events = simulate("whist", 4, Random(seed), ("cautious",), max_hands=1)
        (deal,) = (event for event in events if isinstance(event, ev.Deal))
        assert deal.hands is not None
        seat_of = np.zeros(52, dtype=int)
        for seat, faces in enumerate(deal.hands):
            seat_of[[order[face] for face in faces]] = seat
        seats.append(seat_of)
        points.append(Stream.of(events).table.hands[0].scores)
    return np.array(seats), np.array(points, dtype=float)


def coverage_of_bots(
    seats: np.ndarray, points: np.ndarray, rng: np.random.Generator, leagues: int, deals: int
) -> tuple[float, float]:
    """Return the share of raw and of pooled intervals that hold the difference of means of all deals."""
    every = points - points.mean(axis=0)
    at = np.arange(len(seats))
    true = np.array([every[at, seats[:, card]].mean() for card in range(52)])
    hit = np.zeros(2)
    for _ in range(leagues):
        drawn = rng.choice(len(seats), deals, replace=False)
        hand = (np.arange(deals)[:, None] * 4 + seats[drawn]).ravel()
        rows = worth_of_cards(
            FACES, (hand, np.tile(np.arange(52), deals)), points[drawn].ravel(), np.tile(np.arange(4), deals),
            np.repeat(np.arange(deals) // 20, 4),
        )  # fmt: skip
        for one, truly in zip(rows, true, strict=True):
            assert one.low is not None and one.high is not None
            assert one.pooled_low is not None and one.pooled_high is not None
            hit += one.low <= truly <= one.high, one.pooled_low <= truly <= one.pooled_high
    return float(hit[0] / leagues / 52), float(hit[1] / leagues / 52)

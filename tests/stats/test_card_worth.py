"""What a card is worth: intervals hold what simulation knows, evenings are one observation, secret deals tell nothing."""

from __future__ import annotations

from collections import defaultdict
from copy import copy
from random import Random
from typing import Any

import msgspec
import numpy as np
import pytest

from cardledger.errors import StoreError
from cardledger.record.readmodels.questions.card_in_hand import WAYS
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger.study.stats import Query, Statistics, StatsTable
from cardledger.study.stats.card_worth import FEWEST_EVENINGS, CardWorth, worth_of_cards
from cardledger.study.stats.measures.sheet import Sheet
from cardledger.study.stats.measures.sheets import Sheets
from tests.stats.bot_deals import bot_deals, coverage

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


def coverage_of(leagues: int, evenings: int, deals: int, form: float) -> tuple[float, float, float, float]:
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
    raw, leaning, error, less = coverage_of(20, evenings, deals, form)
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


def table_of(ledger: Ledger, how: str, **more: Any) -> StatsTable:
    return Statistics.of(ledger.views).cards("whist", Query(**more), how)


@pytest.mark.parametrize("how", WAYS)
def test_what_all_players_make_of_a_trick_is_its_expectation(ledger: Ledger, how: str) -> None:
    """Each card less what is expected at its moments: over all cards of all moments that is 0."""
    club(ledger, FEWEST_EVENINGS)
    table = table_of(ledger, how)
    assert len(table.rows) == 52
    known = [row for row in table.rows if row["worth"] is not None]
    assert known
    assert all(row["low"] <= row["worth"] <= row["high"] for row in known)
    if len(known) == 52:  # so no card is left out of the sum
        assert sum(row["worth"] * row["hands"] for row in known) == pytest.approx(0, abs=0.1)
    assert table.notes[0].startswith(f"{how}: {WAYS[how]}")


@pytest.mark.parametrize("how", ["led", "played", "won"])
def test_worth_is_the_mean_less_that_of_the_same_moment_and_place(ledger: Ledger, how: str) -> None:
    """Computed again from the matches, one occasion after the other."""
    club(ledger, FEWEST_EVENINGS)
    points: dict[tuple[int, ...], list[int]] = defaultdict(list)
    came: list[tuple[str, tuple[int, ...], int]] = []
    for table in (ledger.stream(match).table for match in ledger.matches()):
        for hand in (hand for hand in table.hands if hand.scores is not None):
            for number, (seats, cards, taker, _) in enumerate(hand.tricks):
                for place, (seat, card) in enumerate(zip(seats, cards, strict=True)):
                    who = taker if how == "won" else seat
                    if who is None or how != "won" and (place > 0) != (how == "played"):
                        continue
                    moment = (who - hand.dealer) % 4, number, *([place] if how == "played" else [])
                    points[moment].append(hand.scores[who])
                    came.append((table.pack.faces[card], moment, hand.scores[who]))
    for row in table_of(ledger, how).rows:
        own = [score - sum(points[moment]) / len(points[moment]) for card, moment, score in came if card == row["card"]]
        assert row["hands"] == len(own)
        if row["worth"] is not None:
            assert row["worth"] == pytest.approx(sum(own) / len(own), abs=1e-4)


def test_the_luck_of_the_deal_is_taken_off_where_it_is_known_of_most_hands(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With luck of a third of the hands nothing is taken off; with luck of most, only those hands count."""
    club(ledger, 12)
    sheet = Statistics.of(ledger.views).sheets.sheet("whist")
    match = sheet.seats["row"][sheet.hands["row"]]
    raw = {row["card"]: row for row in table_of(ledger, "led").rows}

    def told(share: float, *, doubtful: bool = False) -> tuple[bool, dict[str, dict[str, Any]], StatsTable]:
        """Return whether luck was taken off, what cards led are worth, and the table of cards dealt."""
        laid = copy(sheet)
        laid.changed += 1 + int(100 * share) + doubtful
        valued = (match < share * len(sheet.matches["match"])).astype(int)
        laid.hands = sheet.hands | {"valued": valued, "fair": sheet.hands["points"] * 3.0, "luck": valued * 1.0}
        with monkeypatch.context() as patch:
            patch.setattr(Sheets, "sheet", lambda _self, _id: laid)
            patch.setattr(Sheet, "doubtful", doubtful)
            led = table_of(ledger, "led")
            off = any("luck of the deal is taken off" in note for note in led.notes)
            return off, {row["card"]: row for row in led.rows}, table_of(ledger, "dealt")

    assert told(0.3)[:2] == (False, raw)
    assert told(1.0, doubtful=True)[:2] == (False, raw)
    off, led, dealt = told(1.0)
    assert off
    assert all(
        led[card]["worth"] == pytest.approx(3 * raw[card]["worth"], abs=1e-4) for card in raw if raw[card]["worth"]
    )
    assert dealt.rows == told(0.3)[2].rows  # never off what a card is worth to be dealt
    off, led, _ = told(0.7)
    assert off
    assert 0 < sum(row["hands"] for row in led.values()) < sum(row["hands"] for row in raw.values())


@pytest.mark.parametrize(
    ("game", "how", "player"),
    [("whist", "eaten", None), ("hecto-diversity", "led", None), ("whist", "dealt", "nobody"), ("whist", "dealt", "")],
)
def test_what_cannot_be_asked_is_refused(ledger: Ledger, game: str, how: str, player: str | None) -> None:
    club(ledger, 1)
    with pytest.raises(StoreError) as refused:
        Statistics.of(ledger.views).cards(game, Query(), how, player)
    assert refused.value.code == "store.unknown"


def leads(rng: np.random.Generator, worth: np.ndarray, evenings: int, hands: int, form: float) -> list[CardWorth]:
    """Return what cards are worth to lead: three leads a hand, each with a liking of its own for cards."""
    n = evenings * hands
    likings = liking(len(worth))
    card = np.stack([rng.choice(len(worth), n, p=likings[trick]) for trick in range(3)], axis=1)
    points = worth[card].sum(axis=1) + rng.normal(0, 2, n) + np.repeat(rng.normal(0, form, evenings), hands)
    hand, trick = np.repeat(np.arange(n), 3), np.tile(np.arange(3), n)
    faces = [(str(at), str(at), "") for at in range(len(worth))]
    return worth_of_cards(faces, (np.arange(n * 3), card.ravel()), points[hand], trick, hand // hands, hand)


def liking(cards: int) -> np.ndarray:
    """Return how often each card is led in each of three tricks."""
    weights = np.stack([np.roll(np.linspace(1, 4, cards), trick * 2) for trick in range(3)])
    return weights / weights.sum(axis=1, keepdims=True)


def test_a_card_led_is_compared_with_other_leads_of_the_same_trick() -> None:
    """The truth by arithmetic: the worth of the card, less that of the cards usually led to the same tricks."""
    rng, hit, number = np.random.default_rng(5), 0, 0
    for _ in range(60):
        worth = rng.normal(0, 1, 10)
        likings = liking(10)
        true = worth - (likings * (likings @ worth)[:, None]).sum(axis=0) / likings.sum(axis=0)
        for one, truly in zip(leads(rng, worth, 20, 20, 0.7), true, strict=True):
            assert one.low is not None and one.high is not None
            hit, number = hit + (one.low <= truly <= one.high), number + 1
    assert 0.93 <= hit / number <= 0.97


def test_a_card_that_must_be_led_is_compared_with_nothing() -> None:
    n = 10 * FEWEST_EVENINGS
    rng = np.random.default_rng(2)
    card, moment = np.repeat([0, 1], n), np.repeat([0, 1], n)
    card[n:] = rng.integers(1, 3, n)
    rows = worth_of_cards(
        FACES[:3], (np.arange(2 * n), card), rng.normal(0, 1, 2 * n), moment, np.tile(np.arange(n) // 10, 2)
    )
    assert [row.worth is None for row in rows] == [True, False, False]
    assert rows[1].pooled is not None


def test_intervals_hold_between_bots_in_few_deals() -> None:
    """A small pool, of which each league is a third: so its intervals hold more often than those of the long test."""
    deals = bot_deals("hearts", 400)
    found = [coverage(deals, how, np.random.default_rng(3), leagues=6, size=160, evening=10) for how in WAYS]
    assert all((shares >= 0.92).all() for shares in found), found


@pytest.mark.long
@pytest.mark.parametrize("game", ["whist", "hearts", "spades", "poison-hearts", "euchre"])
def test_intervals_hold_the_difference_of_means_of_twenty_thousand_deals_between_bots(game: str) -> None:
    """Leagues of 40 evenings of 20 hands, drawn from 20,000 deals: the truth is that of all of them."""
    deals = bot_deals(game, 20_000)
    for how in WAYS:
        raw, leaning = coverage(deals, how, np.random.default_rng(3), leagues=60, size=800, evening=20)
        print(f"{game}, {how}: {raw:.1%} raw, {leaning:.1%} pooled")  # noqa: T201
        assert 0.93 <= raw <= 0.97
        assert 0.92 <= leaning <= 0.985

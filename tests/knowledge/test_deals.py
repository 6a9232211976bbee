"""Counting deals: equal to writing them all down, and drawn evenly."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import permutations, product
from random import Random

import pytest

from cardledger.rules.engine.chance import Chance
from cardledger.rules.knowledge import ImpossibleError, PossibleDeals


def deals_of(may: dict[int, frozenset[int]], needs: list[int]) -> PossibleDeals:
    """Return the deals of cards to places, given the places that may hold each card."""
    barred = [sum(1 << card for card, places in may.items() if place not in places) for place in range(len(needs))]
    return PossibleDeals(sum(1 << card for card in may), needs, barred)


def written_down(may: dict[int, frozenset[int]], needs: list[int]) -> set[tuple[int, ...]]:
    """Return every deal that fits, as the place of each card."""
    where = [place for place, size in enumerate(needs) for _ in range(size)]
    return {deal for deal in permutations(where) if all(place in may[card] for card, place in enumerate(deal))}


@pytest.mark.parametrize("seed", range(12))
def test_counts_and_shares_are_those_of_all_deals_written_down(seed: int) -> None:
    rng = Random(seed)
    for _ in range(10):
        needs = [rng.randrange(4) for _ in range(3)]
        may = {card: frozenset(p for p in range(3) if rng.random() < 0.7) for card in range(sum(needs))}
        every = written_down(may, needs)
        deals = deals_of(may, needs)
        assert deals.number == len(every)
        if not every:
            with pytest.raises(ImpossibleError):
                deals.shares()
            continue
        shares = deals.shares()
        for card in may:
            for place in range(3):
                true = sum(deal[card] == place for deal in every) / len(every)
                assert shares[card].get(place, 0) == pytest.approx(true, abs=1e-12)


def drawn(deals: PossibleDeals, cards: int, number: int, seed: int = 1) -> Counter[tuple[int, ...]]:
    """Return how often each deal comes, as the place of each card, if so many are drawn one after the other."""
    chance = Chance(seed)
    return Counter(
        tuple(next(place for place, held in enumerate(deal) if held >> card & 1) for card in range(cards))
        for deal in (deals.draw(chance) for _ in range(number))
    )


def test_every_deal_is_drawn_as_often() -> None:
    may = {
        0: frozenset((0, 1)),
        1: frozenset((0, 1, 2)),
        2: frozenset((1, 2)),
        3: frozenset((0, 2)),
        4: frozenset((0, 1, 2)),
    }
    needs = [2, 2, 1]
    every, draws = written_down(may, needs), 400
    assert_even(drawn(deals_of(may, needs), 5, draws * len(every)), every)


def assert_even(found: Counter[tuple[int, ...]], every: set[tuple[int, ...]]) -> None:
    """Hold deals to be equally likely, all of them (chi squared)."""
    assert {*found} == every
    draws = found.total() / len(every)
    unevenness = sum((often - draws) ** 2 / draws for often in found.values())
    assert unevenness < len(every) + 5 * (2 * len(every)) ** 0.5


@pytest.mark.parametrize("seed", range(20))
def test_every_deal_is_drawn_as_often_whatever_the_places_cannot_hold(seed: int) -> None:
    rng = Random(seed)
    every: set[tuple[int, ...]] = set()
    while not 8 < len(every) < 300:
        needs = [rng.randrange(4) for _ in range(rng.choice((3, 4, 5)))]
        cards = min(7, sum(needs))
        while sum(needs) > cards:
            place = rng.randrange(len(needs))
            needs[place] = max(0, needs[place] - 1)
        may = {card: frozenset(p for p in range(len(needs)) if rng.random() < 0.6) for card in range(cards)}
        every = written_down(may, needs)
    assert_even(drawn(deals_of(may, needs), cards, 60 * len(every), seed), every)


def test_a_table_stays_small_at_a_table_of_eight_who_are_void_in_different_suits() -> None:
    needs, cards = [5] * 7 + [2, 0], 37
    suits = [sum(1 << card for card in range(cards) if card % 4 == suit) for suit in range(4)]
    barred = [suits[seat % 4] | (suits[(seat + 1) % 4] if seat < 2 else 0) for seat in range(7)] + [0, 0]
    assert len(PossibleDeals((1 << cards) - 1, needs, barred).table.rows) < 5_000


def test_cards_and_places_must_fit() -> None:
    with pytest.raises(ImpossibleError):
        PossibleDeals(0b1, [2], [0])
    with pytest.raises(ImpossibleError):
        PossibleDeals(0b11, [2], [0b1]).draw(Chance(1))


def test_no_cards_are_one_deal() -> None:
    nothing = PossibleDeals(0, [0, 0], [0, 1])
    assert (nothing.number, nothing.shares(), nothing.draw(Chance(1))) == (1, {}, [0, 0])


@pytest.mark.parametrize("seed", range(5))
def test_many_places_that_differ_are_counted_as_card_by_card(seed: int) -> None:
    rng = Random(seed)
    needs = [rng.randrange(1, 4) for _ in range(6)]
    may = {card: frozenset(p for p in range(6) if rng.random() < 0.6) | {card % 6} for card in range(sum(needs))}

    @cache
    def ways(card: int, left: tuple[int, ...], but: tuple[int, int]) -> int:
        """Count the deals of the cards from one on, in which card `but[0]` is at place `but[1]`."""
        if card == len(may):
            return 1
        return sum(
            ways(card + 1, tuple(some - (at == place) for at, some in enumerate(left)), but)
            for place in may[card]
            if left[place] and (card != but[0] or place == but[1])
        )

    deals, whole = deals_of(may, needs), ways(0, (*needs,), (-1, -1))
    assert deals.number == whole
    shares = deals.shares() if whole else {}
    for card, place in product(shares, range(6)):
        assert shares[card].get(place, 0) == pytest.approx(ways(0, (*needs,), (card, place)) / whole, abs=1e-12)

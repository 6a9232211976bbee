"""Counting deals: equal to writing them all down, and drawn evenly."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from random import Random

import pytest

from cardledger.rules.knowledge import ImpossibleError, PossibleDeals


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
        deals = PossibleDeals(may, needs)
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


def drawn_deals(deals: PossibleDeals, rng: Random, number: int) -> list[dict[int, int]]:
    """Return so many deals, drawn one after the other."""
    return [deals.draw(rng.randrange) for _ in range(number)]


def test_every_deal_is_drawn_as_often() -> None:
    may = {
        0: frozenset((0, 1)),
        1: frozenset((0, 1, 2)),
        2: frozenset((1, 2)),
        3: frozenset((0, 2)),
        4: frozenset((0, 1, 2)),
    }
    needs = [2, 2, 1]
    every, rng = written_down(may, needs), Random(1)
    deals, draws = PossibleDeals(may, needs), 400
    drawn = Counter(tuple(deal[card] for card in range(5)) for deal in drawn_deals(deals, rng, draws * len(every)))
    assert {*drawn} == every
    unevenness = sum((often - draws) ** 2 / draws for often in drawn.values())
    assert unevenness < len(every) + 5 * (2 * len(every)) ** 0.5  # chi squared


def test_cards_and_places_must_fit() -> None:
    with pytest.raises(ImpossibleError):
        PossibleDeals({0: frozenset((0,))}, [2])
    with pytest.raises(ImpossibleError):
        PossibleDeals({0: frozenset(), 1: frozenset((0,))}, [2]).draw(Random(1).randrange)

"""Double dummy: par, and the solver beside an exhaustive search."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest

import cardledger
from cardledger.rules.engine.measures import OPEN_CARDS
from cardledger.study.stats.double_dummy import solver
from cardledger.study.stats.double_dummy.columns import SolvedHands
from cardledger.study.stats.double_dummy.open_deal import open_deals
from cardledger.study.stats.double_dummy.par import par, words
from cardledger.study.stats.measures.sheet import Sheet
from tests.conftest import SAMPLES
from tests.thorough import many

if TYPE_CHECKING:
    from collections.abc import Sequence

FACES = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"]
HALF = (0, 13, 0, 13)
"""The tricks by seat in a strain that north-south cannot make at all."""


def shuffled(seed: int) -> tuple[tuple[str, ...], ...]:
    cards = FACES[:]
    Random(seed).shuffle(cards)
    return tuple(tuple(sorted(cards[i : i + 13], key=FACES.index)) for i in range(0, 52, 13))


# --- par, which needs no solver


def test_par_is_a_sacrifice_where_it_costs_less_than_the_game() -> None:
    """East-west make 4♠ for 420; north-south are down two in 5♦, doubled 300."""
    table = ((4, 8, 4, 8), (9, 3, 9, 3), (5, 7, 5, 7), (3, 10, 3, 10), (4, 8, 4, 8))
    found = par(table, vulnerable=0, dealer=0)
    assert (found.score, [words(one) for one in found.contracts]) == (-300, ["5DX NS -2"])
    vulnerable = par(table, vulnerable=1, dealer=0)
    assert (vulnerable.score, [words(one) for one in vulnerable.contracts]) == (-420, ["4S EW ="])


def test_the_dealer_bids_first_what_both_sides_can_make() -> None:
    """Both sides take seven tricks at no trump, and fewer elsewhere: who deals scores."""
    table = (*((6, 6, 6, 6),) * 4, (7, 7, 7, 7))
    assert [par(table, 0, dealer).score for dealer in range(4)] == [90, -90, 90, -90]


def test_a_deal_that_nobody_can_make_anything_of_is_passed_out() -> None:
    assert par(((6, 6, 6, 6),) * 5, 3, 2) == (0, ())


# --- the solver


@pytest.fixture
def endplay() -> None:
    pytest.importorskip("endplay")


def best(hands: Sequence[frozenset[str]], strain: int, turn: int, side: int) -> int:
    """Return the tricks that a side takes with best play from a trick's beginning: every line is tried."""

    def order(card: str) -> int:
        return "23456789TJQKA".index(card[0])

    def tried(held: tuple[frozenset[str], ...], trick: tuple[tuple[int, str], ...], turn: int) -> int:
        if len(trick) == 4:
            led, trump = trick[0][1][1], "CDHS "[strain]
            taker = max(trick, key=lambda one: (one[1][1] == trump, one[1][1] == led, order(one[1])))[0]
            return int(taker % 2 == side) + (tried(held, (), taker) if any(held) else 0)
        follow = [card for card in held[turn] if trick and card[1] == trick[0][1][1]]
        results = [
            tried(
                (*held[:turn], held[turn] - {card}, *held[turn + 1 :]), (*trick, (turn, card)), (turn + 1) % 4
            )
            for card in follow or held[turn]
        ]  # fmt: skip
        return max(results) if turn % 2 == side else min(results)

    return tried(tuple(hands), (), turn)


@pytest.mark.parametrize("seed", [*range(3), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(3, 60))])
def test_the_course_of_a_hand_equals_an_exhaustive_search_of_its_ending(seed: int, endplay: None) -> None:
    """After ten tricks of random legal play, in any strain and by any declarer."""
    chance = Random(seed)
    hands, strain, declarer = shuffled(seed), chance.randrange(5), chance.randrange(4)
    left, turn, cards, taken = [set(hand) for hand in hands], (declarer + 1) % 4, [], 0
    for _ in range(10):
        trick: list[tuple[int, str]] = []
        for _ in range(4):
            follow = [card for card in left[turn] if trick and card[1] == trick[0][1][1]]
            card = chance.choice(sorted(follow or left[turn]))
            left[turn].remove(card)
            trick.append((turn, card))
            cards.append(card)
            turn = (turn + 1) % 4
        led, trump = trick[0][1][1], "CDHS "[strain]
        turn = max(
            trick, key=lambda one: (one[1][1] == trump, one[1][1] == led, "23456789TJQKA".index(one[1][0]))
        )[0]  # fmt: skip
        taken += turn % 2 == declarer % 2
    course = solver.course(hands, strain, declarer, cards)
    assert course[40] == taken + best([frozenset(hand) for hand in left], strain, turn, declarer % 2)


def test_a_table_names_strains_and_seats_in_our_order(endplay: None) -> None:
    suits = {suit: tuple(rank + suit for rank in "23456789TJQKA") for suit in "CDHS"}
    table = solver.table_of((suits["S"], suits["H"], suits["D"], suits["C"]))
    assert table == (HALF, (13, 0, 13, 0), HALF, (13, 0, 13, 0), (0, 0, 0, 0))


@pytest.mark.long
def test_par_equals_the_solvers_own_in_many_deals(endplay: None) -> None:
    from endplay.dds import calc_dd_table
    from endplay.dds import par as theirs
    from endplay.types import Deal, Player, Vul

    for seed in range(many(30, 300)):
        hands = shuffled(seed)
        pbn = " ".join(
            ".".join("".join(card[0] for card in hand if card[1] == suit) for suit in "SHDC") for hand in hands
        )
        table, ours = calc_dd_table(Deal(f"N:{pbn}")), solver.table_of(hands)
        for vulnerable, named in enumerate((Vul.none, Vul.ns, Vul.ew, Vul.both)):
            dealer = (seed + vulnerable) % 4
            assert par(ours, vulnerable, dealer).score == theirs(table, named, Player(dealer)).score


def test_cards_count_up_to_the_first_that_broke_a_rule(endplay: None) -> None:
    first, second, *_ = open_deals(cardledger.read(SAMPLES / "bridge-club-night.jsonl")[0].stream)
    assert len(first.plays) == 52
    assert second.plays[-1].seq == 71  # the revoke is event 72
    assert second.tricks == 7  # the director moved another


# --- laid over a sheet


def test_hands_that_were_solved_may_have_left_the_sheet() -> None:
    """A match that became secret without an event of its own, say."""
    sheet = Sheet("bridge")
    sheet.code("match", ["gone", "gone as well", "gone too"])
    none = {name: np.zeros((1, 4), dtype=np.int32) for name in OPEN_CARDS}
    laid = sheet.with_open_cards(SolvedHands(["gone too"], np.array([1]), none, {"gone too": 5}, (1,)))
    assert len(laid.hands["row"]) == 0

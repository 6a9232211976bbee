"""Diversity: every rule of its book, proved by the test that bears its name."""

from __future__ import annotations

import pytest

from cardledger.rules.engine import events as ev
from tests.tables import Sitting, trick_of


def sitting(**options: object) -> Sitting:
    return Sitting("diversity", 4, **options)


def test_deal_all_gives_everyone_thirteen_cards() -> None:
    table = sitting().deal().table
    assert [held.bit_count() for held in table.hand.held] == [13] * 4
    assert sum(table.hand.held) == table.pack.full


@pytest.mark.parametrize("dealer", range(4))
def test_lead_left_of_dealer_leads_to_the_first_trick(dealer: int) -> None:
    assert sitting().deal(dealer=dealer).turn == ("play", (dealer + 1) % 4)


def test_play_any_card_may_be_led_and_played() -> None:
    match = sitting().deal("2C 5S", "3C", "4C", "5C", dealer=3)
    assert match.table.choices()[0].cards == tuple(match.held(0).split())
    match.play("5S 3C")
    assert match.table.choices()[0].cards == tuple(match.held(2).split())
    assert match.play("4C 5C").table.violations == []


@pytest.mark.parametrize(
    ("cards", "takes"),
    [
        ("9S TH 6C 6D", "6C"),
        ("9S TH 6D 6C", "6D"),
        ("5C 5D 5H 5S", "5C"),
        ("AS KH QD JC", "JC"),
        ("2S AH KD QC", "2S"),
    ],
)
def test_trick_four_suits_lowest_rank_takes_the_earliest_of_equals(cards: str, takes: str) -> None:
    assert trick_of("diversity", cards) == (takes, "trick.four-suits")


@pytest.mark.parametrize(
    ("cards", "takes"),
    [
        ("3C 6D AH QD", "QD"),
        ("2C 3D 9C 9D", "9C"),
        ("3D 2C 9D 9C", "9D"),
        ("KS 2S AS AD", "AS"),
        ("7H 7D 2H 2D", "7H"),
        ("2C 3C 4C 5C", "5C"),
        ("AS AH 2D 3D", "3D"),
        ("2S 3S AH KD", "3S"),
    ],
)
def test_trick_repeated_suit_highest_of_those_that_repeat_takes(cards: str, takes: str) -> None:
    assert trick_of("diversity", cards) == (takes, "trick.repeated-suit")


@pytest.mark.parametrize(("cards", "leads"), [("2C 3C 4C 5C", 0), ("5C 3C 4C 2C", 1), ("2C 9C 4C 5C", 2)])
def test_lead_left_of_taker_leads_next(cards: str, leads: int) -> None:
    match = sitting().deal(*cards.split(), dealer=3).play(cards)
    assert match.turn == ("play", leads)
    match.refuses(ev.Play(seat=(leads - 1) % 4, card="KS"), "table.turn")


def test_score_trick_is_a_point_each() -> None:
    match = sitting().deal("2C", "3C", "4C", "5C", dealer=3).play("2C 3C 4C 5C").claim(3, 2, 4, 3)
    (hand,) = match.result["hands"]
    assert (hand["tricks_taken"], hand["scores"]) == ([3, 2, 4, 4], [3, 2, 4, 4])
    assert hand["claimed"] == [3, 2, 4, 3]


def test_deal_left_is_the_next_dealer() -> None:
    match = sitting().deal(dealer=3).claim(4, 4, 4, 1)
    for other in (1, 2, 3):
        match.refuses(ev.Deal(dealer=other, hands=None), "deal.left")
    assert match.deal(dealer=0).table.hand.dealer == 0


def test_match_minimum_of_hands_then_the_fewest_points_win() -> None:
    match = sitting(hands=2).deal().claim(4, 4, 4, 1)
    assert match.result["status"] == "open"
    match.deal().claim(3, 4, 4, 2)
    assert (match.result["status"], match.result["winners"]) == ("complete", [3])
    assert match.result["totals"] == [7, 8, 8, 3]


def test_match_minimum_is_four_hands_by_default() -> None:
    match = sitting()
    assert match.table.options == {"hands": 4}
    for _ in range(3):
        match.deal().claim(4, 4, 4, 1)
        assert match.result["status"] == "open"
    assert match.deal().claim(4, 4, 4, 1).result["winners"] == [3]


def test_match_tie_for_the_fewest_is_played_off_hand_by_hand() -> None:
    match = sitting(hands=1).deal().claim(2, 2, 4, 5)
    assert (match.turn, match.result["winners"]) == (("deal", None), [])
    match.deal().claim(4, 4, 4, 1)  # 6 6 8 6: still shared
    assert match.result["status"] == "open"
    match.deal().claim(3, 4, 2, 4)
    assert (match.result["status"], match.result["winners"]) == ("complete", [0])


def test_match_tie_elsewhere_than_for_the_fewest_ends_the_match() -> None:
    assert sitting(hands=1).deal().claim(1, 4, 4, 4).result["winners"] == [0]

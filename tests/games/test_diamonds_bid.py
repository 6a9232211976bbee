"""Diamonds (bidding): every rule of its book, proved by the test that bears its name."""

from __future__ import annotations

import pytest

from cardledger.rules.engine import events as ev
from tests.tables import Policy, Sitting, irregular, trick_of


def sitting(n: int = 4, policy: Policy = "strict", **options: object) -> Sitting:
    return Sitting("diamonds-bid", n, policy, **options)


@pytest.mark.parametrize(("n", "each"), [(2, 26), (3, 17), (4, 13), (5, 10), (6, 8), (7, 7), (8, 6)])
def test_deal_equal_leaves_the_rest_aside(n: int, each: int) -> None:
    deal = sitting(n).deal().stream.heads[-1][1]
    assert [len(hand) for hand in deal.hands] == [each] * n
    assert len(deal.aside or ()) == 52 - n * each


def test_deal_equal_needs_the_cards_aside() -> None:
    match = sitting(3)
    hands = tuple(tuple(hand.split()) for hand in (SPADES, HEARTS, DIAMONDS))
    match.refuses(ev.Deal(dealer=0, hands=hands), "format.key")
    match.refuses(ev.Deal(dealer=0, hands=hands, aside=()), "table.deck")
    match.refuses(ev.Deal(dealer=0, hands=hands, aside=("AS",)), "table.deck")
    match.refuses(ev.Deal(dealer=0, hands=hands, aside=("XX",)), "table.deck")
    match.do(ev.Deal(dealer=0, hands=hands, aside=("6C",)))
    assert match.turn == ("bid", 1)


def test_deal_equal_has_nothing_aside_where_all_is_dealt() -> None:
    deal = sitting().deal().stream.heads[-1][1]
    sitting().do(ev.Deal(dealer=0, hands=deal.hands, aside=()))
    sitting().refuses(ev.Deal(dealer=0, hands=deal.hands, aside=("2C",)), "table.deck")


SPADES = "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS 2C 3C 4C 5C"
HEARTS = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH 7C 8C 9C TC"
DIAMONDS = "2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD JC QC KC AC"


def test_bid_order_goes_round_once_from_the_dealers_left() -> None:
    match = sitting().deal(dealer=2)
    for seat in (3, 0, 1, 2):
        assert match.turn == ("bid", seat)
        match.refuses(ev.Bid(seat=(seat + 1) % 4, amount=1), "table.turn").bid(seat)
    assert match.result["hands"][0]["bids"] == [0, 1, 2, 3]
    match.refuses(ev.Bid(seat=3, amount=1), "table.phase")


def test_bid_order_comes_before_play_and_claim() -> None:
    match = sitting().deal("2C").bid(1, 1, 1)
    assert match.result["hands"][0]["bids"] == [None, 1, 1, 1]
    match.refuses(ev.Play(seat=0, card="2C"), "table.phase")
    match.refuses(ev.Claim(tricks=(13, 0, 0, 0)), "table.phase")


@pytest.mark.parametrize("policy", ["strict", "record"])
@pytest.mark.parametrize(("n", "most"), [(2, 26), (3, 17), (8, 6)])
def test_bid_range_is_from_nothing_to_the_cards_held(n: int, most: int, policy: Policy) -> None:
    match = sitting(n, policy).deal()
    assert match.table.choices()[0].amounts == (0, most)
    match.refuses(ev.Bid(seat=1, amount=-1), "bid.range")
    match.refuses(ev.Bid(seat=1, amount=most + 1), "bid.range")
    match.refuses(ev.Bid(seat=0, amount=most + 1), "table.turn")
    match.bid(0, most)


def test_lead_lowest_club_holder_leads_the_first_trick() -> None:
    match = sitting().deal("", "", "2C AC", dealer=0).bid(0, 0, 0, 0)
    assert match.turn == ("play", 2)
    assert match.table.choices()[0].cards == ("2C",)
    match.refuses(ev.Play(seat=1, card="3C"), "table.turn").play("2C")


def test_lead_lowest_club_is_the_lowest_in_play() -> None:
    match = sitting(5).deal("", "4C", aside="2C 3C").bid(0, 0, 0, 0, 0)
    assert match.turn == ("play", 1)
    assert match.table.choices()[0].cards == ("4C",)


@pytest.mark.parametrize("card", ["3C", "AD"])
def test_lead_lowest_club_irregular_lead_of_another_card(card: str) -> None:
    def at(policy: Policy) -> Sitting:
        return sitting(4, policy).deal("2C 3C AD").bid(0, 0, 0, 0)

    irregular(at, ev.Play(seat=0, card=card), "lead.lowest-club", "2C")


def unbroken(policy: Policy, hand: str = "AC 3D 4D 5H", void: str = "S") -> Sitting:
    """Seat 0 takes the first trick, all clubs, and leads to the second with diamonds not broken."""
    match = sitting(4, policy).deal(hand, "2C", "3C", "4C", void={0: void}, dealer=0)
    return match.bid(0, 0, 0, 0).play("2C 3C 4C AC")


def test_lead_unbroken_irregular_lead_of_a_diamond() -> None:
    legal = " ".join(c for c in unbroken("strict").held(0).split() if c[1] != "D")
    irregular(unbroken, ev.Play(seat=0, card="3D"), "lead.unbroken", legal)


def test_lead_unbroken_allows_a_hand_of_diamonds_alone() -> None:
    match = sitting(8).deal("AC 2D 3D 4D 5D 6D", "2C", *(f"{rank}C" for rank in "345678"))
    match.bid(*[0] * 8).play("2C 3C 4C 5C 6C 7C 8C AC")
    assert match.play("2D").table.violations == []


def test_lead_unbroken_is_lifted_by_a_diamond_on_another_suit() -> None:
    match = sitting().deal("2C 3D", "AD", "3C", "4C", void={1: "C"}, dealer=3)
    match.bid(0, 0, 0, 0).play("2C AD 3C 4C")
    diamond = next(card for card in match.held(1).split() if card[1] == "D")
    assert match.play(diamond).table.violations == []


def test_lead_unbroken_is_lifted_by_a_revoke_too() -> None:
    match = sitting(4, "record").deal("2C", "AD KD 5C", "3C", "4C", dealer=3).bid(0, 0, 0, 0)
    match.play("2C AD 3C 4C")
    assert [found.rule for found in match.table.violations] == ["follow.suit"]
    assert len(match.play("KD").table.violations) == 1


def test_lead_unbroken_is_not_lifted_by_a_diamond_led() -> None:
    match = unbroken("record", "AC AD KD 5H").play("AD").legally(3)
    assert match.last[2:] == (0, "trick.trump")
    before = len(match.table.violations)
    match.play("KD")
    assert [found.rule for found in match.table.violations[before:]] == ["lead.unbroken"]


def test_follow_suit_irregular_discard() -> None:
    def at(policy: Policy) -> Sitting:
        return sitting(4, policy).deal("2C", "5C KC AH").bid(0, 0, 0, 0).play("2C")

    legal = " ".join(card for card in at("strict").held(1).split() if card[1] == "C")
    irregular(at, ev.Play(seat=1, card="AH"), "follow.suit", legal)


def test_follow_suit_leaves_any_card_to_the_void() -> None:
    match = sitting().deal("2C", "AH AD", void={1: "C"}).bid(0, 0, 0, 0).play("2C")
    assert match.table.choices()[0].cards == tuple(match.held(1).split())
    assert match.play("AD").table.violations == []


@pytest.mark.parametrize(
    ("cards", "takes"),
    [("AH 2D KH QH", "2D"), ("AH 2D 5D 4D", "5D"), ("3D 5D AS AC", "5D"), ("3D AS AH AC", "3D")],
)
def test_trick_trump_highest_diamond_takes(cards: str, takes: str) -> None:
    assert trick_of("diamonds-bid", cards) == (takes, "trick.trump")


@pytest.mark.parametrize(("cards", "takes"), [("9H TH AS 2H", "TH"), ("3H AS AC KS", "3H"), ("TC JC QC AC KC", "AC")])
def test_trick_led_suit_highest_takes_without_diamonds(cards: str, takes: str) -> None:
    assert trick_of("diamonds-bid", cards) == (takes, "trick.led-suit")


def test_lead_taker_leads_next() -> None:
    match = sitting().deal("2C", "5C", "KC", "4C").bid(0, 0, 0, 0).play("2C 5C KC 4C")
    assert match.turn == ("play", 2)
    match.refuses(ev.Play(seat=3, card="AC"), "table.turn")


@pytest.mark.parametrize(
    ("bid", "took", "points"),
    [(3, 3, 30), (5, 6, 51), (6, 4, 20), (5, 2, -10), (0, 0, 0), (0, 2, 2), (26, 26, 260)],
)
def test_score_bid_counts_tricks_bid_and_taken(bid: int, took: int, points: int) -> None:
    match = sitting(2).deal(dealer=1).bid(bid, 0).claim(took, 26 - took)
    assert match.result["hands"][0]["scores"] == [points, 26 - took]


def test_score_floor_stops_totals_at_0_with_chips() -> None:
    match = sitting(2, chips=True).scored(5, 0).deal(dealer=1).bid(1, 0).claim(0, 26)
    assert match.result["hands"][1]["scores"] == [-10, 26]
    assert match.result["totals"] == [0, 26]
    assert match.scored(7, -30).result["totals"] == [7, 0]


def test_score_floor_is_off_by_default() -> None:
    match = sitting(2).scored(5, 0).deal(dealer=1).bid(1, 0).claim(0, 26)
    assert match.table.options == {"target": 500, "chips": False}
    assert match.result["totals"] == [-5, 26]


def test_deal_left_is_the_next_dealer() -> None:
    match = sitting(3).deal(dealer=2).score(1, 2, 3)
    match.refuses(ev.Deal(dealer=2, hands=None), "deal.left")
    assert match.deal(dealer=0).turn == ("bid", 1)


def test_match_target_ends_it_for_the_most_points() -> None:
    match = sitting(3, target=30).scored(29, 10, 0)
    assert (match.result["status"], match.result["winners"]) == ("open", [])
    match.scored(-5, 20, 25)
    assert (match.result["status"], match.result["winners"]) == ("complete", [1])
    match.refuses(ev.Deal(dealer=2, hands=None), "table.phase")


def test_match_target_reached_together_is_shared() -> None:
    match = sitting(2, target=130).deal(dealer=1).bid(13, 13).claim(13, 13)
    assert (match.result["totals"], match.result["winners"]) == ([130, 130], [0, 1])


def test_match_target_reached_by_several_goes_to_the_most() -> None:
    assert sitting(3, target=30).scored(31, 30, 35).result["winners"] == [2]

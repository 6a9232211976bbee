"""The rules of spades, each named by the tests that prove it."""

from __future__ import annotations

import pytest

from cardledger.rules.engine import events as ev
from tests.games.folding import folded, hide
from tests.tables import Policy, Sitting, irregular


def spades(policy: Policy = "strict", **options: object) -> Sitting:
    return Sitting("spades", 4, policy, **options)


def hand(match: Sitting, bids: tuple[int | str, ...], tricks: tuple[int, ...]) -> Sitting:
    """A line of a score sheet: hidden hands, the bids of seats 0 to 3, and all tricks."""
    match.deal(hidden=True)
    first = match.hand.turn
    match.bid(*(bids[(first + place) % 4] for place in range(4)))
    return match.claim(*tricks)


def scored(bids: tuple[int | str, ...], tricks: tuple[int, ...], **options: object) -> int:
    """What the side of seats 0 and 2 scores."""
    scores = hand(spades(**options), bids, tricks).last_hand["scores"]
    assert scores[:2] == scores[2:]
    return int(scores[0])


def behind(*points: int, **options: object) -> Sitting:
    """A match in which both sides have some points."""
    return spades(**options).scored(*points, *points).deal()


# --- bids


def test_deal_all_is_thirteen_cards_each() -> None:
    assert [len(spades().deal().held(seat).split()) for seat in range(4)] == [13] * 4


def test_deal_left_is_the_next_dealer() -> None:
    assert spades().scored(1, 0, 1, 0).deal().hand.dealer == 1


def test_bid_order_goes_round_once_from_the_dealers_left() -> None:
    match = spades().deal(dealer=2)
    assert match.turn == ("bid", 3)
    match.refuses(ev.Bid(seat=0, amount=3), "table.turn")
    match.refuses(ev.Call(seat=0, call="nil"), "table.turn")
    match.refuses(ev.Play(seat=3, card="2C"), "table.phase")
    match.bid(3, "nil", 4, 2)
    assert match.turn == ("play", 3)
    assert match.last_hand["bids"] == [0, 4, 2, 3]
    match.refuses(ev.Bid(seat=3, amount=3), "table.phase")
    match.refuses(ev.Call(seat=3, call="nil"), "table.phase")
    match.refuses(ev.Call(seat=3, call="pass"), "format.value")


def test_bid_range_is_from_one_to_thirteen_or_nil() -> None:
    match = spades().deal()
    for amount in (0, -1, 14):
        match.refuses_bid(amount, "bid.range")
    match.refuses_call("pass", "format.value")
    assert match.choice("bid").amounts == (1, 13)
    assert match.choice("call").calls == ("nil",)
    assert match.bid(13).last_hand["bids"] == [None, 13, None, None]


def test_bid_joint_limits_two_partners_to_thirteen() -> None:
    match = spades(joint_limit=True).deal(dealer=3).bid(9, 13)
    match.refuses_bid(5, "bid.joint").refuses_bid(14, "bid.range")
    assert [a for a in range(1, 14) if a not in match.choice("bid").barred] == [1, 2, 3, 4]
    match.bid(4).bid("nil")
    spades().deal(dealer=3).bid(9, 13, 13, 13)


def test_bid_blind_nil_needs_a_hundred_points_behind() -> None:
    behind(99, 0).bid(1).refuses_call("blind nil", "bid.blind-nil")
    match = behind(100, 0)
    match.refuses_call("blind nil", "bid.blind-nil").bid(1)
    assert match.choice("call").calls == ("nil", "blind nil")
    match.call("blind nil")
    assert (match.last_hand["blind"], match.last_hand["bids"][3]) == ([3], 0)


def test_bid_blind_nil_may_be_left_out() -> None:
    behind(100, 0, blind_nil=False).bid(1).refuses_call("blind nil", "bid.blind-nil")


# --- the play


def led(policy: Policy, **options: object) -> Sitting:
    """Seat 0 leads first and holds spades among others."""
    return spades(policy, **options).deal("AS 2D 5S", "3D", "4D", "6D", dealer=3).bid(3, 3, 3, 3)


def test_lead_left_of_dealer_leads() -> None:
    assert led("strict").turn == ("play", 0)


def test_lead_unbroken_irregular() -> None:
    legal = " ".join(card for card in led("strict").held(0).split() if card[1] != "S")
    irregular(led, "AS", "lead.unbroken", legal)


def test_lead_unbroken_ends_with_a_spade_to_another_suit() -> None:
    match = spades().deal("AD 5S", "3D", "2S 9S", "6D", dealer=3, void={2: "D"}).bid(3, 3, 3, 3).play("AD 3D 2S 6D")
    assert match.turn == ("play", 2)
    assert any(card[1] == "S" for card in match.choice("play").cards)


def test_lead_unbroken_does_not_end_with_spades_led() -> None:
    match = led("record").play("AS")
    match.legally(3)
    assert match.turn == ("play", 0)
    match.match.strict = True
    match.refuses_play("5S", "lead.unbroken")


def test_lead_unbroken_may_be_left_out() -> None:
    led("strict", spade_lead="any").play("AS")


def test_lead_unbroken_does_not_bind_a_hand_of_spades() -> None:
    all_spades = "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS"
    spades().deal(all_spades, dealer=3).bid(13, 1, 1, 1).play("AS")


def follows(policy: Policy) -> Sitting:
    return spades(policy).deal("AD", "AS 3D 4D", dealer=3, void={1: "D"}).bid(3, 3, 3, 3).play("AD")


def test_follow_suit_irregular() -> None:
    irregular(follows, "AS", "follow.suit", "3D 4D")


def test_trick_trump_is_the_highest_spade() -> None:
    match = spades("record").deal("AD", "2S", "9S", "6D", dealer=3).bid(3, 3, 3, 3).play("AD 2S 9S 6D")
    assert match.last == (0, "AD 2S 9S 6D", 2, "trick.trump")


def test_trick_led_suit_is_the_highest_without_spades() -> None:
    match = spades("record").deal("TD", "AH", "JD", "6D", dealer=3).bid(3, 3, 3, 3).play("TD AH JD 6D")
    assert match.last == (0, "TD AH JD 6D", 2, "trick.led-suit")


def test_lead_taker_leads_next() -> None:
    match = led("strict").play("2D 3D 4D 6D")
    assert match.turn == ("play", 3)


# --- points


def test_score_bid_is_ten_a_trick_made_or_lost() -> None:
    assert scored((4, 2, 3, 2), (4, 3, 3, 3)) == 70
    assert scored((4, 2, 3, 2), (3, 4, 3, 3)) == -70


def test_score_bag_is_a_point_and_a_bag() -> None:
    match = hand(spades(), (4, 3, 3, 3), (5, 3, 3, 2))
    assert match.last_hand["scores"] == [71, -60, 71, -60]
    assert match.last_hand["bags"] == [1, 0, 1, 0]
    assert {"score.bid", "score.bag"} <= match.rules_cited


def test_score_nil_is_a_hundred_and_blind_two_hundred() -> None:
    assert scored(("nil", 3, 5, 3), (0, 4, 6, 3)) == 151
    assert scored(("nil", 3, 5, 3), (0, 4, 6, 3), nil_points=50) == 101
    assert scored(("nil", 3, "nil", 3), (0, 5, 3, 5)) == 100 - 100 + 3
    match = hand(spades().scored(0, 100, 0, 100), ("blind nil", 3, 5, 3), (0, 4, 6, 3))
    assert (match.last_hand["scores"][0], match.last_hand["blind"]) == (251, [0])
    match = hand(spades().scored(0, 100, 0, 100), ("blind nil", 3, 5, 3), (1, 4, 5, 3))
    assert match.last_hand["scores"][0] == -200 + 50 + 1


def test_score_nil_tricks_are_bags_or_help_the_partner() -> None:
    nil_and_five = ("nil", 3, 5, 3)
    for mode in ("bags", "bid"):
        assert scored(nil_and_five, (2, 3, 5, 3), nil_tricks=mode) == -100 + 50 + 2
    assert scored(nil_and_five, (2, 4, 4, 3)) == -100 - 50 + 2
    assert scored(nil_and_five, (2, 4, 4, 3), nil_tricks="bid") == -100 + 50 + 1
    match = hand(spades(), nil_and_five, (2, 4, 4, 3))
    assert match.last_hand["bags"] == [2, 1, 2, 1]
    assert "score.nil-tricks" in match.rules_cited
    match = hand(spades(), ("nil", 3, "nil", 3), (0, 5, 3, 5))
    assert match.last_hand["bags"][0] == 3


def bagged(*bags: int, **options: object) -> Sitting:
    """Hands in which the side of seats 0 and 2 takes this many bags, after bids of one each."""
    match = spades(target=9999, **options)
    for number in bags:
        hand(match, (1, 1, 1, 1), (number + 2, 11 - number, 0, 0))
    return match


def test_score_bag_penalty_is_paid_for_every_ten() -> None:
    match = bagged(8, 3)
    assert [h["bags"][0] for h in match.result["hands"]] == [8, 1]
    assert [h["scores"][0] for h in match.result["hands"]] == [28, 23 - 100]
    assert "score.bag-penalty" in match.rules_cited


def test_score_bag_penalty_is_paid_as_often_as_there_are_enough() -> None:
    match = bagged(8, bag_limit=3, bag_penalty=30)
    assert match.last_hand["scores"][0] == 28 - 60
    assert match.last_hand["bags"][0] == 2


def test_score_bag_penalty_counts_no_bags_of_a_score_sheet() -> None:
    match = bagged(8).scored(50, 60, 50, 60)
    assert match.last_hand["bags"][0] == 8
    assert match.deal().last_hand["bags"][0] == 8
    match.bid(1, 1, 1, 1).claim(4, 9, 0, 0)
    assert match.last_hand["bags"][0] == 0
    assert match.last_hand["scores"][0] == 22 - 100


def test_score_bid_is_null_bids_where_a_score_came_first() -> None:
    match = spades().deal().bid(3).score(10, 20, 10, 20)
    assert match.last_hand["bids"] == [None, 3, None, None]
    match.deal().refuses(ev.Score(scores=(10, 20, 11, 20)), "table.range")


# --- the match


def test_match_target_ends_it() -> None:
    match = spades().scored(499, 0, 499, 0)
    assert match.result["status"] == "open"
    match.scored(1, 499, 1, 499)
    assert (match.result["status"], match.result["winners"]) == ("complete", [0, 2])
    assert match.result["sides"] == [[0, 2], [1, 3]]
    assert "match.target" in match.rules_cited


def test_match_mercy_ends_it_if_agreed() -> None:
    assert spades().scored(-900, 0, -900, 0).result["status"] == "open"
    match = spades(mercy=200).scored(-199, 0, -199, 0)
    assert match.result["status"] == "open"
    match.scored(-1, 0, -1, 0)
    assert (match.result["status"], match.result["winners"]) == ("complete", [1, 3])
    assert "match.mercy" in match.rules_cited


def test_match_tie_goes_on() -> None:
    match = spades(mercy=200).scored(500, 500, 500, 500)
    assert match.result["status"] == "open"
    assert "match.tie" in match.rules_cited
    match.scored(-800, -800, -800, -800)
    assert match.result["status"] == "open"
    match.scored(0, 1, 0, 1)
    assert match.result["winners"] == [1, 3]


def test_match_hands_alone_ends_it() -> None:
    match = spades(hands=2, target=100, mercy=100).scored(600, -600, 600, -600)
    assert match.result["status"] == "open"
    match.scored(-600, 600, -600, 600)
    assert (match.result["status"], match.result["winners"]) == ("complete", [0, 1, 2, 3])


# --- hidden hands


@pytest.mark.parametrize("policy", ["strict", "record"])
def test_follow_suit_irregular_is_found_after_a_hidden_hand(policy: Policy) -> None:
    known = follows("record").play("AS")
    known.legally()
    hidden = folded(hide(known.events, policy))
    assert hidden.violations == known.match.violations
    assert hidden.hands[0].scores == known.match.hands[0].scores


def test_lead_unbroken_irregular_is_found_in_a_hand_cut_short() -> None:
    match = (
        spades().deal(dealer=3, hidden=True).bid(3, 3, 3, 3).play("AS 2S 3S 4S").play("5D 6D 7D 8D").claim(11, 0, 0, 0)
    )
    assert match.violations == [(7, 0, "lead.unbroken", "5D")]

"""The rules of euchre, each named by the tests that prove it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from cardledger.rules.engine import events as ev
from tests.games.folding import folded, hide
from tests.tables import Policy, Sitting, dealt, irregular


def euchre(policy: Policy = "strict", **options: object) -> Sitting:
    return Sitting("euchre", 4, policy, **options)


def sheet(*calls: str, dealer: int = 0, **options: object) -> Sitting:
    """A line of a score sheet: nobody noted the cards; these calls were made."""
    return euchre(**options).do(ev.Deal(dealer=dealer, hands=None, upcard=None)).call(*calls)


def hearts_made(policy: Policy = "strict", *hands: str, alone: str = "", dealer: int = 3, **options: object) -> Sitting:
    """Seat 0 orders up the king of hearts unless it is `alone`; the dealer lays away a nine."""
    wanted = [hands[seat] if seat < len(hands) else "" for seat in range(4)]
    match = euchre(policy, **options).deal(*wanted, dealer=dealer, upcard="KH")
    return match.call(f"order up{alone}")


# --- the deal


def test_deal_five_cards_each_and_one_turned_up() -> None:
    match = euchre().deal(upcard="QH")
    assert [len(match.held(seat).split()) for seat in range(4)] == [5] * 4
    assert all("QH" not in match.held(seat) for seat in range(4))
    deal = dealt(euchre().match, ("AS",), upcard="QH")
    for wrong, code in (
        ({"upcard": "AS"}, "table.deck"),
        ({"upcard": "2H"}, "table.deck"),
        ({"upcard": None}, "format.value"),
        ({"upcard": msgspec.UNSET}, "format.key"),
        ({"aside": ("9C",)}, "table.deck"),
        ({"stock": ()}, "format.key"),
    ):
        euchre().refuses(msgspec.structs.replace(deal, **wrong), code)


def test_deal_five_of_nines_to_aces() -> None:
    match = euchre()
    deal = dealt(match.match)
    assert deal.hands is not None
    match.refuses(msgspec.structs.replace(deal, hands=(("2C", *deal.hands[0][1:]), *deal.hands[1:])), "table.deck")
    match.do(deal).call("order up").refuses(ev.Discard(seat=0, card="2C"), "table.holding")


def test_deal_left_is_the_next_dealer() -> None:
    assert euchre().scored(1, 0, 1, 0).deal().hand.dealer == 1


# --- the calls


def test_call_order_begins_left_of_the_dealer() -> None:
    match = euchre().deal(dealer=1)
    assert match.turn == ("call", 2)
    match.refuses(ev.Call(seat=3, call="pass"), "table.turn")
    match.refuses(ev.Play(seat=2, card="9C"), "table.phase")
    match.refuses(ev.Call(seat=2, call="Pass"), "format.value")
    match.call("pass", "pass")
    assert match.turn == ("call", 0)


def test_call_order_up_makes_the_upcards_suit_trump() -> None:
    match = euchre().deal(dealer=1, upcard="QD").call("pass", "order up")
    assert (match.last_hand["trump"], match.last_hand["contract"]) == ("D", {"seat": 3, "call": "order up"})
    assert match.turn == ("discard", 1)


def test_call_order_up_is_all_of_the_first_round() -> None:
    match = euchre().deal(upcard="QD")
    for call in ("hearts", "diamonds", "clubs alone"):
        match.refuses_call(call, "call.order-up")
    match.refuses_call("alone", "table.phase")
    assert match.choice("call").calls == ("pass", "order up", "order up alone")


def second_round(**options: object) -> Sitting:
    return euchre(**options).deal(dealer=0, upcard="QD").call("pass", "pass", "pass", "pass")


def test_call_name_makes_another_suit_trump() -> None:
    match = second_round().call("pass", "clubs")
    assert (match.last_hand["trump"], match.last_hand["contract"]) == ("C", {"seat": 2, "call": "clubs"})
    assert match.turn == ("play", 1)


def test_call_name_is_not_the_suit_turned_up() -> None:
    match = second_round()
    for call in ("diamonds", "diamonds alone", "order up", "order up alone"):
        match.refuses_call(call, "call.name")
    assert "diamonds" not in match.choice("call").calls


def test_call_name_allows_any_suit_if_the_upcard_was_not_noted() -> None:
    match = sheet("pass", "pass", "pass", "pass", "diamonds")
    assert match.last_hand["trump"] == "D"


def test_call_stuck_is_the_dealer_in_the_second_round() -> None:
    match = second_round(stick_dealer=True).call("pass", "pass", "pass")
    match.refuses_call("pass", "call.stuck").call("spades")
    second_round().call("pass", "pass", "pass", "pass")


def test_call_passed_out_scores_nothing() -> None:
    match = second_round().call("pass", "pass", "pass", "pass")
    hand = match.last_hand
    assert (hand["complete"], hand["scores"], hand["tricks"]) == (True, [0] * 4, [])
    assert (hand["trump"], hand["contract"], hand["sits_out"]) == (None, None, [])
    assert match.turn == ("deal", None)
    assert "call.passed-out" in match.rules_cited
    assert match.deal().hand.dealer == 1


def test_call_alone_lets_the_partner_sit_out() -> None:
    match = hearts_made(alone=" alone")
    assert match.last_hand["sits_out"] == [2]
    assert match.last_hand["contract"] == {"seat": 0, "call": "order up alone"}
    match.discard(match.held(3).split()[0])
    match.legally(3)
    assert len(match.last_hand["tricks"]) == 1
    assert len(match.last_hand["tricks"][0]["cards"]) == 3
    match.legally()
    assert len(match.last_hand["tricks"]) == 5


def test_discard_dealer_takes_the_upcard_and_discards_one() -> None:
    match = hearts_made("strict", "", "", "", "9C TC JC QC KC")
    match.refuses(ev.Discard(seat=0, card="9C"), "table.turn").refuses(ev.Discard(seat=3, card="AS"), "table.holding")
    match.refuses(ev.Discard(seat=3, card=None), "format.value").refuses(ev.Play(seat=0, card="9C"), "table.phase")
    match.discard("9C")
    assert match.held(3) == "JC KC KH QC TC"
    assert match.turn == ("play", 0)


def test_discard_dealer_may_discard_the_upcard_only_if_agreed() -> None:
    match = hearts_made("strict", "", "", "", "9C TC JC QC KC").discard("KH")
    assert "KH" not in match.held(3)
    match = hearts_made("strict", "", "", "", "9C TC JC QC KC", bury_upcard=False)
    match.refuses(ev.Discard(seat=3, card="KH"), "discard.dealer")
    assert "KH" not in match.choice("discard").cards


def test_discard_dealer_comes_where_the_partner_plays_alone_too() -> None:
    match = euchre().deal(dealer=0, upcard="QD").call("pass", "order up alone")
    assert (match.last_hand["sits_out"], match.turn) == ([0], ("discard", 0))
    match.discard(match.held(0).split()[0])
    assert match.turn == ("play", 1)


def test_call_defend_alone_is_open_to_both_defenders() -> None:
    match = euchre(lone_defender=True).deal(dealer=0, upcard="QD").call("pass", "pass", "pass", "pass", "pass", "clubs")
    assert match.turn == ("call", 1)
    assert match.choice("call").calls == ("pass", "alone")
    match.refuses_call("hearts", "call.defend-alone").call("pass")
    assert match.turn == ("call", 3)
    match.call("alone")
    assert match.last_hand["sits_out"] == [1]
    assert match.turn == ("play", 2)


def test_call_defend_alone_ends_with_the_first_defender_who_does() -> None:
    match = euchre(lone_defender=True).deal(dealer=0, upcard="QD").call("order up alone")
    match.discard(match.held(0).split()[0])
    assert match.turn == ("call", 2)
    match.call("alone")
    assert (match.last_hand["sits_out"], match.turn) == ([0, 3], ("play", 1))
    match.legally(2)
    assert len(match.last_hand["tricks"][0]["cards"]) == 2


def test_call_defend_alone_needs_the_option() -> None:
    match = euchre().deal(dealer=0, upcard="QD").call("pass", "pass", "pass", "pass", "clubs")
    match.refuses_call("alone", "table.phase")
    match = euchre(lone_defender=True).deal(dealer=0, upcard="QD")
    match.refuses_call("alone", "table.phase")


# --- the play


def test_lead_left_of_dealer_leads_or_the_next_who_plays() -> None:
    match = euchre().deal(dealer=0, upcard="QD").call("pass", "pass", "order up alone")
    match.discard(match.held(0).split()[0])
    assert match.last_hand["sits_out"] == [1]
    assert match.turn == ("play", 2)
    match.refuses(ev.Play(seat=1, card=match.held(1).split()[0]), "table.turn")


def trick(cards: str) -> tuple[int | None, str]:
    """Return the taker of a first trick of these cards with hearts as trump, and the rule."""
    hands = [*cards.split()]
    match = (
        euchre("record").deal(*hands, dealer=3, upcard="QC").call("pass", "pass", "pass", "pass", "hearts").play(cards)
    )
    return match.last[2], match.last[3]


def test_rank_bowers_are_highest() -> None:
    assert trick("AH JD JH KH") == (2, "trick.trump")
    assert trick("AH JD KH QH") == (1, "trick.trump")
    assert trick("AD JD 9D KD") == (1, "trick.trump")
    assert trick("AC JC 9C KC") == (0, "trick.led-suit")


def left_bower_led(policy: Policy) -> Sitting:
    match = euchre(policy).deal("JD", "AD 9H 9S TS 9C", dealer=3, upcard="QC")
    return match.call("pass", "pass", "pass", "pass", "hearts").play("JD")


def test_rank_bowers_make_the_left_one_a_trump_to_follow() -> None:
    irregular(left_bower_led, "AD", "follow.suit", "9H")
    match = euchre().deal("AD", "JD 9H 9S TS 9C", dealer=3, upcard="QC")
    match.call("pass", "pass", "pass", "pass", "hearts").play("AD")
    assert len(match.choice("play").cards) == 5


def test_follow_suit_irregular() -> None:
    def follows(policy: Policy) -> Sitting:
        match = euchre(policy).deal("AD", "KD 9D 9S TS 9C", dealer=3, upcard="QC")
        return match.call("pass", "pass", "pass", "pass", "hearts").play("AD")

    irregular(follows, "9S", "follow.suit", "9D KD")


def test_trick_trump_takes_it() -> None:
    assert trick("AD 9H KD QD") == (1, "trick.trump")


def test_trick_led_suit_takes_it_without_a_trump() -> None:
    assert trick("9D AS TD QD") == (3, "trick.led-suit")


def test_lead_taker_leads_next() -> None:
    match = euchre().deal("9D", "AD", "TD", "QD", dealer=3, upcard="QC")
    match.call("pass", "pass", "pass", "pass", "hearts").play("9D AD TD QD")
    assert match.turn == ("play", 1)


# --- points


def scores(calls: tuple[str, ...], tricks: tuple[int, ...], **options: object) -> Any:
    """What seats 0 and 1 score; the dealer is seat 0, so that seat 1 calls first."""
    return sheet(*calls, **options).claim(*tricks).last_hand["scores"][:2]


def test_score_makers_score_one_or_two() -> None:
    assert scores(("order up",), (1, 2, 1, 1)) == [0, 1]
    assert scores(("order up",), (1, 2, 0, 2)) == [0, 1]
    assert scores(("order up",), (0, 3, 0, 2)) == [0, 2]


def test_score_alone_is_four_for_all_five() -> None:
    assert scores(("order up alone",), (0, 5, 0, 0)) == [0, 4]
    assert scores(("order up alone",), (1, 4, 0, 0)) == [0, 1]
    match = sheet("order up alone").claim(0, 5, 0, 0)
    assert "score.alone" in match.rules_cited


def test_score_euchre_is_two_for_the_others() -> None:
    assert scores(("pass", "order up"), (1, 2, 1, 1)) == [0, 2]
    assert scores(("pass", "order up alone"), (0, 3, 2, 0)) == [0, 2]


def test_score_defend_alone_is_four() -> None:
    match = sheet("pass", "order up", "alone", lone_defender=True).claim(1, 3, 1, 0)
    assert match.last_hand["scores"] == [0, 4, 0, 4]
    assert match.last_hand["sits_out"] == [3]
    assert "score.defend-alone" in match.rules_cited
    match = sheet("pass", "order up", "alone", lone_defender=True).claim(2, 2, 1, 0)
    assert match.last_hand["scores"] == [1, 0, 1, 0]


def test_score_makers_claims_are_of_seats_that_play() -> None:
    match = sheet("order up alone")
    match.refuses(ev.Claim(tricks=(0, 4, 0, 1)), "table.range").refuses(ev.Claim(tricks=(0, 4, 0, 0)), "table.range")
    match.refuses(ev.Score(scores=(1, 0, 0, 0)), "table.range")


# --- the match


def test_match_target_ends_it() -> None:
    match = euchre().scored(9, 9, 9, 9)
    assert match.result["status"] == "open"
    match.scored(1, 0, 1, 0)
    assert (match.result["status"], match.result["winners"]) == ("complete", [0, 2])
    assert match.result["sides"] == [[0, 2], [1, 3]]


def test_match_hands_ends_it_passed_out_ones_included() -> None:
    match = euchre(hands=2, target=1).scored(4, 0, 4, 0)
    assert match.result["status"] == "open"
    match.deal().call(*["pass"] * 8)
    assert (match.result["status"], match.result["winners"]) == ("complete", [0, 2])
    assert "match.hands" in match.rules_cited


# --- hidden hands


def test_discard_dealer_unseen_leaves_the_upcard_to_the_dealer() -> None:
    match = euchre().deal(dealer=3, upcard="KH", hidden=True).call("order up").discard(None)
    match.refuses_play("KH", "table.holding").play("AS 9S TS").play("KH")
    match = euchre().deal(dealer=3, upcard="KH", hidden=True).call("pass", "pass", "pass", "pass", "clubs")
    match.refuses_play("KH", "table.holding").play("AS 9S TS").refuses_play("KH", "table.holding")


def test_discard_dealer_unseen_may_have_been_the_upcard() -> None:
    match = euchre().deal(dealer=3, upcard="KH", hidden=True).call("order up").discard(None)
    match.play("AS 9S TS JS").play("AC 9C TC JC").play("AD TD QD 9D").play("KS QS 9H KC").play("TH QH QC KD")
    assert match.last_hand["complete"]


def test_discard_dealer_unseen_is_not_the_upcard_where_it_may_not_be() -> None:
    match = euchre(bury_upcard=False).deal(dealer=3, upcard="KH", hidden=True).call("order up").discard(None)
    match.play("AS 9S TS JS").play("AC 9C TC JC").play("AD TD QD 9D").play("KS QS 9H KC").play("TH")
    match.refuses_play("KD", "table.holding").play("KH QH QC")


def test_discard_dealer_seen_is_played_by_nobody() -> None:
    match = euchre().deal(dealer=3, upcard="KH", hidden=True).call("order up").discard("9C")
    match.refuses_play("9C", "table.holding")


def test_deal_five_aside_is_played_by_nobody() -> None:
    match = euchre().deal(dealer=3, upcard="KH", hidden=True, aside="9C TC JC").call("order up").discard(None)
    match.refuses_play("9C", "table.holding").play("QC")


def test_discard_dealer_does_not_come_if_the_upcard_was_not_noted() -> None:
    match = sheet("order up")
    assert match.last_hand["trump"] is None
    assert match.kinds() == ["claim", "score"]
    match.refuses(ev.Discard(seat=0, card=None), "table.phase").refuses(ev.Play(seat=1, card="9C"), "table.phase")


@pytest.mark.parametrize("policy", ["strict", "record"])
def test_follow_suit_irregular_is_judged_on_the_hands_as_the_play_began(policy: Policy) -> None:
    known = left_bower_led("record").play("AD")
    known.legally()
    hidden = folded(hide(known.events, policy))
    assert hidden.violations == known.match.violations
    assert hidden.hands[0].scores == known.match.hands[0].scores


def test_follow_suit_irregular_is_found_in_a_hand_cut_short() -> None:
    match = euchre().deal(dealer=3, upcard="QC", hidden=True).call("pass", "pass", "pass", "pass", "hearts")
    match.play("JD AD 9D TD").play("QS 9H 9S TS").claim(1, 0, 1, 1)
    assert match.violations == [(9, 1, "follow.suit", "9H")]

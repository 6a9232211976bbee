"""The rules of whist, each named by the tests that prove it."""

from __future__ import annotations

import msgspec
import pytest

from cardledger.errors import LedgerError
from cardledger.rules import games
from cardledger.rules.engine import events as ev
from tests.games.folding import folded, hide
from tests.tables import Policy, Sitting, dealt, irregular, opening


def whist(policy: Policy = "strict", **options: object) -> Sitting:
    return Sitting("whist", 4, policy, **options)


def sides_take(match: Sitting, ours: int) -> Sitting:
    """A claim of the whole hand: seats 0 and 2 take this many tricks."""
    return match.claim(ours, 13 - ours, 0, 0)


def refused(code: str, **options: object) -> None:
    with pytest.raises(LedgerError) as error:
        games.start(opening("whist", 4, **options))
    assert error.value.code == code


# --- options


def test_match_rubber_with_a_number_of_hands_is_refused() -> None:
    refused("format.option", rubber=True, hands=4)
    assert whist(rubber=True, hands=None).match.options["hands"] is None


def test_score_all_without_a_number_of_hands_is_refused() -> None:
    refused("format.option", scoring="all")
    refused("format.option", scoring="all", rubber=True)
    whist(scoring="all", hands=2)


# --- the deal


def test_deal_all_is_thirteen_cards_each() -> None:
    match = whist().deal()
    assert [len(match.held(seat).split()) for seat in range(4)] == [13] * 4


def test_deal_left_is_the_next_dealer() -> None:
    match = whist().deal(dealer=1).score(1, 0, 1, 0)
    match.refuses(dealt(match.match, dealer=1), "deal.left").deal(dealer=2)


def test_trump_turned_is_the_suit_of_the_dealers_last_card() -> None:
    match = whist().deal(dealer=2, upcard="9H")
    assert match.last_hand["trump"] == "H"
    assert "9H" in match.held(2)


def test_trump_turned_is_in_the_dealers_hand() -> None:
    match = whist()
    deal = dealt(match.match, ("AS",), dealer=2, upcard="9H")
    match.refuses(msgspec.structs.replace(deal, upcard="AS"), "table.deck")
    match.refuses(msgspec.structs.replace(deal, upcard="XX"), "table.deck")
    match.refuses(msgspec.structs.replace(deal, upcard=None), "format.value")
    match.refuses(msgspec.structs.replace(deal, upcard=msgspec.UNSET), "format.key")
    match.refuses(msgspec.structs.replace(deal, aside=()), "format.key")


def test_trump_turned_is_played_by_nobody_but_the_dealer_of_a_hidden_hand() -> None:
    match = whist().deal(dealer=2, upcard="9H", hidden=True)
    match.refuses_play("9H", "table.holding").play("2H")
    assert match.last_hand["trump"] == "H"


def test_trump_turned_may_be_unnoted_where_hands_are_hidden() -> None:
    match = whist().do(ev.Deal(dealer=0, hands=None, upcard=None))
    assert match.last_hand["trump"] is None
    match.refuses(ev.Play(seat=1, card="2C"), "table.phase")
    assert "play" not in match.kinds()
    sides_take(match, 8)
    assert match.last_hand["scores"] == [2, 0, 2, 0]


@pytest.mark.parametrize(("trumps", "letters"), [("cycle", "HCDSHC"), ("cycle-nt", "HCDS-H")])
def test_trump_cycle_goes_round(trumps: str, letters: str) -> None:
    match = whist(trumps=trumps, target=99)
    for letter in letters:
        match.deal()
        assert match.last_hand["trump"] == (None if letter == "-" else letter)
        match.score(1, 0, 1, 0)


def test_trump_cycle_has_no_card_turned_up() -> None:
    match = whist(trumps="cycle")
    match.refuses(msgspec.structs.replace(dealt(match.match), upcard="2C"), "format.key")


# --- tricks


def trick(cards: str, trumps: str = "turned", hands: int = 0) -> tuple[int | None, str]:
    """Return the taker of a first trick of these cards, and the rule; hearts are trump."""
    match = whist("record", trumps=trumps, target=99)
    for _ in range(hands):
        match.scored(1, 0, 1, 0)
    last = (match.hand.dealer if match.match.hands else 2) + 1
    order = [*cards.split()]
    by_seat = {(last + 1 + place) % 4: card for place, card in enumerate(order)}
    wanted = tuple(by_seat[seat] for seat in range(4))
    match.deal(*wanted, dealer=last % 4, **({"upcard": "3H"} if trumps == "turned" else {}))
    leader, played, taker, rule = match.play(cards).last
    assert played == cards
    return (taker - leader) % 4 if taker is not None else None, rule


def test_lead_left_of_dealer_leads_any_card() -> None:
    match = whist().deal(dealer=3)
    assert match.turn == ("play", 0)
    assert len(match.choice("play").cards) == 13
    match.refuses(ev.Play(seat=1, card=match.held(1).split()[0]), "table.turn")


def test_trick_trump_is_the_highest_trump() -> None:
    assert trick("9C AC 2H KC") == (2, "trick.trump")
    assert trick("9C 4H 2H KC") == (1, "trick.trump")
    assert trick("2H 9H KC 8H") == (1, "trick.trump")


def test_trick_led_suit_is_the_highest_of_it() -> None:
    assert trick("9C TC AD 2C") == (1, "trick.led-suit")


def test_trick_led_suit_decides_all_in_a_hand_without_trump() -> None:
    assert trick("9C AH 2H KC", "cycle-nt", hands=4) == (3, "trick.led-suit")


def test_lead_taker_leads_next() -> None:
    match = whist().deal("9C", "AC", "2C", "KC", dealer=3, upcard="3H").play("9C AC 2C KC")
    assert match.turn == ("play", 1)


def follows(policy: Policy) -> Sitting:
    return whist(policy).deal("9C", "AD 3C 4C", dealer=3, void={1: "C"}, upcard="3H").play("9C")


def test_follow_suit_irregular() -> None:
    irregular(follows, "AD", "follow.suit", "3C 4C")


def test_follow_suit_lets_a_void_player_play_anything() -> None:
    match = whist().deal("9C", dealer=3, void={1: "C"}, upcard="3H").play("9C")
    assert len(match.choice("play").cards) == 13


# --- points


def test_score_odd_counts_tricks_beyond_six() -> None:
    assert sides_take(whist().deal(), 9).last_hand["scores"] == [3, 0, 3, 0]
    assert sides_take(whist().deal(), 6).last_hand["scores"] == [0, 1, 0, 1]


def test_score_all_counts_every_trick() -> None:
    match = sides_take(whist(scoring="all", hands=1).deal(), 9)
    assert match.last_hand["scores"] == [9, 4, 9, 4]
    assert "score.all" in match.rules_cited
    assert "score.odd" not in match.rules_cited


def honours(ours: str, theirs: str = "", tricks: int = 9, before: tuple[int, ...] = (), **options: object) -> Sitting:
    """A hand in which seat 0 was dealt some cards and seat 1 others; hearts are trump; points before the hand."""
    match = whist(honours=True, **options)
    if before:
        match.scored(*before)
    rest = " ".join({"AH", "KH", "QH", "JH"} - {*ours.split()} - {*theirs.split()})
    dealer = (match.hand.dealer + 1) % 4 if match.match.hands else 0
    hands = [ours, theirs, "", rest]
    hands[dealer] += " 2H"
    match.deal(*hands, dealer=dealer, upcard="2H")
    return sides_take(match, tricks)


def test_score_honours_are_two_for_three_and_four_for_four() -> None:
    match = honours("AH QH JH")
    assert (match.last_hand["scores"], match.last_hand["honours"]) == ([5, 0, 5, 0], [2, 0, 2, 0])
    assert honours("AH KH QH JH").last_hand["scores"] == [7, 0, 7, 0]
    assert honours("AH KH").last_hand["honours"] == [0] * 4
    assert "score.honours" in match.rules_cited


def test_score_honours_count_over_both_hands_of_a_side() -> None:
    match = whist(honours=True).deal("AH", "KH", "QH JH", dealer=3, upcard="2H").claim(5, 3, 3, 2)
    assert match.last_hand["scores"] == [4, 0, 4, 0]


def test_score_honours_are_counted_after_tricks_were_played() -> None:
    match = whist(honours=True, target=99).deal("AH KH QH", "JH", dealer=3, upcard="2H", void={0: "S"})
    match.legally(7)
    left = match.hand.tricks_left
    match.claim(left, 0, 0, 0)
    assert match.last_hand["honours"][0] == 2


def test_score_honours_need_the_option() -> None:
    match = sides_take(whist().deal("AH KH QH JH", dealer=0, upcard="2H"), 9)
    assert match.last_hand["scores"] == [3, 0, 3, 0]
    assert "honours" not in match.last_hand


def test_score_honours_of_a_hidden_hand_are_those_of_the_deal_rebuilt() -> None:
    known = whist(honours=True, target=99).deal("AH KH QH", "JH", dealer=3, upcard="2H").legally()
    hidden = folded(hide(known.events))
    assert hidden.hands[0].scores == known.match.hands[0].scores
    assert hidden.hands[0].honours == known.match.hands[0].honours == [2, 0, 2, 0]


def test_score_honours_of_a_hidden_hand_claimed_are_none() -> None:
    match = whist(honours=True).deal(dealer=0, upcard="2H", hidden=True)
    assert sides_take(match, 9).last_hand["honours"] == [0] * 4


def test_score_honours_are_null_while_a_hand_runs_and_after_a_score() -> None:
    match = whist(honours=True).deal()
    assert match.last_hand["honours"] is None
    assert match.score(1, 0, 1, 0).last_hand["honours"] is None


def test_score_honours_late_for_a_side_one_short() -> None:
    match = honours("AH QH JH", before=(4, 0, 4, 0), tricks=6)
    assert (match.last_hand["scores"], match.last_hand["honours"]) == ([0, 1, 0, 1], [0] * 4)
    assert "score.honours-late" in match.rules_cited


def test_score_honours_late_once_tricks_ended_it() -> None:
    assert honours("AH QH JH", before=(4, 0, 4, 0)).last_hand["scores"] == [3, 0, 3, 0]
    match = honours("", "AH KH QH JH", before=(3, 2, 3, 2), tricks=8)
    assert match.last_hand["scores"] == [2, 0, 2, 0]
    assert match.result["winners"] == [0, 2]


def test_score_honours_late_does_not_apply_to_a_number_of_hands() -> None:
    match = honours("AH QH JH", before=(4, 0, 4, 0), tricks=6, hands=2)
    assert match.last_hand["scores"] == [2, 1, 2, 1]


def test_score_honours_late_goes_by_the_game_of_a_rubber() -> None:
    match = whist(honours=True, rubber=True).scored(5, 0, 5, 0).scored(4, 0, 4, 0)
    match.deal("AH QH JH", "KH", "2H", dealer=2, upcard="2H")
    assert sides_take(match, 6).last_hand["honours"] == [0] * 4
    match = whist(honours=True, rubber=True).scored(4, 0, 4, 0).scored(5, 0, 5, 0)
    match.deal("AH QH JH", "KH", "2H", dealer=2, upcard="2H")
    assert sides_take(match, 6).last_hand["honours"] == [2, 0, 2, 0]


# --- the match


def test_match_target_ends_it() -> None:
    match = whist().scored(4, 0, 4, 0)
    assert match.result["status"] == "open"
    match.scored(0, 2, 0, 2).scored(1, 0, 1, 0)
    assert (match.result["status"], match.result["winners"], match.result["totals"]) == (
        "complete",
        [0, 2],
        [5, 2, 5, 2],
    )
    assert "match.target" in match.rules_cited


def test_match_hands_end_it_whatever_the_points() -> None:
    match = whist(hands=2).scored(7, 0, 7, 0)
    assert match.result["status"] == "open"
    assert match.scored(0, 7, 0, 7).result["winners"] == [0, 1, 2, 3]


def test_match_rubber_is_the_best_of_three_games() -> None:
    match = whist(rubber=True).scored(4, 0, 4, 0).scored(0, 3, 0, 3).scored(3, 0, 3, 0)
    assert [hand["game"] for hand in match.result["hands"]] == [1, 1, 1]
    assert (match.result["games"], match.result["totals"]) == ([1, 0, 1, 0], [7, 3, 7, 3])
    match.scored(0, 3, 0, 3).scored(0, 2, 0, 2)
    assert (match.last_hand["game"], match.result["games"], match.result["status"]) == (2, [1, 1, 1, 1], "open")
    match.scored(0, 9, 0, 9)
    assert (match.last_hand["game"], match.result["games"]) == (3, [1, 2, 1, 2])
    assert (match.result["status"], match.result["winners"]) == ("complete", [1, 3])
    assert "match.rubber" in match.rules_cited


def test_match_rubber_is_won_with_two_games_whatever_the_totals() -> None:
    match = whist(rubber=True).scored(0, 13, 0, 13).scored(5, 0, 5, 0).scored(0, 4, 0, 4).scored(5, 0, 5, 0)
    assert (match.result["winners"], match.result["totals"]) == ([0, 2], [10, 17, 10, 17])


# --- sides


def test_score_odd_is_the_same_for_partners() -> None:
    match = whist().deal()
    match.refuses(ev.Score(scores=(1, 0, 0, 0)), "table.range")
    assert match.result["sides"] == [[0, 2], [1, 3]]
    match.refuses(ev.Claim(tricks=(5, 4, 3, 2)), "table.range")
    assert match.claim(5, 3, 3, 2).last_hand["tricks_taken"] == [5, 3, 3, 2]


def test_follow_suit_irregular_is_found_in_a_hidden_hand_that_is_claimed() -> None:
    match = whist().deal(dealer=3, upcard="3H", hidden=True).play("9C AD TC 2C")
    assert match.violations == []
    match.play("3S 3C 4S 5S" if match.hand.turn == 0 else "4S 5S 3S 3C").claim(11, 0, 0, 0)
    assert match.violations == [(4, 1, "follow.suit", "3C")]


def test_follow_suit_is_not_judged_where_nothing_shows_it_broken() -> None:
    match = whist().deal(dealer=3, upcard="3H", hidden=True).play("9C AD TC 2C").claim(12, 0, 0, 0)
    assert match.violations == []

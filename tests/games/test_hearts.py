"""The rules of hearts, each named by the tests that prove it."""

from __future__ import annotations

import pytest

from cardledger.rules.engine import events as ev
from tests.games.folding import folded, hide
from tests.tables import Policy, Sitting, irregular


def hearts(policy: Policy = "strict", **options: object) -> Sitting:
    return Sitting("hearts", 4, policy, **options)


def unpassed(policy: Policy = "strict", **options: object) -> Sitting:
    """A match without passing."""
    return hearts(policy, **{"pass": "none"}, **options)


# --- the deal and the passing


def test_deal_all_is_thirteen_cards_each() -> None:
    match = hearts().deal()
    assert [len(match.held(seat).split()) for seat in range(4)] == [13] * 4


def test_deal_left_is_the_next_dealer() -> None:
    match = hearts().scored(0, 26, 0, 0).deal()
    assert match.hand.dealer == 1


def test_give_direction_goes_round() -> None:
    match = hearts()
    for way, step in (("left", 1), ("right", 3), ("across", 2), ("hold", 0), ("left", 1)):
        match.deal()
        assert match.last_hand["pass"] == way
        if step:
            assert [choice.to for choice in match.match.choices()[:4]] == [(seat + step) % 4 for seat in range(4)]
            match.refuses(ev.Give(seat=2, to=2, cards=tuple(match.held(2).split()[:3])), "give.direction")
        else:
            assert match.turn[0] == "play"
        match.score(1, 1, 1, 23)


@pytest.mark.parametrize(
    ("agreed", "shown"), [("left", "left"), ("across", "across"), ("right", "right"), ("none", "hold")]
)
def test_give_direction_may_be_always_the_same(agreed: str, shown: str) -> None:
    match = hearts(**{"pass": agreed})
    for _ in range(3):
        assert match.deal().last_hand["pass"] == shown
        match.score(1, 1, 1, 23)


def test_give_three_arrives_when_all_have_given() -> None:
    match = hearts().deal("AS KS QS 2C", "AH KH QH", "AD KD QD", "AC KC QC")
    assert match.turn == ("give", None)
    match.give("AC KC QC", 3).give("AS KS QS", 0)
    assert "AS" not in match.held(0)
    assert "AS" not in match.held(1)
    assert len(match.held(0).split()) == 10
    match.refuses(ev.Give(seat=1, to=2, cards=("AS", "KS", "QS")), "table.holding")
    match.give("AH KH QH", 1).give("AD KD QD", 2)
    assert {"AS", "KS", "QS"} <= {*match.held(1).split()}
    assert {"AC", "KC", "QC", "2C"} <= {*match.held(0).split()}
    assert match.turn == ("play", 0)


def test_give_three_different_cards_that_are_held() -> None:
    match = hearts().deal("AS KS QS 2C 3C")
    for cards, code in (
        (("AS", "KS"), "give.three"),
        (("AS", "KS", "QS", "2C"), "give.three"),
        (("AS", "AS", "KS"), "give.three"),
        ((), "give.three"),
        (("AS", "KS", match.held(1).split()[0]), "table.holding"),
        (("AS", "KS", "XX"), "table.holding"),
        (None, "format.value"),
    ):
        match.refuses(ev.Give(seat=0, to=1, cards=cards), code)
    match.refuses(ev.Give(seat=0, to=1, card="AS"), "format.key")
    match.refuses(ev.Give(seat=0, to=4, cards=("AS", "KS", "QS")), "table.range")
    match.refuses(ev.Play(seat=0, card="2C"), "table.phase")
    match.refuses(ev.Claim(tricks=(13, 0, 0, 0)), "table.phase")


def test_give_three_once_each() -> None:
    match = hearts().deal("AS KS QS 2C 3C").give("AS KS QS", 0)
    match.refuses(ev.Give(seat=0, to=1, cards=("2C", "3C", "4C")), "table.turn")
    assert [choice.seat for choice in match.match.choices() if choice.type == "give"] == [1, 2, 3]


def test_give_three_comes_only_before_the_play() -> None:
    match = unpassed().deal("AS KS QS 2C")
    match.refuses(ev.Give(seat=0, to=1, cards=("AS", "KS", "QS")), "table.phase")
    match.refuses(ev.Give(seat=0, to=1, card="AS"), "format.key")


# --- leads


def test_lead_lowest_club_is_led_by_its_holder_after_the_passing() -> None:
    match = hearts().deal("AS KS 2C", "AH KH QH", "AD KD QD", "AC KC QC")
    match.give("AS KS 2C", 0).give("AH KH QH", 1).give("AD KD QD", 2).give("AC KC QC", 3)
    assert match.turn == ("play", 1)
    assert match.choice("play").cards == ("2C",)
    match.refuses(ev.Play(seat=0, card="AC"), "table.turn")


def holder(policy: Policy, **options: object) -> Sitting:
    return unpassed(policy, **options).deal("3D", "2C AC 5H 7D", dealer=0, void={1: "S"})


def test_lead_lowest_club_irregular() -> None:
    irregular(holder, "AC", "lead.lowest-club", "2C")
    irregular(holder, "5H", "lead.lowest-club", "2C")


def test_lead_lowest_club_may_be_any_club_if_agreed() -> None:
    match = holder("strict", any_club=True)
    assert {*match.choice("play").cards} == {card for card in match.held(1).split() if card[1] == "C"}
    legal = " ".join(match.choice("play").cards)
    irregular(lambda policy: holder(policy, any_club=True), "7D", "lead.lowest-club", legal)
    match.play("AC")


def test_lead_lowest_club_by_another_is_found_after_a_hidden_hand() -> None:
    for any_club in (False, True):
        match = unpassed(any_club=any_club).deal(hidden=True)
        assert match.turn == ("play", None)
        match.play("AC", seat=2).play("2C 3C 4C")
        hold = {2: "KC QC JC TC 9C 8C 7C 6C 5C AD KD QD", 3: "AH KH QH JH TH 9H 8H 7H 6H 5H 4H 3H"}
        hold |= {0: "AS KS QS JS TS 9S 8S 7S 6S 5S 4S 3S", 1: "2S 2H 2D 3D 4D 5D 6D 7D 8D 9D TD JD"}
        for cards in zip(*(hold[seat].split() for seat in (2, 3, 0, 1)), strict=True):
            match.play(" ".join(cards))
        assert match.violations[0] == (3, 2, "lead.lowest-club", "")
        assert all(rule != "lead.lowest-club" for _, _, rule, _ in match.violations[1:])


def cut(*tricks: str, leader: int, **options: object) -> Sitting:
    """A hidden hand claimed by seat 0 after some tricks."""
    match = unpassed(**options).deal(hidden=True)
    for cards in tricks:
        match.play(cards, seat=leader)
    return match.claim(match.hand.tricks_left, 0, 0, 0)


def test_lead_lowest_club_is_judged_in_a_hand_cut_short_if_it_was_played() -> None:
    assert cut("AC 3C 4C 2C", leader=2).violations == [(3, 2, "lead.lowest-club", "")]
    assert cut("AC 3C 4C 5C", leader=2).violations == []
    assert cut("AC 3C 4C 5C", "2C 6C 7C 8C", leader=2).violations == [(3, 2, "lead.lowest-club", "2C")]
    assert cut("AH 3H 4H 5H", leader=2).violations == []


def hearts_lead(policy: Policy, sheds: str = "6D", **options: object) -> Sitting:
    """Seat 0 has taken the first trick, to which seat 2 shed a card; it holds 5H and 7D among others."""
    match = unpassed(policy, clean_first_trick=False, **options)
    match.deal("AC 5H 7D QS", "2C", f"6D 7H {sheds}" if sheds != "6D" else "6D 7H", "4C", dealer=3, void={2: "C"})
    return match.play("2C").play(sheds).play("4C AC")


def without_hearts(match: Sitting, seat: int) -> str:
    return " ".join(card for card in match.held(seat).split() if card[1] != "H")


def test_lead_unbroken_irregular() -> None:
    legal = without_hearts(hearts_lead("strict"), 0)
    assert "5H" in hearts_lead("strict").held(0)
    irregular(hearts_lead, "5H", "lead.unbroken", legal)


def test_lead_unbroken_ends_with_a_heart_to_any_trick() -> None:
    hearts_lead("strict", "8H").play("5H")


def test_lead_unbroken_ends_with_a_heart_that_was_led() -> None:
    match = hearts_lead("record").play("5H")
    match.legally(3)
    assert match.hand.broken


def test_lead_unbroken_does_not_end_with_the_queen_of_spades_unless_agreed() -> None:
    def shed(policy: Policy, **options: object) -> Sitting:
        match = unpassed(policy, clean_first_trick=False, **options)
        match.deal("AC 5H 7D", "2C", "6D 7H QS", "4C", dealer=3, void={2: "C"})
        return match.play("2C QS 4C AC")

    shed("strict").refuses_play("5H", "lead.unbroken")
    shed("strict", queen_breaks=True).play("5H")


def test_lead_unbroken_may_be_left_out() -> None:
    hearts_lead("strict", break_hearts=False).play("5H")


def only_hearts(extra: str = "", **options: object) -> Sitting:
    """Seat 0 has taken the first trick with its one club and holds hearts, and the extra cards, only."""
    cards = ["AC", "2H", "3H", "4H", "5H", "6H", "7H", "8H", "9H", "TH", "JH", "QH", "KH"]
    more = extra.split()
    hand = cards[: 13 - len(more)] + more
    match = unpassed(clean_first_trick=False, **options).deal(" ".join(hand), "2C", "6C", "4C", dealer=3)
    return match.play("2C 6C 4C AC")


def test_lead_unbroken_does_not_bind_a_hand_of_hearts() -> None:
    only_hearts().play("5H")


def test_lead_unbroken_binds_a_hand_of_hearts_and_the_queen_unless_agreed() -> None:
    assert only_hearts("QS").choice("play").cards == ("QS",)
    match = only_hearts("QS", hearts_for_queen=True)
    assert {"QS", "5H"} <= {*match.choice("play").cards}
    assert only_hearts("QS 3D", hearts_for_queen=True).choice("play").cards == ("3D", "QS")


def test_lead_unbroken_does_not_bind_the_first_lead() -> None:
    match = unpassed("record").deal("2C 5H", dealer=3, void={0: "DS"})
    match.play("5H")
    assert [rule for _, _, rule, _ in match.violations] == ["lead.lowest-club"]


# --- following


def follows(policy: Policy, held: str = "5D 3C 4C", void: str = "", **options: object) -> Sitting:
    match = unpassed(policy, **options).deal("2C", held, dealer=3, void={1: void} if void else None)
    return match.play("2C")


def test_follow_suit_irregular() -> None:
    clubs = " ".join(card for card in follows("strict").held(1).split() if card[1] == "C")
    irregular(follows, "5D", "follow.suit", clubs)


def points_first(policy: Policy, **options: object) -> Sitting:
    return follows(policy, "QS 4H 8D", "C", **options)


def test_first_trick_no_points_irregular() -> None:
    legal = " ".join(card for card in points_first("strict").held(1).split() if card[1] != "H" and card != "QS")
    irregular(points_first, "QS", "first-trick.no-points", legal)
    irregular(points_first, "4H", "first-trick.no-points", legal)


def test_first_trick_no_points_does_not_bind_a_hand_of_points() -> None:
    match = follows("strict", "QS 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH")
    assert len(match.choice("play").cards) == 13


def test_first_trick_no_points_may_be_left_out() -> None:
    points_first("strict", clean_first_trick=False).play("QS")


def test_first_trick_no_points_is_of_the_first_trick_only() -> None:
    match = unpassed().deal("2C AC", "3C 4H QS", "5C", "6C", dealer=3, void={1: "D"})
    match.play("2C 3C 5C 6C")
    assert match.turn == ("play", 3)


# --- tricks


def test_trick_led_suit_is_the_highest_of_it() -> None:
    match = unpassed("record").deal("QD", "2H", "AS", "2C 3D", dealer=2)
    match.play("2C", 3)
    match = hearts_lead("record").play("7D")
    seat = match.hand.turn
    assert seat == 1
    match.legally(3)
    leader, cards, taker, rule = match.last
    led = [card for card in cards.split() if card[1] == "D"]
    best = max(led, key=lambda card: "23456789TJQKA".index(card[0]))
    assert (leader, rule, taker) == (0, "trick.led-suit", cards.split().index(best))


def test_lead_taker_leads_next() -> None:
    assert hearts_lead("strict").turn == ("play", 0)


# --- points


def claimed(match: Sitting, seat: int) -> Sitting:
    """One seat takes everything that is left."""
    left = match.hand.tricks_left
    return match.claim(*(left if some == seat else 0 for some in range(4)))


def test_score_card_is_one_a_heart_and_thirteen_for_the_queen() -> None:
    match = hearts_lead("record", "8H").play("7D")
    match.legally(999)
    hand = match.last_hand
    assert sum(hand["scores"]) in (26, 78)
    first = [card for trick in hand["tricks"] if trick["taker"] == 0 for card in trick["cards"]]
    if hand["moon"] is None:
        assert hand["scores"][0] == sum(card[1] == "H" for card in first) + 13 * ("QS" in first)


def test_score_card_goes_to_the_claimer_with_every_card_not_taken() -> None:
    match = hearts_lead("strict", "8H")
    claimed(match, 2)
    assert match.last_hand["scores"] == [1, 0, 25, 0]
    assert match.last_hand["tricks_taken"] == [1, 0, 12, 0]


def test_score_card_cannot_be_shared_out_by_a_claim() -> None:
    match = hearts_lead("strict")
    match.refuses(ev.Claim(tricks=(6, 6, 0, 0)), "table.range")
    match.refuses(ev.Claim(tricks=(12, 0, 0, 1)), "table.range")
    match.refuses(ev.Claim(tricks=(11, 0, 0, 0)), "table.range")


def test_score_moon_gives_all_others_26() -> None:
    match = claimed(unpassed().deal("2C", dealer=3), 0)
    assert (match.last_hand["scores"], match.last_hand["moon"]) == ([0, 26, 26, 26], 0)
    match = claimed(unpassed(moon="self").deal("2C", dealer=3), 2)
    assert (match.last_hand["scores"], match.last_hand["moon"]) == ([0, 0, -26, 0], 2)
    assert "score.moon" in match.rules_cited


def test_score_moon_is_null_without_it_and_after_a_score() -> None:
    match = unpassed().deal("2C", dealer=3)
    assert match.last_hand["moon"] is None
    assert match.score(0, 26, 26, 26).last_hand["moon"] is None


def jack_to_two(**options: object) -> Sitting:
    """Seat 2 takes a trick with the jack of diamonds, then seat 0 takes the rest."""
    match = unpassed(clean_first_trick=False, jack=True, **options)
    match.deal("2C", "3C", "AC", "JD 4D", dealer=3, void={3: "C"})
    return claimed(match.play("2C 3C AC JD"), 0)


def test_score_jack_takes_ten_off_after_a_moon_too() -> None:
    assert jack_to_two().last_hand["scores"] == [0, 26, 16, 26]
    assert jack_to_two(moon="self").last_hand["scores"] == [-26, 0, -10, 0]
    assert claimed(unpassed(jack=True).deal("2C", dealer=3), 0).last_hand["scores"] == [-10, 26, 26, 26]
    assert claimed(unpassed().deal("2C", dealer=3), 0).last_hand["scores"] == [0, 26, 26, 26]


def test_score_no_trick_takes_five_off_unless_there_was_a_moon() -> None:
    match = hearts_lead("strict", "8H", no_trick_bonus=True)
    assert claimed(match, 2).last_hand["scores"] == [1, -5, 25, -5]
    match = claimed(unpassed(no_trick_bonus=True).deal("2C", dealer=3), 0)
    assert match.last_hand["scores"] == [0, 26, 26, 26]


# --- the match


def test_match_target_ends_it() -> None:
    match = hearts(target=50).scored(0, 26, 0, 0).scored(0, 23, 3, 0)
    assert match.result["status"] == "open"
    match.scored(26, 0, 0, 0).scored(1, 25, 0, 0)
    assert (match.result["status"], match.result["winners"]) == ("complete", [3])
    assert "match.target" in match.rules_cited


def test_match_hands_ends_it_and_no_target_does() -> None:
    match = hearts(hands=2, target=10).scored(0, 26, 0, 0)
    assert match.result["status"] == "open"
    match.scored(26, 0, 0, 0)
    assert (match.result["status"], match.result["winners"]) == ("complete", [2, 3])


def test_match_fewest_wins() -> None:
    match = hearts(hands=1).scored(3, 3, 20, 0)
    assert match.result["winners"] == [3]
    assert "match.fewest" in match.rules_cited


# --- hidden hands


def seen_passing(*gives: str | None) -> Sitting:
    match = hearts().deal(hidden=True)
    for seat, cards in enumerate(gives):
        match.give(cards, seat)
    return match


def test_give_three_seen_is_in_the_receivers_hand() -> None:
    match = seen_passing("QS AH 2C", None, None, None)
    match.refuses(ev.Play(seat=0, card="QS"), "table.holding")
    match.refuses(ev.Play(seat=2, card="AH"), "table.holding")
    match.play("2C", seat=1)


def test_give_three_seen_of_two_givers_cannot_be_the_same_card() -> None:
    match = hearts().deal(hidden=True).give("QS AH 2C", 0)
    match.refuses(ev.Give(seat=1, to=2, cards=("QS", "3H", "4H")), "table.holding")


def test_give_three_unseen_leaves_the_known_result_the_same() -> None:
    known = hearts("record").deal("2C 3C 4C", "5C AH KH", "6D 7D 8D", "2S 3S 4S")
    for seat, cards in enumerate(("2C 3C 4C", "5C AH KH", "6D 7D 8D", "2S 3S 4S")):
        known.give(cards, seat)
    known.legally()
    hidden = folded(hide(known.events))
    assert [h.scores for h in hidden.hands] == [h.scores for h in known.match.hands]
    assert hidden.violations == known.match.violations


def test_follow_suit_irregular_is_judged_on_the_hands_after_the_passing() -> None:
    match = seen_passing(None, None, None, "9C 8C 7C").play("2C", seat=3).play("5D 6C 4C")
    assert match.hand.turn == 1
    match.play("AD KD QD 9C")
    claimed(match, 1)
    assert match.violations == [(8, 0, "follow.suit", "9C")]

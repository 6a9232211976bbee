"""Diamonds (drawing): every rule of its book, proved by the test that bears its name."""

from __future__ import annotations

import pytest

from cardledger.rules.engine import events as ev
from tests.tables import Policy, Sitting, irregular, trick_of


def sitting(n: int = 4, policy: Policy = "strict", **options: object) -> Sitting:
    return Sitting("diamonds-draw", n, policy, **options)


def without_diamonds(cards: str) -> str:
    return " ".join(card for card in cards.split() if card[1] != "D")


@pytest.mark.parametrize(("n", "each"), [(2, 15), (3, 10), (4, 7), (5, 6), (6, 5)])
def test_deal_thirty_at_most_and_equally(n: int, each: int) -> None:
    table = sitting(n).deal().table
    assert [held.bit_count() for held in table.hand.held] == [each] * n
    assert (table.hand.stock_left, table.hand.stock.bit_count()) == (52 - n * each, 52 - n * each)


def test_deal_thirty_may_give_the_order_of_the_stack() -> None:
    deal = sitting(2).deal(stock="2C 3C").stream.heads[-1][1]
    assert len(deal.stock) == 22
    for wrong in (deal.stock[1:], (*deal.stock[1:], deal.stock[2]), (*deal.stock[1:], "XX"), ()):
        sitting(2).refuses(ev.Deal(dealer=0, hands=deal.hands, stock=wrong), "table.deck")


@pytest.mark.parametrize("dealer", range(3))
def test_lead_left_of_dealer_leads_to_the_first_trick(dealer: int) -> None:
    assert sitting(3).deal(dealer=dealer).turn == ("play", (dealer + 1) % 3)


def test_first_trick_no_diamond_irregular_lead() -> None:
    def at(policy: Policy) -> Sitting:
        return sitting(4, policy).deal("5D 9S 2H", dealer=3)

    legal = without_diamonds(at("strict").held(0))
    assert at("strict").table.choices()[0].cards == tuple(legal.split())
    irregular(at, ev.Play(seat=0, card="5D"), "first-trick.no-diamond", legal)


def test_first_trick_no_diamond_irregular_from_a_player_void_in_the_suit() -> None:
    def at(policy: Policy) -> Sitting:
        return sitting(4, policy).deal("5S", "5D 2H", void={1: "S"}, dealer=3).play("5S")

    legal = without_diamonds(at("strict").held(1))
    irregular(at, ev.Play(seat=1, card="5D"), "first-trick.no-diamond", legal)


def test_first_trick_no_diamond_goes_before_following_suit() -> None:
    def at(policy: Policy) -> Sitting:
        hands = ("2D 3D 4D 5D 6D", "7D 9S 2H")
        return sitting(6, policy).deal(*hands, dealer=5).play("2D")

    legal = without_diamonds(at("strict").held(1))
    irregular(at, ev.Play(seat=1, card="7D"), "first-trick.no-diamond", legal)
    assert at("strict").play("9S").table.violations == []


def test_first_trick_no_diamond_spares_a_hand_of_diamonds_alone() -> None:
    match = sitting(6).deal("5S", "2D 3D 4D 5D 6D", dealer=5).play("5S")
    assert match.table.choices()[0].cards == ("2D", "3D", "4D", "5D", "6D")
    assert match.play("2D").table.violations == []


def second_lead(policy: Policy = "strict", third: str = "3C", void: str = "S", also: str = "KD") -> Sitting:
    """Seat 0 took the first trick, of spades but for `third` from seat 2, and leads with 2D 3D 4H in hand."""
    hands = ("AS 2D 3D 4H", "2S 5H 5D", f"{third} {also}", "4S 7H 7D")
    match = sitting(4, policy).deal(*hands, dealer=3, void={2: void}, stock="KC AC")
    match.play(f"AS 2S {third} 4S")
    return match.draw()


def test_lead_unbroken_irregular_lead_of_a_diamond() -> None:
    legal = without_diamonds(second_lead().held(0))
    irregular(second_lead, ev.Play(seat=0, card="2D"), "lead.unbroken", legal)


def test_lead_unbroken_is_lifted_by_a_ruff_even_in_the_first_trick() -> None:
    match = second_lead("record", "QD")
    assert [found.rule for found in match.table.violations] == ["first-trick.no-diamond"]
    assert len(match.play("2D").table.violations) == 1


def test_lead_unbroken_is_not_lifted_by_a_revoke() -> None:
    match = second_lead("record", "QD", void="", also="5S")
    assert [found.rule for found in match.table.violations] == ["first-trick.no-diamond"]
    match.play("2D")
    assert [found.rule for found in match.table.violations[1:]] == ["lead.unbroken"]


def test_lead_unbroken_is_not_lifted_by_a_diamond_led_or_following_it() -> None:
    match = second_lead("record").play("2D").legally(3)
    match.draw()
    led = next(card for card in match.held(match.turn[1]).split() if card[1] == "D")
    match.play(led)
    assert [found.rule for found in match.table.violations] == ["lead.unbroken"] * 2


def test_lead_unbroken_is_lifted_by_a_ruff_in_a_later_trick() -> None:
    match = second_lead(void="SH").play("4H 5H KD 7H")
    match.draw()
    led = next(card for card in match.held(match.turn[1]).split() if card[1] == "D")
    assert match.play(led).table.violations == []


def test_lead_unbroken_binds_again_in_every_hand() -> None:
    match = second_lead("record", "QD").score(1, 2, 3, 4)
    match.deal("4S", "AS 2D 3D 4H", "2S", "3S", stock="KC").play("AS 2S 3S 4S").draw().play("2D")
    assert [found.rule for found in match.table.violations] == ["first-trick.no-diamond", "lead.unbroken"]


def test_lead_unbroken_spares_a_hand_of_diamonds_alone() -> None:
    match = sitting(6).deal("AS 2D 3D 4D 5D", "2S", "3S", "4S", "5S", "6S", dealer=5, stock="6D")
    assert match.play("AS 2S 3S 4S 5S 6S").draw("6D").play("2D").table.violations == []


def test_follow_suit_irregular_discard() -> None:
    def at(policy: Policy) -> Sitting:
        return second_lead(policy).play("4H")

    irregular(at, ev.Play(seat=1, card="5D"), "follow.suit", "5H")


def test_follow_suit_binds_in_the_first_trick_too() -> None:
    def at(policy: Policy) -> Sitting:
        return sitting(4, policy).deal("5S", "6S 2H", dealer=3).play("5S")

    spades = " ".join(card for card in at("strict").held(1).split() if card[1] == "S")
    irregular(at, ev.Play(seat=1, card="2H"), "follow.suit", spades)


def test_follow_suit_leaves_any_card_to_the_void() -> None:
    match = second_lead(void="SH").play("4H 5H")
    assert match.table.choices()[0].cards == tuple(match.held(2).split())
    assert match.play("KD").table.violations == []


@pytest.mark.parametrize(("cards", "takes"), [("5S 9S 2D 3D", "9S"), ("5S AD AH AC", "5S"), ("3D 2D 5D AS KS", "5D")])
def test_trick_led_suit_highest_takes_without_trump(cards: str, takes: str) -> None:
    assert trick_of("diamonds-draw", cards) == (takes, "trick.led-suit")


def stack(match: Sitting) -> list[str]:
    """The cards of the stack, in order where that is known."""
    return list(match.table.hand.stock_order or match.table.pack.list(match.table.hand.stock))


def two_diamonds(stock: str | None = "2C 3C 4C 5C") -> Sitting:
    match = sitting(4, "record").deal("5S", "9S", "2D", "3D", dealer=3, stock=stock)
    return match.play("5S 9S 2D 3D")


def test_draw_winner_draws_one_and_one_more_for_each_diamond() -> None:
    match = two_diamonds()
    assert match.last[2] == 1
    assert match.turn == ("draw", 1)
    assert (match.table.choices()[0].count, match.table.choices()[0].cards) == (3, ("2C", "3C", "4C"))
    match.draw("2C 3C 4C")
    assert {"2C", "3C", "4C"} < set(match.held(1).split())
    assert match.turn == ("play", 1)


@pytest.mark.parametrize("stock", [None, "2C 3C 4C 5C"])
def test_draw_winner_refuses_another_number_pile_or_player(stock: str | None) -> None:
    match = two_diamonds(stock)
    free = stack(match)

    def draw(count: int, seat: int = 1, source: str = "stock") -> ev.Draw:
        return ev.Draw(seat=seat, source=source, cards=tuple(free[:count]))  # type: ignore[arg-type]

    for count in (0, 1, 2, 4):
        match.refuses(draw(count), "draw.winner")
    match.refuses(draw(3, source="discards"), "draw.winner")
    match.refuses(draw(3, seat=2), "table.turn")
    match.refuses(ev.Play(seat=1, card=match.held(1).split()[0]), "table.phase")


def test_draw_winner_draws_only_what_may_be_in_the_stack() -> None:
    match = two_diamonds()
    for cards in ("3C 2C 4C", "2C 3C 5C", "2C 3C 9S", "2C 3C XX"):
        match.refuses(ev.Draw(seat=1, source="stock", cards=tuple(cards.split())), "table.deck")
    match = two_diamonds(None)
    free = stack(match)
    for wrong in ("9S", match.held(0).split()[0], "XX", free[0]):
        cards = (free[0], free[1], wrong)
        match.refuses(ev.Draw(seat=1, source="stock", cards=cards), "table.deck")
    match.draw(f"{free[7]} {free[0]} {free[3]}")


ALL_DIAMONDS = "2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD"


def nearly_empty() -> Sitting:
    """Seat 1 leads and takes everything, seat 0 throws diamonds from the second trick on; one card is left."""
    spades, stock = "AS KS QS JS TS 9S 8S 7S 6S 5S 4S 3S", "2C 3C 4C 5C 6C 7C 8C 9C TC JC"
    match = sitting(2, "record", target=25).deal(f"{ALL_DIAMONDS} 2S 2H", spades, stock=stock, dealer=0)
    for mine, theirs in zip(spades.split(), ["2S", *ALL_DIAMONDS.split()], strict=False):
        match.play(f"{mine} {theirs}")
        if match.table.hand.stock_left > 1:
            match.draw()
    return match


def test_draw_winner_takes_all_that_is_left_when_too_few_are() -> None:
    match = nearly_empty()
    assert (match.turn, match.table.hand.stock_left, match.last[1]) == (("draw", 1), 1, "3S QD")
    assert match.draw().result["hands"][0]["complete"]


def test_hand_end_when_the_stack_is_empty() -> None:
    match = nearly_empty()
    match.draw()
    (hand,) = match.result["hands"]
    assert hand["tricks_taken"] == [0, 12]
    assert hand["scores"] == [2 + 2 + 1, 15 - 12 + 22]  # KD AD 2H, and no diamond


def emptied() -> Sitting:
    """Seat 1 takes three tricks and seat 2 two; nobody else draws, and hands have five cards."""
    hands = ("2H 3H 4H 5H 6H", "AC KC QC 3S 4S", "2C 3C 4C AS KS", "7H 8H 9H TH JH")
    hands += ("6C 7C 8C 9C TC", "5S 6S 7S 8S 9S")
    match = sitting(6, "record").deal(*hands, dealer=0, stock="5C TD 2D JC JS")
    for trick, drawn in (
        ("AC 2C 7H 6C 5S 2H", "5C"),
        ("KC 3C 8H 7C 6S 3H", "TD"),
        ("QC 4C 9H 8C 7S 4H", "2D"),
        ("3S AS TH 9C 8S 5H", "JC"),
    ):
        match.play(trick).draw(drawn)
    return match.play("KS JH TC 9S 6H 4S")


def test_hand_end_when_a_hand_is_empty_after_trick_and_draw() -> None:
    match = emptied()
    assert match.held(0) == ""
    assert (match.turn, match.result["hands"][0]["complete"]) == (("draw", 2), False)
    assert match.draw("JS").result["hands"][0]["complete"]


def test_score_left_is_a_point_a_card_and_two_a_diamond() -> None:
    match = emptied()
    assert match.held(1) == "2D 5C TD"
    assert match.draw("JS").result["hands"][0]["scores"] == [0, 5, 2, 0, 0, 0]


def test_lead_taker_leads_next_after_the_draw() -> None:
    match = sitting(3).deal("2C", "KC", "3C", dealer=2, stock="5H").play("2C KC 3C").draw("5H")
    assert match.turn == ("play", 1)


def test_deal_left_is_the_next_dealer() -> None:
    match = sitting(3).deal(dealer=2).score(1, 2, 3)
    match.refuses(ev.Deal(dealer=1, hands=None), "deal.left")
    assert match.deal(dealer=0).turn == ("play", 1)


def test_match_target_ends_it_for_the_fewest_points() -> None:
    match = sitting(3).scored(99, 50, 60)
    assert (match.table.options, match.result["status"]) == ({"target": 100}, "open")
    match.scored(1, 30, 21)
    assert (match.result["status"], match.result["winners"]) == ("complete", [1])


def test_match_target_reached_with_equals_is_shared() -> None:
    assert sitting(3, target=20).scored(20, 5, 5).result["winners"] == [1, 2]


def test_match_target_ends_by_points_played_for() -> None:
    match = nearly_empty()
    match.draw()
    assert (match.result["totals"], match.result["winners"]) == ([5, 25], [0])


def test_score_left_cannot_be_claimed_in_tricks() -> None:
    sitting(3).deal().refuses(ev.Claim(tricks=(10, 0, 0)), "table.phase")

"""Diversity (Hectoedra): every rule of its book, proved by the test that bears its name."""

from __future__ import annotations

from itertools import combinations
from random import Random

import msgspec
import pytest

from cardledger.rules.engine import events as ev
from cardledger.rules.engine.cards import cards_in
from cardledger.rules.games.hecto_diversity.cards import hecto_pack
from cardledger.rules.games.hecto_diversity.diverse import LAYOUTS, least_penalty
from tests.tables import Policy, Sitting

STRAIGHT = "1 12 23 34 45 56 67"  # values 1 to 7 in seven colours: the eighth is pink (71 to 80)


def sitting(n: int = 2, policy: Policy = "strict", **options: object) -> Sitting:
    return Sitting("hecto-diversity", n, policy, **options)


def drew(seat: int, card: str, source: str = "stock") -> ev.Draw:
    return ev.Draw(seat=seat, source=source, cards=(card,))  # type: ignore[arg-type]


@pytest.mark.parametrize("n", range(2, 9))
def test_deal_seven_cards_each_and_one_face_up(n: int) -> None:
    match = sitting(n).deal(upcard="5", dealer=n - 1)
    assert [held.bit_count() for held in match.table.hand.held] == [7] * n
    assert match.table.hand.stock_left == 79 - 7 * n
    assert match.turn == ("draw", n - 1)
    assert [choice.cards for choice in match.table.choices()[1:2]] == [("5",)]


def test_deal_seven_refuses_another_deal() -> None:
    deal = sitting().deal(stock="1", dealer=0).stream.heads[-1][1]
    change = {"starter": 0, "hands": deal.hands, "upcard": deal.upcard, "stock": deal.stock}
    for code, keys in (
        ("format.key", {"upcard": msgspec.UNSET}),
        ("format.value", {"upcard": None}),
        ("format.key", {"starter": None}),
        ("format.key", {"dealer": 0}),
        ("format.key", {"aside": ("1",)}),
        ("table.deck", {"upcard": deal.hands[0][0]}),
        ("table.deck", {"upcard": "81"}),
        ("table.deck", {"upcard": "07"}),
        ("table.deck", {"stock": deal.stock[1:]}),
        ("table.deck", {"stock": (*deal.stock[1:], deal.upcard)}),
        ("table.deck", {"hands": (deal.hands[0][1:], deal.hands[1])}),
        ("table.range", {"starter": 2}),
    ):
        sitting().refuses(ev.Deal(**(change | keys)), code)


def test_deal_seven_has_the_next_starter_to_the_left() -> None:
    match = sitting(3).deal(dealer=2).score(1, 2, 3)
    match.refuses(ev.Deal(starter=2, upcard="1", hands=None), "deal.seven")
    assert match.deal(dealer=0).turn == ("draw", 0)


def test_turn_draw_takes_the_top_of_either_pile() -> None:
    match = sitting().deal("1 2 3 4 5 6 7", upcard="80", stock="11 12 13")
    assert [choice.cards for choice in match.table.choices()[:2]] == [("11",), ("80",)]
    match.refuses(drew(0, "12"), "table.deck").refuses(drew(0, "80"), "table.deck")
    match.refuses(drew(0, "11", "discards"), "turn.draw").refuses(drew(0, "81"), "table.deck")
    match.refuses(drew(0, "81", "discards"), "table.deck").refuses(drew(1, "11"), "table.turn")
    two = ev.Draw(seat=0, source="discards", cards=("80", "11"))
    match.refuses(two, "turn.draw")
    match.refuses(ev.Draw(seat=0, source="discards", cards=()), "turn.draw")
    match.refuses(ev.Discard(seat=0, card="1"), "table.phase")
    assert "80" in match.draw("80", "discards").held(0).split()
    match.discard("80").draw("11").discard("11").draw("11", "discards")
    assert match.turn == ("discard", 0)


def test_turn_draw_may_be_any_unseen_card_where_the_order_is_not_known() -> None:
    match = sitting().deal("1 2 3 4 5 6 7", "8 9 10 11 12 13 14", upcard="80")
    for seen in ("1", "8", "80", "81"):
        match.refuses(drew(0, seen), "table.deck")
    assert match.table.choices()[0].cards == tuple(sorted(str(card) for card in range(15, 80)))
    match.draw("42")


def test_turn_discard_ends_it_with_seven_cards() -> None:
    match = sitting().deal(upcard="80").draw()
    match.refuses(ev.Discard(seat=0, card="80"), "table.holding")
    match.refuses(ev.Discard(seat=1, card=match.held(1).split()[0]), "table.turn")
    card = match.held(0).split()[0]
    match.discard(card)
    assert (match.turn, len(match.held(0).split())) == (("draw", 1), 7)
    assert match.table.choices()[1].cards == (card,)


def test_turn_discard_may_be_the_card_just_drawn() -> None:
    match = sitting().deal(upcard="80", stock="11").draw("11").discard("11")
    assert match.table.choices()[1].cards == ("11",)


def renewed(stock: str | None = None) -> Sitting:
    """All of the stock was drawn and discarded by eight players; the next draw from it renews it."""
    match = sitting(8).deal(stock=stock, upcard="80", dealer=0)
    for _ in range(23):
        match.draw()
        drawn = match.stream.heads[-1][1].cards[0]
        match.discard(drawn)
    return match


@pytest.mark.parametrize("stock", [None, "79 78 77"])
def test_stock_renewed_from_the_discards_but_their_top(stock: str | None) -> None:
    match = renewed(stock)
    assert match.table.hand.stock_left == 0
    under, top = match.table.choices()[0].cards, match.table.choices()[1].cards
    assert len(under) == 23
    assert "80" in under
    seat = match.turn[1]
    match.refuses(drew(seat, top[0]), "table.deck")
    match.refuses(drew(seat, match.held(seat).split()[0]), "table.deck")
    match.draw("80")
    assert match.table.hand.stock_left == 22
    card = match.held(seat).split()[0]
    match.discard(card)
    assert set(match.table.choices()[0].cards) == set(under) - {"80"}
    match.draw(sorted(set(under) - {"80"})[-1])  # the order given once no longer matters


def test_stock_renewed_not_by_a_draw_from_the_discards() -> None:
    match = renewed()
    (top,) = match.table.choices()[1].cards
    match.draw(top, "discards").discard(top)
    assert match.table.hand.stock_left == 0
    assert top not in match.table.choices()[0].cards


def closing(*others: str, hand: str = STRAIGHT, **options: object) -> Sitting:
    """Seat 0 drew and may close with `hand` and card 80 in hand."""
    match = sitting(1 + len(others), **options)
    return match.deal(hand, *others, upcard="80").draw("80", "discards")


def test_close_diverse_needs_seven_colours_and_values() -> None:
    match = closing("2 3 4 5 6 7 8")
    every = tuple(sorted([*STRAIGHT.split(), "80"]))  # 80 is pink and of value 10: any may go
    assert [choice.cards for choice in match.table.choices()[:2]] == [every, every]
    match.refuses(ev.Close(seat=0, card="79"), "table.holding")
    match.refuses(ev.Close(seat=1, card="2"), "table.turn")
    assert match.close("80").table.hands[0].closer == 0


@pytest.mark.parametrize("policy", ["strict", "record"])
@pytest.mark.parametrize("hand", ["1 11 22 33 44 55 66", "1 2 23 34 45 56 67"])
def test_close_diverse_is_impossible_with_a_repeated_colour_or_value(hand: str, policy: Policy) -> None:
    match = closing("3 4 5 6 7 8 9", hand=hand, policy=policy)
    match.refuses(ev.Close(seat=0, card="80"), "close.diverse")
    first, second = hand.split()[:2]
    assert match.table.choices()[1].cards == tuple(sorted([first, second]))
    match.close(second)


def test_close_diverse_comes_after_a_draw() -> None:
    sitting().deal(STRAIGHT).refuses(ev.Close(seat=0, card="1"), "table.phase")


@pytest.mark.parametrize("layout", ["8x10", "10x8"])
def test_close_diverse_in_either_layout(layout: str) -> None:
    match = closing("2 3 4 5 6 7 8", layout=layout)
    assert match.close("80").result["hands"][0]["closer"] == 0
    repeating = closing("3 4 5 6 7 8 9", hand="1 2 13 24 35 46 57", layout=layout)
    repeating.refuses(ev.Close(seat=0, card="80"), "close.diverse")


# The closer keeps STRAIGHT, so only a pink card of value 8, 9 or 10 (78, 79, 80) fits in.
ABLE = "78 71 2 13 24 35 46"  # 78 and 71 are pink
UNABLE = "10 21 32 43 54 65 8"  # nothing pink
ABLE_TOO = "79 72 3 14 25 36 47"


def test_layoff_order_is_from_the_closers_left() -> None:
    match = closing(UNABLE, ABLE, ABLE_TOO).close("80")
    assert match.turn == ("layoff", 2)  # seat 1 has nothing to lay off
    assert [(choice.type, choice.cards) for choice in match.table.choices()[:2]] == [
        ("layoff", ("78",)),
        ("pass", ()),
    ]
    match.refuses(ev.Layoff(seat=3, card="79"), "table.turn").refuses(ev.Pass(seat=1), "table.turn")
    match.refuses(ev.Pass(seat=0), "table.turn")
    match.do(ev.Pass(seat=2))
    assert match.turn == ("layoff", 3)
    assert match.do(ev.Pass(seat=3)).result["hands"][0]["complete"]


def test_layoff_order_ends_with_the_first_card_laid_off() -> None:
    match = closing(UNABLE, ABLE, ABLE_TOO).close("80").do(ev.Layoff(seat=2, card="78"))
    assert match.result["hands"][0]["complete"]
    match.refuses(ev.Layoff(seat=3, card="79"), "table.phase").refuses(ev.Pass(seat=3), "table.phase")


def test_layoff_order_skips_players_without_an_eligible_card() -> None:
    assert closing(UNABLE).close("80").result["hands"][0]["complete"]


@pytest.mark.parametrize("policy", ["strict", "record"])
def test_layoff_eligible_repeats_its_hand_and_nothing_of_the_closers(policy: Policy) -> None:
    match = closing(ABLE, policy=policy).close("80")
    match.refuses(ev.Layoff(seat=1, card="71"), "layoff.eligible")  # of the closer's value 1
    match.refuses(ev.Layoff(seat=1, card="2"), "layoff.eligible")  # red, as the closer's 1
    match.refuses(ev.Layoff(seat=1, card="79"), "table.holding")
    match.do(ev.Layoff(seat=1, card="78"))
    assert match.held(1) == "13 2 24 35 46 71"


def test_layoff_eligible_excludes_cards_that_their_holder_may_keep() -> None:
    single = "78 2 13 24 35 46 57"  # 78 fits in with the closer's hand, but repeats nothing here
    assert closing(single).close("80").result["hands"][0]["complete"]


@pytest.mark.parametrize(
    ("hand", "penalty", "layout"),
    [
        ("2 13 24 35 46 57 68", 0, "8x10"),
        ("1 11 22 33 44 55 66", 1, "8x10"),
        ("10 9 1 12 23 34 45", 10, "8x10"),
        ("1 2 3 4 5 6 7", 21, "8x10"),
        ("1 11 12 22 23 33 34", 6, "8x10"),
        ("8 18 19 29 30 40 41", 27, "8x10"),
        ("1 2 3 4 5 6 7", 6, "10x8"),
        ("1 11 21 31 41 51 61", 21, "10x8"),
    ],
)
def test_score_penalty_is_the_least_that_must_go(hand: str, penalty: int, layout: str) -> None:
    held = sitting(2, layout=layout).deal("", hand).table.hand.held[1]
    assert least_penalty(LAYOUTS.index(layout), cards_in(held), 127) == penalty


@pytest.mark.parametrize("layout", ["8x10", "10x8"])
def test_score_penalty_is_least_of_all_parts(layout: str) -> None:
    rng = Random(layout)
    pack = hecto_pack(layout)
    for _ in range(150):
        held = rng.sample(range(80), rng.choice([6, 7]))
        best = min(
            sum(pack.ranks[card] for card in held if card not in kept)
            for size in range(len(held) + 1)
            for kept in combinations(held, size)
            if len({pack.ranks[card] for card in kept}) == size
            if len({pack.suits[card] for card in kept}) == size
        )
        assert least_penalty(LAYOUTS.index(layout), held, (1 << len(held)) - 1) == best


def test_score_penalty_is_counted_after_the_lay_off() -> None:
    passed = closing(ABLE).close("80").do(ev.Pass(seat=1))
    assert passed.result["hands"][0]["penalties"] == [0, 1]
    laid = closing(ABLE).close("80").do(ev.Layoff(seat=1, card="78"))
    assert laid.result["hands"][0]["penalties"] == [0, 0]


NOT_STRAIGHT = "1 12 23 34 45 56 68"


def test_score_closer_loses_what_the_others_take() -> None:
    others = ("2 3 4 5 6 7 8", "11 13 15 17 19 20 18")
    match = closing(*others, hand=NOT_STRAIGHT).close("80")
    (hand,) = match.result["hands"]
    assert hand["penalties"] == [0, 27, 33]  # they keep 8 and 20
    assert hand["scores"] == [-60, 27, 33]
    assert match.result["totals"] == [-60, 27, 33]


def test_score_straight_takes_twenty_more() -> None:
    (hand,) = closing("2 13 24 35 46 57 68").close("80").result["hands"]
    assert hand["scores"] == [-20, 0]


@pytest.mark.parametrize(("hand", "straight"), [("1 12 23 34 45 56 77", "8x10"), ("1 12 23 34 45 56 70", "10x8")])
def test_score_straight_is_about_values_as_the_layout_has_them(hand: str, straight: str) -> None:
    for layout in ("8x10", "10x8"):
        match = closing("2 13 24 35 46 57 69", hand=hand, layout=layout).close("80")
        scores = match.result["hands"][0]["scores"]
        assert sum(scores) == (-20 if layout == straight else 0)


def test_score_straight_does_not_wrap_from_ten_to_one() -> None:
    wrapped = "10 11 22 33 44 55 66"  # values 10 1 2 3 4 5 6
    (hand,) = closing("7 18 29 40 62 73 14", hand=wrapped).close("80").result["hands"]
    assert hand["scores"][0] == -hand["scores"][1]


def test_score_straight_counts_no_card_laid_off() -> None:
    # values 1 to 6 and 8: a 7 laid off does not fill the gap
    match = closing("77 72 3 14 25 36 47", hand=NOT_STRAIGHT).close("80").do(ev.Layoff(seat=1, card="77"))
    (hand,) = match.result["hands"]
    assert hand["scores"][0] == -hand["scores"][1]


@pytest.mark.parametrize(("laps", "hands"), [(None, 3), (2, 6)])
def test_match_laps_give_everyone_the_first_turn_as_often(laps: int | None, hands: int) -> None:
    match = sitting(3, **({"laps": laps} if laps else {}))
    assert match.table.options == {"laps": laps or 1, "target": None, "layout": "8x10"}
    for _ in range(hands):
        assert match.result["status"] == "open"
        match.scored(1000, 2, 3)
    assert (match.result["status"], match.result["winners"]) == ("complete", [1])


def test_match_target_goes_instead_of_laps() -> None:
    match = sitting(2, target=10)
    for _ in range(3):
        assert match.scored(3, -5).result["status"] == "open"
    assert match.scored(1, 0).result["winners"] == [1]


def test_match_fewest_points_win_and_equals_share() -> None:
    assert sitting(3, target=10).scored(10, -2, -2).result["winners"] == [1, 2]


def test_turn_draw_comes_before_a_lay_off_or_pass() -> None:
    match = sitting().deal()
    match.refuses(ev.Pass(seat=0), "table.phase")
    match.refuses(ev.Layoff(seat=0, card=match.held(0).split()[0]), "table.phase")
    match.refuses(ev.Claim(tricks=(0, 0)), "table.phase")


def test_score_closer_is_null_until_the_close() -> None:
    match = closing(ABLE)
    hand = match.result["hands"][0]
    assert (hand["closer"], hand["penalties"], hand["tricks"]) == (None, None, [])
    hand = match.close("80").result["hands"][0]
    assert (hand["closer"], hand["penalties"], hand["scores"]) == (0, None, None)
    hand = match.score(-7, 7).result["hands"][0]
    assert (hand["closer"], hand["penalties"], hand["scores"]) == (0, None, [-7, 7])

"""Poison Hearts: every rule of its book, proved by the test that bears its name."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from cardledger.rules.engine import events as ev
from cardledger.rules.games.poison_hearts.cards import five_suit_pack
from cardledger.rules.games.poison_hearts.passing import PoisonHand
from cardledger.rules.games.poison_hearts.rules import taker
from tests.tables import Policy, Sitting, ending, irregular, trick_of

ONES = "R1 R1 Y1 Y1 G1 G1 B1 B1 P1 P1"


def sitting(n: int = 3, policy: Policy = "strict", **options: object) -> Sitting:
    return Sitting("poison-hearts", n, policy, **options)


@pytest.mark.parametrize(("n", "each"), [(3, 20), (4, 15), (5, 12), (6, 10)])
def test_deal_all_sixty_cards_of_five_suits(n: int, each: int) -> None:
    match = sitting(n).deal()
    assert [held.bit_count() for held in match.table.hand.held] == [each] * n
    faces = " ".join(match.held(seat) for seat in range(n)).split()
    assert Counter(faces) == Counter(f"{suit}{value}" for suit in "RYGBP" for value in "112233445678")


def test_deal_all_with_double_suits_has_every_pair_of_suits_once() -> None:
    match = sitting(3, double_suits=True).deal()
    faces = " ".join(match.held(seat) for seat in range(3)).split()
    assert sorted(face for face in faces if face[-1] in "67") == sorted(
        ["RY6", "YG6", "GB6", "BP6", "RP6", "RG7", "YB7", "GP7", "RB7", "YP7"]
    )
    sitting(3).deal("R6 R7").refuses(ev.Play(seat=0, card="RY6"), "table.holding")


def test_deal_all_knows_twins_by_one_face() -> None:
    match = sitting().deal("R1 R1", "R2", "R3").play("R1")
    assert match.held(0).split().count("R1") == 1
    match.refuses(ev.Play(seat=1, card="R1"), "table.holding")


@pytest.mark.parametrize("dealer", range(3))
def test_lead_one_falls_to_the_dealer(dealer: int) -> None:
    match = sitting().deal("R1", "R1", "Y1", dealer=dealer)
    assert match.turn == ("play", dealer)
    assert {card[1] for card in match.table.choices()[0].cards} == {"1"}


@pytest.mark.parametrize(("card", "hand"), [("R2", "R1 R2 Y1"), ("B8", "R1 B8 Y1")])
def test_lead_one_irregular_lead_of_another_card(card: str, hand: str) -> None:
    def at(policy: Policy) -> Sitting:
        return sitting(3, policy).deal(hand, ONES.replace("R1 R1 Y1 Y1", "R1 Y1"))

    irregular(at, ev.Play(seat=0, card=card), "lead.one", "R1 Y1")


def test_lead_one_binds_only_the_first_lead() -> None:
    match = sitting().deal("R1 R8", "R3", "R2").play("R1 R3 R2")
    assert match.turn == ("play", 1)
    assert any(card[1] != "1" for card in match.table.choices()[0].cards)


def test_pass_no_one_announces_until_somebody_holds_a_one() -> None:
    match = sitting().deal("", ONES, dealer=2)
    assert [choice.type for choice in match.table.choices()] == ["pass", "score"]
    match.do(ev.Pass(seat=2)).do(ev.Pass(seat=0))
    assert match.turn == ("play", 1)
    match.play("R1")
    match.refuses(ev.Pass(seat=2), "table.phase")


def test_pass_no_one_irregular_pass_with_a_one() -> None:
    def at(policy: Policy) -> Sitting:
        return sitting(3, policy).deal("R1 Y1 Y1", "", ONES.replace("R1 R1 Y1 Y1", "R1"))

    match = irregular(at, ev.Pass(seat=0), "pass.no-one", "R1 Y1")
    assert match.turn == ("play", 1)


def test_pass_no_one_falls_to_the_dealer_again_after_a_round() -> None:
    match = sitting(3, "record").deal("R1", "Y1", "P1")
    match.do(*(ev.Pass(seat=seat) for seat in (0, 1, 2)))
    assert match.turn == ("play", 0)
    match.play("R1")


@pytest.mark.parametrize("policy", ["strict", "record"])
def test_pass_no_one_irregular_play_without_a_one_is_impossible(policy: Policy) -> None:
    match = sitting(3, policy).deal("R8", ONES)
    match.refuses(ev.Play(seat=0, card="R8"), "pass.no-one")
    match.refuses(ev.Play(seat=0, card="R1"), "table.holding")
    match.refuses(ev.Play(seat=1, card="R1"), "table.turn")


def test_pass_no_one_allows_no_pass_later() -> None:
    match = sitting().deal("R1", "R3", "R2")
    match.play("R1").refuses(ev.Pass(seat=1), "table.phase")
    match.play("R3 R2").refuses(ev.Pass(seat=1), "table.phase")


def test_follow_suit_irregular_discard() -> None:
    def at(policy: Policy) -> Sitting:
        return sitting(3, policy).deal("R1", "R3 R5 G8", void={2: "R"}).play("R1")

    legal = " ".join(sorted({card for card in at("strict").held(1).split() if card[0] == "R"}))
    irregular(at, ev.Play(seat=1, card="G8"), "follow.suit", legal)
    assert at("strict").play("R3").table.choices()[0].cards[0][0] != "R"


def test_follow_suit_irregular_where_a_double_card_shares_a_suit() -> None:
    match = sitting(6, "record", double_suits=True)
    match.deal("RY6 P1", "YB7 G8", void={1: "R"}).play("RY6")
    legal = [card for card in match.held(1).split() if "Y" in card]
    match.refuses(ev.Play(seat=1, card="RY6"), "table.holding").play("G8")
    assert match.table.violations[-1].rule == "follow.suit"
    assert [*match.table.violations[-1].legal] == sorted(set(legal))


@pytest.mark.parametrize(
    ("cards", "takes"),
    [("R1 R3 R2", "R3"), ("G1 B8 P8 R8", "G1"), ("R1 R5 G8", "R5"), ("R5 R1 R1", "R5"), ("R1 R2 R4 R4 R6", "R6")],
)
def test_trick_highest_single_card_of_the_suit_takes(cards: str, takes: str) -> None:
    assert trick_of("poison-hearts", cards) == (takes, "trick.highest")


def test_trick_highest_of_either_suit_of_a_double_card_takes() -> None:
    assert trick_of("poison-hearts", "RY6 Y8 R5", double_suits=True) == ("Y8", "trick.highest")
    assert trick_of("poison-hearts", "R1 RY6 R5", double_suits=True) == ("RY6", "trick.highest")


def test_trick_tie_gives_all_cards_back_and_the_leader_leads_again() -> None:
    match = sitting(4, "record").deal("R3 P1", "R3", "R2", "G8")
    before = [match.held(seat) for seat in range(4)]
    match.play("R3 R3 R2 G8")
    assert match.last == (0, "R3 R3 R2 G8", None, "trick.tie")
    assert [match.held(seat) for seat in range(4)] == before
    assert match.turn == ("play", 0)
    assert match.result["hands"][0]["tricks_taken"] == [0] * 4


@pytest.mark.parametrize("cards", ["RY6 YB7 RG7 R1", "R1 R1 G8", "G1 G4 B8 G4"])
def test_trick_tie_of_the_highest(cards: str) -> None:
    assert trick_of("poison-hearts", cards, double_suits="6" in cards) == ("nobody", "trick.tie")


def test_trick_tie_below_the_highest_is_none() -> None:
    assert trick_of("poison-hearts", "R1 R3 R3 R4") == ("R4", "trick.highest")


def tied(policy: Policy = "strict") -> Sitting:
    """Seat 0 led R1 and tied with a twin; it holds the other faces R2 and R3 too."""
    return sitting(3, policy).deal("R1 R2 R3", "R1", "G8", void={2: "R"}).play("R1 R1 G8")


def test_lead_different_irregular_lead_of_the_same_face() -> None:
    legal = " ".join(sorted({card for card in tied().held(0).split() if card != "R1"}))
    irregular(tied, ev.Play(seat=0, card="R1"), "lead.different", legal)


def test_lead_different_forbids_all_faces_tried_so_far() -> None:
    match = sitting(3, "record").deal("R1 R2 R3", "R1 R2", "G8").play("R1 R1 G8 R2 R2 G8")
    assert match.last[3] == "trick.tie"
    legal = match.table.choices()[0].cards
    assert not {"R1", "R2"} & set(legal)
    match.play("R1")
    assert match.table.violations[-1].rule == "lead.different"
    assert match.table.violations[-1].legal == legal


def test_lead_different_need_be_no_one() -> None:
    assert tied().play("R2").table.violations == []


def test_lead_different_is_forgotten_once_the_trick_is_taken() -> None:
    match = tied("record").play("R2 R1 G8")
    assert match.last[2:] == (0, "trick.highest")
    assert "R1" in match.table.choices()[0].cards


def test_trick_removed_with_the_last_cards() -> None:
    match = ending("R3", "R3", "G8").play("R3 R3 G8")
    (hand,) = match.result["hands"]
    assert match.last == (0, "R3 R3 G8", None, "trick.removed")
    assert hand["complete"]
    assert sum(hand["tricks_taken"]) == 19


def test_trick_removed_when_the_leader_holds_no_other_face() -> None:
    match = ending("R3 R3", "R4 Y5", "R4 G8").play("R3 R4 R4")
    assert match.last[3] == "trick.removed"
    assert [match.held(seat) for seat in range(3)] == ["R3", "Y5", "G8"]
    assert match.turn == ("play", 0)
    assert match.table.choices()[0].cards == ("R3",)  # the faces tried are forgotten
    assert match.play("R3 Y5 G8").last[3] == "trick.highest"


def test_trick_removed_after_all_faces_were_tried() -> None:
    match = ending("R2 R3", "R4 Y5", "R4 G8").play("R2 R4 R4")
    assert match.last[3] == "trick.tie"
    match.play("R3 R4 R4")
    assert match.last[3] == "trick.removed"
    assert [match.held(seat) for seat in range(3)] == ["R2", "Y5", "G8"]


def test_lead_taker_leads_next() -> None:
    assert sitting().deal("R1", "R2", "R3").play("R1 R2 R3").turn == ("play", 2)


def scores(*taken: str, **options: object) -> list[int]:
    """Return the points for these cards taken, seat by seat."""
    table = sitting(len(taken), **options).deal().table
    left = dict(enumerate(table.pack.faces))
    for seat, faces in enumerate(taken):
        for wanted in faces.split():
            card = next(card for card, face in left.items() if face == wanted)
            del left[card]
            table.hand.won[seat] |= 1 << card
    return table.game.scoring.scores(table.hand)


@pytest.mark.parametrize(
    ("taken", "points"),
    [
        (("R1 R1 R2 R2 R3", "R3 R4 R4 R5", "R6 R7 R8"), [0, 4, 3]),
        (("R1 R1 R2 R2 R3", "R3 R4 R4 R5 R6", "R7 R8"), [5, 5, 2]),
        (("R1 Y1 Y2", "R2 R3 Y3", "G1"), [1, 1, 0]),
        (("", "R2", ""), [0, 0, 0]),
        (("R1", "R2", "R3"), [1, 1, 1]),
    ],
)
def test_score_most_of_a_suit_is_free(taken: tuple[str, ...], points: list[int]) -> None:
    assert scores(*taken) == points


def test_score_most_counts_no_cards_removed() -> None:
    match = ending("R3", "R3", "G8").play("R3 R3 G8")
    taken: list[Counter[str]] = [Counter() for _ in range(3)]
    for trick in match.result["hands"][0]["tricks"]:
        if trick["taker"] is not None:
            taken[trick["taker"]].update(card[0] for card in trick["cards"])
    free = [
        {suit for suit in "RYGBP" if all(mine[suit] > other[suit] for other in taken if other is not mine)}
        for mine in taken
    ]
    expected = [
        sum(count for suit, count in mine.items() if suit not in none) for mine, none in zip(taken, free, strict=True)
    ]
    assert match.result["hands"][0]["scores"] == expected
    assert sum(sum(mine.values()) for mine in taken) == 57


@pytest.mark.parametrize(
    ("taken", "points"),
    [
        (("RY6 R1 Y1", "R2", "Y2"), [0, 1, 1]),  # most of both suits
        (("RY6 R1", "Y1 Y2", "R2"), [1, 0, 1]),  # most of red alone: the 6 counts, the red 1 does not
        (("RY6 Y1", "RG7", "R1"), [1, 1, 1]),  # it counts as red: nobody has the most of it
        (("RY6", "R1", "Y1"), [1, 1, 1]),
    ],
)
def test_score_card_of_two_suits_is_free_with_the_most_in_both(taken: tuple[str, ...], points: list[int]) -> None:
    assert scores(*taken, double_suits=True) == points


def test_deal_left_is_the_next_dealer() -> None:
    match = sitting().deal(dealer=2).score(1, 2, 3)
    match.refuses(ev.Deal(dealer=2, hands=None), "deal.left")
    assert match.deal("R1", dealer=0).turn == ("play", 0)


@pytest.mark.parametrize("n", [3, 5])
def test_match_rounds_are_as_many_as_players_by_default(n: int) -> None:
    match = sitting(n)
    assert match.table.options == {"double_suits": False, "rounds": n, "target": None}
    for _ in range(n):
        assert match.result["status"] == "open"
        match.scored(*range(n))
    assert match.result["status"] == "complete"


def test_match_rounds_may_be_chosen() -> None:
    assert sitting(rounds=1).scored(1, 2, 3).result["status"] == "complete"


def test_match_target_goes_instead_of_rounds() -> None:
    match = sitting(rounds=1, target=20).scored(19, 5, 3)
    assert match.result["status"] == "open"
    assert match.scored(1, 0, 9).result["winners"] == [1]


def test_match_target_may_be_null() -> None:
    assert sitting(rounds=1, target=None).scored(900, 5, 3).result["status"] == "complete"


def test_match_fewest_points_win_and_equals_share() -> None:
    assert sitting(rounds=1).scored(3, 2, 2).result["winners"] == [1, 2]
    assert sitting(rounds=1).scored(1, 2, 2).result["winners"] == [0]


def test_score_card_cannot_be_claimed_in_tricks() -> None:
    sitting().deal("R1").refuses(ev.Claim(tricks=(20, 0, 0)), "table.phase")


@pytest.mark.parametrize("double", [False, True])
def test_trick_highest_is_the_only_one_of_its_height_among_cards_of_the_suit_led(double: bool) -> None:
    rng = Random(2)
    pack = five_suit_pack(double)
    hand = PoisonHand(n=6, order=int(double))
    for number in range(500):
        trick = rng.sample(range(60), rng.randint(3, 6))
        if number % 2:  # in a hidden hand nobody knows which of two twins was played: the lower one stands for both
            trick = [pack.of[pack.faces[card]][0] for card in trick]
        hand.laid, hand.led = sum(1 << card for card in set(trick)), pack.kin[trick[0]]
        heights = {place: pack.ranks[card] for place, card in enumerate(trick) if hand.led >> card & 1}
        best = [place for place, height in heights.items() if height == max(heights.values())]
        assert taker(hand, trick) == ((-1, "trick.tie") if len(best) > 1 else (best[0], "trick.highest"))

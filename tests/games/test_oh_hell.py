"""The rules of oh hell, each named by the tests that prove it."""

from __future__ import annotations

import msgspec
import pytest

from cardledger.errors import LedgerError
from cardledger.rules import games
from cardledger.rules.engine import events as ev
from tests.games.folding import folded, hide
from tests.tables import Policy, Sitting, dealt, irregular, opening


def oh_hell(n: int = 4, policy: Policy = "strict", **options: object) -> Sitting:
    return Sitting("oh-hell", n, policy, **options)


def sheet(match: Sitting, bids: tuple[int, ...], tricks: tuple[int, ...]) -> Sitting:
    """A line of a score sheet: hidden hands, the bids of the seats from 0, all tricks."""
    dealer = match.match.game.deal.next_dealer(match.match) if match.match.hands else 0
    match.do(ev.Deal(dealer=dealer, hands=None, upcard=None))
    n = match.match.n
    match.bid(*(bids[(dealer + 1 + place) % n] for place in range(n)))
    return match.claim(*tricks)


def sizes(n: int, **options: object) -> list[int]:
    """How many cards the hands of a match have."""
    match, found = oh_hell(n, **options), []
    while match.result["status"] == "open":
        match.deal()
        found.append(len(match.held(0).split()))
        match.score(*range(n))
    return found


# --- the deal


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("down-up", [3, 2, 1, 2, 3]),
        ("up-down", [1, 2, 3, 2, 1]),
        ("down", [3, 2, 1]),
        ("up", [1, 2, 3]),
        ("fixed", [3] * 4),
    ],
)
def test_deal_sizes_come_in_the_order_agreed(order: str, expected: list[int]) -> None:
    assert sizes(4, most=3, order=order) == expected


@pytest.mark.parametrize(("n", "most"), [(3, 10), (4, 10), (5, 10), (6, 8), (7, 7)])
def test_deal_sizes_begin_with_the_most_for_the_table(n: int, most: int) -> None:
    assert oh_hell(n).match.options["most"] == most
    assert len(oh_hell(n).deal().held(0).split()) == most


@pytest.mark.parametrize(("n", "most"), [(3, 17), (4, 12), (5, 10), (6, 8), (7, 7)])
def test_deal_sizes_leave_a_card_to_turn_up(n: int, most: int) -> None:
    oh_hell(n, most=most).deal()
    with pytest.raises(LedgerError) as refused:
        games.start(opening("oh-hell", n, most=most + 1))
    assert refused.value.code == "table.range"
    with pytest.raises(LedgerError) as refused:
        games.start(opening("oh-hell", n, most=None))
    assert refused.value.code == "format.option"


def test_deal_sizes_no_other_number_of_cards() -> None:
    match = oh_hell(3, most=3)
    deal = dealt(match.match)
    assert deal.hands is not None
    short = tuple(cards[:2] for cards in deal.hands)
    match.refuses(msgspec.structs.replace(deal, hands=short), "table.deck")


def test_deal_left_is_the_next_dealer() -> None:
    assert oh_hell().scored(1, 2, 3, 4).deal().hand.dealer == 1


def test_trump_upcard_names_trump_and_is_out_of_play() -> None:
    match = oh_hell().deal(upcard="9H")
    assert match.last_hand["trump"] == "H"
    assert all("9H" not in match.held(seat) for seat in range(4))
    deal = dealt(oh_hell().match, ("AS",), upcard="9H")
    oh_hell().refuses(msgspec.structs.replace(deal, upcard="AS"), "table.deck")
    oh_hell().refuses(msgspec.structs.replace(deal, upcard=msgspec.UNSET), "format.key")
    oh_hell().refuses(msgspec.structs.replace(deal, upcard=None), "format.value")


def test_trump_upcard_is_played_by_nobody_in_a_hidden_hand() -> None:
    match = oh_hell(3, most=3).deal(
        upcard="9H",
        hidden=True,
        aside=" ".join(f"{r}C" for r in "23456789TJQKA")
        + " "
        + " ".join(f"{r}D" for r in "23456789TJQKA")
        + " "
        + " ".join(f"{r}S" for r in "23456789TJQKA")
        + " 2H 3H 4H",
    )
    match.bid(1, 1, 2).refuses_play("9H", "table.holding").refuses_play("2C", "table.holding").play("5H")


def test_trump_upcard_leaves_the_rest_face_down() -> None:
    match = oh_hell(3, most=3)
    deal = dealt(match.match)
    assert deal.aside is None
    assert deal.hands is not None
    gone = {card for cards in deal.hands for card in cards} | {deal.upcard}
    rest = tuple(card for card in match.match.pack.faces if card not in gone)
    for aside in (rest[1:], (*rest[1:], deal.hands[0][0]), (*rest[1:], deal.upcard)):
        match.refuses(msgspec.structs.replace(deal, aside=aside), "table.deck")
    match.do(msgspec.structs.replace(deal, aside=rest))


# --- bids


def test_bid_order_goes_round_once_from_the_dealers_left() -> None:
    match = oh_hell(3, most=3).deal(dealer=1)
    assert match.turn == ("bid", 2)
    match.refuses(ev.Bid(seat=0, amount=1), "table.turn").bid(1, 1, 0)
    assert match.turn == ("play", 2)
    assert match.last_hand["bids"] == [1, 0, 1]


def test_bid_range_is_from_nought_to_the_cards_in_hand() -> None:
    match = oh_hell(3, most=3).deal()
    match.refuses_bid(-1, "bid.range").refuses_bid(4, "bid.range").bid(0)
    assert match.choice("bid").amounts == (0, 3)


def dealers_bids(*bids: int, **options: object) -> list[int]:
    """What the dealer may bid after these, with five cards each."""
    match = oh_hell(4, most=5, **options).deal(dealer=3).bid(*bids)
    choice = match.choice("bid")
    for amount in choice.barred:
        match.refuses_bid(amount, "bid.hook")
    return [amount for amount in range(choice.amounts[0], choice.amounts[1] + 1) if amount not in choice.barred]


def test_bid_hook_keeps_the_dealer_from_making_bids_add_up() -> None:
    assert dealers_bids(2, 1, 0) == [0, 1, 3, 4, 5]
    assert dealers_bids(3, 3, 1) == [0, 1, 2, 3, 4, 5]
    assert dealers_bids(2, 1, 0, hook=False) == [0, 1, 2, 3, 4, 5]


def test_bid_hook_binds_the_dealer_alone() -> None:
    oh_hell(4, most=5).deal(dealer=3).bid(2, 1, 2).bid(1)


# --- tricks


def test_lead_left_of_dealer_leads_any_card() -> None:
    match = oh_hell(3, most=3).deal(dealer=2).bid(1, 1, 0)
    assert match.turn == ("play", 0)
    assert len(match.choice("play").cards) == 3


def follows(policy: Policy) -> Sitting:
    match = oh_hell(3, policy, most=3).deal("9C", "AD 3C 4C", "5C", dealer=2, upcard="2H")
    return match.bid(1, 1, 0).play("9C")


def test_follow_suit_irregular() -> None:
    irregular(follows, "AD", "follow.suit", "3C 4C")


def trick(cards: str, upcard: str) -> tuple[int, str, int | None, str]:
    hands = [f"{card}" for card in cards.split()]
    match = oh_hell(3, "record", most=1).deal(*hands, dealer=2, upcard=upcard)
    return match.bid(0, 0, 0).play(cards).last


def test_trick_trump_is_the_highest_trump() -> None:
    assert trick("9C 2H 3H", "AH")[2:] == (2, "trick.trump")
    assert trick("9C TC 3C", "AC")[2:] == (1, "trick.trump")


def test_trick_led_suit_is_the_highest_without_a_trump() -> None:
    assert trick("9C AD TC", "AH")[2:] == (2, "trick.led-suit")


def test_lead_taker_leads_next() -> None:
    assert follows("strict").play("3C 5C").turn == ("play", 0)


# --- points


def points(bids: tuple[int, ...], tricks: tuple[int, ...], most: int, **options: object) -> list[int]:
    scores: list[int] = sheet(oh_hell(3, most=most, hook=False, **options), bids, tricks).last_hand["scores"]
    return scores


def test_score_made_is_a_bonus_and_the_tricks() -> None:
    assert points((3, 0, 2), (3, 0, 2), 5) == [13, 10, 12]
    assert points((3, 0, 2), (3, 0, 2), 5, points_per_trick=5) == [25, 10, 20]
    assert points((3, 0, 2), (3, 0, 2), 5, bonus=5) == [8, 5, 7]


def test_score_missed_is_nothing_or_each_trick_or_a_penalty() -> None:
    assert points((2, 1, 1), (4, 0, 1), 5) == [0, 0, 11]
    assert points((2, 1, 1), (4, 0, 1), 5, scoring="each") == [4, 0, 11]
    assert points((2, 1, 1), (4, 0, 1), 5, scoring="penalty") == [-2, -1, 11]
    assert points((2, 1, 1), (4, 0, 1), 5, scoring="penalty", points_per_trick=5) == [-10, -5, 15]


def test_score_made_and_missed_are_cited_as_they_come() -> None:
    match = sheet(oh_hell(3, most=5), (3, 0, 1), (3, 0, 2))
    assert {"score.made", "score.missed"} <= match.rules_cited
    match = sheet(oh_hell(3, most=5), (3, 1, 2), (1, 3, 1))
    assert "score.made" not in match.rules_cited


# --- the match


def test_match_sizes_ends_it() -> None:
    match = oh_hell(3, most=1)
    sheet(match, (0, 0, 0), (1, 0, 0))
    assert (match.result["status"], match.result["winners"]) == ("complete", [1, 2])
    assert "match.sizes" in match.rules_cited


def test_match_hands_ends_it_and_sizes_start_over() -> None:
    assert sizes(3, most=2, order="down", hands=5) == [2, 1, 2, 1, 2]
    assert sizes(3, most=3, hands=2) == [3, 2]


# --- hidden hands


@pytest.mark.parametrize("policy", ["strict", "record"])
def test_follow_suit_irregular_is_found_after_a_hidden_hand(policy: Policy) -> None:
    known = follows("record").play("AD")
    known.legally()
    hidden = folded(hide(known.events, policy))
    assert hidden.violations == known.match.violations
    assert hidden.hands[0].scores == known.match.hands[0].scores


def test_score_made_of_a_line_of_a_score_sheet_with_nothing_noted() -> None:
    match = oh_hell(3, most=3).do(ev.Deal(dealer=0, hands=None, upcard=None))
    match.bid(1, 1, 2).refuses_play("2C", "table.phase")
    assert match.last_hand["trump"] is None
    assert match.claim(2, 1, 0).last_hand["scores"] == [12, 11, 0]

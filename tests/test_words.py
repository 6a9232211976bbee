"""What a scorer reads of the table at a moment: all that lies there, and each thing that may come next, in words."""

from __future__ import annotations

import pytest

from cardledger.record.matches.describe import account, position
from cardledger.rules.games import games
from tests.tables import Sitting


def told(match: Sitting) -> list[str]:
    return [line.strip() for line in position(match.table)]


def next_of(match: Sitting) -> list[str]:
    return [line.removeprefix("Next: ") for line in told(match) if line.startswith("Next: ")]


def test_a_lead_is_described_with_hands_trick_and_totals() -> None:
    match = Sitting("diversity", 4).deal("2C 5S", "3C", "4C", "5C", dealer=3).play("5S 3C")
    shown = told(match)
    assert shown[:2] == ["After event 4: play", "Hand 1, dealt by dev"]
    assert shown[2] == "ana: " + " ".join(match.table.pack.list(match.table.hand.held[0]))
    assert shown[6:9] == [
        "trick: ana led 5S 3C",
        "tricks taken: ana 0, ben 0, chloe 0, dev 0; to play: 13",
        "Totals: ana 0, ben 0, chloe 0, dev 0",
    ]
    assert next_of(match) == [
        f"chloe may play {match.held(2)}",
        "anyone may claim how the last 13 tricks fall",
        "anyone may score",
    ]


def test_a_hidden_hand_is_described_as_unknown() -> None:
    assert told(Sitting("diversity", 4).deal(hidden=True))[2] == "hands are not known"


def test_between_hands_the_dealer_is_named_and_after_the_match_nothing_comes() -> None:
    match = Sitting("diversity", 4, hands=1)
    assert next_of(match) == ["anyone may deal"]
    match = Sitting("diversity", 4, hands=2).deal(dealer=1).claim(1, 3, 4, 5)
    assert told(match) == ["After event 3: open", "Totals: ana 1, ben 3, chloe 4, dev 5", "Next: chloe may deal"]
    assert told(match.deal().claim(1, 3, 4, 5)) == ["After event 5: complete", "Totals: ana 2, ben 6, chloe 8, dev 10"]


def test_bids_are_described_with_their_limits() -> None:
    match = Sitting("diamonds-bid", 5).deal(dealer=0)
    assert next_of(match)[0] == "ben may bid 0 to 10"
    match.bid(3, 2)
    assert "Bid: ana –, ben 3, chloe 2, dev –, eva –" in told(match)


def test_a_draw_is_described_with_the_number_of_cards_and_the_stock() -> None:
    match = Sitting("diamonds-draw", 4).deal("3C 4C", "5C", "6C", "7C", dealer=3).play("3C 5C 6C 7C")
    shown = told(match)
    assert "Stock: 24 cards" in shown
    (choice,) = (choice for choice in match.table.choices() if choice.type == "draw")
    assert f"Next: dev may draw {' '.join(choice.cards)} from the stock" in shown


def test_several_cards_to_draw_are_counted() -> None:
    match = Sitting("diamonds-draw", 4, "record").deal("3C", "2D", "6C", "7C", dealer=3).play("3C 2D 6C 7C")
    (drawing,) = (words for words in next_of(match) if " may draw " in words)
    assert drawing.startswith("dev may draw 2 of ")


def test_piles_discards_and_the_stock_of_hecto_diversity_are_described() -> None:
    match = Sitting("hecto-diversity", 3).deal(upcard="1", dealer=0)
    shown = told(match)
    assert "Discards: 1 (top last)" in shown
    assert "Stock: 58 cards" in shown
    assert [words.rpartition(" from ")[2] for words in next_of(match) if " may draw " in words] == [
        "the stock",
        "the discards",
    ]


def debts(tricks: tuple[int, ...]) -> Sitting:
    return Sitting("ruff", 4).deal(dealer=0).claim(*tricks).deal()


def test_debts_are_described_with_creditor_and_debtor() -> None:
    match = debts((1, 5, 2, 4))
    assert next_of(match)[0] == "dev may collect from ana or chloe"
    assert "dev owes" not in " ".join(told(match))


def test_a_debtor_sees_which_card_to_give_and_to_whom() -> None:
    match = debts((2, 4, 3, 3))
    assert "Debts: ana owes ben a card" in told(match)
    assert next_of(match)[0] == "ben may ask from ana"
    match.ask("S")
    assert next_of(match)[0].startswith("ana may give ")
    assert next_of(match)[0].endswith(" to ben")


@pytest.mark.parametrize(
    ("match", "line"),
    [
        (lambda: Sitting("diversity", 4).deal(hidden=True), "Hand 1: ana deals (deal not recorded)"),
        (lambda: Sitting("diversity", 4).deal(), "  not complete"),
        (lambda: Sitting("diversity", 4).deal().claim(1, 3, 4, 5), "  claimed: ana 1, ben 3, chloe 4, dev 5 (claim.agreed)"),
        (lambda: Sitting("diversity", 4).scored(1, 3, 4, 5), "  points: ana 1, ben 3, chloe 4, dev 5 (score.agreed)"),
        (lambda: Sitting("diamonds-bid", 4).deal().bid(1, 2), "  Bid: ana –, ben 1, chloe 2, dev –"),
        (lambda: Sitting("hecto-diversity", 3).deal(upcard="1", dealer=1), "Hand 1: ben starts"),
        (lambda: Sitting("diversity", 4, hands=1).scored(1, 1, 5, 6), "The match is under way."),
        (lambda: Sitting("diversity", 4, hands=1).scored(1, 2, 5, 5), "ana wins."),
        (lambda: Sitting("ruff", 3, rounds=1).scored(6, 6, 3), "ana and ben share the win."),
    ],
)  # fmt: skip
def test_the_account_of_a_match_explains_each_hand(match, line: str) -> None:
    assert line in list(account(match().table))


def test_games_list_their_players_and_the_defaults_of_their_options() -> None:
    told = {
        game.id: (game.players_text, {one.name: one.default_text for one in game.options}) for game in games().values()
    }
    assert (
        told
        | {
            "diversity": ("4", {"hands": "4"}),
            "diamonds-bid": ("2 to 8", {"target": "500", "chips": "no"}),
            "poison-hearts": ("3 to 6", {"double_suits": "no", "rounds": "number of players", "target": "none"}),
            "hecto-diversity": ("2 to 8", {"laps": "1", "target": "none", "layout": "8x10"}),
            "ruff": ("3 to 5", {"rounds": "number of players"}),
            "ruff-2": ("3 to 5", {"rounds": "number of players"}),
            "diamonds-draw": ("2 to 6", {"target": "100"}),
        }
        == told
    )

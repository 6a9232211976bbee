"""What a scorer reads when an event is refused: who, what, and what would do instead."""

from __future__ import annotations

import re
from random import Random

import pytest

from cardledger.errors import LedgerError
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger.rules.games import games
from cardledger.rules.stream import Stream
from tests.tables import Sitting


def refusal(match: Sitting, event: ev.Event) -> str:
    """Return the message with which an event is refused."""
    with pytest.raises(LedgerError) as refused:
        match.stream.append(event)
    return refused.value.message


def diversity(**options: object) -> Sitting:
    return Sitting("diversity", 4, **options).deal("2C", "3C", "4C", "5C", dealer=3)


def test_table_range_names_the_valid_seats_players_and_lists() -> None:
    match = diversity()
    assert refusal(match, ev.Play(seat=4, card="2C")) == "there is no seat 4: seats are 0 to 3"
    assert refusal(match, ev.Play(seat=-1, card="2C")) == "there is no seat -1: seats are 0 to 3"
    assert refusal(match, ev.Claim(tricks=(13,))) == "tricks has 1 numbers, not one for each of 4 seats"
    assert refusal(match, ev.Claim(tricks=(3, 3, 3, 3))) == "the tricks claimed are not 13, as many as are not complete"
    assert refusal(match, ev.Claim(tricks=(-1, 14, 0, 0))) == "a number of tricks is below 0"
    most = "the points of a hand are at most 1,000,000,000,000"
    assert refusal(match, ev.Score(scores=(10**12 + 1, 0, 0, 0))) == most
    assert refusal(match, ev.Score(scores=(0, 0, 0, -(10**12) - 1))) == most
    assert match.score(10**12, 0, 0, -(10**12)).result["totals"] == [10**12, 0, 0, -(10**12)]
    with pytest.raises(LedgerError) as refused:
        Sitting("ruff", 2)
    assert refused.value.message == "ruff is for 3 to 5 players, not 2"
    with pytest.raises(LedgerError) as refused:
        Sitting("diversity", 5)
    assert refused.value.message == "diversity is for 4 players, not 5"


def test_table_phase_names_what_comes_next_and_why_the_event_is_not_that() -> None:
    match = Sitting("diversity", 4, hands=1)
    assert refusal(match, ev.Play(seat=0, card="2C")) == "a deal comes next, not a play"
    assert refusal(match, ev.Score(scores=(0,) * 4)) == "a deal comes next: a score needs a hand under way"
    assert refusal(match, ev.Claim(tricks=(13, 0, 0, 0))) == "a deal comes next, not a claim"
    assert refusal(match, ev.Bid(seat=0, amount=1)) == "a deal comes next: there is no bid in diversity"
    ruling = ev.Adjust(kind="stands", law="72A")
    assert refusal(match, ruling) == "a deal comes next: there is no adjust in diversity"
    match.deal(dealer=3)
    assert refusal(match, ev.Deal(dealer=0, hands=None)) == "a card to play comes next, not a deal"
    match.claim(1, 2, 4, 6)
    over = "the match is over: only note, retract, amend and void may follow"
    for event in (ev.Play(seat=0, card="2C"), ev.Deal(dealer=0, hands=None), ev.End(), ev.Bid(seat=0, amount=1)):
        assert refusal(match, event) == over
    waiting = Sitting("hecto-diversity", 2).deal(hidden=True, upcard="80", dealer=0).draw("79").close("5")
    assert refusal(waiting.do(ev.Pass(seat=1)), ev.Pass(seat=1)) == "the hand waits for its score, not a pass"
    assert refusal(Sitting("poison-hearts", 3).deal(), ev.Claim(tricks=(20, 0, 0))) == (
        "a card to play comes next: there is no claim in poison-hearts"
    )


@pytest.mark.parametrize("game", games().values(), ids=lambda game: game.id)
def test_every_refusal_of_a_wrong_moment_is_a_sentence(game) -> None:
    """At every moment of a hand, an event of each type is tried; none of the messages is made of pieces."""
    tried: set[tuple[str, str]] = set()
    events = simulate(game.id, game.players[0], Random(1), ["random"], max_hands=2)
    stream = Stream(events[0])
    trials = [
        ev.Bid(seat=0, amount=1), ev.Call(seat=0, call="pass"), ev.Pass(seat=0), ev.Play(seat=0, card="2C"),
        ev.Draw(seat=0, source="stock", cards=("2C",)), ev.Discard(seat=0, card="2C"), ev.Close(seat=0, card="2C"),
        ev.Layoff(seat=0, card="2C"), ev.Collect(seat=0, source=1), ev.Ask(seat=0, source=1, suit="C"),
        ev.Claim(tricks=(1,) * game.players[0]), ev.Score(scores=(1,) * game.players[0]), ev.Deal(dealer=0, hands=None),
    ]  # fmt: skip
    messages = []
    for event in events[1:]:
        moment = stream.table.hand.moment
        for trial in trials:
            if (moment, type(trial).__name__) not in tried:
                tried.add((moment, type(trial).__name__))
                try:
                    stream.copy().append(trial)
                except LedgerError as error:
                    if error.code == "table.phase":
                        messages.append((ev.type_of(trial), error.message))
        stream.append(event)
    assert messages
    for kind, message in messages:
        assert re.fullmatch(
            r"(an? \w+|a card to play|cards to give|the choice of a \w+|a layoff or a pass) comes? next"
            rf"(, not an? {kind}|: there is no {kind} in [\w-]+|: a {kind} needs a hand (under way|in play)"
            r"|: nobody passes after the first lead)",
            message,
        ), message


def test_table_turn_says_whose_turn_it_is() -> None:
    wanted = "it is the turn of ana, not of ben"
    assert refusal(diversity(), ev.Play(seat=1, card="3C")) == wanted


def test_table_holding_says_whether_the_card_exists() -> None:
    match = diversity()
    assert refusal(match, ev.Play(seat=0, card="3C")) == "ana does not hold 3C"
    assert refusal(match, ev.Play(seat=0, card="1C")) == "'1C' is not a card of diversity"


def test_table_deck_says_which_hand_or_card_is_wrong() -> None:
    match = Sitting("diversity", 4)
    whole = diversity().stream.heads[-1][1].hands
    assert refusal(match, ev.Deal(dealer=0, hands=whole[:3])) == "3 hands are dealt to 4 players"
    short = (whole[0], whole[1][:-1], *whole[2:])
    assert refusal(match, ev.Deal(dealer=0, hands=short)) == "ben is dealt 12 cards, not 13"
    twice = (whole[0], (whole[0][0], *whole[1][1:]), *whole[2:])
    assert refusal(match, ev.Deal(dealer=0, hands=twice)) == f"{whole[0][0]!r} cannot be there"
    strange = (("1C", *whole[0][1:]), *whole[1:])
    assert refusal(match, ev.Deal(dealer=0, hands=strange)) == "'1C' is not a card of this game"
    five = Sitting("diamonds-bid", 5)
    hands = Sitting("diamonds-bid", 5).deal(dealer=0).stream.heads[-1][1].hands
    assert refusal(five, ev.Deal(dealer=0, hands=hands)) == (
        "the deal needs the key 'aside' with the 2 cards left over"
    )
    assert refusal(five, ev.Deal(dealer=0, hands=hands, aside=("2C",))) == "aside has 1 card, not 2"


def test_a_wrong_dealer_is_refused_with_the_right_one() -> None:
    match = diversity().claim(3, 3, 3, 4)
    assert refusal(match, ev.Deal(dealer=3, hands=None)) == "this hand is for ana to begin, not dev"
    assert refusal(match, ev.Deal(hands=None)) == "a deal of diversity needs the key 'dealer'"
    assert refusal(match, ev.Deal(dealer=0, upcard="2C", hands=None)) == "a deal of diversity has no key 'upcard'"


def test_options_list_their_possible_values() -> None:
    for given, words in (
        ({"hands": 0}, "hands is at least 1"),
        ({"hands": True}, "hands is a whole number"),
        ({"hand": 1}, "diversity has no option 'hand' (did you mean 'hands'?) (it has hands)"),
    ):
        with pytest.raises(LedgerError) as refused:
            Sitting("diversity", 4, **given)
        assert refused.value.message == words
    with pytest.raises(LedgerError) as refused:
        Sitting("diamonds-bid", 4, chips=1)
    assert refused.value.message == "chips is true or false"
    with pytest.raises(LedgerError) as refused:
        Sitting("hecto-diversity", 4, layout="9x9")
    assert refused.value.message == "layout is one of 8x10, 10x8"


def test_a_broken_rule_is_shown_with_the_legal_cards_and_its_text() -> None:
    match = Sitting("ruff", 4).deal("6C", "7C", void={1: "D"}, dealer=3).play("6C")
    clubs = " ".join(card for card in match.held(1).split() if card[1] == "C")
    other = next(card for card in match.held(1).split() if card[1] != "C")
    assert refusal(match, ev.Play(seat=1, card=other)) == (
        f"ben plays {other}; legal: {clubs}. Follow the suit led if you can; otherwise play any card."
    )
    match = Sitting("diamonds-bid", 4).deal("2C 3H", dealer=3).bid(0, 0, 0, 0)
    assert refusal(match, ev.Play(seat=0, card="3H")) == (
        "ana leads 3H; legal: 2C. The player with the lowest club in play leads it to the first trick."
    )


def test_refused_bids_debts_and_draws_say_what_is_allowed() -> None:
    match = Sitting("diamonds-bid", 4).deal(dealer=3)
    assert refusal(match, ev.Bid(seat=0, amount=14)) == "a bid is from 0 to 13, not 14"
    assert refusal(match, ev.Bid(seat=0, amount=-1)) == "a bid is from 0 to 13, not -1"
    debts = Sitting("ruff", 4).deal(dealer=0).claim(2, 4, 3, 3).deal()
    assert refusal(debts, ev.Ask(seat=1, source=2, suit="C")) == "this card comes from ana"
    debts.ask("C")
    (choice,) = (choice for choice in debts.table.choices() if choice.type == "give")
    assert refusal(debts, ev.Give(seat=0, to=2, card=choice.cards[0])) == "this card goes to ben"
    several = Sitting("ruff", 4).deal(dealer=0).claim(1, 5, 2, 4).deal()
    assert refusal(several, ev.Collect(seat=3, source=1)) == "ben owes no more cards"
    drawing = Sitting("diamonds-draw", 4).deal("3C", "5C", "6C", "7C", dealer=3).play("3C 5C 6C 7C")
    cards = next(choice for choice in drawing.table.choices() if choice.type == "draw").cards
    assert refusal(drawing, ev.Draw(seat=3, source="stock", cards=cards[:2])) == "dev draws 1 from the stock"
    ordered = Sitting("diamonds-draw", 4).deal("3C", "5C", "6C", "7C", dealer=3, stock="2S 3S").play("3C 5C 6C 7C")
    assert refusal(ordered, ev.Draw(seat=3, source="stock", cards=("3S",))) == "the next cards of the stack are 2S"

    lying = Sitting("hecto-diversity", 2).deal("1 12 23 34 45 56 67", upcard="80", dealer=0).draw().discard("12")
    assert refusal(lying, ev.Draw(seat=1, source="discards", cards=("80",))) == (
        "one card is drawn, from the stock or 12 from the discards"
    )


def test_a_refused_correction_gives_the_reason() -> None:
    match = diversity().play("2C 3C")
    assert refusal(match, ev.Retract(to=5)) == "to is 5, but events so far are 1 to 4"
    assert refusal(match, ev.Retract(to=0)) == "to is 0, but events so far are 1 to 4"
    assert refusal(match, ev.Note(text="x", about=5)) == "about is 5, but events so far are 1 to 4"
    assert refusal(match, ev.Amend(about=3, event=ev.Deal(dealer=0, hands=None))) == (
        "a play cannot be amended into a deal"
    )
    assert refusal(match, ev.Amend(about=3, event=ev.Play(seat=0, card="3C"))) == (
        "if event 3 counts as amended, event 3 breaks: ana does not hold 3C"
    )
    assert refusal(match, ev.Amend(about=3, event=ev.Play(seat=0, card="2C", seq=4))) == (
        "the event within has seq 4, but replaces event 3"
    )
    for seq in (-5, 4, 6):
        assert refusal(match, ev.Note(text="x", seq=seq)) == f"seq is {seq}, but this is event 5 of the match"
        assert refusal(match, ev.Play(seat=2, card="4C", seq=seq)) == f"seq is {seq}, but this is event 5 of the match"
    opening = ev.Open(game="diversity", players=("ana", "ben", "chloe", "dev"))
    assert refusal(match, opening) == "the match is open already"
    ruff = ev.Open(game="ruff", players=opening.players)
    assert refusal(match, ev.Amend(about=1, event=ruff)) == (
        "an amended opening keeps the game and the number of players"
    )
    match.do(ev.Retract(to=3))
    assert refusal(match, ev.Amend(about=4, event=ev.Play(seat=1, card="3C"))) == (
        "event 4 does not count, so it cannot be amended"
    )

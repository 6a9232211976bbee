"""Hands nobody wrote down: what a seat can still hold, as soon as it is certain and not before."""

from __future__ import annotations

import pytest

from ledger import events as ev
from ledger.cards import five_suit_pack
from ledger.errors import RuleError
from ledger.games import start
from ledger.games.poison_hearts import Tied
from ledger.table import Table
from ledger.unseen import Unseen

PACK = five_suit_pack(double_suits=False)


def cards(*faces: str) -> int:
    """Return the lowest card of each face."""
    return sum(PACK.of[face][1] for face in faces)


def test_an_unknown_hand_may_hold_any_card_not_seen() -> None:
    world = Unseen(2, 3, cards("R5", "Y5", "G5", "B5", "P5", "R6"))
    assert world.could_hold(0) == world.pool
    world.show(0, PACK.mask["R5"])
    assert world.could_hold(1) == cards("Y5", "G5", "B5", "P5", "R6")


def test_a_card_shown_has_left_for_good() -> None:
    world = Unseen(2, 2, cards("R5", "Y5", "G5", "B5"))
    assert world.show(0, PACK.mask["R5"])
    assert world.show(0, PACK.mask["R5"]) == 0
    assert world.show(1, PACK.mask["R5"]) == 0


def test_a_hand_of_known_cards_only_can_show_no_other() -> None:
    world = Unseen(2, 1, cards("R5", "Y5", "G5"))
    world.receive(0, cards("P8"))
    assert world.show(0, PACK.mask["R5"])
    assert world.could_hold(0) == cards("P8")
    assert world.show(0, PACK.mask["Y5"]) == 0
    assert world.show(0, PACK.mask["P8"])


def test_a_known_twin_is_shown_before_one_nobody_has_seen() -> None:
    """So the other twin stays where it may be: in any hand."""
    twins = PACK.mask["R3"]
    world = Unseen(2, 2, twins ^ cards("R3") | cards("Y5", "G5", "B5"))
    world.receive(0, cards("R3"))
    assert world.show(0, twins) == cards("R3")
    assert world.show(1, twins)


def test_more_known_cards_than_are_left_are_impossible() -> None:
    world = Unseen(2, 1, cards("R5", "Y5"))
    assert world.possible()
    world.known[0] = cards("P7", "P8")
    assert not world.possible()


def test_after_a_tie_that_left_the_hands_the_leader_holds_tried_faces_only() -> None:
    world = Tied(3, 2, PACK.full)
    for seat, face in enumerate(("R1", "R3", "R3")):
        world.show(seat, PACK.mask[face])
    back, gone = world.after_tie(0, PACK.mask["R1"])
    assert back.could_hold(0) & cards("Y5")
    assert gone.could_hold(0) == PACK.mask["R1"] & gone.pool
    assert (back.left, gone.left) == ([2, 2, 2], [1, 1, 1])


def test_a_tie_of_last_cards_has_left_the_hands_for_certain() -> None:
    world = Tied(3, 1, PACK.full)
    for seat, face in enumerate(("R3", "R3", "Y5")):
        world.show(seat, PACK.mask[face])
    (gone,) = world.after_tie(0, PACK.mask["R3"])
    assert gone.left == [0, 0, 0]


def hidden_ruff() -> Table:
    """Return a hidden second hand of `ruff` in which seat 0 owes seat 1 a card."""
    table = start(ev.Open(game="ruff", players=("ana", "ben", "chloe"), policy="record"))
    events: list[ev.Event] = [
        ev.Deal(dealer=0, hands=None),
        ev.Claim(tricks=(4, 6, 5)),
        ev.Deal(dealer=1, hands=None),
        ev.Ask(seat=1, source=0, suit="S"),
        ev.Give(seat=0, to=1, card="AS"),
    ]
    for seq, event in enumerate(events, 2):
        table.apply(event, seq)
    return table


@pytest.mark.parametrize(("to", "card"), [(0, "AS"), (0, "2S")])
def test_a_card_received_can_be_given_back_and_one_of_no_hand_cannot(to: int, card: str) -> None:
    table = hidden_ruff()
    if card == "AS":
        table.apply(ev.Give(seat=1, to=to, card=card), 7)
        assert table.phase == "play"
    else:
        with pytest.raises(RuleError, match="does not hold"):
            table.apply(ev.Give(seat=1, to=to, card=card), 7)


def test_a_card_that_changed_hands_is_refused_to_everyone_else_at_once() -> None:
    table = hidden_ruff()
    table.apply(ev.Give(seat=1, to=0, card="KS"), 7)
    for seat, card, fits in ((2, "AS", False), (2, "KS", False), (2, "QS", True), (0, "AS", False), (0, "KS", True)):
        trial = table.copy()
        trial.turn = seat
        if fits:
            trial.apply(ev.Play(seat=seat, card=card), 8)
        else:
            with pytest.raises(RuleError) as caught:
                trial.apply(ev.Play(seat=seat, card=card), 8)
            assert caught.value.code == "table.holding"

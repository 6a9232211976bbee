"""Possible worlds of hidden hands: where an unseen card can be, and where it cannot."""

from __future__ import annotations

import pytest

from cardledger.rules.engine.hidden import World

SHOWN = 0b10000
"""A card that everybody saw enter a hand."""


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_card_that_all_have_seen_is_in_no_other_hand_after_the_seat_has_laid_cards_away(seat: int) -> None:
    world = World(3, 2, 0b1111)
    world.receive(seat, SHOWN)
    world.bury(seat, 1)
    assert [bool(world.could_hold(other) & SHOWN) for other in range(3)] == [other == seat for other in range(3)]
    assert not world.known[seat], "it may be the one that was laid away"
    assert world.possible()


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_card_that_all_have_seen_may_be_anywhere_after_the_seat_has_passed_cards_on(seat: int) -> None:
    world = World(3, 2, 0b1111)
    world.receive(seat, SHOWN)
    world.lose(seat, 1)
    assert all(world.could_hold(other) & SHOWN for other in range(3))

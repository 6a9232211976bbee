"""Cards on a page: every card of every pack can be recognised by eye and by ear."""

from __future__ import annotations

import pytest

from cardledger.rules.engine.cards import standard_pack
from cardledger.rules.games.hecto_diversity.cards import hecto_pack
from cardledger.rules.games.poison_hearts.cards import five_suit_pack
from cardledger_web.views.cards import drawn

PACKS = [
    standard_pack(),
    five_suit_pack(double_suits=False),
    five_suit_pack(double_suits=True),
    hecto_pack("8x10"),
    hecto_pack("10x8"),
]


@pytest.mark.parametrize("pack", PACKS)
def test_no_two_faces_look_or_sound_alike(pack) -> None:
    cards = drawn(pack)
    assert set(cards) == set(pack.faces)
    assert len({card.text for card in cards.values()}) == len(cards)
    assert len({card.label for card in cards.values()}) == len(cards)


@pytest.mark.parametrize("pack", PACKS)
def test_every_card_has_a_corner_and_a_suit_to_be_seen_without_colour(pack) -> None:
    cards = drawn(pack).values()
    assert all(card.rank and (card.pip or card.shapes) and (card.centre or card.shapes) for card in cards)
    corners = {(card.rank, card.pip or card.shapes) for card in cards}
    assert len(corners) == len(cards)
    looks = {(card.colours, card.shapes) for card in cards if card.colours}
    assert len({colours for colours, _ in looks}) == len({shapes for _, shapes in looks}) == len(looks)


@pytest.mark.parametrize(
    ("pack", "face", "text", "label"),
    [
        (PACKS[0], "KH", "K♥\ufe0e", "King of hearts"),
        (PACKS[0], "TC", "10♣\ufe0e", "10 of clubs"),
        (PACKS[1], "P8", "P8", "purple 8"),
        (PACKS[2], "RY6", "RY6", "red and yellow 6"),
        (PACKS[3], "37", "37", "37 (green 7)"),
        (PACKS[4], "37", "37", "37 (violet 4)"),
    ],
)
def test_a_card_is_written_and_read_out(pack, face: str, text: str, label: str) -> None:
    assert (drawn(pack)[face].text, drawn(pack)[face].label) == (text, label)

"""Diverse hands: all colours and all values differ.

The 80 cards make eight rows of ten. In the layout 8x10 a row is a colour and a column a value, in 10x8 a row is a value
and a column a colour. So in both, two cards are alike if they share a row or a column. A hand is a list of cards in the
order of the pack, and a set of its cards a set of places in that list.
"""

from __future__ import annotations

from typing import Final

from cardledger.rules import cards_in
from cardledger.rules.games.hecto_diversity.cards import hecto_pack

LAYOUTS: Final = ("8x10", "10x8")
PACKS: Final = tuple(hecto_pack(layout) for layout in LAYOUTS)
WAITING: Final = 10
"""Room for parts of a hand that have still to be looked at: one for each of nine cards, and the hand itself."""


def value(layout: int, card: int) -> int:
    """Return the value of a card."""
    return card // 10 + 1 if layout else card % 10 + 1


def all_places(cards: list[int]) -> int:
    """Return the places of all cards of a hand."""
    return (1 << len(cards)) - 1


def alike(cards: list[int]) -> list[int]:
    """Return by place the places of the cards that share a colour or a value with this one, itself included."""
    rows = [0] * 8
    columns = [0] * 10
    places = [0] * len(cards)
    for place in range(len(cards)):
        rows[cards[place] // 10] |= 1 << place
        columns[cards[place] % 10] |= 1 << place
    for place in range(len(cards)):
        places[place] = rows[cards[place] // 10] | columns[cards[place] % 10]
    return places


def diverse(like: list[int], places: int) -> bool:
    """Tell whether all colours and all values at some places differ; `like` is what `alike` says of the hand."""
    for place in cards_in(places):  # noqa: SIM110 # a generator is outside the rule subset
        if (like[place] & places).bit_count() > 1:
            return False
    return True


def closing_places(cards: list[int]) -> int:
    """Return the places of the cards without which the others are diverse."""
    like = alike(cards)
    every = all_places(cards)
    found = 0
    for place in cards_in(every):
        if diverse(like, every & ~(1 << place)):
            found |= 1 << place
    return found


def best_part(layout: int, cards: list[int], places: int, each: int) -> tuple[int, int]:
    """Return the weight of the best diverse part of the cards at some places, and its places.

    A card weighs its value and `each`. Of two equal parts the one without the card that is like most others is best.
    """
    like = alike(cards)
    worth = [0] * len(cards)
    for place in range(len(cards)):
        worth[place] = each + value(layout, cards[place])
    best, most = 0, -1
    undecided = [0] * WAITING
    parts = [0] * WAITING
    weights = [0] * WAITING
    undecided[0] = places
    waiting = 1
    while waiting:
        waiting -= 1
        open_places, part, weight = undecided[waiting], parts[waiting], weights[waiting]
        pivot = 0
        while pivot >= 0:
            pivot, crowd, alone = -1, 1, 0
            for place in cards_in(open_places):
                others = (open_places & like[place]).bit_count()
                if others == 1:
                    alone |= 1 << place
                    weight += worth[place]
                elif others > crowd:
                    pivot, crowd = place, others
            part |= alone
            open_places &= ~alone
            if crowd == 2:  # only pairs are left: the heavier card of each, the later of two equal ones
                for place in cards_in(open_places):
                    other = (open_places & like[place] & ~(1 << place)).bit_length() - 1
                    if worth[place] > worth[other] or worth[place] == worth[other] and place > other:
                        part |= 1 << place
                        weight += worth[place]
                pivot = -1
            elif pivot >= 0:  # with this card later, without it now
                undecided[waiting] = open_places & ~like[pivot]
                parts[waiting] = part | 1 << pivot
                weights[waiting] = weight + worth[pivot]
                waiting += 1
                open_places &= ~(1 << pivot)
        if weight > most:
            best, most = part, weight
    return most, best


def least_penalty(layout: int, cards: list[int], places: int) -> int:
    """Return the smallest sum of values at some places whose removal makes the others diverse."""
    _, part = best_part(layout, cards, places, 0)
    lost = 0
    for place in cards_in(places & ~part):
        lost += value(layout, cards[place])
    return lost

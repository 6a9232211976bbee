"""Careful play of Diversity (Hectoedra): keep the most diverse hand, close at once, lay off what costs most."""

from __future__ import annotations

from typing import Final

from ledger.bots.seen import lowest
from ledger.cards import cards_in
from ledger.events import Close, Discard, Draw, Event, Layoff
from ledger.games.hecto_diversity import ClosingTable, least_penalty, likenesses

CARD: Final = 100
"""What one more card in the diverse part counts for, against the values of the cards: more than all of them."""


def choose(table: ClosingTable) -> Event:
    """Draw, close or discard, lay off."""
    seat = table.turn
    assert seat is not None
    held, pack = table.held[seat], table.pack
    like = likenesses(table.options["layout"])
    if table.phase == "draw":
        top = table.discards[-1]
        if best_part(held | 1 << top, like, pack.ranks)[0] >= best_part(held, like, pack.ranks)[0] + CARD:
            return Draw(seat=seat, source="discards", cards=(pack.faces[top],))
        return Draw(seat=seat, source="stock", cards=())
    if table.phase == "layoff":
        choice = table.choices()[0]
        layout = table.options["layout"]
        face = min(choice.cards, key=lambda face: least_penalty(layout, held & ~pack.mask[face]))
        return Layoff(seat=seat, card=face)
    _, part = best_part(held, like, pack.ranks)
    rest = held & ~part
    if part.bit_count() >= 7:
        return Close(seat=seat, card=pack.faces[lowest(rest or part)])
    worst = max(cards_in(rest), key=lambda card: (part & like[card]).bit_count() * 10 + pack.ranks[card])
    return Discard(seat=seat, card=pack.faces[worst])


def best_part(cards: int, like: list[int], ranks: list[int]) -> tuple[int, int]:
    """Return the weight of the best diverse part of a hand, and the part: most cards, then highest values."""
    weight, part, rest = 0, 0, cards
    pivot, most = -1, 1
    for card in cards_in(cards):
        alike = (cards & like[card]).bit_count()
        if alike == 1:
            weight += CARD + ranks[card]
            part |= 1 << card
            rest ^= 1 << card
        elif alike > most:
            pivot, most = card, alike
    if pivot < 0:
        return weight, part
    without = best_part(rest & ~(1 << pivot), like, ranks)
    kept, others = best_part(rest & ~like[pivot], like, ranks)
    kept += CARD + ranks[pivot]
    better = without if without[0] >= kept else (kept, others | 1 << pivot)
    return weight + better[0], part | better[1]

"""Card orders: the suit of each card, and which cards beat which."""

from __future__ import annotations

from typing import NamedTuple

from cardledger.rules.engine.cards import Pack


class Orders(NamedTuple):
    """The suit and strength of cards, as int arrays; the first index is the order in force.

    A game with one order has number 0 only; in bridge the order is the strain, in euchre the trump suit.
    `suit[order][card]` is the suit a card counts as, `kin[order][card]` the set of all cards of that suit,
    `power[order][led][card]` its strength when suit `led` was led: the greatest takes the trick, 0 cannot take it.
    """

    suit: tuple[tuple[int, ...], ...]
    kin: tuple[tuple[int, ...], ...]
    power: tuple[tuple[tuple[int, ...], ...], ...]


def orders(*each: tuple[list[int], list[int], int | None]) -> Orders:
    """Build orders from the suit and the height (1 or more) of each card, and the trump suit or None."""
    suits, kin, power = [], [], []
    for suit, height, trump in each:
        suits.append(tuple(suit))
        kin.append(tuple(sum(1 << other for other, s in enumerate(suit) if s == mine) for mine in suit))
        power.append(
            tuple(
                tuple(
                    high + 100 if s == trump else high if s == led else 0 for s, high in zip(suit, height, strict=True)
                )
                for led in range(max(suit) + 1)
            )
        )
    return Orders(tuple(suits), tuple(kin), tuple(power))


def plain_orders(pack: Pack, *trumps: int | None) -> Orders:
    """The pack's own suits and ranks, once for each trump."""
    suits = [mask.bit_length() - 1 for mask in pack.suits]
    return orders(*((suits, [rank + 1 for rank in pack.ranks], trump) for trump in trumps))

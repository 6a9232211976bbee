"""Careful play of Ruff and Ruff 2.0: take tricks with the cheapest card, ask for the best, give back the worst."""

from __future__ import annotations

from typing import Final

from ledger.bots.seen import SUITS, above, highest, legal_cards, unseen_cards
from ledger.cards import cards_in, standard_pack
from ledger.events import Ask, Collect, Event, Give, Play
from ledger.games.ruff import DebtsTable

SUIT_MASKS: Final = standard_pack().suit_masks


def choose(table: DebtsTable) -> Event:
    """Settle debts, then lead or follow."""
    choice = table.choices()[0]
    seat = choice.seat
    assert seat is not None
    if choice.type == "collect":
        return Collect(seat=seat, source=int(choice.sources[0]))
    if choice.type == "ask":
        return Ask(seat=seat, source=int(choice.sources[0]), suit=SUITS[best_suit(table, seat)])
    legal = legal_cards(table, choice)
    if choice.type == "give":
        assert choice.to is not None
        return Give(seat=seat, to=choice.to, card=table.pack.faces[least_useful(table, legal)])
    return Play(seat=seat, card=table.pack.faces[card_of(table, seat, legal, unseen_cards(table, seat))])


def card_of(table: DebtsTable, seat: int, legal: int, unseen: int) -> int:
    """Return the card to lead or to follow with."""
    return follow(table, legal) if table.trick else lead(table, legal, unseen)


def worth(table: DebtsTable, card: int) -> int:
    """Rank a card for its use in any trick: with suits in a fixed hierarchy, that counts too."""
    return card % 13 + (3 * (card // 13) if table.game.id == "ruff" else 0)


def best_suit(table: DebtsTable, seat: int) -> int:
    """Return the suit whose highest card not held is worth most."""
    missing = table.deck & ~table.held[seat]
    tops = [highest(missing & mask) for mask in SUIT_MASKS if missing & mask]
    return max(tops, key=lambda card: worth(table, card)) // 13


def least_useful(table: DebtsTable, legal: int) -> int:
    """Return a card of little worth, out of a short suit: without a suit one can ruff."""
    return min(
        cards_in(legal),
        key=lambda card: worth(table, card) + 2 * (legal & SUIT_MASKS[card // 13]).bit_count(),
    )


def lead(table: DebtsTable, legal: int, unseen: int) -> int:
    """Return a highest card of a suit that everyone is likely to have, or else a card of little use."""
    masters = [card for card in cards_in(legal) if not unseen & SUIT_MASKS[card // 13] & above(card)]
    if masters:
        card = max(masters, key=lambda card: (unseen & SUIT_MASKS[card // 13]).bit_count())
        if (unseen & SUIT_MASKS[card // 13]).bit_count() >= table.n:
            return card
    return least_useful(table, legal)


def follow(table: DebtsTable, legal: int) -> int:
    """Return the cheapest card that takes the trick as it lies, or else a card of little use."""
    trick = table.trick
    led = trick[0] // 13
    base = led if table.game.id == "ruff-2" else 0

    def height(card: int) -> int:
        suit = card // 13
        return card % 13 + (13 + 13 * ((suit - base) % 4) if suit != led else 0)

    best = max(map(height, trick))
    winners = [card for card in cards_in(legal) if height(card) > best]
    if not winners:
        return least_useful(table, legal)
    if legal & SUIT_MASKS[led] and len(trick) < table.n - 1:
        return max(winners)
    return min(winners, key=height)

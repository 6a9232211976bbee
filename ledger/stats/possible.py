"""Possible worlds: how the cards that a seat has not seen may lie, by what it could know at that moment."""

from __future__ import annotations

from random import Random
from typing import Any

from ledger import events as ev
from ledger.cards import cards_in
from ledger.games.diamonds_draw import DrawingTable
from ledger.games.poison_hearts import TiesTable, ones
from ledger.tricks import TrickTable

_TRIES = 20
"""Attempts to deal the unseen cards so that everybody can hold theirs; then the true lie of the cards has to do."""


class Knowledge:
    """What the seats know of each other's cards, kept up as a hand goes on.

    `known[viewer][seat]` are cards that the viewer has seen enter a hand, `void[seat]` cards that a hand cannot hold,
    since its player did not follow or said so. What may be guessed from bids, or from cards not played, is not used.
    """

    def __init__(self, n: int) -> None:
        self.known = [[0] * n for _ in range(n)]
        self.void = [0] * n

    def see(self, table: Any, event: ev.Event) -> None:
        """Take in an event that has just been applied to `table`."""
        match event:
            case ev.Play(seat=seat):
                self._played(table, seat, event.card)
            case ev.Pass(seat=seat) if isinstance(table, TiesTable):
                self.void[seat] |= ones(table.pack, table.pack.full)
            case ev.Draw(seat=seat, source="discards"):
                self._shown(seat, table.pack.mask[event.cards[0]])
            case ev.Draw(seat=seat):
                self.void[seat] = 0
            case ev.Give(seat=seat, to=to):
                self.known[seat][to] |= table.pack.mask[event.card] & table.held[to]
        for seen in self.known:
            for seat, held in enumerate(table.held):
                seen[seat] &= held

    def _played(self, table: TrickTable, seat: int, face: str) -> None:
        hand = table.hand or table.hands[-1]
        if not table.trick and hand.tricks and hand.tricks[-1][2] is None:
            leader, cards, _, _ = hand.tricks[-1]
            for i, card in enumerate(cards):  # a tie: what went back to the hands has been seen
                self._shown((leader + i) % table.n, 1 << card)
        follows = any(rule == "follow.suit" for rule, _ in table.parts.follow)
        banned = isinstance(table, DrawingTable) and not hand.tricks
        if follows and not banned and not table.pack.mask[face] & table.led:
            self.void[seat] |= table.led

    def _shown(self, seat: int, cards: int) -> None:
        for seen in self.known:
            seen[seat] |= cards


def world(table: Any, seat: int, knowledge: Knowledge, rng: Random) -> Any:
    """Return a copy of a table with the cards that `seat` has not seen dealt anew, as far as it could know.

    Every card goes to a hand that may hold it, hands weighted by the cards they still need; so not every possible
    world is exactly as likely as any other where somebody is void.
    """
    other = table.copy()
    seen = knowledge.known[seat].copy()
    seen[seat] = table.held[seat]
    if table.phase == "layoff":
        seen[table.closer] = table.held[table.closer]
    stock, fixed = _stock(table)
    needs = [(held & ~mine).bit_count() for held, mine in zip(table.held, seen, strict=True)]
    unseen = stock
    for held, mine in zip(table.held, seen, strict=True):
        unseen |= held & ~mine
    for _ in range(_TRIES):
        dealt = _dealt(unseen, needs, knowledge.void, stock.bit_count(), rng)
        if dealt is not None:
            break
    else:
        return other
    *hands, rest = dealt
    other.held = [mine | more for mine, more in zip(seen, hands, strict=True)]
    if isinstance(other, DrawingTable):
        other.stack, other.stack_order = rest, None
    elif hasattr(other, "stock"):
        other.stock_order = None
        if not fixed:
            other.stock = rest
    return other


def _stock(table: Any) -> tuple[int, bool]:
    """Return the cards of the stock that may as well lie in hands; none, and True, once it was renewed from seen ones."""
    if isinstance(table, DrawingTable):
        return table.stack, False
    if isinstance(table, TrickTable):
        return 0, True
    drawn = 79 - 7 * table.n - table.stock_left
    renewed = drawn != (sum(table.held) | sum(1 << card for card in table.discards)).bit_count() - 7 * table.n - 1
    if renewed or table.stock is None:
        return 0, True
    return table.stock, False


def _dealt(unseen: int, needs: list[int], void: list[int], stock: int, rng: Random) -> list[int] | None:
    """Return unseen cards by seat, those of the stock last; None if an attempt came to a dead end."""
    needs = [*needs, stock]
    void = [*void, 0]
    hands = [0] * len(needs)
    cards = [*cards_in(unseen)]
    rng.shuffle(cards)
    places = range(len(needs))
    if any(void):
        cards.sort(key=lambda card: sum(not void[place] >> card & 1 for place in places if needs[place]))
    for card in cards:
        open_places = [place for place in places if needs[place] and not void[place] >> card & 1]
        if not open_places:
            return None
        place = rng.choices(open_places, [needs[place] for place in open_places])[0]
        hands[place] |= 1 << card
        needs[place] -= 1
    return hands

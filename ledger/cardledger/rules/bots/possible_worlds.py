"""Possible worlds: ways in which the cards a seat has not seen may lie, given what the seat knows at that moment."""

from __future__ import annotations

from typing import Any

from cardledger.rules.engine import events as ev
from cardledger.rules.engine.cards import cards_in
from cardledger.rules.engine.chance import Chance
from cardledger.rules.engine.match import Match
from cardledger.rules.engine.phases import StockHand
from cardledger.rules.engine.state import Hand

_TRIES = 20
"""Attempts to deal the unseen cards so that nobody gets a card they cannot hold; after that the true deal is used."""


class Knowledge:
    """What the seats know of each other's cards, updated event by event.

    `known[viewer][seat]` are the cards that the viewer has seen enter a hand; `void[seat]` are cards that the hand
    cannot hold, because its player did not follow suit or said so. Guesses from bids, or from cards not played, are not
    used.
    """

    def __init__(self, n: int) -> None:
        self.known = [[0] * n for _ in range(n)]
        self.void = [0] * n

    def apply(self, match: Match[Any], event: ev.Event, seq: int) -> None:
        """Apply an event to a match, and learn from it; raises what `Match.apply` raises, and learns nothing then."""
        denied = match.phase.denied(match, match.hand, event)
        match.apply(event, seq)
        self._see(match, event, denied)

    def _see(self, match: Match[Any], event: ev.Event, denied: int) -> None:
        """Learn from an event that has just been applied; `denied` are cards that its seat has shown not to hold."""
        hand, mask = match.hand, match.pack.mask
        match event:
            case ev.Deal():
                self.known = [[0] * match.n for _ in range(match.n)]
                self.void = [0] * match.n
                if hand.upcard >= 0:
                    self._turned_up(hand, 1 << hand.upcard)
            case ev.Play(seat=seat) | ev.Pass(seat=seat):
                self.void[seat] |= denied
                if not hand.trick and hand.tricks and hand.tricks[-1][2] is None:
                    seats, cards, _, _ = hand.tricks[-1]
                    for seat, card in zip(
                        seats, cards, strict=True
                    ):  # a tie: the cards that went back to the hands have been seen
                        self._shown(seat, 1 << card)
            case ev.Draw(seat=seat, source="discards", cards=(top,)):
                self._shown(seat, mask[top])
            case ev.Draw(seat=seat):
                self.void[seat] = 0
            case ev.Give(seat=seat, to=to):
                faces = event.cards if isinstance(event.cards, tuple) else (event.card,)
                for face in faces:
                    self.known[seat][to] |= mask[str(face)] & hand.held[to]
            case ev.Call() if hand.upcard >= 0:
                self._picked_up(hand, 1 << hand.upcard)
        for seen in self.known:
            for seat, held in enumerate(hand.held):
                seen[seat] &= held

    def _turned_up(self, hand: Hand, card: int) -> None:
        """All have seen the card turned up; the dealer of whist takes it into the hand."""
        for seat, held in enumerate(hand.held):
            if held & card:
                self._shown(seat, card)

    def _picked_up(self, hand: Hand, card: int) -> None:
        """All have seen who took up the card turned up: it is in that hand, or was discarded from it face down."""
        if any(held & card for held in hand.held):
            self.void = [void if held & card else void | card for held, void in zip(hand.held, self.void, strict=True)]

    def _shown(self, seat: int, cards: int) -> None:
        for seen in self.known:
            seen[seat] |= cards


def seen_by(match: Match[Any], seat: int, knowledge: Knowledge) -> tuple[list[int], list[int], int]:
    """Return what a seat knows.

    The cards it knows by hand, those each hand cannot hold, and the unseen cards beside them.
    """
    hand = match.hand
    mine = (seat, hand.acts_for[seat])
    seen = [
        held if hand.open_hands >> some & 1 or some in mine else knowledge.known[seat][some]
        for some, held in enumerate(hand.held)
    ]
    return seen, knowledge.void, _stock(match)


def possible_world(match: Match[Any], seat: int, knowledge: Knowledge, chance: Chance) -> Match[Any]:
    """Return a copy of a match in which the cards that `seat` has not seen are dealt again at random.

    Each card goes to a hand that may hold it; a hand that needs more cards is more likely to get it. So where somebody
    is void, the possible worlds are not all exactly equally likely. (`cardledger.rules.kernel.tricks` has the same
    again.)
    """
    other = match.copy()
    hand = match.hand
    seen, void, stock = seen_by(match, seat, knowledge)
    needs = [(held & ~mine).bit_count() for held, mine in zip(hand.held, seen, strict=True)]
    unseen = stock
    for held, mine in zip(hand.held, seen, strict=True):
        unseen |= held & ~mine
    for _ in range(_TRIES):
        dealt = _dealt(unseen, needs, void, stock.bit_count(), chance)
        if dealt is not None:
            break
    else:
        return other
    *hands, stock_cards = dealt
    other.hand.held = [mine | more for mine, more in zip(seen, hands, strict=True)]
    if isinstance(other.hand, StockHand):
        other.hand.stock_order = None
    if stock:
        _lay(other, stock_cards)
    return other


def _stock(match: Match[Any]) -> int:
    """Return the unseen cards that are in nobody's hand: the stock, or the cards left over face down."""
    hand = match.hand
    if isinstance(hand, StockHand):
        return 0 if hand.renewed else hand.stock
    return hand.aside if match.game.deal.left_over == "unnamed" else 0


def _lay(match: Match[Any], cards: int) -> None:
    """Put cards where those of `_stock` lie."""
    if isinstance(match.hand, StockHand):
        match.hand.stock = cards
    else:
        match.hand.aside = cards


def _dealt(unseen: int, needs: list[int], void: list[int], stock: int, chance: Chance) -> list[int] | None:
    """Deal the unseen cards and return them by seat, the stock last; None if the attempt came to a dead end."""
    needs = [*needs, stock]
    void = [*void, 0]
    hands = [0] * len(needs)
    cards = [*cards_in(unseen)]
    chance.shuffle(cards)
    places = range(len(needs))
    if not any(need and barred for need, barred in zip(needs, void, strict=True)):
        rest = iter(cards)
        for place in places:
            for _ in range(needs[place]):
                hands[place] |= 1 << next(rest)
        return hands
    # The cards with the fewest places come first.
    cards.sort(key=lambda card: sum(not void[place] >> card & 1 for place in places if needs[place]))
    left = needs.copy()
    for card in cards:
        total = sum(left[place] for place in places if not void[place] >> card & 1)
        if not total:
            return None
        chosen = chance.below(total)
        for place in places:
            if left[place] and not void[place] >> card & 1:
                chosen -= left[place]
                if chosen < 0:
                    hands[place] |= 1 << card
                    left[place] -= 1
                    break
    return hands

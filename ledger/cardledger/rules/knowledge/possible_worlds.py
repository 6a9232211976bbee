"""Possible worlds: ways in which the cards a seat has not seen may lie, given what the seat knows at that moment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardledger.rules.engine import events as ev
from cardledger.rules.engine.chance import Chance
from cardledger.rules.engine.deals import PossibleDeals
from cardledger.rules.engine.match import Match
from cardledger.rules.engine.phases import Exchange, PassHand, StockHand
from cardledger.rules.engine.state import Hand

if TYPE_CHECKING:
    from collections.abc import Container


class Knowledge:
    """What the seats know of each other's cards, updated event by event.

    `known[viewer][seat]` are the cards that the viewer has seen enter a hand; `void[seat]` are cards that the hand
    cannot hold, because its player did not follow suit or said so. `laid[seat]` are the cards that a seat laid away
    face down, and `taken_up` the card turned up if somebody took it: it is not among those left over; `given` are
    the cards that went from seat to seat. Guesses from bids, or from cards not played, are not used.
    """

    def __init__(self, n: int) -> None:
        self.known = [[0] * n for _ in range(n)]
        self.void = [0] * n
        self.laid = [0] * n
        self.taken_up = 0
        self.given: list[tuple[int, int, int]] = []
        self._held = [0] * n

    def apply(self, match: Match[Any], event: ev.Event, seq: int) -> None:
        """Apply an event to a match, and learn from it; raises what `Match.apply` raises, and learns nothing then."""
        denied = match.phase.denied(match, match.hand, event)
        face_down = type(event) in match.phase.unseen
        held = match.hand.held[event.seat] if isinstance(event, ev.Discard) and face_down else 0
        match.apply(event, seq)
        if held and isinstance(event, ev.Discard):
            self.laid[event.seat] |= held & ~match.hand.held[event.seat]
        self._see(match, event, denied)

    def laid_away(self, mine: Container[int]) -> int:
        """Return the cards that others than some seats laid away face down."""
        away = 0
        for seat, cards in enumerate(self.laid):
            if seat not in mine:
                away |= cards
        return away

    def _see(self, match: Match[Any], event: ev.Event, denied: int) -> None:
        """Learn from an event that has just been applied; `denied` are cards that its seat has shown not to hold."""
        hand, mask = match.hand, match.pack.mask
        match event:
            case ev.Deal():
                self.known = [[0] * match.n for _ in range(match.n)]
                self.void = [0] * match.n
                self.laid = [0] * match.n
                self.taken_up = 0
                self.given = []
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
                self._shown(seat, mask[top] & hand.held[seat])
            case ev.Draw(seat=seat):
                self.void[seat] = 0
            case ev.Give(seat=seat, to=to):
                gave = 0  # cards passed unseen are nobody's to know
                for arrival in event.arrivals():
                    for face in arrival.faces:
                        gave |= mask[face]
                self.given.append((seat, to, gave))
                for giver, receiver, some in self.given:  # cards passed at the same time arrive with the last of them
                    self.known[giver][receiver] |= some & hand.held[receiver]
            case ev.Call() if hand.upcard >= 0:
                self._picked_up(hand, 1 << hand.upcard)
        for seat, held in enumerate(hand.held):
            if held != self._held[seat]:
                self._held[seat] = held
                for seen in self.known:
                    seen[seat] &= held

    def _turned_up(self, hand: Hand, card: int) -> None:
        """All have seen the card turned up; the dealer of whist takes it into the hand."""
        for seat, held in enumerate(hand.held):
            if held & card:
                self._shown(seat, card)

    def _picked_up(self, hand: Hand, card: int) -> None:
        """All have seen who took up the card turned up: it is in that hand, or was discarded from it face down."""
        if any(held & card for held in hand.held):
            self.taken_up = card
            self.void = [void if held & card else void | card for held, void in zip(hand.held, self.void, strict=True)]

    def _shown(self, seat: int, cards: int) -> None:
        for seen in self.known:
            seen[seat] |= cards


class PossibleWorlds:
    """The ways in which the cards that a seat has not seen may lie: counted once, and drawn as often as wanted.

    Every deal that fits what the seat knows is equally likely; the true one is one of them. If none fits, somebody
    broke a rule, and nothing is taken from what they did not play. `match` is the table as far as the seat has seen it:
    cards that others passed face down are back in their hands, and the order of the stock is not known. `seen` are the
    cards it knows by seat, `hidden` those it does not know by place, `kept` whether all can have kept the rules, `deals`
    the unknown cards to the places: the seats, then the stock or the cards left over face down, and then what somebody
    laid away.
    """

    def __init__(self, match: Match[Any], seat: int, knowledge: Knowledge) -> None:
        self.match = match = _as_seen(match, seat)
        hand = match.hand
        mine = (seat, hand.acts_for[seat])
        self.seen = [
            held if hand.open_hands >> some & 1 or some in mine else knowledge.known[seat][some]
            for some, held in enumerate(hand.held)
        ]
        hidden = [held & ~seen for held, seen in zip(hand.held, self.seen, strict=True)]
        hidden += (_stock(match), knowledge.laid_away(mine))
        self.hidden = hidden
        unseen = 0
        for cards in hidden:
            unseen |= cards
        needs = [cards.bit_count() for cards in hidden]
        self.deals = PossibleDeals(unseen, needs, [*knowledge.void, knowledge.taken_up, 0])
        self.kept = self.deals.fits
        if not self.kept:
            self.deals = PossibleDeals(unseen, needs, [0] * len(needs))

    def draw(self, chance: Chance) -> Match[Any]:
        """Return a copy of the match in which the cards that the seat has not seen are dealt again."""
        other = self.match.copy()
        *hands, stock, _ = self.deals.draw(chance)
        other.hand.held = [seen | more for seen, more in zip(self.seen, hands, strict=True)]
        if stock:
            _lay(other, stock)
        return other


def _as_seen(match: Match[Any], seat: int) -> Match[Any]:
    """Return a match without what a seat has not seen beside the hands.

    Cards passed by others, and the order of the stock.
    """
    hand = match.hand
    passed = hand.passed if isinstance(hand, PassHand) and isinstance(match.phase, Exchange) else []
    given = [0 if some == seat else max(cards, 0) for some, cards in enumerate(passed)]  # -1: nobody saw them
    ordered = isinstance(hand, StockHand) and hand.stock_order is not None
    if not ordered and not any(given):
        return match
    other = match.copy()
    if isinstance(other.hand, StockHand):
        other.hand.stock_order = None
    if isinstance(other.hand, PassHand):
        for some, cards in enumerate(given):
            if cards:
                other.hand.held[some] |= cards
                other.hand.passed[some] = 0
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

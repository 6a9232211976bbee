"""Rules that many games share. All of them are in the rule subset: ints, sets of cards, arrays, fields of the hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from cardledger.rules.engine.cards import SUITS
from cardledger.rules.engine.state import Hand

if TYPE_CHECKING:
    from cardledger.rules.engine.match import Match
    from cardledger.rules.engine.phases.bids import BidHand


def follow_suit(hand: Hand, held: int) -> int:
    """Cards of the suit led, or any card if the seat has none."""
    return held & hand.led or held


def highest_of(cards: int, trick: list[int]) -> int:
    """Return the place in the trick of the highest of `cards`, a set of cards of one suit in it."""
    return trick.index(cards.bit_length() - 1)


def strongest(power: Sequence[int], trick: list[int]) -> int:
    """Return the place of the strongest card in the trick; the earlier of equals."""
    best = 0
    for place in range(1, len(trick)):
        if power[trick[place]] > power[trick[best]]:
            best = place
    return best


def left_of_taker(taker: int, n: int) -> int:
    """Left of the taker leads next."""
    return (taker + 1) % n


def tricks_taken(hand: Hand) -> list[int]:
    """A point for each trick, for every seat."""
    return hand.taken


def trick_points(hand: Hand, seat: int) -> int:
    """A point for each trick."""
    return hand.taken[seat]


def left_of_dealer(match: Match[Any], hand: Hand) -> int:
    """Left of the dealer begins."""
    return (hand.dealer + 1) % hand.n


# --- not in the subset: called once for each hand


def after_hands(rule: str, option: str) -> Callable[[Match[Any]], str | None]:
    """The match ends after as many hands as an option says."""
    return lambda match: rule if len(match.hands) >= match.options[option] else None


def at_target(rule: str, option: str = "target") -> Callable[[Match[Any]], str | None]:
    """The match ends after the first hand in which a player reaches the points set by an option."""
    return lambda match: rule if max(match.totals) >= match.options[option] else None


def cards_at_start(hand: Hand) -> list[int]:
    """The cards by seat at the start of the play, in a known hand or one played out."""
    cards = hand.held.copy()
    for seats, played, _, _ in [*hand.tricks, (hand.seats[: len(hand.trick)], hand.trick, None, "")]:
        for seat, card in zip(seats, played, strict=True):
            cards[seat] |= 1 << card
    return cards


def suit_letter(match: Match[Any], hand: Hand) -> str | None:
    """The suit that sets the card order, None if there is none or it was not noted."""
    return None if hand.unnoted or hand.order >= len(SUITS) else SUITS[hand.order]


def card_turned_up(match: Match[Any], hand: Hand) -> str | None:
    """The card turned up, None if there is none or it was not noted."""
    return None if hand.upcard < 0 else match.pack.faces[hand.upcard]


def bids_made(match: Match[Any], hand: BidHand) -> list[int | None]:
    """The bids by seat, None for those not yet made."""
    return [None if bid < 0 else bid for bid in hand.bids]

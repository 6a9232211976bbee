"""Careful play of euchre.

Make trump with enough strength, play alone with a very strong hand, take tricks for the side.

Against random play a side gains 1.2 to 1.5 points a hand.
"""

from __future__ import annotations

from typing import Final

from cardledger.rules import Bot, Call, Choice, Discard, Event, Match, cards_in, lowest, strongest
from cardledger.rules.games.euchre.calling import SUITS, EuchreHand
from cardledger.rules.games.euchre.rules import ORDERS, PACK

ENOUGH: Final = 6.0
"""The strength needed to make trump; see `strength`."""
ALONE: Final = 9.5
"""The strength needed to play alone."""
UPCARD: Final = 1.0
"""The value of the card turned up to the side that gets it."""
ACE: Final = 12
ACES: Final = sum(1 << suit * 13 + ACE for suit in range(4))


def other(match: Match[EuchreHand], hand: EuchreHand, choice: Choice) -> Event:
    """Call with a hand that is strong enough; discard the least useful card."""
    seat = choice.seat
    assert seat is not None
    if choice.type == "discard":
        cards = sum(1 << PACK.of[face][0] for face in choice.cards)
        return Discard(seat=seat, card=PACK.faces[least_useful(hand.held[seat], cards, hand.order)])
    if "alone" in choice.calls:
        return Call(seat=seat, call="pass")
    ratings = [(worth(hand, seat, trump), trump) for trump in range(4) if word(hand, trump) in choice.calls]
    best, trump = max(ratings)
    if best < ENOUGH and "pass" in choice.calls:
        return Call(seat=seat, call="pass")
    call = word(hand, trump)
    return Call(seat=seat, call=f"{call} alone" if best >= ALONE else call)


def word(hand: EuchreHand, trump: int) -> str:
    """Return the call that makes a suit trump at this moment; in the first round the call does not name the suit."""
    if hand.passes >= 4:
        return SUITS[trump]
    return "order up" if trump == hand.upcard // 13 else ""


def worth(hand: EuchreHand, seat: int, trump: int) -> float:
    """Return the strength of a hand with a given suit as trump, with the effect of the card turned up."""
    held = hand.held[seat]
    if hand.passes >= 4:
        return strength(held, trump)
    if seat == hand.dealer:
        held |= 1 << hand.upcard
        return strength(held & ~(1 << least_useful(held, held, trump)), trump)
    return strength(held, trump) + (UPCARD if (seat - hand.dealer) % 2 == 0 else -UPCARD)


def strength(held: int, trump: int) -> float:
    """Add up trumps by height, aces in other suits, and void suits."""
    suit, power = ORDERS.suit[trump], ORDERS.power[trump][trump]
    total, trumps, plain = 0.0, 0, 0
    for card in cards_in(held):
        if suit[card] == trump:
            trumps += 1
            stronger = sum(1 for other in range(52) if power[other] > power[card])
            total += (3.0, 2.5, 2.0, 1.7)[stronger] if stronger < 4 else 1.3
        else:
            plain |= 1 << suit[card]
            total += 1.0 if card % 13 == ACE else 0.0
    return total + 0.4 * (3 - plain.bit_count()) if trumps >= 2 else total - 1


def least_useful(held: int, cards: int, trump: int) -> int:
    """Return the card to discard: no trump, no ace, preferably the last of its suit, of the lowest rank."""
    suit = ORDERS.suit[trump]
    own = [suit[card] for card in cards_in(held)]
    return min(
        cards_in(cards),
        key=lambda card: (suit[card] == trump, card % 13 == ACE, own.count(suit[card]) > 1, height(card, trump)),
    )


def height(card: int, trump: int) -> int:
    """Return the height of a card: its rank when its own suit is led; trumps are above all others."""
    return ORDERS.power[trump][ORDERS.suit[trump][card]][card]


def card_to_play(hand: EuchreHand, seat: int, legal: int, unseen: int) -> int:
    """Return the card to lead or to follow with."""
    if not hand.trick:
        return lead(hand, seat, legal, unseen)
    trump, trick = hand.order, hand.trick
    led = ORDERS.suit[trump][trick[0]]
    place = strongest(ORDERS.power[trump][led], trick)
    best = trick[place]
    partner = hand.seats[place] == (seat + 2) % 4
    winners = stronger(legal, trump, led, best)
    last = len(trick) + 1 == len(hand.seats)
    if not winners or (partner and (last or not stronger(unseen, trump, led, best))):
        return cheapest(legal, trump)
    if partner and ORDERS.suit[trump][best] == trump:
        return cheapest(legal, trump)
    if last or partner or winners & ORDERS.kin[trump][13 * trump]:
        return weakest_of(winners, trump, led)
    return strongest_of(winners, trump, led)


def stronger(cards: int, trump: int, led: int, best: int) -> int:
    """Return the cards that beat another, when a suit was led."""
    power, found = ORDERS.power[trump][led], 0
    for card in cards_in(cards):
        if power[card] > power[best]:
            found |= 1 << card
    return found


def strongest_of(cards: int, trump: int, led: int) -> int:
    """Return the first of the strongest cards, when a suit was led."""
    power, best, most = ORDERS.power[trump][led], -1, -1
    for card in cards_in(cards):
        if power[card] > most:
            best, most = card, power[card]
    return best


def weakest_of(cards: int, trump: int, led: int) -> int:
    """Return the first of the weakest cards, when a suit was led."""
    power, best, least = ORDERS.power[trump][led], -1, 999
    for card in cards_in(cards):
        if power[card] < least:
            best, least = card, power[card]
    return best


def lead(hand: EuchreHand, seat: int, legal: int, unseen: int) -> int:
    """Return the highest trump for the makers, an ace for the defenders, else a low card."""
    trump = hand.order
    trumps = legal & ORDERS.kin[trump][13 * trump]
    if trumps and ((seat - hand.maker) % 2 == 0 or trumps == legal):
        for card in cards_in(trumps):
            if not stronger(unseen, trump, trump, card):
                return card
    plain = legal & ~trumps
    if plain & ACES:
        return lowest(plain & ACES)
    if seat == hand.maker and trumps.bit_count() >= 2:
        return strongest_of(trumps, trump, trump)
    best, most = -1, -1
    for card in cards_in(plain):
        if card % 13 > most:
            best, most = card, card % 13
    return best if plain else cheapest(legal, trump)


def cheapest(cards: int, trump: int) -> int:
    """Return the lowest card, trumps last."""
    plain = cards & ~ORDERS.kin[trump][13 * trump]
    best, least = -1, 999
    for card in cards_in(plain or cards):
        high = height(card, trump)
        if high < least:
            best, least = card, high
    return best


BOT: Final[Bot[EuchreHand]] = Bot(card_to_play, other, replays=32)

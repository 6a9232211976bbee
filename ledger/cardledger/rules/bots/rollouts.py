"""Rollouts: fixed bots play a hand to its end under the rules, from any moment on."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from cardledger.rules.bots import cautious, random_bot
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.cards import cards_in
from cardledger.rules.engine.chance import Chance
from cardledger.rules.engine.match import Match
from cardledger.rules.engine.phases import StockHand
from cardledger.rules.engine.seen import cards_in_view

LONGEST = 1_000
"""After this many steps a hand is given up, because bots may never finish it."""


def play_out(match: Match[Any], chance: Chance, noise: Sequence[float]) -> list[int] | None:
    """Play the hand under way to its end and return its points by seat; this changes the match.

    The cautious bot plays every seat. With probability `noise` it takes any legal card instead; without that, all
    rollouts of a deal would be the same. Return None for a hand that does not end (see LONGEST).
    """
    hand, bot = match.hand, match.game.study.bot
    if bot is not None and bot.card is not None:
        if play_up(match, chance, noise):
            _tricks(match, chance, noise)
    else:
        _turns(match, chance, noise)
    return hand.scores


def play_up(match: Match[Any], chance: Chance, noise: Sequence[float]) -> bool:
    """Play a hand up to the moment when a card is due to a trick; return False if that does not come."""
    hand, seq = match.hand, match.seq
    for _ in range(LONGEST):
        if hand.over:
            return False
        if match.playing is not None and hand.moment == "play" and hand.turn is not None:
            return True
        match.apply(_other(match, chance, noise), seq)
    return False


def _tricks(match: Match[Any], chance: Chance, noise: Sequence[float]) -> None:
    """Play tricks. The kernel has the same again (`cardledger.rules.kernel.tricks`)."""
    hand, random = match.hand, chance.random
    card_of = match.game.study.bot.card
    gone = cards_gone(hand)
    seq = match.seq
    for _ in range(LONGEST):
        if hand.over:
            return
        play, seat = match.playing, hand.turn
        if play is None or seat is None or hand.moment != "play":
            match.apply(_other(match, chance, noise), seq)
            continue
        held = hand.held[seat]
        legal = play.legal_cards(match, hand, held)
        if not legal:
            match.apply(ev.Pass(seat=seat), seq)
            continue
        if not legal & (legal - 1):
            card = legal.bit_length() - 1
        elif random() < noise[seat]:
            card = chance.card(legal)
        else:
            seen = cards_in_view(hand, seat) | gone | (hand.laid if hand.trick else 0)
            card = card_of(hand, seat, legal, hand.deck & ~seen)
        play.put(match, hand, seat, held, card, 1 << card)
        if not hand.trick and hand.tricks and hand.tricks[-1][2] is not None:
            gone |= hand.laid


def cards_gone(hand: Any) -> int:
    """Return the cards of the tricks taken so far; those of a tie that were removed count as not seen."""
    gone = 0
    for _, cards, taker, _ in hand.tricks:
        if taker is not None:
            for card in cards:
                gone |= 1 << card
    return gone


def order_stock(match: Match[Any], top: Sequence[str], chance: Chance | None) -> None:
    """Put the stock in order.

    The known cards on top, the others shuffled (without chance, as they come in the pack).
    """
    hand = match.hand
    if isinstance(hand, StockHand):
        faces = match.pack.faces
        cards = [card for card in cards_in(hand.stock) if faces[card] not in top]
        if chance is not None:
            chance.shuffle(cards)
        hand.stock_order = (*top, *(faces[card] for card in cards))


def _turns(match: Match[Any], chance: Chance, noise: Sequence[float]) -> None:
    hand, seq = match.hand, match.seq
    for _ in range(LONGEST):
        if hand.over:
            return
        match.apply(_other(match, chance, noise), seq)


def _other(match: Match[Any], chance: Chance, noise: Sequence[float]) -> ev.Event:
    """Return the bots' event where no card is to be played to a trick."""
    hand = match.hand
    if hand.moment == "discard" and hand.turn is not None and chance.random() < noise[hand.turn]:
        event = random_bot.choose(match, Random(chance.bits()))
    else:
        event = cautious.sensible(match)
    if isinstance(event, ev.Draw) and event.source == "stock":
        return draw_from_stock(match, chance)
    return event


def draw_from_stock(match: Match[Any], chance: Chance) -> ev.Draw:
    """Return a draw from the stock: the top cards if the order is known, else random ones."""
    hand: Any = match.hand
    mask = match.pack.mask
    count = hand.due or 1
    if hand.stock_order is None and hand.stock_left > count:
        left = hand.stock
    else:
        faces = next(choice.cards for choice in match.choices() if choice.sources == ("stock",))
        if len(faces) <= count:
            return ev.Draw(seat=hand.turn, source="stock", cards=faces)
        left = sum(mask[face] for face in faces)
    drawn = []
    for _ in range(count):
        card = chance.card(left)
        left &= ~(1 << card)
        drawn.append(match.pack.faces[card])
    return ev.Draw(seat=hand.turn, source="stock", cards=tuple(drawn))

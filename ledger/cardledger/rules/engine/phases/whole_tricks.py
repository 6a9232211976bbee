"""Plays that come all at once: whole tricks from known hands, as long as nothing in them is unusual."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from cardledger.rules.engine import events as ev
from cardledger.rules.engine.building_blocks import follow_suit
from cardledger.rules.engine.state import Hand

if TYPE_CHECKING:
    from cardledger.rules.engine.match import Match
    from cardledger.rules.engine.phases.play import TrickPlay

PLAY: Final = ev.Play


def play_tricks(
    match: Match[Any], play: TrickPlay, recorded: list[ev.Event], events: Sequence[ev.Event], at: int
) -> int:
    """Play whole tricks out of `events` from place `at` on, add them to those recorded, and return the place after them.

    The match is then as `Match.apply` would leave it. A trick with anything unusual is left to that, which judges it:
    an event that is no play, is out of turn or says another number, a card not held, a broken duty, a duty to follow
    other than following suit, the first lead where that opens a hand, and every trick if a trail is kept.
    """
    begun, before = at, len(recorded) - at + 1
    cards, masks, kin, strict = match.cards, match.pack.mask, match.kin, match.strict
    try:
        while match.playing is play and match.trail is None:
            hand, place = match.hand, at
            leader, trick, follows = hand.turn, hand.trick, match.follow is not None
            lead = match.lead if hand.bound else None
            if leader is None or trick or (follows and match.follow is not follow_suit):
                break
            if play.opened is not None and not hand.tricks:
                break
            seats, held, laid, led, limited = hand.rotation[leader], hand.held, 0, 0, False
            try:
                for seat in seats:
                    event = events[place]
                    if type(event) is not PLAY or event.seat != seat:
                        break
                    if event.seq is not None and event.seq != before + place:
                        break
                    card, bit = cards[event.card]
                    own = held[seat]
                    kept = own ^ bit
                    if kept > own:  # this one is not held, but maybe its twin
                        card = (own & masks[event.card]).bit_length() - 1
                        if card < 0:
                            break
                        bit = 1 << card
                        kept = own ^ bit
                    if not laid:
                        led = kin[hand.order][card]
                        if lead is not None:
                            legal = lead(hand, own)
                            if not legal & bit:
                                break
                            limited = legal != own
                    elif follows and not bit & led and kept & led:
                        break
                    held[seat] = kept
                    laid |= bit
                    trick.append(card)
                    place += 1
            except (KeyError, TypeError, IndexError):
                pass  # no face, or no event
            if place - at < len(seats):
                for seat, card in zip(seats, trick, strict=False):
                    held[seat] |= 1 << card
                trick.clear()
                break
            if not strict:
                count_decisions(hand, seats, trick, limited, led if follows else 0)
            hand.leader, hand.led, hand.laid, hand.seats, hand.turn = leader, led, laid, seats, seats[-1]
            match.seq = before + place - 1
            at = place - 1  # the last card counts only if the trick can be completed
            play.complete(match, hand, seats)
            at = place
    finally:
        recorded += events[begun:at]
    return at


def count_decisions(hand: Hand, seats: tuple[int, ...], trick: list[int], bound: bool, led: int) -> None:
    """Count the seats that a duty kept from playing some card: the leader if `bound`, others if `led` is not 0."""
    if bound:
        hand.exposed[seats[0]] += 1
    for place in range(1, len(trick)):
        seat = seats[place]
        had = hand.held[seat] | 1 << trick[place]
        if had & led and had & ~led:
            hand.exposed[seat] += 1

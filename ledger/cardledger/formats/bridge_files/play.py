"""The play: cards played out, trick by trick."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cardledger.formats.bridge_files.notation import FACES, NAMES
from cardledger.rules.engine import events as ev


class Course(NamedTuple):
    """The cards played, in order; the tricks of each side; complete tricks.

    And why it stopped, if a card is at fault.
    """

    plays: list[ev.Play]
    taken: list[int]
    tricks: int
    stopped: str | None


_ROUND = tuple(tuple((seat + place) % 4 for place in range(4)) for seat in range(4))
_PLAYS = tuple(tuple(ev.Play(seat=seat, card=face) for face in FACES) for seat in range(4))
"""Plays never change, so every board shares them."""
_BITS = tuple(1 << card for card in range(52))


def course(cards: Sequence[int], leader: int, columns: bool, trump: int | None, held: Sequence[int] | None) -> Course:
    """Play cards out: in order of play, or row by row with a column for each seat, that of the leader first.

    It stops at the first card that is not known, or that cannot be played (then `stopped` says why).
    """
    plays: list[ev.Play] = []
    played = plays.append
    taken = [0, 0]
    left = [*held] if held is not None else None
    seen, first, known = 0, leader, len(cards)
    for trick in range(13):
        at = 4 * trick
        if not columns:
            first = leader
        best, best_seat, led = -1, leader, -1
        for seat in _ROUND[leader]:
            place = at + (seat - first & 3)
            card = cards[place] if place < known else -1
            if card < 0:
                return Course(plays, taken, trick, None)
            bit = _BITS[card]
            if left is not None:
                if not left[seat] & bit:
                    why = f"{NAMES[seat]} does not hold the {FACES[card]}, or has played it already"
                    return Course(plays, taken, trick, why)
                left[seat] ^= bit
            elif seen & bit:
                return Course(plays, taken, trick, f"the {FACES[card]} was played before")
            else:
                seen |= bit
            played(_PLAYS[seat][card])
            suit = card // 13
            # A trump counts 52 more; a card of another suit than that led takes nothing.
            if suit == trump:
                card += 52
                led = led if led >= 0 else suit
            elif led < 0:
                led = suit
            elif suit != led:
                continue
            if card > best:
                best, best_seat = card, seat
        taken[best_seat & 1] += 1
        leader = best_seat
    return Course(plays, taken, 13, None)

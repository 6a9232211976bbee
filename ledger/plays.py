"""Plays in a row: whole tricks at once where nobody breaks a rule, card by card where somebody may."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ledger.tricks import TrickTable


def play_on(table: TrickTable, seats: list[int], cards: list[int], begin: int, end: int) -> None:
    """Let a table take in the plays of some events of a match, one after the other, as its `play` does.

    Lists have an item for each event from number 1, `cards` the lowest with the face that was played; the plays are those
    from place `begin` to before `end`.
    """
    n, orders = table.n, _orders(table.n)
    plain = table.plain and not table.hidden and table.trail is None
    while begin < end:
        stop = begin + n
        whole = plain and stop <= end and not table.trick
        if whole and _clean(table, orders, seats[begin:stop], cards[begin:stop], stop):
            begin = stop
        else:
            table.play(seats[begin], cards[begin], begin + 1)
            begin += 1


def _clean(table: TrickTable, orders: list[list[int]], seats: list[int], trick: list[int], seq: int) -> bool:
    """Take in a whole trick that breaks no rule, its last play event number `seq`; change nothing if it is any other."""
    leader = table.turn
    follow = table.follow_only
    if leader is None or seats != orders[leader] or table.phase != "play" or not (follow or table.follow is None):
        return False
    held, pack, duty = table.held.copy(), table.pack, table.lead
    bits, led = pack.bits, pack.kin[trick[0]]
    laid = 0
    exposed: list[int] = []
    for seat, card in zip(seats, trick):  # noqa: B905 - they are as long; to have it checked costs as much as a play
        have = held[seat]
        bit = bits[card]
        if not have & bit:
            twins = have & pack.alike[card]
            if not twins:
                return False
            trick[seats.index(seat)] = twin = twins.bit_length() - 1
            bit = bits[twin]
        legal = have
        if laid:
            if follow:
                legal = have & led or have
        elif duty is not None:
            legal = duty(table, have)
        if legal != have:
            if not legal & bit:
                return False
            exposed.append(seat)
        held[seat] = have ^ bit
        laid |= bit
    if not table.strict:
        for seat in exposed:
            table.expose(seat)
    table.seq = seq
    table.held = held
    table.leader = leader
    table.led = led
    table.laid = laid
    table.trick = trick
    table.complete()
    return True


@cache
def _orders(n: int) -> list[list[int]]:
    """Return the seats in the order in which they play to a trick, by its leader."""
    return [[(leader + place) % n for place in range(n)] for leader in range(n)]

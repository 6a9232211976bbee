"""Matches for tests of kernels: of every size and edition, regular and not, corrected, hidden, cut off and wrong."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import msgspec

from cardledger.rules.engine import events as ev
from cardledger.rules.games import editions, game
from tests.archive.streams import corrected
from tests.tables import any_match, hide, whole_hands

if TYPE_CHECKING:
    from collections.abc import Iterator


def matches(id: str, number: int, seed: str = "") -> Iterator[list[ev.Event]]:
    """Yield matches of a game in all editions, of all sizes: regular and not, with corrections, hidden, cut off and wrong."""
    rng = Random(id + seed)
    known = game(id)
    for at in range(number):
        n, kind = known.players[at % len(known.players)], at % 8
        if kind == 0:
            played = corrected(id, n, rng)
        elif kind == 1:
            played = hide(any_match(id, n, rng, "strict", events=200), "strict")
        elif kind == 2:
            played = any_match(id, n, rng, "strict", events=rng.randrange(20, 300))
        else:
            played = whole_hands(id, n, rng, 3, wild=(0.0, 0.05, 0.15, 0.3)[at % 4])
        opening = msgspec.structs.replace(played[0], rules=rng.choice([*editions()[id]]))
        if kind in (3, 4):  # what was recorded in one way is judged in another
            opening = msgspec.structs.replace(opening, policy="strict")
        played = [opening, *played[1:]]
        if kind == 5:
            played = spoilt(played, rng)
        yield played


def spoilt(played: list[ev.Event], rng: Random) -> list[ev.Event]:
    """Return a match with an event in the wrong place, of the wrong seat, or with a card that is not there."""
    at = rng.randrange(2, len(played))
    event = played[at]
    if isinstance(event, ev.Play):
        changed = rng.choice([
            {"seat": rng.randrange(-2, 9)}, {"card": rng.choice(["AS", "XX", "2C 3C", "", "RY6"])}, {"seq": at + 1}, {"seq": at + 7}
        ])  # fmt: skip
        return [*played[:at], msgspec.structs.replace(event, **changed), *played[at + 1 :]]
    return [*played[:at], played[rng.randrange(1, len(played))], *played[at:]]

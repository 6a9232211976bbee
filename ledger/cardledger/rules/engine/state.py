"""A hand: the state from a deal to its score."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import TypeVar

from mypy_extensions import mypyc_attr

from cardledger.rules.engine.events import Adjust
from cardledger.rules.engine.fields import by_seat, fill_seats

Trick = tuple[tuple[int, ...], tuple[int, ...], int | None, str]
"""A complete trick: seats and their cards in the order played, taker (None: tied), and the rule that decided it."""


@mypyc_attr(allow_interpreted_subclasses=True)
@dataclass(slots=True)
class Hand:
    """One hand from its deal to its scores; a game adds fields in a subclass, a plain dataclass.

    Rules may use ints, bools and `by_seat` fields everywhere; sets of cards are ints. Lists in fields are copied with
    the hand, other values are replaced and never changed.

    The hand as dealt: `number` (0 is the empty hand before the first deal), `dealer`, `each` (cards dealt to a seat),
    `deck` (the cards in play), `aside` (those known to be left over), `upcard` (the card turned up, -1 for none;
    `unnoted` means that it was not noted, so no card can be played), `order` (the number of the card order in force).
    `hidden` says that the deal was not recorded, `first` and `last` are the numbers of the deal and of the event that
    ended the hand.

    The moment: `moment` is a word for the next kind of choice (`deal`, `bid`, `play`, ..., `over`), `turn` the seat
    whose card or word is due (None: any seat).

    The play: `held` are the cards by seat, `trick` the cards of the trick under way in their order, `laid` the same as
    a set, `led` all cards that count as of the suit led, `leader` who led and `seats` who plays to the trick, the
    leader first. `tricks_done` counts complete tricks, `tricks_left` those not yet complete. `rotation[leader]` are the
    seats in the order in which they play; a seat that sits out is in none of them. `acts_for[seat]` is the seat that
    plays a seat's cards, `open_hands` the seats whose cards lie open, as a set. `bound` tells whether a duty may bind a
    lead: a game may set it to False once none can, which saves checks.

    `side[seat]` is the side a seat plays for in this hand: that of the match, unless the game says otherwise
    (`Game.sides_of_hand`), and then only once a phase has decided it.

    The outcome: `taken` counts tricks by seat, `exposed` the decisions at which a breakable rule forbade some card held
    (where irregular play is recorded). `claimed` are the tricks of a claim, `claimant` is the seat that made it, if
    that was recorded; `agreed` says that the score sheet gave the points. `scores`, and `totals` of the match after
    the hand, are None until it is complete. `rulings` are the director's, and `unruled` the points without them.
    """

    n: int
    number: int = 0
    dealer: int = 0
    first: int = 0
    last: int | None = None
    each: int = 0
    deck: int = 0
    aside: int = 0
    upcard: int = -1
    order: int = 0
    leader: int = 0
    led: int = 0
    laid: int = 0
    tricks_left: int = 0
    tricks_done: int = 0
    open_hands: int = 0
    hidden: bool = False
    over: bool = True
    agreed: bool = False
    unnoted: bool = False
    bound: bool = True
    moment: str = "deal"
    turn: int | None = None
    held: list[int] = by_seat()
    taken: list[int] = by_seat()
    exposed: list[int] = by_seat()
    trick: list[int] = field(default_factory=list)
    tricks: list[Trick] = field(default_factory=list)
    acts_for: list[int] = field(default_factory=list)
    rotation: tuple[tuple[int, ...], ...] = ()
    seats: tuple[int, ...] = ()
    scores: list[int] | None = None
    totals: list[int] | None = None
    claimed: list[int] | None = None
    claimant: int | None = None
    side: tuple[int, ...] = ()
    rulings: tuple[Adjust, ...] = ()
    unruled: list[int] | None = None

    def __post_init__(self) -> None:
        fill_seats(self)
        self.acts_for = [*range(self.n)]
        self.rotation = everybody(self.n)


@cache
def everybody(n: int) -> tuple[tuple[int, ...], ...]:
    """Return the rotation of a full table."""
    return rotation(n, tuple(range(n)))


@cache
def rotation(n: int, active: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Return the active seats for each leader, beginning with the leader.

    For a seat that sits out, with the next seat.
    """
    return tuple(tuple(seat for seat in ((leader + i) % n for i in range(n)) if seat in active) for leader in range(n))


H = TypeVar("H", bound=Hand)
"""The type of the hands of a game."""

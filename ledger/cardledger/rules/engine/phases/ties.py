"""Ties between tricks: the cards of a tied trick go back to the hands, or out of play."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from mypy_extensions import mypyc_attr

from cardledger.rules.engine.hidden import World
from cardledger.rules.engine.phases.between import Between
from cardledger.rules.engine.phases.play import TrickPlay
from cardledger.rules.engine.state import Hand
from cardledger.sentence import Sentence

if TYPE_CHECKING:
    from cardledger.rules.engine.match import Match


@mypyc_attr(allow_interpreted_subclasses=True)
@dataclass(slots=True)
class TiedHand(Hand):
    """Adds the faces that were led to this trick and tied, as the set of all cards with these faces."""

    tried: int = 0


@mypyc_attr(allow_interpreted_subclasses=True)
class TiedWorld(World):
    """A possible world that remembers the cards of the trick under way (seat, bit) and the faces tried in it."""

    __slots__ = ("played", "tried")

    def __init__(self, n: int, size: int, pool: int) -> None:
        super().__init__(n, size, pool)
        self.played: list[tuple[int, int]] = []
        self.tried = 0

    def copy(self) -> Self:
        """Return a copy of the world."""
        other = super().copy()
        other.played = self.played.copy()
        other.tried = self.tried
        return other

    def show(self, seat: int, face: int) -> int:
        """Let a card of the face leave the hand for the trick."""
        bit = super().show(seat, face)
        self.played.append((seat, bit))
        return bit

    def after_tie(self, leader: int, face: int) -> list[Self]:
        """Return the worlds after a tie: cards taken back, or removed if the leader has tried every face it holds."""
        played, self.played = self.played, []
        self.tried |= face
        back, gone = self.copy(), self
        for seat, bit in played:
            back.receive(seat, bit)
        gone.only[leader] &= gone.tried
        gone.tried = 0
        return ([back] if back.could_hold(leader) & ~back.tried else []) + ([gone] if gone.possible() else [])


@mypyc_attr(allow_interpreted_subclasses=True)
@dataclass(frozen=True, eq=False)
class Ties(Between):
    """Tricks that may tie: all players take their cards back, and the same player leads another face.

    A leader with no untried face cannot lead again: the tied cards leave the game, and the faces tried are forgotten.
    """

    tie_rule: str
    """The rule of a tie: the game's `taker` returns it with the place -1."""
    removed_rule: str
    """The rule under which tied cards leave the game."""
    after_tie: Callable[[Any], None]
    """Brings the game's own fields up to date after a tie; in the rule subset."""
    pass_rule: str = ""
    """The rule under which a leader may pass; nobody passes by default. A subclass takes the passes."""
    may_pass: Callable[[Any], bool] | None = None
    """`may_pass(hand)` tells when a leader may pass; in the rule subset."""
    bars_pass: Callable[[Any, int], int] | None = None
    """`bars_pass(hand, held)` are the cards held that forbid a pass; in the rule subset."""

    @property
    def world(self) -> type[World]:
        """Hidden hands remember the trick and the faces tried."""
        return TiedWorld

    def cites(self) -> tuple[str, ...]:
        """The rules of ties."""
        return self.tie_rule, self.removed_rule

    def rules(self) -> tuple[Callable[..., Any], ...]:
        """The function called after a tie, and those for a pass."""
        return tuple(rule for rule in (self.after_tie, self.may_pass, self.bars_pass) if rule is not None)

    def tie(self, match: Match[Any], hand: TiedHand) -> None:
        """Give the tied cards back, or remove them when the leader has no other face to try."""
        trick, leader, seats = hand.trick, hand.leader, hand.seats
        hand.trick = []
        hand.turn = leader
        hand.tried |= match.pack.alike[trick[0]]
        removed = forgotten = False
        if match.hidden:
            worlds: list[World] = []
            for world in match.worlds:
                assert isinstance(world, TiedWorld)
                worlds += world.after_tie(leader, match.pack.alike[trick[0]])
            match.worlds = worlds
            # Judged on the cards shown: the leader plays only faces tried from here on, or nothing.
            forgotten = match.judges and not hand.held[leader] & ~hand.tried
        else:
            removed = forgotten = not (hand.held[leader] | 1 << trick[0]) & ~hand.tried
            if not removed:
                for seat, card in zip(seats, trick, strict=True):
                    hand.held[seat] |= 1 << card
        hand.tricks.append((seats, tuple(trick), None, self.removed_rule if removed else self.tie_rule))
        hand.tricks_done += 1
        if forgotten:
            hand.tried = 0
        if removed:
            hand.tricks_left -= 1
            match.cite(
                self.removed_rule, Sentence("the leader has no other face to try: the tied cards are out of play")
            )
        else:
            match.cite(
                self.tie_rule,
                Sentence("several cards are highest: all cards go back to the hands, and the same player leads again"),
            )
        self.after_tie(hand)
        if hand.tricks_left == 0 or any(not any(world.left) for world in match.worlds):
            play = match.phase
            assert isinstance(play, TrickPlay)
            play.complete_hand(match, hand)

    def go_on(self, match: Match[Any], hand: TiedHand, taker: int) -> bool:
        """A trick that is taken resets the faces tried.

        A hidden hand is over as soon as one world has no cards left.
        """
        hand.tried = 0
        if match.hidden:
            for world in match.worlds:
                assert isinstance(world, TiedWorld)
                world.played, world.tried = [], 0
            hand.tricks_left = min(max(world.left) for world in match.worlds)
        return True

"""The exchange: all players pass cards at the same time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from mypy_extensions import mypyc_attr

from cardledger.errors import FormatError
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.cards import cards_in
from cardledger.rules.engine.choices import Choice
from cardledger.rules.engine.faces import lacks
from cardledger.rules.engine.fields import by_seat
from cardledger.rules.engine.judging import stand
from cardledger.rules.engine.phases.moves import ARRIVES, PASSES_ON, Move
from cardledger.rules.engine.phases.phase import Phase, Take
from cardledger.rules.engine.state import Hand
from cardledger.sentence import Sentence

if TYPE_CHECKING:
    from cardledger.rules.engine.match import Match

UNSEEN: Final = -1
"""Marks unseen passed cards."""


@mypyc_attr(allow_interpreted_subclasses=True)
@dataclass(slots=True)
class PassHand(Hand):
    """Adds the cards passed by seat, as sets (0: none yet, -1: unseen)."""

    passed: list[int] = by_seat()


@mypyc_attr(allow_interpreted_subclasses=True)
@dataclass(frozen=True, eq=False)
class Exchange(Phase):
    """Every seat passes cards to another: they leave the hand at once and arrive when all have passed.

    In a hidden hand the cards may be null (unseen). The hands are judged as they stand after the exchange.
    """

    count: int
    """How many cards each seat passes."""
    to: Callable[[Match[Any], Any, int], int]
    """`to(match, hand, seat)` is the receiver; the seat itself if there is no passing this time."""
    direction_rule: str
    """The rule that says who receives."""
    count_rule: str
    """The rule that another number of cards breaks, or a card named twice."""

    @property
    def name(self) -> str:
        """The word for it."""
        return "give"

    @property
    def unseen(self) -> frozenset[type[ev.Event]]:
        """These cards lie face down."""
        return frozenset({ev.Give})

    @property
    def blind(self) -> bool:
        """It does not look at the cards held."""
        return True

    def takes(self) -> dict[type[ev.Event], Take]:
        """The cards that a seat passes."""
        return {ev.Give: self.give}

    def cites(self) -> tuple[str, ...]:
        """The rules of direction and number."""
        return self.direction_rule, self.count_rule

    def begin(self, match: Match[Any], hand: PassHand) -> bool:
        """All players pass, unless there is no passing this time."""
        if self.to(match, hand, 0) == 0:
            return False
        hand.moment, hand.turn = "give", None
        return True

    def check(self, match: Match[Any], event: ev.Event) -> None:
        """Refuse a single card, which pays a debt in other games."""
        assert isinstance(event, ev.Give)
        if not (event.cards is None or isinstance(event.cards, tuple)):
            raise FormatError("format.key", f"a give of {match.game.id} has the key 'cards', not 'card'")

    def give(self, match: Match[Any], hand: PassHand, event: ev.Give) -> None:
        """Apply the cards that a seat passes."""
        self.check(match, event)
        seat = event.seat
        faces = event.cards if isinstance(event.cards, tuple) else None
        if faces is None and not match.hidden:
            raise FormatError("format.value", "cards is null, but the hands are known: name the cards")
        match.expect("give", seat, event.to)
        if hand.passed[seat]:
            match.refuse("table.turn", Sentence("{who} has already passed cards", who=match.who(seat)), seat)
        may, masks, cards = match.may_hold(seat), match.pack.mask, 0
        for face in faces or ():
            bit = masks.get(face, 0) & may & ~cards
            if not bit and not masks.get(face, 0) & cards:
                lacks(match, seat, face)
            cards |= bit & -bit
        to = self.to(match, hand, seat)
        if event.to != to:
            match.refuse(
                self.direction_rule, Sentence("{who} passes to {to}", who=match.who(seat), to=match.who(to)), seat
            )
        if faces is not None and (len(faces) != self.count or cards.bit_count() != self.count):
            match.refuse(
                self.count_rule,
                Sentence("{who} passes {count} different cards", who=match.who(seat), count=self.count),
                seat,
            )
        if match.hidden:
            self.leave(match, seat, faces)
        else:
            hand.held[seat] ^= cards
        hand.passed[seat] = UNSEEN if faces is None else cards
        if match.trail is not None:
            match.cite(
                self.direction_rule, Sentence("{who} passes to {to}", who=match.who(seat), to=match.who(to)), "allowed"
            )
            what = Sentence("nobody saw which") if faces is None else " ".join(faces)
            match.cite(
                self.count_rule, Sentence("{count} cards are passed: {what}", count=self.count, what=what), "allowed"
            )
        if 0 not in hand.passed:
            self.arrive(match, hand)
            match.next_phase()

    def moves(self, match: Match[Any], hand: PassHand, event: ev.Event) -> tuple[Move, ...]:
        """A seat passes cards on; the last seat's make them arrive."""
        if not isinstance(event, ev.Give):
            return ()
        given = Move(PASSES_ON, event.seat, event.to)
        return (given, Move(ARRIVES, event.seat)) if hand.passed.count(0) == 1 else (given,)

    def leave(self, match: Match[Any], seat: int, faces: tuple[str, ...] | None) -> None:
        """Let cards leave a hidden hand; refuses those that cannot have been in it."""
        worlds = [world.copy() for world in match.worlds]
        if faces is None:
            for world in worlds:
                world.lose(seat, self.count)
        else:
            masks = match.pack.mask
            worlds = [w for w in worlds if all(w.show(seat, masks[face]) for face in faces)]
            if not worlds:
                lacks(match, seat, faces[0])
        match.worlds = worlds

    def arrive(self, match: Match[Any], hand: PassHand) -> None:
        """Put the passed cards into the hands of the receivers."""
        for giver, given in enumerate(hand.passed):
            to = self.to(match, hand, giver)
            if not match.hidden:
                hand.held[to] |= given
                continue
            for world in match.worlds:
                if given == UNSEEN:
                    world.left[to] += self.count
                else:
                    for card in cards_in(given):
                        world.receive(to, 1 << card)
        if match.hidden:
            stand(match)

    def choices(self, match: Match[Any], hand: PassHand) -> tuple[Choice, ...]:
        """The cards of each player who has not passed yet."""
        return tuple(
            Choice("give", seat, self.cards(match, seat), self.count, to=self.to(match, hand, seat))
            for seat in range(match.n)
            if not hand.passed[seat]
        )

    def cards(self, match: Match[Any], seat: int) -> tuple[str, ...]:
        """Return the faces that a seat may pass; twins are two cards."""
        return tuple(sorted(match.pack.list(match.may_hold(seat))))

    # --- cards as numbers, for bots and kernels

    def event(self, match: Match[Any], hand: Any, seat: int, cards: int) -> ev.Event:
        """Return the event by which a seat passes a set of cards."""
        return ev.Give(seat=seat, to=self.to(match, hand, seat), cards=match.pack.show(cards))

    def number(self, match: Match[Any], event: ev.Event) -> int | None:
        """Return the cards that an event passes, as a set; None if they are not `count` cards of the seat."""
        if not isinstance(event, ev.Give) or not isinstance(event.cards, tuple):
            return None
        cards = 0
        for face in event.cards:
            same = match.pack.mask.get(face, 0) & match.hand.held[event.seat] & ~cards
            cards |= same & -same
        return cards if cards.bit_count() == len(event.cards) == self.count else None

    def step(self, match: Match[Any], hand: Any) -> int | None:
        """Return by how many seats the cards move on; None if that is not the same for all."""
        steps = {(self.to(match, hand, seat) - seat) % match.n for seat in range(match.n)}
        return steps.pop() if len(steps) == 1 else None

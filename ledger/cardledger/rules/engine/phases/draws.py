"""Draws between tricks: the taker of a trick draws from the stock."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mypy_extensions import mypyc_attr

from cardledger.rules.engine import events as ev
from cardledger.rules.engine.choices import Choice
from cardledger.rules.engine.faces import parse_cards, unseen_draw
from cardledger.rules.engine.phases.between import Between
from cardledger.rules.engine.phases.phase import Take
from cardledger.rules.engine.phases.play import TrickPlay
from cardledger.rules.engine.state import Hand
from cardledger.sentence import Sentence

if TYPE_CHECKING:
    from cardledger.rules.engine.match import Match


@mypyc_attr(allow_interpreted_subclasses=True)
@dataclass(slots=True)
class StockHand(Hand):
    """Adds the stock.

    Its known cards, their faces in order if recorded (top first), their number, whether it was rebuilt from cards that
    all have seen, and the number of cards to draw.
    """

    stock: int = 0
    stock_order: tuple[str, ...] | None = None
    stock_left: int = 0
    renewed: bool = False
    due: int = 0


@mypyc_attr(allow_interpreted_subclasses=True)
@dataclass(frozen=True, eq=False)
class Draws(Between):
    """The taker of a trick draws; the hand ends when the stock or a hand is empty after that.

    A hidden hand waits for its score then: cards left over are never played.
    """

    due: Callable[[Any, int], int]
    """`due(hand, taker)` is the number of cards drawn, or all that are left; in the rule subset."""
    draw_rule: str
    """The rule of the draw."""
    end_rule: str
    """The rule that ends the hand."""

    @property
    def parts_tricks(self) -> bool:
        """Draws part all tricks."""
        return True

    @property
    def unseen(self) -> frozenset[type[ev.Event]]:
        """Only who draws sees the cards."""
        return frozenset({ev.Draw})

    def takes(self) -> dict[type[ev.Event], Take]:
        """Draws."""
        return {ev.Draw: self.draw}

    def cites(self) -> tuple[str, ...]:
        """The rules of draws and of the end."""
        return self.draw_rule, self.end_rule

    def rules(self) -> tuple[Callable[..., Any], ...]:
        """The function for the number of cards drawn."""
        return (self.due,)

    def go_on(self, match: Match[Any], hand: StockHand, taker: int) -> bool:
        """The taker draws before anything else."""
        hand.due = min(self.due(hand, taker), hand.stock_left)
        hand.moment, hand.turn, match.playing = "draw", taker, None
        if match.trail is not None:
            match.cite(self.draw_rule, Sentence("{taker} draws {due}", taker=match.who(taker), due=hand.due))
        return False

    def draw(self, match: Match[Any], hand: StockHand, event: ev.Draw) -> None:
        """Let the taker of a trick draw; end the hand if the stock or a hand is then empty."""
        seat, faces, order = event.seat, event.cards, hand.stock_order
        if faces is None:
            faces = unseen_draw(match, event, None if order is None else order[-hand.stock_left :][: hand.due])
        if seat != hand.turn or hand.moment != "draw":
            match.expect("draw", seat)
        hidden = match.hidden
        cards = parse_cards(match.pack, faces or (), self.may_draw(match, hand) if hidden else hand.stock)
        if order is not None and faces is not None:
            top = order[-hand.stock_left :][: len(faces)]
            if faces != top:
                match.refuse(
                    "table.deck", Sentence("the next cards of the stack are {cards}", cards=" ".join(top)), seat
                )
        if event.source != "stock" or (faces is not None and len(faces) != hand.due):
            match.refuse(
                self.draw_rule, Sentence("{who} draws {due} from the stock", who=match.who(seat), due=hand.due), seat
            )
        hand.stock &= ~cards
        hand.stock_left -= hand.due
        if hidden:
            match.worlds = [world.copy() for world in match.worlds]
            for world in match.worlds:
                for face in faces or ():
                    world.draw(seat, match.pack.mask[face])
                if faces is None:
                    world.draw_unseen(seat, hand.due, world.pool)
            empty = 0 in match.worlds[0].left
        else:
            hand.held[seat] |= cards
            empty = 0 in hand.held
        if match.trail is not None:
            what = Sentence("nobody saw which") if faces is None else " ".join(faces)
            match.cite(self.draw_rule, Sentence("{what}: {due} as due", what=what, due=hand.due), "allowed")
        if hand.stock_left and not empty:
            hand.moment = "play"
            play = match.phase
            assert isinstance(play, TrickPlay)
            match.playing = None if hidden else play
            if match.trail is not None:
                play.cite_lead(match, hand)
            return
        match.cite(self.end_rule, Sentence("a hand is empty") if empty else Sentence("the stack is empty"))
        if match.hidden:
            hand.moment, hand.turn = "score", None
        else:
            match.next_phase()

    def may_draw(self, match: Match[Any], hand: StockHand) -> int:
        """Return the cards that may be in the stock."""
        return match.worlds[0].pool if match.hidden and hand.stock_order is None else hand.stock

    def choices(self, match: Match[Any], hand: StockHand, plays: tuple[Choice, ...]) -> tuple[Choice, ...]:
        """Plays, or the draw that is due."""
        if hand.moment != "draw":
            return plays
        if hand.stock_order is not None:
            cards = hand.stock_order[-hand.stock_left :][: hand.due]
        else:
            cards = tuple(sorted(match.pack.list(self.may_draw(match, hand))))  # twins are two cards
        return (Choice("draw", hand.turn, cards, count=hand.due, sources=("stock",)),)

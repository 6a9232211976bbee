"""Diamonds, the drawing game: the taker of a trick draws, and every card left in hand is a point."""

from dataclasses import dataclass
from typing import Final

from cardledger.rules import (
    Dealing,
    Draws,
    Duty,
    Fact,
    Game,
    MatchScoring,
    Option,
    Rule,
    Rulebook,
    Shown,
    StockHand,
    TrickPlay,
    at_target,
    follow_suit,
    highest_of,
    left_of_dealer,
    plain_orders,
    standard_pack,
)

BOOK = Rulebook(
    "diamonds-draw",
    1,
    "Diamonds, from a collection of card games (seed 004)",
    (
        Rule("deal.thirty", "Up to thirty cards are dealt, the same number to each player; the rest is the stack."),
        Rule("lead.left-of-dealer", "The first trick is led from the dealer's left."),
        Rule("first-trick.no-diamond", "No diamond may be played to the first trick, even by a player void in the suit led, except from a hand of diamonds only.", breakable=True),
        Rule("lead.unbroken", "A diamond may be led once a player void in the suit led has played one, or from a hand of diamonds only.", breakable=True),
        Rule("follow.suit", "Follow the suit led if you can; otherwise play any card. The ban on diamonds in the first trick comes first.", breakable=True),
        Rule("trick.led-suit", "The highest card of the suit led takes the trick; there is no trump."),
        Rule("draw.winner", "The taker draws one card from the stack and one more for each diamond in the trick, or as many as are left."),
        Rule("lead.taker", "The taker of a trick leads to the next."),
        Rule("hand.end", "The hand ends when, after a trick and its draw, the stack is empty or a player has no cards.", ours=True),
        Rule("score.left", "Each card left in hand is one point, a diamond two."),
        Rule("deal.left", "The next hand is dealt by the player to the left.", ours=True),
        Rule("match.target", "The match ends with the first hand after which someone has reached the target; fewest points win, and ties share."),
    ),
)  # fmt: skip
(LED_SUIT,) = BOOK.cite("trick.led-suit")
PACK: Final = standard_pack()
DIAMONDS: Final = PACK.suit_masks[1]


@dataclass
class DrawHand(StockHand):
    """Adds whether somebody ruffed with a diamond."""

    ruffed: bool = False


def no_diamond(hand: DrawHand, held: int) -> int:
    """No diamond to the first trick, unless the hand has nothing else."""
    return held & ~DIAMONDS or held


def lead_unbroken(hand: DrawHand, held: int) -> int:
    """No diamond until somebody has ruffed with one, unless the hand has nothing else."""
    return held if hand.ruffed else held & ~DIAMONDS or held


def follow_suit_allowed(hand: DrawHand, held: int) -> int:
    """Follow suit with the cards that the first trick allows."""
    allowed = no_diamond(hand, held)
    return allowed & hand.led or held


def taker(hand: DrawHand, trick: list[int]) -> tuple[int, str]:
    """The highest card of the suit led."""
    return highest_of(hand.laid & hand.led, trick), LED_SUIT


def after_trick(hand: DrawHand, taker: int) -> None:
    """A diamond from a hand void in the suit led is a ruff."""
    diamonds = hand.laid & DIAMONDS
    if diamonds and not hand.ruffed and hand.led != DIAMONDS:
        for place in range(hand.n):
            seat = (hand.leader + place) % hand.n
            if diamonds >> hand.trick[place] & 1 and not hand.held[seat] & hand.led:
                hand.ruffed = True
                hand.bound = False


def due(hand: DrawHand, taker: int) -> int:
    """One card, and one more for each diamond in the trick."""
    return 1 + (hand.laid & DIAMONDS).bit_count()


def points(hand: DrawHand, seat: int) -> int:
    """A point for each card left, two for a diamond."""
    return hand.held[seat].bit_count() + (hand.held[seat] & DIAMONDS).bit_count()


GAME_1 = Game(
    id="diamonds-draw",
    title="Diamonds (drawing)",
    summary="Get rid of your cards; the taker of a trick draws, and more for its diamonds.",
    book=BOOK,
    players=range(2, 7),
    options=(Option("target", 100, "points that end the match"),),
    hand=DrawHand,
    pack=lambda options: PACK,
    orders=plain_orders(PACK, None),
    phases=(
        Dealing(lambda match, number: (PACK.full, 30 // match.n), "deal.thirty", left_over="stock"),
        TrickPlay(
            first_lead=left_of_dealer,
            lead_rule="lead.left-of-dealer",
            lead=(Duty("first-trick.no-diamond", no_diamond, "first"), Duty("lead.unbroken", lead_unbroken)),
            follow=(
                Duty("first-trick.no-diamond", no_diamond, "first"),
                Duty("follow.suit", follow_suit_allowed, "first"),
                Duty("follow.suit", follow_suit, "later"),
            ),
            taker=taker,
            after_trick=after_trick,
            next_rule="lead.taker",
            between=Draws(due, draw_rule="draw.winner", end_rule="hand.end"),
            claims=None,
        ),
    ),
    scoring=MatchScoring(
        fewest=True,
        points=points,
        rules=("score.left",),
        over=at_target("match.target"),
        span=lambda n, options: (0, 65),
    ),
    shown=Shown(facts=(Fact("stock_left", "Stock", "hand", "stock", result=False, table=True),)),
    judges_cut=False,
)
GAME = GAME_1.revised(2, judges_cut=True)
EDITIONS = (GAME_1, GAME)

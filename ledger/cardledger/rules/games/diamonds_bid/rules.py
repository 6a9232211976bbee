"""Diamonds, the bidding game: diamonds are trump, and every player bids how many tricks to take."""

from dataclasses import dataclass
from typing import Any, Final

from cardledger.rules import (
    BidHand,
    Bids,
    Dealing,
    Duty,
    Fact,
    Game,
    Match,
    MatchScoring,
    Option,
    Rule,
    Rulebook,
    Sentence,
    Shown,
    TrickPlay,
    at_target,
    bids_made,
    follow_suit,
    highest_of,
    plain_orders,
    standard_pack,
)

BOOK = Rulebook(
    "diamonds-bid",
    1,
    "Diamonds, a trick-taking game with bids (seed 001, CC BY 4.0)",
    (
        Rule("deal.equal", "Everyone is dealt the same number of cards; cards left over lie face up, out of play."),
        Rule("bid.order", "Bidding goes round once from the dealer's left; a bid cannot be changed."),
        Rule("bid.range", "A bid is a whole number from 0 to the number of cards in hand.", ours=True),
        Rule("lead.lowest-club", "The player with the lowest club in play leads it to the first trick.", breakable=True),
        Rule("lead.unbroken", "A diamond may be led once a diamond has been played to a trick of another suit, or from a hand of diamonds only.", breakable=True),
        Rule("follow.suit", "Follow the suit led if you can; otherwise play any card.", breakable=True),
        Rule("trick.trump", "The highest diamond takes the trick."),
        Rule("trick.led-suit", "In a trick without diamonds, the highest card of the suit led takes it."),
        Rule("lead.taker", "The taker of a trick leads to the next."),
        Rule("score.bid", "Ten points for each trick bid and taken, one for each beyond the bid, minus ten for each missing."),
        Rule("score.floor", "If the match is played with chips, no total falls below 0."),
        Rule("deal.left", "The next hand is dealt by the player to the left."),
        Rule("match.target", "The match ends with the first hand after which someone has reached the target; most points win, and ties share."),
    ),
)  # fmt: skip
TRUMP, LED_SUIT, BID_ORDER, BID_RANGE, FLOOR = BOOK.cite(
    "trick.trump", "trick.led-suit", "bid.order", "bid.range", "score.floor"
)
PACK: Final = standard_pack()
CLUBS: Final = PACK.suit_masks[0]
DIAMONDS: Final = PACK.suit_masks[1]


@dataclass
class DiamondsHand(BidHand):
    """Adds whether diamonds are broken."""

    broken: bool = False


def all_tricks(hand: DiamondsHand) -> int:
    """The highest bid."""
    return hand.each


def lowest_club(hand: DiamondsHand) -> int:
    """The lowest club in play."""
    clubs = CLUBS & hand.deck & ~hand.aside
    return clubs & -clubs


def lead_lowest_club(hand: DiamondsHand, held: int) -> int:
    """The first lead is the lowest club."""
    return held & lowest_club(hand)


def lead_unbroken(hand: DiamondsHand, held: int) -> int:
    """No diamond until diamonds are broken, unless the hand has nothing else."""
    return held if hand.broken else held & ~DIAMONDS or held


def taker(hand: DiamondsHand, trick: list[int]) -> tuple[int, str]:
    """The highest diamond, or the highest card of the suit led."""
    trumps = hand.laid & DIAMONDS
    if trumps:
        return highest_of(trumps, trick), TRUMP
    return highest_of(hand.laid & hand.led, trick), LED_SUIT


def after_trick(hand: DiamondsHand, taker: int) -> None:
    """A diamond in a trick of another suit breaks diamonds."""
    if hand.laid & DIAMONDS and hand.led != DIAMONDS:
        hand.broken = True
        hand.bound = False


def points(hand: DiamondsHand, seat: int) -> int:
    """A trick bid and taken scores ten, a trick more one; a missing trick costs ten."""
    bid, taken = hand.bids[seat], hand.taken[seat]
    return 9 * bid + taken if taken >= bid else 20 * taken - 10 * bid


def span(n: int, options: dict[str, Any]) -> tuple[int, int]:
    """All tricks bid, and all or none taken."""
    return -10 * (52 // n), 10 * (52 // n)


def bank(match: Match[Any]) -> None:
    """With chips, no total falls below 0."""
    if match.options["chips"]:
        if min(match.totals) < 0:
            match.cite(FLOOR, Sentence("a total below 0 is 0"))
        match.totals = [max(0, total) for total in match.totals]


GAME_1 = Game(
    id="diamonds-bid",
    title="Diamonds (bidding)",
    summary="Bid how many tricks you will take; diamonds are trump.",
    book=BOOK,
    players=range(2, 9),
    options=(
        Option("target", 500, "points that end the match"),
        Option("chips", False, "play with chips: no total below 0"),
    ),
    hand=DiamondsHand,
    pack=lambda options: PACK,
    orders=plain_orders(PACK, 1),
    phases=(
        Dealing(lambda match, number: (PACK.full, 52 // match.n), "deal.equal", left_over="named"),
        Bids(all_tricks, order_rule=BID_ORDER, range_rule=BID_RANGE),
        TrickPlay(
            first_card=lowest_club,
            lead_rule="lead.lowest-club",
            lead=(Duty("lead.lowest-club", lead_lowest_club, "first"), Duty("lead.unbroken", lead_unbroken)),
            follow=(Duty("follow.suit", follow_suit),),
            taker=taker,
            after_trick=after_trick,
            next_rule="lead.taker",
        ),
    ),
    scoring=MatchScoring(
        fewest=False, points=points, rules=("score.bid",), over=at_target("match.target"), bank=bank, span=span
    ),
    shown=Shown(facts=(Fact("bids", "Bid", "seat", "int", bids_made),)),
    judges_cut=False,
)
GAME = GAME_1.revised(2, judges_cut=True)
EDITIONS = (GAME_1, GAME)

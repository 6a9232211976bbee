"""Spades: two sides bid how many tricks they will take; spades are trump."""

from typing import Any, Final

from cardledger.rules import (
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
    Word,
    bids_made,
    follow_suit,
    highest_of,
    left_of_dealer,
    partners,
    plain_orders,
    standard_pack,
)
from cardledger.rules.games.spades.bidding import BIDS, SpadesHand
from cardledger.rules.games.spades.scoring import carry_on, points, scored_by, span

BOOK = Rulebook("spades", 1, "Spades with partners, the common game", (
    Rule("deal.all", "All 52 cards are dealt, thirteen to each of the four players."),
    Rule("bid.order", "Bidding goes round once from the dealer's left; a bid cannot be changed."),
    Rule("bid.range", "A bid is a number of tricks from 1 to 13, or nil, the promise to take none."),
    Rule("bid.joint", "If so agreed, the bids of two partners together are at most 13; nil counts 0."),
    Rule("bid.blind-nil", "If so agreed, a player whose side is at least 100 points behind may bid blind nil before looking at the cards."),
    Rule("lead.left-of-dealer", "The first trick is led from the dealer's left."),
    Rule("lead.unbroken", "A spade may be led once a spade has been played to a trick of another suit, or from a hand of spades only.", breakable=True),
    Rule("follow.suit", "Follow the suit led if you can; otherwise play any card.", breakable=True),
    Rule("trick.trump", "The highest spade takes the trick."),
    Rule("trick.led-suit", "In a trick without spades, the highest card of the suit led takes it."),
    Rule("lead.taker", "The taker of a trick leads to the next."),
    Rule("score.bid", "A side scores ten points for each trick it bid if it takes them, and loses as much if it does not."),
    Rule("score.bag", "Each trick beyond a bid that was made is one point and a bag."),
    Rule("score.nil", "A nil without a trick gives the side the agreed points, a failed nil costs them; a blind nil counts twice as much."),
    Rule("score.nil-tricks", "The tricks of a failed nil are bags and do not help the partner's bid, unless it is agreed that they do."),
    Rule("score.bag-penalty", "Bags are carried from hand to hand; each time a side has the agreed number, it loses points and these bags."),
    Rule("deal.left", "The next hand is dealt by the player to the left."),
    Rule("match.target", "The match ends with the first hand after which a side has reached the target; most points win."),
    Rule("match.mercy", "With a limit agreed, it also ends when a side has fallen that far below 0."),
    Rule("match.tie", "If both sides are level then, one more hand is played."),
    Rule("match.hands", "If a number of hands is agreed, the match ends after them, and ties share.", ours=True),
))  # fmt: skip
TRUMP, LED_SUIT, TARGET, MERCY, TIE, HANDS = BOOK.cite(
    "trick.trump", "trick.led-suit", "match.target", "match.mercy", "match.tie", "match.hands"
)
PACK: Final = standard_pack()
SPADES: Final = PACK.suit_masks[3]


def carry_bags(match: Match[Any], hand: SpadesHand) -> None:
    """The bags of the hand before are carried over."""
    if hand.number > 1:
        hand.bags = match.hands[-2].bags.copy()


def lead_unbroken(hand: SpadesHand, held: int) -> int:
    """No spade until spades are broken, unless the hand has nothing else or any lead is agreed."""
    return held if hand.broken or hand.spade_lead else held & ~SPADES or held


def taker(hand: SpadesHand, trick: list[int]) -> tuple[int, str]:
    """The highest spade, or the highest card of the suit led."""
    spades = hand.laid & SPADES
    if spades:
        return highest_of(spades, trick), TRUMP
    return highest_of(hand.laid & hand.led, trick), LED_SUIT


def after_trick(hand: SpadesHand, taker: int) -> None:
    """A spade in a trick of another suit breaks spades."""
    if hand.laid & SPADES and hand.led != SPADES:
        hand.broken = True
        hand.bound = False


def over(match: Match[Any]) -> str | None:
    """After the agreed hands; or at the target or below the limit, once the sides are not level."""
    options, totals = match.options, match.totals
    if options["hands"] is not None:
        return HANDS if len(match.hands) >= options["hands"] else None
    fallen = options["mercy"] is not None and min(totals) <= -options["mercy"]
    if max(totals) < options["target"] and not fallen:
        return None
    if totals[0] == totals[1]:
        match.cite(TIE, Sentence("both sides are level: one more hand"))
        return None
    return TARGET if max(totals) >= options["target"] else MERCY


GAME = Game(
    id="spades", title="Spades", summary="Bid with your partner how many tricks you will take; spades are trump.", book=BOOK,
    players=range(4, 5), sides=partners, hand=SpadesHand, pack=lambda options: PACK,
    orders=plain_orders(PACK, 3),
    options=(
        Option("target", 500, "points that end the match"),
        Option("hands", None, "hands to play, in place of a target"),
        Option("mercy", None, "points below 0 that end the match"),
        Option("nil_points", 100, "points for a nil", of_hand=True),
        Option("blind_nil", True, "blind nil is allowed", of_hand=True),
        Option("nil_tricks", "bags", "how the tricks of a failed nil count", ("bags", "bid"), of_hand=True),
        Option("bag_limit", 10, "bags that cost points", of_hand=True),
        Option("bag_penalty", 100, "points they cost", of_hand=True),
        Option("joint_limit", False, "partners bid at most 13 tricks between them", of_hand=True),
        Option("spade_lead", "broken", "when a spade may be led", ("broken", "any"), of_hand=True),
    ),
    phases=(
        Dealing(lambda match, number: (PACK.full, 13), "deal.all", setup=carry_bags, carries=True),
        BIDS,
        TrickPlay(
            first_lead=left_of_dealer, lead_rule="lead.left-of-dealer", next_rule="lead.taker", taker=taker,
            lead=(Duty("lead.unbroken", lead_unbroken),), follow=(Duty("follow.suit", follow_suit),),
            after_trick=after_trick,
        ),
    ),
    scoring=MatchScoring(fewest=False, points=points, rules=scored_by, over=over, note=carry_on, span=span),
    shown=Shown(words=(Word("nil", "bids nil"), Word("blind nil", "bids nil blind")), facts=(
        Fact("bids", "Bid", "seat", "int", bids_made),
        Fact("nil", "Nil", "hand", "seats", lambda match, hand: [s for s in range(4) if hand.bids[s] == 0 and not hand.blind >> s & 1], result=False, table=True),
        Fact("blind", "Blind nil", "hand", "seats", lambda match, hand: [s for s in range(4) if hand.blind >> s & 1]),
        Fact("bags", "Bags", "seat", "int"),
    )),
)  # fmt: skip
EDITIONS = (GAME,)

"""Hearts: every heart taken is a point and the queen of spades thirteen, unless one player takes them all."""

from typing import Final

from cardledger.rules import (
    Claims,
    Dealing,
    Duty,
    Exchange,
    Fact,
    Game,
    MatchScoring,
    Option,
    Rule,
    Rulebook,
    Shown,
    Study,
    TrickPlay,
    follow_suit,
    highest_of,
    place_in_cycle,
    plain_orders,
)
from cardledger.rules.games.hearts.passing import WORDS, cycle, direction, passes_to
from cardledger.rules.games.hearts.scoring import (
    HEARTS,
    PACK,
    QUEEN,
    HeartsHand,
    claim_refused,
    claimed,
    note,
    over,
    points,
    scored_by,
    span,
)

BOOK = Rulebook("hearts", 1, "Hearts, the common game", (
    Rule("deal.all", "All 52 cards are dealt, thirteen to each of the four players."),
    Rule("give.direction", "Cards are passed to the left, to the right, across, and in the fourth hand not at all; or always the same way, if so agreed."),
    Rule("give.three", "Everybody passes three cards, chosen before seeing the cards received; the cards arrive when all have passed.", ours=True),
    Rule("lead.lowest-club", "The player who holds the two of clubs after the passing leads it to the first trick, or any club if so agreed.", breakable=True),
    Rule("lead.unbroken", "A heart may be led once hearts are broken, that is, once a heart has been played, or from a hand of hearts only.", breakable=True),
    Rule("follow.suit", "Follow the suit led if you can; otherwise play any card.", breakable=True),
    Rule("first-trick.no-points", "To the first trick, a player void in the suit led may play neither a heart nor the queen of spades, unless the hand has nothing else.", breakable=True),
    Rule("trick.led-suit", "The highest card of the suit led takes the trick; there is no trump."),
    Rule("lead.taker", "The taker of a trick leads to the next."),
    Rule("score.card", "Every heart taken is one point, the queen of spades thirteen."),
    Rule("score.moon", "A player who takes all 26 points scores none of them, and everybody else scores 26; or the player scores 26 less, if so agreed."),
    Rule("score.jack", "If so agreed, the taker of the jack of diamonds scores 10 less."),
    Rule("score.no-trick", "If so agreed, a player without a trick scores 5 less, unless somebody took all points."),
    Rule("deal.left", "The next hand is dealt by the player to the left."),
    Rule("match.target", "The match ends with the first hand after which someone has reached the target."),
    Rule("match.hands", "If a number of hands is agreed, the match ends after them."),
    Rule("match.fewest", "Fewest points win, and ties share.", ours=True),
))  # fmt: skip
(LED_SUIT,) = BOOK.cite("trick.led-suit")
CLUBS: Final = PACK.suit_masks[0]
LOWEST: Final = PACK.mask["2C"]


def lead_lowest_club(hand: HeartsHand, held: int) -> int:
    """The first lead is the two of clubs, or any club of its holder."""
    return held & (CLUBS if hand.any_club and held & LOWEST else LOWEST)


def lead_unbroken(hand: HeartsHand, held: int) -> int:
    """No heart until hearts are broken, unless the hand has nothing else."""
    if hand.broken or not hand.break_hearts:
        return held
    if hand.hearts_for_queen and not held & ~(HEARTS | QUEEN):
        return held
    return held & ~HEARTS or held


def first_trick_clean(hand: HeartsHand, held: int) -> int:
    """No points to the first trick, unless the hand has nothing else; a player who can follow suit follows."""
    if not hand.clean_first_trick or held & hand.led:
        return held
    return held & ~(HEARTS | QUEEN) or held


def taker(hand: HeartsHand, trick: list[int]) -> tuple[int, str]:
    """The highest card of the suit led."""
    return highest_of(hand.laid & hand.led, trick), LED_SUIT


def after_trick(hand: HeartsHand, taker: int) -> None:
    """The taker wins the cards; a heart breaks hearts, the queen of spades if so agreed."""
    hand.won[taker] |= hand.laid
    if hand.laid & (HEARTS | QUEEN if hand.queen_breaks else HEARTS):
        hand.broken = True
        hand.bound = False


def two_of_clubs(hand: HeartsHand) -> int:
    """The card whose holder leads first."""
    return LOWEST


GAME = Game(
    id="hearts", title="Hearts", summary="Avoid hearts and the queen of spades, or take them all.", book=BOOK,
    players=range(4, 5), hand=HeartsHand, pack=lambda options: PACK, orders=plain_orders(PACK, None),
    options=(
        Option("target", 100, "points that end the match"),
        Option("hands", None, "hands to play, in place of a target"),
        Option("pass", "cycle", "where cards are passed", ("cycle", "left", "right", "across", "none"), of_hand=True),
        Option("moon", "others", "whose points change if a player takes all points", ("others", "self"), of_hand=True),
        Option("break_hearts", True, "hearts are led only once they are broken", of_hand=True),
        Option("queen_breaks", False, "the queen of spades breaks hearts too", of_hand=True),
        Option("clean_first_trick", True, "no points go to the first trick", of_hand=True),
        Option("any_club", False, "the first lead may be any club", of_hand=True),
        Option("hearts_for_queen", False, "a hand of hearts and the queen of spades alone may lead any of them", of_hand=True),
        Option("jack", False, "the jack of diamonds takes 10 points off", of_hand=True),
        Option("no_trick_bonus", False, "a player without a trick scores 5 less", of_hand=True),
    ),
    phases=(
        Dealing(lambda match, number: (PACK.full, 13), "deal.all"),
        Exchange(3, passes_to, direction_rule="give.direction", count_rule="give.three"),
        TrickPlay(
            first_card=two_of_clubs, lead_rule="lead.lowest-club", next_rule="lead.taker", taker=taker, after_trick=after_trick,
            lead=(Duty("lead.lowest-club", lead_lowest_club, "first"), Duty("lead.unbroken", lead_unbroken, "later")),
            follow=(Duty("follow.suit", follow_suit), Duty("first-trick.no-points", first_trick_clean, "first")),
            claims=Claims(claim_refused, claimed),
        ),
    ),
    scoring=MatchScoring(fewest=True, points=points, rules=scored_by, over=over, note=note, span=span),
    shown=Shown(facts=(
        Fact("pass", "Passing", "hand", "text", direction, words=WORDS),
        Fact("moon", "Shot the moon", "hand", "seat", lambda match, hand: None if hand.shot < 0 else hand.shot),
        Fact("won", "Cards won", "seat", "cards", result=False),
    )),
    study=Study(carried=place_in_cycle(cycle)),
)  # fmt: skip
EDITIONS = (GAME,)

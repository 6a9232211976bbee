"""Poison Hearts: every card is a point, unless you took the most of its suit; tied tricks go back to the hands."""

from typing import Any, Final

from cardledger.rules import (
    PLAYERS,
    Dealing,
    Duty,
    Game,
    Match,
    MatchScoring,
    Option,
    Orders,
    Rule,
    Rulebook,
    Sentence,
    TrickPlay,
    after_hands,
    at_target,
    follow_suit,
)
from cardledger.rules.games.poison_hearts.cards import five_suit_pack
from cardledger.rules.games.poison_hearts.passing import NO_ONE, ONES, PoisonHand, PoisonTies, may_pass, ones

BOOK = Rulebook(
    "poison-hearts",
    1,
    "A Hearts variant with Poison's scoring, unnamed, 12 March 2009 (seed 002)",
    (
        Rule("deal.all", "All sixty cards are dealt, one at a time from the dealer's left."),
        Rule("lead.one", "The first lead of a hand is a 1, by the dealer or the first player after the dealer who holds one.", breakable=True),
        Rule("pass.no-one", "A player who is due to lead first and holds no 1 says so and passes; nobody else may pass.", breakable=True),
        Rule("follow.suit", "Play a card that shares a suit with the card led if you can; otherwise any card.", breakable=True),
        Rule("trick.highest", "Of the cards that share a suit with the card led, the highest takes the trick, if no other is as high."),
        Rule("trick.tie", "If several are highest, everyone takes back the card just played, and the same player leads again."),
        Rule("lead.different", "After a tie, lead a face that has not been tried in this trick.", breakable=True, ours=True),
        Rule("trick.removed", "If the leader holds only faces that have been tried, the tied cards leave the game and count for nobody.", ours=True),
        Rule("lead.taker", "The taker of a trick leads to the next."),
        Rule("score.most", "A player with more cards of a suit than anybody else scores nothing for that suit."),
        Rule("score.card", "Every other card taken is one point; a card of two suits is free only for a player with the most of both."),
        Rule("deal.left", "The next hand is dealt by the player to the left."),
        Rule("match.rounds", "Without a target, the match ends after the agreed number of hands."),
        Rule("match.target", "With a target, it ends with the first hand after which someone has reached it."),
        Rule("match.fewest", "Fewest points win, and ties share.", ours=True),
    ),
)  # fmt: skip
HIGHEST, TIE, ROUNDS, TARGET, FEWEST = BOOK.cite(
    "trick.highest", "trick.tie", "match.rounds", "match.target", "match.fewest"
)
PACKS: Final = (five_suit_pack(False), five_suit_pack(True))
"""The cards, by card order: those of one suit only, and those with double suits."""
SUITS: Final = tuple(tuple(pack.suits) for pack in PACKS)
SUIT_MASKS: Final = tuple(tuple(pack.suit_masks) for pack in PACKS)
RANKS: Final = PACKS[0].ranks
ORDERS: Final = Orders(SUITS, tuple(tuple(pack.kin) for pack in PACKS), ())


def set_order(match: Match[Any], hand: PoisonHand) -> None:
    """Double suits change which cards belong together."""
    hand.order = 1 if match.options["double_suits"] else 0


def dealer_leads(match: Match[Any], hand: PoisonHand) -> int:
    """The first lead falls to the dealer."""
    return hand.dealer


def lead_one(hand: PoisonHand, held: int) -> int:
    """The first lead is a 1, from a player with a 1."""
    return held & ONES or held if hand.unled else held


def lead_with_one(hand: PoisonHand, held: int) -> int:
    """A player without a 1 cannot lead first and passes."""
    return held if not hand.unled or held & ONES else 0


def lead_different(hand: PoisonHand, held: int) -> int:
    """After a tie, a face not tried."""
    return held & ~hand.tried


def taker(hand: PoisonHand, trick: list[int]) -> tuple[int, str]:
    """The single highest of the cards that share a suit with the card led, if there is one."""
    suits = SUITS[hand.order]
    led = suits[trick[0]]
    best, highest, tied = -1, 0, False
    for card in trick:
        if RANKS[card] >= highest and suits[card] & led:
            best, highest, tied = card, RANKS[card], RANKS[card] == highest
    if tied:
        return -1, TIE
    return trick.index(best), HIGHEST


def after_trick(hand: PoisonHand, taker: int) -> None:
    """The taker wins the cards; only the first lead of the hand and leads after a tie are restricted."""
    hand.won[taker] |= hand.laid
    hand.unled = False
    hand.bound = False


def after_tie(hand: PoisonHand) -> None:
    """The same player leads again, with another face."""
    hand.unled = False
    hand.bound = True


def scores(hand: PoisonHand) -> list[int]:
    """A point for each card, except cards of which the player has the most in all their suits."""
    counting = [0] * hand.n
    for suit in SUIT_MASKS[hand.order]:
        most, only = -1, -1
        for seat, won in enumerate(hand.won):
            count = (won & suit).bit_count()
            if count > most:
                most, only = count, seat
            elif count == most:
                only = -1
        for seat in range(hand.n):
            if seat != only:
                counting[seat] |= suit
    for seat, won in enumerate(hand.won):
        counting[seat] = (won & counting[seat]).bit_count()
    return counting


def over(match: Match[Any]) -> str | None:
    """By target if there is one, else by rounds; fewest points win in both cases."""
    ends = after_hands(ROUNDS, "rounds") if match.options["target"] is None else at_target(TARGET)
    rule = ends(match)
    if rule is None:
        return None
    match.cite(rule, Sentence("this was the last hand"))
    return FEWEST


GAME_1 = Game(
    id="poison-hearts", title="Poison Hearts", book=BOOK,
    summary="Every card taken is a point, unless nobody took as many of its suit.",
    players=range(3, 7), hand=PoisonHand, orders=ORDERS,
    pack=lambda options: PACKS[options["double_suits"]],
    options=(
        Option("double_suits", False, "6s and 7s are of two suits", of_hand=True),
        Option("rounds", PLAYERS, "hands to play, when there is no target"),
        Option("target", None, "points that end the match"),
    ),
    phases=(
        Dealing(lambda match, number: (match.pack.full, 60 // match.n), "deal.all", setup=set_order),
        TrickPlay(
            first_lead=dealer_leads, lead_rule="lead.one", next_rule="lead.taker", taker=taker, after_trick=after_trick,
            lead=(
                Duty("lead.one", lead_one), Duty("pass.no-one", lead_with_one), Duty("lead.different", lead_different),
            ),
            follow=(Duty("follow.suit", follow_suit),), claims=None,
            between=PoisonTies(
                tie_rule=TIE, removed_rule="trick.removed", after_tie=after_tie,
                pass_rule=NO_ONE, may_pass=may_pass, bars_pass=ones,
            ),
        ),
    ),
    judges_cut=False,
    scoring=MatchScoring(fewest=True, scores=scores, rules=("score.most", "score.card"), over=over, span=lambda n, options: (0, 60)),
)  # fmt: skip
GAME = GAME_1.revised(2, judges_cut=True)
EDITIONS = (GAME_1, GAME)

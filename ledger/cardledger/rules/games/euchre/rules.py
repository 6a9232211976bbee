"""Euchre: one side makes trump and must take three of five tricks; the two jacks of the trump colour are highest."""

from typing import Any, Final

from cardledger.rules import (
    Calls,
    Dealing,
    Duty,
    Fact,
    Game,
    Match,
    MatchScoring,
    Option,
    Orders,
    PickUp,
    Rule,
    Rulebook,
    Shown,
    TrickPlay,
    card_turned_up,
    follow_suit,
    orders,
    partners,
    standard_pack,
    strongest,
)
from cardledger.rules.games.euchre.calling import (
    WORDS,
    EuchreHand,
    call,
    call_alone,
    contract,
    first_defender,
    forbids,
    forbids_alone,
    sits_out,
    trump,
)

BOOK = Rulebook("euchre", 1, "Euchre, the North American game", (
    Rule("deal.five", "Each player is dealt five of the 24 cards from nine to ace; the next card is turned up, and the last three lie face down."),
    Rule("call.order", "Players call in turn from the dealer's left, for at most two rounds; the first call other than a pass makes trump and ends the auction."),
    Rule("call.order-up", "In the first round, pass or order up the card turned up: its suit becomes trump."),
    Rule("call.name", "In the second round, pass or name another suit: it becomes trump."),
    Rule("call.stuck", "If so agreed, the dealer may not pass in the second round."),
    Rule("call.passed-out", "After eight passes the hand is over, and nobody scores."),
    Rule("call.alone", "The maker of trump may announce playing alone with the call; the partner then sits out."),
    Rule("discard.dealer", "The dealer takes up the card ordered up and discards a card face down; it may be the same card only if so agreed.", ours=True),
    Rule("call.defend-alone", "If so agreed, the defenders, in turn from the dealer's left, may announce playing alone; the partner then sits out.", ours=True),
    Rule("lead.left-of-dealer", "The first trick is led from the dealer's left, or by the next player who does not sit out, with any card."),
    Rule("rank.bowers", "The jack of trump is highest, then the other jack of its colour, which is a trump for every purpose."),
    Rule("follow.suit", "Follow the suit led if you can; otherwise play any card.", breakable=True),
    Rule("trick.trump", "The highest trump takes the trick."),
    Rule("trick.led-suit", "In a trick without trumps, the highest card of the suit led takes it."),
    Rule("lead.taker", "The taker of a trick leads to the next."),
    Rule("score.makers", "The makers score 1 for three or four tricks, 2 for five."),
    Rule("score.alone", "A maker who takes all five tricks alone scores 4."),
    Rule("score.euchre", "If the makers take fewer than three tricks, the other side scores 2."),
    Rule("score.defend-alone", "It is 4 if a defender played alone."),
    Rule("deal.left", "The next hand is dealt by the player to the left."),
    Rule("match.target", "The match ends with the first hand after which a side has reached the target."),
    Rule("match.hands", "If a number of hands is agreed, the match ends after them, passed-out hands included; most points win, and ties share.", ours=True),
))  # fmt: skip
TRUMP, LED_SUIT, HANDS, TARGET = BOOK.cite("trick.trump", "trick.led-suit", "match.hands", "match.target")
PACK: Final = standard_pack()
DECK: Final = sum(1 << card for card in range(52) if PACK.ranks[card] >= 7)
JACK: Final = 9


def bowers(trump: int) -> tuple[list[int], list[int], int]:
    """Return suit and height of every card for a trump suit.

    Clubs and spades have one colour, diamonds and hearts the other.
    """
    suit, height = [card // 13 for card in range(52)], [rank + 1 for rank in PACK.ranks]
    left, right = 13 * (3 - trump) + JACK, 13 * trump + JACK
    suit[left], height[left], height[right] = trump, 20, 21
    return suit, height, trump


ORDERS: Final[Orders] = orders(*(bowers(trump) for trump in range(4)))


def taker(hand: EuchreHand, trick: list[int]) -> tuple[int, str]:
    """The strongest card, bowers included."""
    place = strongest(ORDERS.power[hand.order][ORDERS.suit[hand.order][trick[0]]], trick)
    return place, TRUMP if ORDERS.suit[hand.order][trick[place]] == hand.order else LED_SUIT


def points(hand: EuchreHand, seat: int) -> int:
    """The makers' points, or the defenders' if the makers failed."""
    tricks = hand.taken[hand.maker] + hand.taken[(hand.maker + 2) % 4]
    makers = (seat - hand.maker) % 2 == 0
    if tricks < 3:
        return 0 if makers else 4 if hand.defender >= 0 else 2
    if not makers:
        return 0
    return 1 if tricks < 5 else 4 if hand.alone else 2


def scored_by(match: Match[Any], hand: EuchreHand) -> tuple[str, ...]:
    """Who made it, who failed, and who was alone; nothing if all passed."""
    if hand.maker < 0:
        return ("call.passed-out",)
    tricks = hand.taken[hand.maker] + hand.taken[(hand.maker + 2) % 4]
    if tricks < 3:
        return ("score.defend-alone" if hand.defender >= 0 else "score.euchre",)
    return ("score.alone" if tricks == 5 and hand.alone else "score.makers",)


def first_lead(match: Match[Any], hand: EuchreHand) -> int:
    """Left of the dealer, or the next player who does not sit out."""
    return hand.rotation[(hand.dealer + 1) % 4][0]


def over(match: Match[Any]) -> str | None:
    """After the agreed hands, or at the target."""
    if match.options["hands"] is None:
        return TARGET if max(match.totals) >= match.options["target"] else None
    return HANDS if len(match.hands) >= match.options["hands"] else None


GAME = Game(
    id="euchre", title="Euchre", summary="Make trump and take three of five tricks, alone if you dare.", book=BOOK,
    players=range(4, 5), sides=partners, hand=EuchreHand, pack=lambda options: PACK, orders=ORDERS,
    options=(
        Option("target", 10, "points that end the match"),
        Option("hands", None, "hands to play, in place of a target"),
        Option("stick_dealer", False, "the dealer may not pass in the second round", of_hand=True),
        Option("lone_defender", False, "a defender may play alone", of_hand=True),
        Option("bury_upcard", True, "the dealer may discard the card turned up", of_hand=True),
    ),
    phases=(
        Dealing(lambda match, number: (DECK, 5), "deal.five", left_over="unnamed", turned_up="table"),
        Calls(forbids, call, "call.order"),
        PickUp(
            lambda match, hand: hand.dealer if hand.ordered_up else -1, lambda hand: 1 << hand.upcard if hand.upcard >= 0 else 0,
            "discard.dealer", lambda match, hand, bit: bit == 1 << hand.upcard and not match.options["bury_upcard"],
        ),
        Calls(forbids_alone, call_alone, "call.defend-alone", first_defender),
        TrickPlay(
            first_lead=first_lead, lead_rule="lead.left-of-dealer", next_rule="lead.taker", taker=taker,
            follow=(Duty("follow.suit", follow_suit),),
        ),
    ),
    scoring=MatchScoring(fewest=False, points=points, rules=scored_by, over=over, span=lambda n, options: (0, 4)),
    shown=Shown(words=WORDS, facts=(
        Fact("trump", "Trump", "hand", "suit", trump),
        Fact("upcard", "Turned up", "hand", "card", card_turned_up, result=False, table=True),
        Fact("contract", "Trump made", "hand", "contract", contract),
        Fact("sits_out", "Sits out", "hand", "seats", lambda match, hand: sits_out(hand)),
    )),
)  # fmt: skip
EDITIONS = (GAME,)

"""A game that is not in the tree: one declarer against two defenders, in every hand others. Tests install it as a package would."""

from dataclasses import dataclass
from typing import Any

from cardledger.rules import (
    BidHand,
    Bids,
    Bot,
    Claims,
    Counts,
    Dealing,
    Duty,
    Fact,
    Game,
    MatchScoring,
    Measure,
    Option,
    Played,
    Rule,
    Rulebook,
    Shown,
    Study,
    TrickPlay,
    after_hands,
    first,
    follow_suit,
    highest_of,
    left_of_dealer,
    lowest,
    plain_orders,
    standard_pack,
)

BOOK = Rulebook(
    "declarer",
    1,
    "Made up for a test",
    (
        Rule("deal.ten", "Ten cards each; the rest is out of play, face down."),
        Rule("bid.once", "Each player bids once, from the dealer's left."),
        Rule("bid.tricks", "A bid is a number of tricks, from 1 to 10."),
        Rule("bid.declarer", "The highest bid declares, among equal ones the first; the other two defend together."),
        Rule("lead.left-of-dealer", "The dealer's left leads."),
        Rule("follow.suit", "Follow suit if you can.", breakable=True),
        Rule("trick.highest", "The highest card of the suit led takes the trick."),
        Rule("lead.taker", "The taker leads next."),
        Rule("score.declarer", "A declarer who takes as many tricks as bid, or more, scores the bid; otherwise each defender scores it."),
        Rule("deal.left", "The deal moves on to the left."),
        Rule("match.hands", "The match ends after the agreed hands."),
    ),
)  # fmt: skip
PACK = standard_pack()


@dataclass
class DeclaredHand(BidHand):
    """A hand with its declarer."""


def declarer_of(hand: BidHand) -> int:
    """The seat of the highest bid, the first of equals from the dealer's left; -1 before the last bid."""
    found, most = -1, 0
    for place in range(hand.n):
        seat = (hand.dealer + 1 + place) % hand.n
        if hand.bids[seat] < 0:
            return -1
        if hand.bids[seat] > most:
            found, most = seat, hand.bids[seat]
    return found


def sides(hand: DeclaredHand) -> tuple[int, ...]:
    """The declarer against the other two, as soon as all have bid."""
    declarer = declarer_of(hand)
    return tuple(range(hand.n)) if declarer < 0 else tuple(int(seat != declarer) for seat in range(hand.n))


def points(hand: DeclaredHand, seat: int) -> int:
    """The bid, for the declarer or for each defender."""
    declarer = declarer_of(hand)
    made = hand.taken[declarer] >= hand.bids[declarer]
    return hand.bids[declarer] if made == (seat == declarer) else 0


def taker(hand: DeclaredHand, trick: list[int]) -> tuple[int, str]:
    """The highest card of the suit led."""
    return highest_of(hand.laid & hand.led, trick), "trick.highest"


def highest(hand: DeclaredHand) -> int:
    """Ten tricks are all."""
    return 10


def bid(hand: DeclaredHand, seat: int, allowed: int) -> int:
    """A trick for each honour, two at most for a suit."""
    return 1 + (hand.held[seat] & HONOURS).bit_count() // 2


HONOURS = sum(1 << card for card in range(52) if PACK.ranks[card] > 9)


def card(hand: DeclaredHand, seat: int, legal: int, unseen: int) -> int:
    """The lowest card."""
    return lowest(legal)


def count(played: Played) -> Counts:
    """Count hands declared, and those made."""
    hand: Any = played.hand
    declared = [int(seat == declarer_of(hand)) for seat in range(hand.n)]
    return {"declared": declared, "made": [int(one and hand.scores[seat] > 0) for seat, one in enumerate(declared)]}


def declarer(match: Any, hand: Any) -> int | None:
    """The declarer, for readers; None before the last bid."""
    found = declarer_of(hand)
    return None if found < 0 else found


GAME: Game[Any] = Game(
    id="declarer",
    title="Declarer",
    summary="The highest bid plays alone against the other two.",
    book=BOOK,
    players={3},
    options=(Option("hands", 6, "hands to play"),),
    sides_of_hand=sides,
    hand=DeclaredHand,
    pack=lambda options: PACK,
    orders=plain_orders(PACK, None),
    phases=(
        Dealing(lambda match, number: (PACK.full, 10), "deal.ten", left_over="unnamed"),
        Bids(highest, lowest=1, order_rule="bid.once", range_rule="bid.tricks"),
        TrickPlay(
            first_lead=left_of_dealer,
            lead_rule="lead.left-of-dealer",
            next_rule="lead.taker",
            taker=taker,
            follow=(Duty("follow.suit", follow_suit),),
            claims=Claims(by_side=True),
        ),
    ),
    scoring=MatchScoring(fewest=False, points=points, rules=("score.declarer",), over=after_hands("match.hands", "hands"), span=lambda n, options: (0, 10)),
    shown=Shown(facts=(Fact("declarer", "Declarer", "hand", "seat", declarer),)),
    study=Study(
        bot=Bot(card=card, bid=bid),
        count=count,
        measures=(
            Measure("made", "Made", "hands made ÷ hands declared", "more", "score.declarer", "made", "declared", kind="share", history=first("2026-11-25")),
        ),
    ),
)  # fmt: skip

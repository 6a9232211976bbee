"""Diamonds, the bidding game: tricks with diamonds as trump, each player bidding how many to take."""

from typing import Final, Self

from mypy_extensions import mypyc_attr

from ledger import events as ev
from ledger.cards import standard_pack
from ledger.choice import Choice
from ledger.game import Game, Option, TrickGame
from ledger.measures import diamonds_bid as measured
from ledger.parts import at_target, follow_suit, highest_of, taker_leads
from ledger.rulebook import Rule, Rulebook
from ledger.tricks import TrickTable

BOOK = Rulebook(
    "diamonds-bid",
    1,
    "Diamonds, a trick-taking game with bids (seed 001, CC BY 4.0)",
    (
        Rule("deal.equal", "Everyone is dealt the same number of cards; what is left over lies face up, out of play."),
        Rule("bid.order", "Bidding goes round once from the dealer's left; a bid cannot be changed."),
        Rule("bid.range", "A bid is a whole number from 0 to the number of cards in hand.", ours=True),
        Rule("lead.lowest-club", "Whoever holds the lowest club in play leads it to the first trick.", breakable=True),
        Rule("lead.unbroken", "A diamond may be led once one was played to a trick of another suit, or from a hand of diamonds only.", breakable=True),
        Rule("follow.suit", "Follow the suit led if you can; otherwise play any card.", breakable=True),
        Rule("trick.trump", "The highest diamond takes the trick."),
        Rule("trick.led-suit", "In a trick without diamonds, the highest card of the suit led takes it."),
        Rule("lead.taker", "The taker of a trick leads to the next."),
        Rule("score.bid", "Ten points for each trick bid and taken, one for each beyond the bid, ten off for each missing."),
        Rule("score.floor", "Played with chips, nobody's total falls below 0."),
        Rule("deal.left", "The next hand is dealt by the player to the left."),
        Rule("match.target", "The match ends with the first hand after which someone has reached the target; most points win, equals share."),
    ),
)  # fmt: skip
TRUMP, LED_SUIT, BID_ORDER, BID_RANGE, FLOOR = BOOK.cite(
    "trick.trump", "trick.led-suit", "bid.order", "bid.range", "score.floor"
)
PACK: Final = standard_pack()
CLUBS: Final = PACK.suit_masks[0]
DIAMONDS: Final = PACK.suit_masks[1]


@mypyc_attr(allow_interpreted_subclasses=True)
class BiddingTable(TrickTable):
    """Adds the bids, and whether diamonds are broken."""

    __slots__ = ("bids", "broken")

    def __init__(self, game: Game, event: ev.Open) -> None:
        super().__init__(game, event)
        self.bids: list[int | None] = []
        self.broken = False

    def become(self, other: Self) -> None:
        """Take over the state of another table of the match."""
        super().become(other)
        self.bids = other.bids.copy()
        self.broken = other.broken

    def begin(self) -> None:
        """Bidding comes first, from the dealer's left."""
        assert self.hand is not None
        self.broken = False
        self.bids = [None] * self.n
        self.hand.extra["bids"] = self.bids.copy()
        self.phase = "bid"
        self.turn = (self.hand.dealer + 1) % self.n

    def _bid(self, event: ev.Bid) -> None:
        seat = event.seat
        if seat != self.turn or self.phase != "bid":
            self.expect("bid", seat)
        if not 0 <= event.amount <= self.each:
            self.refuse(BID_RANGE, f"a bid is from 0 to {self.each}, not {event.amount}", seat)
        assert self.hand is not None
        self.bids[seat] = event.amount
        self.hand.extra["bids"] = self.bids.copy()
        if self.trail is not None:
            self.cite(BID_ORDER, f"it is the turn of {self.who(seat)} to bid", "allowed")
            self.cite(BID_RANGE, f"{event.amount} is between 0 and {self.each}", "allowed")
        if None in self.bids:
            self.turn = (seat + 1) % self.n
        else:
            super().begin()

    def after_trick(self, taker: int, trick: list[int]) -> None:
        """A diamond in a trick of another suit breaks diamonds."""
        if self.laid & DIAMONDS and self.led != DIAMONDS:
            self.broken = True
            self.lead = None  # no duty binds a lead any more
        super().after_trick(taker, trick)

    def bank(self, scores: list[int]) -> None:
        """With chips, totals stop at 0."""
        super().bank(scores)
        if self.options["chips"]:
            if min(self.totals) < 0:
                self.cite(FLOOR, "a total below 0 is 0")
            self.totals = [max(0, total) for total in self.totals]

    def actions_now(self) -> tuple[Choice, ...]:
        """Bids, then plays."""
        if self.phase == "bid":
            return (Choice("bid", self.turn, amounts=(0, self.each)),)
        return super().actions_now()


BiddingTable.actions = {**TrickTable.actions, ev.Bid: BiddingTable._bid}


def lowest_club(table: TrickTable) -> int:
    """The lowest club that was dealt."""
    clubs = CLUBS & sum(table.held)
    return clubs & -clubs


def first_lead(table: TrickTable) -> int | None:
    """The holder of the lowest club leads; looked at after the hand, whoever led is taken as the fact."""
    if table.hidden or table.hindsight:
        return None
    club = lowest_club(table)
    return next(seat for seat, held in enumerate(table.held) if held & club)


def lead_lowest_club(table: TrickTable, held: int) -> int:
    """To the first trick, the lowest club and nothing else."""
    assert table.hand is not None
    return held if table.hand.tricks else held & lowest_club(table)


def lead_unbroken(table: BiddingTable, held: int) -> int:
    """No diamond until they are broken, unless there is nothing else."""
    return held if table.broken else held & ~DIAMONDS or held


def taker(table: TrickTable, trick: list[int]) -> tuple[int, str]:
    """The highest diamond, or the highest card of the suit led."""
    trumps = table.laid & DIAMONDS
    if trumps:
        return highest_of(trumps, trick), TRUMP
    return highest_of(table.laid & table.led, trick), LED_SUIT


def score(table: BiddingTable) -> list[int]:
    """Bid and taken count ten each, more count one, missing ones cost ten."""
    assert table.hand is not None
    points = []
    for bid, taken in zip(table.bids, table.hand.taken, strict=True):
        assert bid is not None
        points.append(10 * bid + taken - bid if taken >= bid else 10 * taken - 10 * (bid - taken))
    return points


GAME = TrickGame(
    id="diamonds-bid",
    title="Diamonds (bidding)",
    summary="Bid how many tricks you will take; diamonds are trump.",
    book=BOOK,
    players=range(2, 9),
    options=(
        Option("target", 500, "points that end the match"),
        Option("chips", False, "play with chips: no total below 0"),
    ),
    fewest=False,
    over=at_target("match.target"),
    table=BiddingTable,
    deal_keys=frozenset({"dealer", "aside"}),
    cards_of=lambda options, n: (PACK, PACK.full, 52 // n),
    deal_rule="deal.equal",
    first_lead=first_lead,
    lead_rule="lead.lowest-club",
    lead=(("lead.lowest-club", lead_lowest_club), ("lead.unbroken", lead_unbroken)),
    follow=(("follow.suit", follow_suit),),
    taker=taker,
    next_lead=taker_leads,
    next_rule="lead.taker",
    score=score,
    score_rules=("score.bid",),
    count=measured.count,
    measures=measured.MEASURES,
)

"""Diamonds, the drawing game: the taker of a trick draws, and every card left in hand is a point."""

from typing import Any, Final, Self

from mypy_extensions import mypyc_attr

from ledger import events as ev
from ledger.cards import standard_pack
from ledger.choice import Choice
from ledger.game import Game, Option, TrickGame
from ledger.hand import Hand
from ledger.measures import diamonds_draw as measured
from ledger.parts import at_target, highest_of, left_of_dealer, taker_leads
from ledger.rulebook import Rule, Rulebook
from ledger.table import Source, parse_cards
from ledger.tricks import TrickTable

BOOK = Rulebook(
    "diamonds-draw",
    1,
    "Diamonds, from a collection of card games (seed 004)",
    (
        Rule("deal.thirty", "As many cards as divide equally among the players, thirty at most, are dealt; the rest is the stack."),
        Rule("lead.left-of-dealer", "The first trick is led from the dealer's left."),
        Rule("first-trick.no-diamond", "No diamond goes to the first trick, not even from a player void in the suit led, unless from a hand of diamonds only.", breakable=True),
        Rule("lead.unbroken", "A diamond may be led once somebody void in the suit led has played one, or from a hand of diamonds only.", breakable=True),
        Rule("follow.suit", "Follow the suit led if you can; otherwise play any card. The first trick's ban on diamonds goes first.", breakable=True),
        Rule("trick.led-suit", "The highest card of the suit led takes the trick; there is no trump."),
        Rule("draw.winner", "The taker draws one card from the stack and one more for each diamond in the trick, or all that is left."),
        Rule("lead.taker", "The taker of a trick leads to the next."),
        Rule("hand.end", "The hand ends when, after a trick and its draw, the stack is empty or somebody has no card.", ours=True),
        Rule("score.left", "Each card left in hand is a point, a diamond two."),
        Rule("deal.left", "The next hand is dealt by the player to the left.", ours=True),
        Rule("match.target", "The match ends with the first hand after which someone has reached the target; fewest points win, equals share."),
    ),
)  # fmt: skip
LED_SUIT, WINNER_DRAWS, HAND_END = BOOK.cite("trick.led-suit", "draw.winner", "hand.end")
PACK: Final = standard_pack()
DIAMONDS: Final = PACK.suit_masks[1]


@mypyc_attr(allow_interpreted_subclasses=True)
class DrawingTable(TrickTable):
    """Adds the stack: its cards or its order where known, how many are left, and how many the taker draws."""

    __slots__ = ("due", "ruffed", "stack", "stack_left", "stack_order")

    def __init__(self, game: Game, event: ev.Open) -> None:
        super().__init__(game, event)
        self.stack = 0
        self.stack_left = 0
        self.stack_order: tuple[str, ...] | None = None
        self.due = 0
        self.ruffed = False

    def become(self, other: Self) -> None:
        """Take over the state of another table of the match."""
        super().become(other)
        self.stack = other.stack
        self.stack_left = other.stack_left
        self.stack_order = other.stack_order
        self.due = other.due
        self.ruffed = other.ruffed

    def deal_cards(self, event: ev.Deal, hand: Hand) -> None:
        """What is not dealt is the stack."""
        super().deal_cards(event, hand)
        # A hidden hand's stack may be any card not seen yet; with its order known the cards are no longer unseen.
        stack = self.deck & ~sum(self.held)
        self.stack = parse_cards(PACK, event.stock, stack) if event.stock else stack
        self.stack_left = self.deck.bit_count() - self.n * self.each
        self.stack_order = event.stock
        self.ruffed = False

    def after_trick(self, taker: int, trick: list[int]) -> None:
        """The taker draws before anything else."""
        diamonds = self.laid & DIAMONDS
        if diamonds and not self.ruffed and self.led != DIAMONDS:
            players = ((self.leader + i) % self.n for i, card in enumerate(trick) if diamonds >> card & 1)
            self.ruffed = any(not self.held[seat] & self.led for seat in players)
            if self.ruffed:
                self.lead = None  # no duty binds a lead any more
        self.follow_only = True  # the ban of the first trick is over
        self.due = min(1 + diamonds.bit_count(), self.stack_left)
        self.phase = "draw"
        self.turn = taker
        if self.trail is not None:
            self.cite(WINNER_DRAWS, f"{self.who(taker)} draws {self.due}")

    def _draw(self, event: ev.Draw) -> None:
        self.draw(event.seat, event.source, event.cards, self.seq)

    def draw(self, seat: int, source: Source, faces: tuple[str, ...], seq: int) -> None:
        """Let the taker of a trick draw; end the hand where the stack is empty then, or a hand."""
        self.seq = seq
        if seat != self.turn or self.phase != "draw":
            self.expect("draw", seat)
        unseen = self.worlds[0].pool if self.hidden and not self.stack_order else self.stack
        cards = parse_cards(PACK, faces, unseen)
        if self.stack_order:
            top = self.stack_order[-self.stack_left :][: len(faces)]
            if faces != top:
                self.refuse("table.deck", f"the next cards of the stack are {' '.join(top)}", seat)
        if source != "stock" or len(faces) != self.due:
            self.refuse(WINNER_DRAWS, f"{self.who(seat)} draws {self.due} from the stock", seat)
        self.stack &= ~cards
        self.stack_left -= self.due
        if self.hidden:
            world = self.worlds[0].copy()
            for face in faces:
                world.draw(seat, PACK.mask[face])
            self.worlds = [world]
            empty = 0 in world.left
        else:
            self.held[seat] |= cards
            empty = 0 in self.held
        if self.trail is not None:
            self.cite(WINNER_DRAWS, f"{' '.join(faces)}: {len(faces)} as due", "allowed")
        if self.stack_left and not empty:
            self.phase = "play"
            if self.trail is not None:
                self.cite_lead()
            return
        self.cite(HAND_END, "a hand is empty" if empty else "the stack is empty")
        if self.hidden:
            self.phase, self.turn = "score", None
        else:
            self.settle()

    def sight(self) -> dict[str, Any]:
        """Adds the cards left in the stack."""
        return super().sight() | ({"stock_left": self.stack_left} if self.hand else {})

    def actions_now(self) -> tuple[Choice, ...]:
        """Plays and draws."""
        if self.phase == "draw":
            if self.stack_order:
                cards = self.stack_order[-self.stack_left :][: self.due]
            else:
                cards = PACK.show(self.worlds[0].pool if self.hidden else self.stack)
            return (Choice("draw", self.turn, cards, count=self.due, sources=("stock",)),)
        return super().actions_now()


DrawingTable.actions = {**TrickTable.actions, ev.Draw: DrawingTable._draw}


def no_diamond(table: TrickTable, held: int) -> int:
    """No diamond to the first trick, unless there is nothing else."""
    assert table.hand is not None
    return held if table.hand.tricks else held & ~DIAMONDS or held


def lead_unbroken(table: DrawingTable, held: int) -> int:
    """No diamond until somebody ruffed with one, unless there is nothing else."""
    return held if table.ruffed else held & ~DIAMONDS or held


def follow_suit(table: TrickTable, held: int) -> int:
    """Follow suit with what the first trick leaves."""
    allowed = no_diamond(table, held)
    return allowed & table.led or held


def taker(table: TrickTable, trick: list[int]) -> tuple[int, str]:
    """The highest card of the suit led."""
    return highest_of(table.laid & table.led, trick), LED_SUIT


def score(table: TrickTable) -> list[int]:
    """A point a card, two for a diamond."""
    return [held.bit_count() + (held & DIAMONDS).bit_count() for held in table.held]


GAME = TrickGame(
    id="diamonds-draw",
    title="Diamonds (drawing)",
    summary="Get rid of your cards; whoever takes a trick draws, and more for its diamonds.",
    book=BOOK,
    players=range(2, 7),
    options=(Option("target", 100, "points that end the match"),),
    fewest=True,
    over=at_target("match.target"),
    table=DrawingTable,
    deal_keys=frozenset({"dealer", "stock"}),
    cards_of=lambda options, n: (PACK, PACK.full, 30 // n),
    deal_rule="deal.thirty",
    first_lead=left_of_dealer,
    lead_rule="lead.left-of-dealer",
    lead=(("first-trick.no-diamond", no_diamond), ("lead.unbroken", lead_unbroken)),
    follow=(("first-trick.no-diamond", no_diamond), ("follow.suit", follow_suit)),
    taker=taker,
    next_lead=taker_leads,
    next_rule="lead.taker",
    score=score,
    score_rules=("score.left",),
    claims=False,
    count=measured.count,
    measures=measured.MEASURES,
)

"""Poison Hearts: every card is a point, unless you took the most of its suit; tied tricks go back to the hands."""

from typing import Any, Self, cast

from mypy_extensions import mypyc_attr

from ledger import events as ev
from ledger.cards import Pack, five_suit_pack
from ledger.choice import Choice
from ledger.game import PLAYERS, Game, Option, TrickGame
from ledger.measures import poison_hearts as measured
from ledger.parts import after_hands, at_target, follow_suit, taker_leads
from ledger.rulebook import Rule, Rulebook
from ledger.table import Table
from ledger.tricks import TrickTable
from ledger.unseen import Unseen

BOOK = Rulebook(
    "poison-hearts",
    1,
    "A Hearts variant with Poison's scoring, unnamed, 12 March 2009 (seed 002)",
    (
        Rule("deal.all", "All sixty cards are dealt, one at a time from the dealer's left."),
        Rule("lead.one", "The first lead of a hand is a 1, by the dealer or the first player after the dealer who holds one.", breakable=True),
        Rule("pass.no-one", "On whom the first lead falls and who holds no 1 says so and passes; nobody else may pass.", breakable=True),
        Rule("follow.suit", "Play a card that shares a suit with the card led if you can; otherwise any card.", breakable=True),
        Rule("trick.highest", "Of the cards that share a suit with the card led, the highest takes the trick if no other is as high."),
        Rule("trick.tie", "If several are highest, everyone takes the card just played back in hand, and the same player leads again."),
        Rule("lead.different", "After a tie, lead a card of a face not yet tried in this trick.", breakable=True, ours=True),
        Rule("trick.removed", "If the leader holds no face but those tried, the tied cards leave the game and count for nobody.", ours=True),
        Rule("lead.taker", "The taker of a trick leads to the next."),
        Rule("score.most", "Whoever took strictly more cards of a suit than everyone else scores nothing for that suit."),
        Rule("score.card", "Every other card taken is one point; a card of two suits is free only with the most in both."),
        Rule("deal.left", "The next hand is dealt by the player to the left."),
        Rule("match.rounds", "Without a target, the match ends after the agreed number of hands."),
        Rule("match.target", "With a target, it ends with the first hand after which someone has reached it."),
        Rule("match.fewest", "Fewest points win; equals share.", ours=True),
    ),
)  # fmt: skip
HIGHEST, TIE, REMOVED, NO_ONE, ROUNDS, TARGET, FEWEST = BOOK.cite(
    "trick.highest", "trick.tie", "trick.removed", "pass.no-one", "match.rounds", "match.target", "match.fewest"
)  # fmt: skip


class Tied(Unseen):
    """A possible world that remembers the cards of the trick under way (seat, bit) and the faces tried in it."""

    __slots__ = ("played", "tried")

    def __init__(self, n: int, size: int, pool: int) -> None:
        super().__init__(n, size, pool)
        self.played: list[tuple[int, int]] = []
        self.tried = 0

    def copy(self) -> Self:
        """Return a world of its own with the same facts."""
        other = super().copy()
        other.played = self.played.copy()
        other.tried = self.tried
        return other

    def show(self, seat: int, face: int) -> int:
        """Let a card of the face leave the hand for the trick."""
        bit = super().show(seat, face)
        self.played.append((seat, bit))
        return bit

    def after_tie(self, leader: int, face: int) -> list[Self]:
        """Return the worlds a tie leads to: cards taken back, or removed when the leader has tried all it holds."""
        played, self.played = self.played, []
        self.tried |= face
        back, gone = self.copy(), self
        for seat, bit in played:
            back.receive(seat, bit)
        gone.only[leader] &= gone.tried
        gone.tried = 0
        return ([back] if back.could_hold(leader) & ~back.tried else []) + ([gone] if gone.possible() else [])


@mypyc_attr(allow_interpreted_subclasses=True)
class TiesTable(TrickTable):
    """Adds the first lead that may be passed on (`unled` until then), ties, and the cards each seat has `won`."""

    __slots__ = ("tried", "unled", "won")

    def __init__(self, game: Game, event: ev.Open) -> None:
        super().__init__(game, event)
        self.unled = False
        self.tried = 0
        self.won = [0] * self.n

    def become(self, other: Self) -> None:
        """Take over the state of another table of the match."""
        super().become(other)
        self.unled = other.unled
        self.tried = other.tried
        self.won = other.won.copy()

    def world(self, pool: int) -> Tied:
        """Worlds with ties."""
        return Tied(self.n, self.each, pool)

    def tied(self) -> list[Tied]:
        """Return what is known of a hidden hand."""
        return cast("list[Tied]", self.worlds)

    def begin(self) -> None:
        """The first lead falls to the dealer."""
        self.unled = True
        self.tried = 0
        self.won = [0] * self.n
        super().begin()

    def _pass(self, event: ev.Pass) -> None:
        seat = event.seat
        self.expect("play" if self.unled and not self.trick else "no pass now", seat)
        held = ones(self.pack, self.held[seat])
        if held:
            self.irregular(seat, NO_ONE, self.pack.show(held), "passes with a 1 in hand")
            self.expose(seat)
        else:
            self.cite(NO_ONE, f"{self.who(seat)} announces to hold no 1", "allowed")
        self.turn = (seat + 1) % self.n

    def tie(self) -> None:
        """Give the tied cards back, or remove them when the leader has no other face to try."""
        trick, leader, pack = self.trick, self.leader, self.pack
        led = pack.mask[pack.faces[trick[0]]]
        self.trick = []
        self.turn = leader
        self.unled = False
        self.lead = self.bound
        self.tried |= led
        removed = False
        if self.hidden:
            self.worlds = [later for world in self.tied() for later in world.after_tie(leader, led)]
        else:
            removed = not (self.held[leader] | 1 << trick[0]) & ~self.tried
            if not removed:
                for i, card in enumerate(trick):
                    self.held[(leader + i) % self.n] |= 1 << card
        assert self.hand is not None
        self.hand.tricks.append((leader, tuple(trick), None, REMOVED if removed else TIE))
        if removed:
            self.tried = 0
            self.tricks_left -= 1
            self.cite(REMOVED, "the leader has no other face to try: the tied cards are out of play")
        else:
            self.cite(TIE, "several cards are highest: all go back in hand, and the same player leads again")
        if self.tricks_left == 0 or any(not any(world.left) for world in self.worlds):
            self.complete_hand()

    def after_trick(self, taker: int, trick: list[int]) -> None:
        """The taker wins the cards; a hidden hand is over as soon as one world has no card left."""
        self.won[taker] |= self.laid
        self.unled = False
        self.tried = 0
        # No duty binds a lead but the first of the hand and those after a tie.
        self.lead = None
        if self.hidden:
            for world in self.tied():
                world.played, world.tried = [], 0
            self.tricks_left = min(max(world.left) for world in self.worlds)
        super().after_trick(taker, trick)

    def actions_now(self) -> tuple[Choice, ...]:
        """Plays, and the pass of whoever holds no 1."""
        seat = self.turn
        assert seat is not None
        may_pass = self.unled and not self.trick and (self.hidden or not ones(self.pack, self.held[seat]))
        passes = (Choice("pass", seat),) if may_pass else ()
        return passes if may_pass and not self.hidden else (*super().actions_now(), *passes)


TiesTable.actions = {**TrickTable.actions, ev.Pass: TiesTable._pass}


def ones(pack: Pack, held: int) -> int:
    """The cards of value 1 in a hand."""
    mask = pack.mask
    return held & (mask["R1"] | mask["Y1"] | mask["G1"] | mask["B1"] | mask["P1"])


def lead_one(table: TiesTable, held: int) -> int:
    """The first lead is a 1, for whoever has one."""
    return ones(table.pack, held) or held if table.unled else held


def lead_with_one(table: TiesTable, held: int) -> int:
    """Without a 1 there is nothing to lead first: the player passes."""
    return held if not table.unled or ones(table.pack, held) else 0


def lead_different(table: TiesTable, held: int) -> int:
    """After a tie, a face not tried."""
    return held & ~table.tried


def taker(table: TrickTable, trick: list[int]) -> tuple[int, str]:
    """The single highest of the cards that share a suit with the card led, if there is one."""
    ranks, suits = table.pack.ranks, table.pack.suits
    led = suits[trick[0]]
    place, highest = -1, 0
    for i, card in enumerate(trick):
        if suits[card] & led and ranks[card] >= highest:
            place = i if ranks[card] > highest else -1
            highest = ranks[card]
    return place, TIE if place < 0 else HIGHEST


def score(table: TiesTable) -> list[int]:
    """A point a card, but for cards all of whose suits the player has the most of."""
    suits = table.pack.suit_masks
    counting = [0] * table.n
    for suit in suits:
        counts = [(cards & suit).bit_count() for cards in table.won]
        most = max(counts)
        for seat, count in enumerate(counts):
            if count < most or counts.count(most) > 1:
                counting[seat] |= suit
    return [(cards & some).bit_count() for cards, some in zip(table.won, counting, strict=True)]


ends_by_rounds, ends_by_target = after_hands(ROUNDS, "rounds"), at_target(TARGET)


def over(table: Table) -> str | None:
    """By target if there is one, else by rounds; the fewest points win either way."""
    rule = (ends_by_rounds if table.options["target"] is None else ends_by_target)(table)
    if rule is None:
        return None
    table.cite(rule, "this was the last hand")
    return FEWEST


def cards_of(options: dict[str, Any], n: int) -> tuple[Pack, int, int]:
    """All sixty cards, with or without cards of two suits."""
    pack = five_suit_pack(options["double_suits"])
    return pack, pack.full, 60 // n


GAME = TrickGame(
    id="poison-hearts",
    title="Poison Hearts",
    summary="Every card taken is a point, unless nobody took as many of its suit.",
    book=BOOK,
    players=range(3, 7),
    options=(
        Option("double_suits", False, "6s and 7s are of two suits"),
        Option("rounds", PLAYERS, "hands to play, when there is no target"),
        Option("target", None, "points that end the match"),
    ),
    fewest=True,
    over=over,
    table=TiesTable,
    cards_of=cards_of,
    deal_rule="deal.all",
    first_lead=lambda table: table.hand.dealer,
    lead_rule="lead.one",
    lead=(("lead.one", lead_one), ("pass.no-one", lead_with_one), ("lead.different", lead_different)),
    follow=(("follow.suit", follow_suit),),
    taker=taker,
    next_lead=taker_leads,
    next_rule="lead.taker",
    score=score,
    score_rules=("score.most", "score.card"),
    claims=False,
    count=measured.count,
    measures=measured.MEASURES,
)

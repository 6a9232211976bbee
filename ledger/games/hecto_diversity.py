"""Diversity with the Hectoedra cards: collect seven cards of different colours and values, then close."""

from functools import cache
from typing import Any, NoReturn, Self

from mypy_extensions import mypyc_attr

from ledger import events as ev
from ledger.cards import cards_in, hecto_pack
from ledger.choice import Choice
from ledger.game import Game, Option
from ledger.hand import Hand
from ledger.measures import hecto_diversity as measured
from ledger.parts import at_target
from ledger.rulebook import Rule, Rulebook
from ledger.table import Source, Table, parse_cards
from ledger.unseen import Unseen

BOOK = Rulebook(
    "hecto-diversity",
    1,
    "Diversity, a game for the Hectoedra cards (seed 003, in Spanish)",
    (
        Rule("deal.seven", "Seven cards each, one face up to start the discards, the rest is the stock; the first player moves on to the left hand by hand."),
        Rule("turn.draw", "A turn starts with one card drawn: the top of the stock or the top of the discards."),
        Rule("turn.discard", "It ends with a card laid face up on the discards, the one just drawn if you like.", ours=True),
        Rule("stock.renewed", "When the stock is empty and someone draws from it, the discards but for the top one become the stock.", ours=True),
        Rule("close.diverse", "Whose other seven cards have seven colours and seven values may close, the eighth card face down."),
        Rule("layoff.order", "After a close, the others in turn may lay off one card or pass, until one card is laid off."),
        Rule("layoff.eligible", "A card may be laid off if it repeats a colour or value of its hand and none of the closer's cards."),
        Rule("score.penalty", "Each keeps the diverse part of the hand that leaves least; the values of the rest are the penalty.", ours=True),
        Rule("score.closer", "The closer scores minus all the others' penalties together."),
        Rule("score.straight", "A closer whose own seven values follow one another scores twenty less still."),
        Rule("match.laps", "Without a target, the match ends when everyone has been first player as often as agreed."),
        Rule("match.target", "With a target, it ends with the first hand after which someone has reached it."),
        Rule("match.fewest", "Fewest points win; equals share.", ours=True),
    ),
)  # fmt: skip
(
    SEVEN, DRAW, DISCARD, RENEWED, CLOSE, LAYOFF_ORDER, ELIGIBLE, PENALTY, CLOSER, STRAIGHT, LAPS, TARGET, FEWEST
) = BOOK.cite(*(rule.id for rule in BOOK))  # fmt: skip


@mypyc_attr(allow_interpreted_subclasses=True)
class ClosingTable(Table):
    """State of a match without tricks.

    `held[seat]` is the hand as a set of cards; `discards` the pile, its top last; `stock` the cards of the stock,
    `stock_left` how many they are, `stock_order` their order where known (the top first). While hands are hidden,
    `world` holds what is known of them; `stock` is None then while its cards are among those nobody has seen.
    """

    __slots__ = ("closer", "discards", "held", "like", "stock", "stock_left", "stock_order", "world")

    def __init__(self, game: Game, event: ev.Open) -> None:
        super().__init__(game, event)
        self.pack = hecto_pack(self.options["layout"])
        self.like = likenesses(self.options["layout"])
        self.held = [0] * self.n
        self.discards: list[int] = []
        self.stock: int | None = 0
        self.stock_left = 0
        self.stock_order: tuple[str, ...] | None = None
        self.world: Unseen | None = None
        self.closer: int | None = None

    def become(self, other: Self) -> None:
        """Take over the state of another table of the match."""
        super().become(other)
        self.like = other.like
        self.held = other.held.copy()
        self.discards = other.discards.copy()
        self.stock = other.stock
        self.stock_left = other.stock_left
        self.stock_order = other.stock_order
        self.world = other.world
        self.closer = other.closer

    # --- deal

    def deal_cards(self, event: ev.Deal, hand: Hand) -> None:
        """Check the cards of a deal and hand them out; raises RuleError `table.deck`."""
        free = self.pack.full
        assert event.upcard is not None
        up = parse_cards(self.pack, (event.upcard,), free)
        free ^= up
        held = self.parse_hands(event.hands, 7, free)
        free ^= sum(held)
        left = 79 - 7 * self.n
        stock = free if held else None
        if event.stock is not None:
            if len(event.stock) != left:
                self.refuse("table.deck", f"the stock has {len(event.stock)} cards, not {left}")
            stock = parse_cards(self.pack, event.stock, free)
            free ^= stock
        hand.extra.update(closer=None, penalties=None)
        self.held = held or [0] * self.n
        self.world = None if held else Unseen(self.n, 7, free)
        self.discards = [up.bit_length() - 1]
        self.stock, self.stock_left, self.stock_order = stock, left, event.stock
        self.closer = None
        self.cite(SEVEN, f"{self.n} hands of 7 cards, {event.upcard} is turned up", "allowed")

    def begin(self) -> None:
        """The starter has the first turn."""
        assert self.hand is not None
        self.phase = "draw"
        self.turn = self.hand.dealer

    def may_hold(self, seat: int) -> int:
        """Return the cards a seat holds, or in a hidden hand those it may hold."""
        return self.held[seat] if self.world is None else self.world.could_hold(seat)

    def in_stock(self) -> int:
        """Return the cards any of which may be drawn from the stock."""
        if self.stock_left == 0:
            return sum(1 << card for card in self.discards[:-1])
        if self.stock_order is not None:
            return self.pack.mask[self.stock_order[-self.stock_left]]
        if self.stock is None:
            assert self.world is not None
            return self.world.pool
        return self.stock

    # --- turns

    def _draw(self, event: ev.Draw) -> None:
        self.draw(event.seat, event.source, event.cards, self.seq)

    def draw(self, seat: int, source: Source, faces: tuple[str, ...], seq: int) -> None:
        """Let a player draw, from the stock or the discards."""
        self.seq = seq
        if seat != self.turn or self.phase != "draw":
            self.expect("draw", seat)
        may = 1 << self.discards[-1] if source == "discards" else self.in_stock()
        bit = self.pack.mask.get(faces[0], 0) if len(faces) == 1 else 0
        if not bit & may:
            self.refuse_draw(seat, source, faces)
        if source == "discards":
            self.discards.pop()
        else:
            if self.stock_left == 0:
                self.stock = self.in_stock()
                self.stock_left = len(self.discards) - 1
                self.stock_order = None
                del self.discards[:-1]
                self.cite(RENEWED, f"the discards but for {self.pack.faces[self.discards[0]]} are the stock again")
            if self.stock is not None:
                self.stock &= ~bit
            self.stock_left -= 1
        if self.world is None:
            self.held[seat] |= bit
        else:
            self.world = self.world.copy()
            self.world.draw(seat, bit)
        if self.trail is not None:
            self.cite(DRAW, f"{faces[0]} from the {source}", "allowed")
        self.phase = "discard"

    def refuse_draw(self, seat: int, source: Source, faces: tuple[str, ...]) -> NoReturn:
        """Say what is wrong with a draw: cards the pack lacks first, then cards not in the stock, then the rest."""
        for face in faces:
            parse_cards(self.pack, (face,), self.pack.full)
        if source == "stock":
            parse_cards(self.pack, faces, self.in_stock())
        top = self.pack.faces[self.discards[-1]]
        self.refuse(DRAW, f"one card is drawn, from the stock or {top} from the discards", seat)

    def part_with(self, seat: int, face: str) -> int:
        """Take a card out of a hand; raises RuleError `table.holding`."""
        bit = self.pack.mask.get(face, 0) & self.may_hold(seat)
        if not bit:
            self.refuse("table.holding", f"{self.who(seat)} does not hold {face}", seat)
        if self.world is None:
            self.held[seat] ^= bit
        else:
            self.world = self.world.copy()
            self.world.show(seat, bit)
        return bit

    def _discard(self, event: ev.Discard) -> None:
        self.discard(event.seat, event.card, self.seq)

    def discard(self, seat: int, face: str, seq: int) -> None:
        """Let a player lay a card on the discards; the turn passes on."""
        self.seq = seq
        if seat != self.turn or self.phase != "discard":
            self.expect("discard", seat)
        bit = self.part_with(seat, face)
        self.discards.append(bit.bit_length() - 1)
        if self.trail is not None:
            self.cite(DISCARD, f"{face} is face up", "allowed")
        self.phase = "draw"
        self.turn = (seat + 1) % self.n

    def _close(self, event: ev.Close) -> None:
        seat = event.seat
        self.expect("discard", seat)
        bit = self.pack.mask.get(event.card, 0) & self.held[seat]
        if bit and not self.diverse(self.held[seat] ^ bit):
            self.refuse(CLOSE, "the seven cards left repeat a colour or a value", seat)
        self.part_with(seat, event.card)
        assert self.hand is not None
        self.closer = seat
        self.hand.extra["closer"] = seat
        self.cite(CLOSE, f"without {event.card} the hand has seven colours and seven values", "allowed")
        self.phase = "layoff"
        self.next_layoff(seat)

    def diverse(self, cards: int) -> bool:
        """Tell whether no colour and no value comes twice."""
        like = self.like
        return all((cards & like[card]).bit_count() == 1 for card in cards_in(cards))

    # --- after the close

    def next_layoff(self, seat: int) -> None:
        """Turn to the next player left of `seat` who can lay off a card; count the hand when there is none."""
        assert self.closer is not None
        for after in range(1, (self.closer - seat - 1) % self.n + 1):
            other = (seat + after) % self.n
            if self.world is not None or self.eligible(other):
                self.turn = other
                return
        self.count()

    def eligible(self, seat: int) -> int:
        """Return the cards a player may lay off; all it may hold where hands are hidden."""
        assert self.closer is not None
        if self.world is not None:
            return self.may_hold(seat)
        own, closed = self.held[seat], self.held[self.closer]
        like = self.like
        return sum(
            1 << card for card in cards_in(own) if (own & like[card]).bit_count() > 1 and not closed & like[card]
        )

    def expect_layoff(self, seat: int) -> None:
        """As `expect`; where hands are hidden, players without an eligible card may have been skipped."""
        if self.world is not None and self.phase == "layoff" and 0 <= seat < self.n:
            assert self.closer is not None
            assert self.turn is not None
            if (seat - self.closer) % self.n >= (self.turn - self.closer) % self.n:
                return
        self.expect("layoff", seat)

    def _layoff(self, event: ev.Layoff) -> None:
        seat = event.seat
        self.expect_layoff(seat)
        bit = self.pack.mask.get(event.card, 0)
        if bit & self.may_hold(seat) and not bit & self.eligible(seat):
            self.refuse(ELIGIBLE, f"{event.card} repeats nothing in its hand, or something in the closer's", seat)
        self.part_with(seat, event.card)
        assert self.closer is not None
        self.cite(LAYOFF_ORDER, f"it is the turn of {self.who(seat)}", "allowed")
        self.cite(ELIGIBLE, f"{event.card} goes to {self.who(self.closer)}", "allowed")
        self.count()

    def _pass(self, event: ev.Pass) -> None:
        self.expect_layoff(event.seat)
        self.cite(LAYOFF_ORDER, f"{self.who(event.seat)} lays off no card", "allowed")
        self.next_layoff(event.seat)

    def count(self) -> None:
        """Score the hand; a hidden one waits for its score."""
        if self.world is not None:
            self.phase, self.turn = "score", None
            return
        hand, closer = self.hand, self.closer
        assert hand is not None
        assert closer is not None
        penalties = [
            0 if seat == closer else least_penalty(self.options["layout"], held) for seat, held in enumerate(self.held)
        ]
        hand.extra["penalties"] = penalties
        scores = penalties.copy()
        scores[closer] = -sum(penalties)
        for seat, penalty in enumerate(penalties):
            if seat != closer:
                self.cite(PENALTY, f"{self.who(seat)}: {penalty}")
        self.cite(CLOSER, f"{self.who(closer)}: {scores[closer]}")
        values = [self.pack.ranks[card] for card in cards_in(self.held[closer])]
        if max(values) - min(values) == 6:
            scores[closer] -= 20
            self.cite(STRAIGHT, f"the values run from {min(values)} to {max(values)}: 20 less")
        self.finish(scores)

    def sight(self) -> dict[str, Any]:
        """Return hands, discards and stock."""
        if self.hand is None:
            return {}
        faces = self.pack.faces
        return {
            "hands": None if self.world else [self.pack.list(cards) for cards in self.held],
            "discards": [faces[card] for card in self.discards],
            "stock_left": self.stock_left,
        }

    def actions_now(self) -> tuple[Choice, ...]:
        """Draws, discards and closes, lay-offs."""
        seat = self.turn
        if seat is None:
            return ()
        show = self.pack.show
        if self.phase == "draw":
            return (
                Choice("draw", seat, show(self.in_stock()), sources=("stock",)),
                Choice("draw", seat, (self.pack.faces[self.discards[-1]],), sources=("discards",)),
            )
        if self.phase == "layoff":
            return (Choice("layoff", seat, show(self.eligible(seat))), Choice("pass", seat))
        held, known = self.may_hold(seat), self.held[seat]
        closing = sum(1 << card for card in cards_in(held) if self.diverse(known & ~(1 << card)))
        discard = Choice("discard", seat, show(held))
        return (discard, Choice("close", seat, show(closing))) if closing else (discard,)


ClosingTable.actions = {
    **Table.actions,
    ev.Draw: ClosingTable._draw,
    ev.Discard: ClosingTable._discard,
    ev.Close: ClosingTable._close,
    ev.Layoff: ClosingTable._layoff,
    ev.Pass: ClosingTable._pass,
}


@cache
def likenesses(layout: str) -> list[int]:
    """Return for each card the cards that share a colour or a value with it, itself included."""
    pack = hecto_pack(layout)
    return [
        pack.kin[card] | sum(1 << other for other, rank in enumerate(pack.ranks) if rank == pack.ranks[card])
        for card in range(80)
    ]


def least_penalty(layout: str, cards: int) -> int:
    """Return the least sum of values that must go for a hand to be diverse."""
    return _least(cards, likenesses(layout), hecto_pack(layout).ranks)


def _least(cards: int, like: list[int], values: list[int]) -> int:
    while cards:
        card = (cards & -cards).bit_length() - 1
        cards &= cards - 1
        alike = cards & like[card]
        if alike:
            # Either the card goes, or all that are like it.
            others = sum([values[other] for other in cards_in(alike)])
            return min(values[card] + _least(cards, like, values), others + _least(cards & ~alike, like, values))
    return 0


ends_by_target = at_target(TARGET)


def over(table: Table) -> str | None:
    """By target if there is one, else when everyone was starter often enough; the fewest points win either way."""
    if table.options["target"] is not None:
        rule = ends_by_target(table)
    else:
        rule = LAPS if len(table.hands) >= table.n * table.options["laps"] else None
    if rule is None:
        return None
    table.cite(rule, "this was the last hand")
    return FEWEST


class ClosingGame(Game):
    """Adds the rules that its hands are scored by."""

    def scored_by(self, hand: Hand) -> tuple[str, ...]:
        """Penalties, the closer's points for them, and twenty less where a straight was closed."""
        assert hand.scores is not None
        straight = hand.scores[hand.extra["closer"]] != -sum(hand.extra["penalties"])
        return (PENALTY, CLOSER, STRAIGHT) if straight else (PENALTY, CLOSER)


GAME = ClosingGame(
    id="hecto-diversity",
    title="Diversity (Hectoedra)",
    summary="Draw and discard until your seven cards all differ in colour and value, then close.",
    book=BOOK,
    players=range(2, 9),
    options=(
        Option("laps", 1, "how often everyone is first player, when there is no target"),
        Option("target", None, "points that end the match"),
        Option("layout", "8x10", "colours by values in the order of the hectoindex", ("8x10", "10x8")),
    ),
    fewest=True,
    over=over,
    table=ClosingTable,
    deal_keys=frozenset({"starter", "upcard", "stock"}),
    deal_order=SEVEN,
    count=measured.count,
    measures=measured.MEASURES,
)

"""A game as a value: its rulebook, its phases, its scoring, and the facts and words that readers show."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Generic, Literal, get_args

from cardledger.errors import FormatError
from cardledger.rules.engine.cards import Pack
from cardledger.rules.engine.carried import Carried
from cardledger.rules.engine.collecting import Collecting
from cardledger.rules.engine.event_types import add
from cardledger.rules.engine.fields import option_fields
from cardledger.rules.engine.hidden import World
from cardledger.rules.engine.measured import Measured
from cardledger.rules.engine.option import PLAYERS, Option
from cardledger.rules.engine.orders import Orders
from cardledger.rules.engine.phases.deal import Dealing
from cardledger.rules.engine.phases.phase import H, Phase
from cardledger.rules.engine.rulebook import Rulebook, Violation
from cardledger.rules.engine.sides import each_alone, partners, sides_among
from cardledger.rules.engine.sizes import in_words, sizes_of

if TYPE_CHECKING:
    from cardledger.rules.engine.choices import Choice
    from cardledger.rules.engine.events import Adjust, Event
    from cardledger.rules.engine.match import Match
    from cardledger.rules.engine.measures import Counts, Measure, Played
    from cardledger.rules.engine.score_sheet import SheetCheck

__all__ = [
    "PLAYERS",
    "Bot",
    "Fact",
    "Game",
    "Option",
    "SeatName",
    "Word",
    "best_total",
    "each_alone",
    "next_to_deal",
    "partners",
]

Per = Literal["match", "match seat", "hand", "seat"]
"""The subject of a fact: the match, each of its seats, a hand, each seat in it."""
Kind = Literal[
    "int",
    "bool",
    "card",
    "cards",
    "suit",
    "seat",
    "seats",
    "call",
    "calls",
    "contract",
    "text",
    "ruling",
    "pairs",
    "pile",
    "stock",
]
"""The kind of a fact's value, for readers: a number, yes or no, a card's face, a suit's letter, a seat, a call,
a contract (a seat and its call), a director's ruling, pairs of debtor and creditor, a pile face up (the top last), a stock face down (its
size).
"""


TABLE_KEYS: Final = frozenset({
    "match", "view", "game", "players", "seq", "counted", "violations", "status", "phase", "turn", "hand", "dealer",
    "totals", "hands", "trick", "tricks_taken", "tricks_left", "playing", "facts", "choices",
})  # fmt: skip
"""The keys that the table of every game has; no fact may use them."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact of a game about a match, a hand, or each seat of one.

    Its value is the field `key` of the hand (or of the match's account) unless `value(match, hand)` computes it.
    `words` are its values with what people say for them. `result` puts it in the replay result under its key, `table` shows it in the hand under way (by default like
    `result`). `when(options)` tells whether a match has the fact.
    """

    key: str
    title: str
    per: Per
    kind: Kind
    value: Callable[[Any, Any], Any] | None = None
    result: bool = True
    table: bool | None = None
    when: Callable[[dict[str, Any]], bool] | None = None
    words: tuple[tuple[str, str], ...] = ()

    def of(self, match: Match[Any], hand: Any) -> Any:
        """Return the value, ready for JSON."""
        if self.value is not None:
            return self.value(match, hand)
        return getattr(match.account if self.per.startswith("match") else hand, self.key)

    def shown(self, match: Match[Any], where: Literal["result", "table"]) -> bool:
        """Tell whether a match has the fact and shows it there."""
        wanted = self.result if where == "result" or self.table is None else self.table
        return wanted and (self.when is None or self.when(match.options))


@dataclass(frozen=True, slots=True)
class Word:
    """A call of the game's vocabulary: as recorded, as a phrase about the player (`orders it up`), and as typed in short.

    Pages show it as `shown` (by default as recorded); calls with the same `row` stand side by side where they are
    tapped, like those of a bidding box (0: in no row).
    """

    call: str
    text: str
    short: str = ""
    shown: str = ""
    row: int = 0


@dataclass(frozen=True, slots=True)
class SeatName:
    """What the players call a seat: its name (`North`), and in short (`N`)."""

    name: str
    short: str


@dataclass(frozen=True, slots=True)
class Bot(Generic[H]):
    """A careful way to play the game, without chance.

    `card(hand, seat, legal, unseen)` chooses the card for a trick, in the rule subset, from the seat's legal cards
    and the cards it has not seen. `bid(hand, seat, allowed)` chooses a bid, in the rule subset too, out of a set of
    numbers; so does `give(hand, seat, count)` the cards to pass in an exchange, looking at the seat's own, and
    `call(hand, seat)` a call, as its number. `other(match, hand, choice)` is the event for all other choices; a draw from the stock is left empty. `replays` is the number of replays of a deal that its luck is the mean of:
    19 (1 - r) / r explain 95% of what infinitely many would, where one explains a share r of the points; take more where they are cheap. `drawn_value(match, hand, card)` is the worth of a card
    from the stock, in points of the seat to draw.
    """

    card: Callable[[H, int, int, int], int] | None = None
    other: Callable[[Match[H], H, Choice], Event] | None = None
    replays: int = 24
    drawn_value: Callable[[Match[H], H, int], float] | None = None
    bid: Callable[[H, int, int], int] | None = None
    give: Callable[[H, int, int], int] | None = None
    call: Callable[[H, int], int] | None = None

    def rules(self) -> tuple[Callable[..., Any], ...]:
        """Return the functions that are written in the rule subset."""
        return tuple(rule for rule in (self.card, self.bid, self.give, self.call) if rule is not None)


def best_total(match: Match[Any]) -> list[int]:
    """The best total wins, ties share; partners win together."""
    totals = match.totals
    best = min(totals) if match.game.fewest else max(totals)
    return [seat for seat, total in enumerate(totals) if total == best]


def next_to_deal(match: Match[Any]) -> int:
    """The deal moves on to the left."""
    return (match.hand.dealer + 1) % match.n


@dataclass(frozen=True, kw_only=True, eq=False)
class Game(Generic[H]):
    """An edition of a game, as a value.

    `players` are the numbers of players, `{2, 4}` or `range(3, 8)`, and `sizes` the same in order; `options` are the choices at the opening and `check_options(options, n)`
    refuses some of them together; `fewest` means that the fewest points win, `opposed` that the points of one side are the loss of the other. Its phases follow each other in every hand,
    the first one is the deal. `hand` is the type of its hands, `pack(options)` its cards, `orders` their rank, `world`
    the knowledge of its hidden hands. `scores(hand)` are the points of a hand by seat, `points(hand, seat)` those of
    a seat, both in the rule subset; `score(match, hand)` replaces them if more than the hand counts, or something is noted; `points_suffice(options)` tells
    whether it gives the same points as they do. `score_rules`
    are the rules of scoring, or a function that returns them. `over(match)` is called after every hand: it returns
    the id of the rule that ends the match, or None. `bank(match)` changes totals after a hand; `winners(match)` and
    `next_dealer(match)` return the winners and the next dealer, `deal_order` is the rule for that, or a function that
    returns it, "" if anybody may deal. `sides(n)` gives each seat its side in a match of `n`; where partners change from hand to hand, each plays alone in the
    match, and `sides_of_hand(hand)` gives each seat its side in a hand, as far as its phases have decided it: `hand.side`. `account(n)` makes the record that a match
    carries from hand to hand beside totals; `unfinished(match)` changes the totals of a match that ends early.
    `judges_cut` means that a hidden hand cut short is judged on the cards shown. `adjust(match, hand, event)` checks a
    director's ruling on a hand, and returns its rule and whether it gives the hand its result; `ruled(match, hand, scores)` returns its
    points with the rulings on it. `consequences(match, violation)` is what the rules say about a violation besides the
    legal cards. `bot` plays the game; `course` is a count of the cards in hand for the figure of
    a hand, with its name; `seats` are the names of the seats, if they have any, and `bottom` the one that pages draw at the bottom; `carried` is what a hand carries over from the hands before it; `collecting` are the rules of turns in the rule subset, in a game of turns; `played_as` names the
    edition with the same play of hands. `score_check(sheet)` says why the points of a score sheet are
    impossible, None if they are possible; `tricks_decide(options)` tells whether bids and tricks alone decide the points,
    so that a hand without its cards can be recorded by them. `count(played)` counts what happened in a hand, seat by seat, and
    `measures` are made of these counts; `measured` is what was measured of the game with its bot. `events` are the types of events
    that the game brings: those that count are taken by its phases, the others stand beside the play, like notes. `after[phase]` are the phases that follow a phase.
    """

    id: str
    title: str
    summary: str
    book: Rulebook
    players: Collection[int]
    options: tuple[Option, ...]
    fewest: bool
    opposed: bool = False
    hand: type[H]
    pack: Callable[[dict[str, Any]], Pack]
    orders: Orders
    phases: tuple[Phase[H], ...]
    score_rules: tuple[str, ...] | Callable[[Match[H], H], tuple[str, ...]]
    over: Callable[[Match[H]], str | None]
    scores: Callable[[H], list[int]] | None = None
    points: Callable[[H, int], int] | None = None
    score: Callable[[Match[H], H], list[int]] | None = None
    points_suffice: Callable[[dict[str, Any]], bool] | None = None
    bank: Callable[[Match[H]], None] | None = None
    winners: Callable[[Match[Any]], list[int]] = best_total
    next_dealer: Callable[[Match[Any]], int] = next_to_deal
    deal_order: str | Callable[[Match[Any]], str] = "deal.left"
    check_options: Callable[[dict[str, Any], int], None] | None = None
    sides: Callable[[int], tuple[int, ...]] = each_alone
    sides_of_hand: Callable[[H], tuple[int, ...]] | None = None
    account: Callable[[int], Any] | None = None
    world: type[World] = World
    judges_cut: bool = True
    unfinished: Callable[[Match[H]], None] | None = None
    adjust: Callable[[Match[H], H, Adjust], tuple[str, bool]] | None = None
    ruled: Callable[[Match[H], H, list[int]], list[int]] | None = None
    consequences: Callable[[Match[H], Violation], dict[str, Any]] | None = None
    facts: tuple[Fact, ...] = ()
    words: tuple[Word, ...] = ()
    seats: tuple[SeatName, ...] = ()
    bottom: int = 0
    bot: Bot[H] | None = None
    course: tuple[str, Callable[[Match[H], int], int]] | None = None
    carried: Carried | None = None
    collecting: Collecting | None = None
    played_as: str = ""
    count: Callable[[Played], Counts] | None = None
    measures: tuple[Measure, ...] = ()
    measured: Measured | None = None
    score_check: SheetCheck | None = None
    tricks_decide: Callable[[dict[str, Any]], bool] | None = None
    events: tuple[type[Event], ...] = ()
    sizes: tuple[int, ...] = field(default=(), init=False, repr=False)
    after: dict[Phase[H], tuple[Phase[H], ...]] = field(default_factory=dict, init=False, repr=False)
    _phase_for: dict[type[Event], Phase[H]] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "sizes", sizes_of(self.players))
        if not self.phases or not isinstance(self.phases[0], Dealing):
            raise TypeError("the first phase is not Dealing: every hand begins with a deal")
        for cls in self.events:
            if cls.corrects:
                raise ValueError(f"the event {cls.__name__} corrects: only the ledger's own events do")
        add(*self.events)
        for fact in self.facts:
            if fact.per not in get_args(Per) or fact.kind not in get_args(Kind):
                raise ValueError(
                    f"the fact {fact.key!r} is {fact.kind} per {fact.per}: choose a kind of {Kind} and one of {Per}"
                )
            if (
                fact.key in TABLE_KEYS
                and (fact.result if fact.table is None else fact.table)
                and fact.per[:5] != "match"
            ):
                raise ValueError(
                    f"the table of every game already has {fact.key!r}: rename the fact, or keep it off the table"
                )
        self.book.cite(*(one for one in (self.deal_order,) if isinstance(one, str)))
        self.book.cite(*(self.score_rules if isinstance(self.score_rules, tuple) else ()))
        for place, phase in enumerate(self.phases, 1):
            self.after[phase] = self.phases[place:]
            self.book.cite(*phase.cites())
            for kind in phase.takes:
                self._phase_for.setdefault(kind, phase)

    def scored_by(self, match: Match[H], hand: H) -> tuple[str, ...]:
        """Return the rules that gave a complete hand its points; none if the points come from a score sheet."""
        return self.score_rules if isinstance(self.score_rules, tuple) else self.score_rules(match, hand)

    def order_of_deals(self, match: Match[H]) -> str:
        """Return the rule that says who deals next, "" if anybody may."""
        return self.deal_order if isinstance(self.deal_order, str) else self.deal_order(match)

    def blank(self, n: int, options: dict[str, Any]) -> H:
        """Return an empty hand with the options that it has fields for; the caller must not change it."""
        hand: H = _blank(self, n, tuple(options.values()))
        return hand

    def rules(self) -> tuple[Callable[..., Any], ...]:
        """Return the functions that are written in the rule subset: those of its phases and turns, and the points of a hand."""
        phases = (rule for phase in self.phases for rule in phase.rules())
        return (*phases, *(self.collecting or ()), *(rule for rule in (self.scores, self.points) if rule is not None))

    def side_in(self, hand: H) -> tuple[int, ...]:
        """Return the side of each seat in a hand, as far as it is decided; raises ValueError for another number of sides."""
        if self.sides_of_hand is None:
            return self.sides(hand.n)
        side = tuple(self.sides_of_hand(hand))
        if len(side) != hand.n or {*side} != {*range(max(side) + 1)}:
            raise ValueError(f"{self.id}: sides_of_hand gives {side}, not a side from 0 on for each of {hand.n} seats")
        return side

    @property
    def deal(self) -> Dealing[H]:
        """The first phase."""
        phase = self.phases[0]
        assert isinstance(phase, Dealing)
        return phase

    def phase_for(self, kind: type[Event]) -> Phase[H] | None:
        """Return the first phase that takes a kind of event; None if the game has no such event."""
        return self._phase_for.get(kind)

    @property
    def has_sides(self) -> bool:
        """Whether partners play together, at a table of any size."""
        return any(sides_among(self.sides(n)) for n in self.sizes)

    @property
    def players_text(self) -> str:
        """The numbers of players in words: `4`, `2 or 4`, or `2 to 8`."""
        return in_words(self.sizes)

    def fill(self, given: dict[str, Any], n: int) -> dict[str, Any]:
        """Return every option with its value; raises FormatError `format.option`, RuleError `table.range`."""
        options = {option.name: option for option in self.options}
        for name in given:
            if name not in options:
                raise FormatError(
                    "format.option", f"{self.id} has no option {name!r} (it has {', '.join(options) or 'none'})"
                )
        return {
            name: option.value(given[name]) if name in given else option.default_for(n)
            for name, option in options.items()
        }


@lru_cache(maxsize=256)
def _blank(game: Any, n: int, values: tuple[Any, ...]) -> Any:
    hand = game.hand(n=n)
    hand.side = game.sides(n)
    names = option_fields(game.hand)
    for option, value in zip(game.options, values, strict=True):
        if option.name in names:
            setattr(hand, option.name, option.choices.index(value) if option.choices else 0 if value is None else value)
    return hand

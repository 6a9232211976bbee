"""A game as a value: its rulebook and the phases of a hand, and beside them the parts that others read."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Generic

from cardledger.errors import FormatError, RuleError
from cardledger.listed import meant
from cardledger.rules.engine.cards import Pack
from cardledger.rules.engine.collecting import Collecting
from cardledger.rules.engine.director import Director
from cardledger.rules.engine.event_types import add
from cardledger.rules.engine.fields import option_fields
from cardledger.rules.engine.hidden import World
from cardledger.rules.engine.option import PLAYERS, Option
from cardledger.rules.engine.orders import Orders
from cardledger.rules.engine.phases.deal import Dealing
from cardledger.rules.engine.phases.duties import Duty
from cardledger.rules.engine.phases.phase import Phase
from cardledger.rules.engine.phases.play import TrickPlay
from cardledger.rules.engine.rulebook import Rule, Rulebook
from cardledger.rules.engine.score_sheet import SheetRules
from cardledger.rules.engine.scoring import MatchScoring, best_total
from cardledger.rules.engine.shown import Fact, SeatName, Shown, Word
from cardledger.rules.engine.sides import each_alone, partners, sides_among
from cardledger.rules.engine.sizes import in_words, sizes_of
from cardledger.rules.engine.state import H
from cardledger.rules.engine.study import Bot, Study
from cardledger.sentence import Sentence

if TYPE_CHECKING:
    from cardledger.rules.engine.events import Event

__all__ = [
    "PLAYERS",
    "Bot",
    "Director",
    "Fact",
    "Game",
    "MatchScoring",
    "Option",
    "SeatName",
    "SheetRules",
    "Shown",
    "Study",
    "Word",
    "best_total",
    "each_alone",
    "partners",
]


@dataclass(frozen=True, kw_only=True, eq=False)
class Game(Generic[H]):
    """An edition of a game, as a value.

    The game itself says who plays, with which cards, by which rules. Its parts are grouped by who reads them:
    `scoring`, `director`, `shown` (people), `sheet` (those who record points alone), `study` (bots and statistics).
    """

    id: str
    """The name in files and addresses, such as `oh-hell`; it never changes."""
    title: str
    """The name that people read."""
    summary: str
    """What the game is about, in one sentence."""
    book: Rulebook
    """The rules that its functions cite, and the number of the edition."""
    players: Collection[int]
    """The numbers of players it is for: `{2, 4}`, or `range(3, 8)`."""
    options: tuple[Option, ...] = ()
    """The choices at the opening of a match."""
    check_options: Callable[[dict[str, Any], int], None] | None = None
    """`check_options(options, n)` refuses some options together, or with so many players; raises FormatError,
    RuleError."""
    sides: Callable[[int], tuple[int, ...]] = each_alone
    """`sides(n)` gives each seat the number of its side; by default everybody plays alone."""
    sides_of_hand: Callable[[H], tuple[int, ...]] | None = None
    """`sides_of_hand(hand)` gives each seat its side in a hand, as far as its phases have decided it (`hand.side`),
    where partners change from hand to hand; then each plays alone in the match.
    """
    hand: type[H]
    """The type of its hands: `Hand`, or a dataclass on top of it with the fields of the game's own."""
    pack: Callable[[dict[str, Any]], Pack]
    """The cards, by the options."""
    orders: Orders
    """Which card beats which, for each trump; `hand.order` says which order holds in a hand."""
    phases: tuple[Phase, ...]
    """The parts of a hand, in order; the first one is the deal."""
    judges_cut: bool = True
    """A hidden hand that is cut short is judged on the cards shown. Old editions did not do that, and their results
    stay."""
    scoring: MatchScoring[H]
    """The points of a hand, the end of a match, and its winners."""
    director: Director[H] = field(default_factory=Director)
    """Rulings of a director; by default there are none."""
    shown: Shown = field(default_factory=Shown)
    """What people see: facts, words, the names of seats."""
    sheet: SheetRules = field(default_factory=SheetRules)
    """Which score sheets are possible, and whether tricks alone make a result."""
    study: Study[H] = field(default_factory=Study)
    """The bot, and what is counted and measured."""
    events: tuple[type[Event], ...] = ()
    """The types of events that the game brings: those that count are taken by its phases, the others stand beside the
    play, like notes.
    """
    sizes: tuple[int, ...] = field(default=(), init=False, repr=False)
    """The numbers of players in order; it follows from `players`."""
    after: dict[Phase, tuple[Phase, ...]] = field(default_factory=dict, init=False, repr=False)
    """The phases that follow each phase."""
    _phase_for: dict[type[Event], Phase] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "sizes", sizes_of(self.players))
        if not self.phases or not isinstance(self.phases[0], Dealing):
            raise TypeError("the first phase is not Dealing: every hand begins with a deal")
        for cls in self.events:
            if cls.corrects:
                raise ValueError(f"the event {cls.__name__} corrects: only the ledger's own events do")
        add(*self.events)
        self.book.cite(*(self.scoring.rules if isinstance(self.scoring.rules, tuple) else ()))
        for place, phase in enumerate(self.phases, 1):
            self.after[phase] = self.phases[place:]
            self.book.cite(*phase.cites())
            for kind in phase.takes():
                self._phase_for.setdefault(kind, phase)

    def revised(self, edition: int, *corrected: Rule | Duty, **parts: Any) -> Game[H]:
        """Return a later edition: rules and duties of the play take the place of those of the same rule.

        `parts` are further fields that differ. Raises KeyError for a rule that the book or the play does not have.
        """
        rules = [one for one in corrected if isinstance(one, Rule)]
        duties = {one.rule: one for one in corrected if isinstance(one, Duty)}
        if duties:
            known = {duty.rule for phase in self.phases if isinstance(phase, TrickPlay) for duty in phase.duties}
            if unknown := duties.keys() - known:
                raise KeyError(f"{self.id} has no duty of the rule {', '.join(sorted(unknown))}")
            plays = (phase.corrected(duties) if isinstance(phase, TrickPlay) else phase for phase in self.phases)
            parts = {"phases": tuple(plays), **parts}
        return replace(self, book=self.book.revised(edition, *rules), **parts)

    def blank(self, n: int, options: dict[str, Any]) -> H:
        """Return an empty hand with the options that it has fields for; the caller must not change it."""
        hand: H = _blank(self, n, tuple(options.values()))
        return hand

    def rules(self) -> tuple[Callable[..., Any], ...]:
        """Return the functions that are written in the rule subset.

        Those of its phases and turns, and the points of a hand.
        """
        phases = (rule for phase in self.phases for rule in phase.rules())
        points = (rule for rule in (self.scoring.scores, self.scoring.points) if rule is not None)
        return (*phases, *(self.collecting or ()), *points)

    def side_in(self, hand: H) -> tuple[int, ...]:
        """Return the side of each seat in a hand, as far as it is decided.

        Raises ValueError for another number of sides.
        """
        if self.sides_of_hand is None:
            return self.sides(hand.n)
        side = tuple(self.sides_of_hand(hand))
        if len(side) != hand.n or {*side} != {*range(max(side) + 1)}:
            raise ValueError(f"{self.id}: sides_of_hand gives {side}, not a side from 0 on for each of {hand.n} seats")
        return side

    @property
    def deal(self) -> Dealing:
        """The first phase."""
        phase = self.phases[0]
        assert isinstance(phase, Dealing)
        return phase

    @property
    def world(self) -> type[World]:
        """What is known of a hidden hand: a phase may need to remember more than where the cards may be."""
        return next((phase.world for phase in self.phases if phase.world is not World), World)

    @property
    def collecting(self) -> Collecting | None:
        """The rules of turns that a bot plays by; None in a game of tricks."""
        return None if self.study.bot is None else self.study.bot.collecting

    def phase_for(self, kind: type[Event]) -> Phase | None:
        """Return the first phase that takes a kind of event; None if the game has no such event."""
        return self._phase_for.get(kind)

    def plays_like(self, other: Game[Any]) -> bool:
        """Tell whether the same cards and choices give the same points in another edition, whatever else differs."""
        parts = ("phases", "options", "scoring", "hand", "pack", "orders", "sides", "sides_of_hand")
        return all(getattr(self, name) == getattr(other, name) for name in parts)

    @property
    def has_sides(self) -> bool:
        """Whether partners play together, at a table of any size."""
        return any(sides_among(self.sides(n)) for n in self.sizes)

    @property
    def players_text(self) -> str:
        """The numbers of players in words: `4`, `2 or 4`, or `2 to 8`."""
        return in_words(self.sizes)

    def expect_size(self, n: int) -> None:
        """Raise RuleError `table.range` if the game is not for so many players."""
        if n not in self.sizes:
            raise RuleError(
                "table.range",
                Sentence("{id} is for {players} players, not {n}", id=self.id, players=self.players_text, n=n),
            )

    def fill(self, given: dict[str, Any], n: int) -> dict[str, Any]:
        """Return every option with its value; raises FormatError `format.option`, RuleError `table.range`."""
        options = {option.name: option for option in self.options}
        for name in given:
            if name not in options:
                raise FormatError(
                    "format.option",
                    f"{self.id} has no option {name!r}{meant(name, options)} (it has {', '.join(options) or 'none'})",
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

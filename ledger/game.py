"""A game as a value: identity, options and rulebook, how its tricks go and its matches end. Those under `games/` are made of these parts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ledger.errors import FormatError, RuleError
from ledger.rulebook import Rulebook

if TYPE_CHECKING:
    from ledger.cards import Pack
    from ledger.events import Open
    from ledger.hand import Hand
    from ledger.measures import Counts, Measure, Played

Duty = Callable[[Any, int], int]
"""Asked with the table and the cards held, returns those that keep the rule; none at all: nothing may be played."""
Duties = tuple[tuple[str, Duty], ...]
"""Duties with the ids of their rules, in the order of the rulebook."""

PLAYERS = object()
"""Default of an option that is the number of players unless the match says otherwise."""


@dataclass(frozen=True, slots=True)
class Option:
    """A choice made at the opening of a match.

    Its kind follows from its default: true/false, one of `choices`, or a whole number ≥ 1 (None: may be absent).
    """

    name: str
    default: object
    text: str
    choices: tuple[str, ...] = ()

    def value(self, given: object) -> object:
        """Return the value in force; raises FormatError `format.option`, RuleError `table.range`."""
        if self.choices:
            if given not in self.choices:
                raise FormatError("format.option", f"{self.name} is one of {', '.join(self.choices)}")
        elif isinstance(self.default, bool):
            if not isinstance(given, bool):
                raise FormatError("format.option", f"{self.name} is true or false")
        elif given is None and self.default is None:
            pass
        elif isinstance(given, bool) or not isinstance(given, int):
            raise FormatError("format.option", f"{self.name} is a whole number")
        elif given < 1:
            raise RuleError("table.range", f"{self.name} is at least 1")
        return given

    def default_for(self, n: int) -> object:
        """Return the default for a match of `n` players."""
        return n if self.default is PLAYERS else self.default

    @property
    def default_text(self) -> str:
        """The default in words."""
        if self.default is PLAYERS:
            return "number of players"
        if isinstance(self.default, bool):
            return "yes" if self.default else "no"
        return "none" if self.default is None else str(self.default)


@dataclass(frozen=True, kw_only=True)
class Game:
    """What makes a game: `table` is the class that holds the state of its matches (see `ledger.table`).

    `players` is the range of player counts, `fewest` says that the fewest points win, and `over(table)` is asked
    after every hand: it returns the id of the rule that ends the match, or None. `count(played)` counts what happened
    in a hand, seat by seat, and `measures` are made of these counts (see `ledger.measures`).
    """

    id: str
    title: str
    summary: str
    book: Rulebook
    players: range
    options: tuple[Option, ...]
    fewest: bool
    over: Callable[[Any], str | None]
    table: Callable[[Game, Open], Any]
    deal_keys: frozenset[str] = frozenset({"dealer"})
    deal_order: str = "deal.left"
    count: Callable[[Played], Counts] | None = None
    measures: tuple[Measure, ...] = ()

    @property
    def players_text(self) -> str:
        """The numbers of players in words: `4`, or `2 to 8`."""
        first, last = self.players[0], self.players[-1]
        return str(first) if first == last else f"{first} to {last}"

    def scored_by(self, hand: Hand) -> tuple[str, ...]:
        """Return the rules that gave a complete hand its points, where the score sheet did not."""
        return ()

    def fill(self, given: dict[str, Any], n: int) -> dict[str, Any]:
        """Return every option with its value; raises FormatError `format.option`, RuleError `table.range`."""
        known = {option.name: option for option in self.options}
        for name in given:
            if name not in known:
                raise FormatError(
                    "format.option",
                    f"{self.id} has no option {name!r} (it has {', '.join(known) or 'none'})",
                )
        return {
            name: option.value(given[name]) if name in given else option.default_for(n)
            for name, option in known.items()
        }


@dataclass(frozen=True, kw_only=True)
class TrickGame(Game):
    """A game of tricks, as a value with named parts.

    `cards_of(options, n)` returns the pack, the set of cards in play and how many each seat is dealt; what is left
    over lies `aside` or is the stock, if `deal_keys` names one. `first_lead(table)` returns the seat that leads to
    the first trick, or None where that depends on hands not known; `lead_rule` is its rule. `lead` and `follow`
    are the duties of whoever leads and follows. `taker(table, trick)` returns the place in the trick that takes it
    (−1: tied) and the rule; `next_lead(taker, n)` the seat that leads next, under `next_rule`. `score(table)`
    returns the points of a complete hand, under the rules `score_rules`. `claims` says that hands are scored by the
    number of tricks, so that a table may agree on the rest; `free_rule` is the rule that any card may be played.
    """

    cards_of: Callable[[dict[str, Any], int], tuple[Pack, int, int]]
    deal_rule: str
    first_lead: Callable[[Any], int | None]
    lead_rule: str
    lead: Duties
    follow: Duties
    taker: Callable[[Any, list[int]], tuple[int, str]]
    next_lead: Callable[[int, int], int]
    next_rule: str
    score: Callable[[Any], list[int]]
    score_rules: tuple[str, ...]
    claims: bool = True
    free_rule: str | None = None

    def __post_init__(self) -> None:
        duties = (rule for rule, _ in (*self.lead, *self.follow))
        self.book.cite(self.deal_rule, self.deal_order, self.lead_rule, self.next_rule)
        self.book.cite(*duties, *self.score_rules)

    def scored_by(self, hand: Hand) -> tuple[str, ...]:
        """The same rules every time."""
        return self.score_rules

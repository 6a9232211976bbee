"""What people see of a game: its facts, its words, the names of its seats."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

if TYPE_CHECKING:
    from cardledger.rules.engine.match import Match

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
"""The kind of a fact's value, for readers: a number, yes or no, a card's face, a suit's letter, a seat, a call, a
contract (a seat and its call), a director's ruling, pairs of debtor and creditor, a pile face up (the top last), a
stock face down (its size)."""

_CALLED: Final = ("call", "calls", "contract")
"""The kinds of values that pages say as the game's vocabulary does."""
TABLE_KEYS: Final = frozenset({
    "match", "view", "game", "players", "seq", "counted", "violations", "status", "phase", "turn", "hand", "dealer",
    "totals", "hands", "trick", "tricks_taken", "tricks_left", "playing", "facts", "choices",
})  # fmt: skip
"""The keys that the table of every game has; no fact may use them."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact of a game about a match, a hand, or each seat of one."""

    key: str
    """Its name in results and exports; and the field of the hand, or of the match's account, that holds it."""
    title: str
    """What people call it."""
    per: Per
    """What it is about: a match, each of its seats, a hand, or each seat in it."""
    kind: Kind
    """What its value is, so that readers can show it."""
    value: Callable[[Any, Any], Any] | None = None
    """`value(match, hand)` computes the value, ready for JSON, where no field holds it."""
    result: bool = True
    """It is part of the result of a replay."""
    table: bool | None = None
    """It is shown in the hand under way; by default if it is part of the result."""
    when: Callable[[dict[str, Any]], bool] | None = None
    """Tells by the options whether a match has the fact; by default every match has."""
    words: tuple[tuple[str, str], ...] = ()
    """The values of a text, with what people say for them; pages translate it."""

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
    """A call of the game's vocabulary."""

    call: str
    """The call as recorded."""
    text: str
    """A phrase about the player who calls: `orders it up`."""
    short: str = ""
    """The call as typed in short."""
    shown: str = ""
    """What pages show; by default the call as recorded."""
    row: int = 0
    """Calls with the same row stand side by side where they are tapped, like those of a bidding box; 0: in no row."""


@dataclass(frozen=True, slots=True)
class SeatName:
    """What the players call a seat."""

    name: str
    """Its name: `North`."""
    short: str
    """Its name in short: `N`."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Shown:
    """What pages, texts, tables and exports show of a game besides its cards and points; nothing by default."""

    facts: tuple[Fact, ...] = ()
    """Facts about a match, a hand or a seat, in the order in which people read them."""
    words: tuple[Word, ...] = ()
    """The vocabulary of the game: the only calls that it takes. A call as a number is its place among them."""
    seats: tuple[SeatName, ...] = ()
    """The names of the seats, if they have any, such as North; in order, one for each."""
    bottom: int = 0
    """The seat that diagrams draw at the bottom."""
    course: tuple[str, Callable[[Match[Any], int], int]] | None = None
    """What the figure of a hand shows for each seat where it is not the tricks taken: its name, and a count of the
    cards in hand."""

    def __post_init__(self) -> None:
        for fact in self.facts:
            if fact.per not in get_args(Per) or fact.kind not in get_args(Kind):
                raise ValueError(
                    f"the fact {fact.key!r} is {fact.kind} per {fact.per}: choose a kind of {Kind} and one of {Per}"
                )
            if not (fact.words if fact.kind == "text" else self.words or fact.kind not in _CALLED):
                raise ValueError(
                    f"the fact {fact.key!r} is a {fact.kind}, but nothing says its values in words: give the fact "
                    f"words if it is a text, and the game a vocabulary if it is a call"
                )
            on_table = fact.result if fact.table is None else fact.table
            if fact.key in TABLE_KEYS and on_table and not fact.per.startswith("match"):
                raise ValueError(
                    f"the table of every game already has {fact.key!r}: rename the fact, or keep it off the table"
                )

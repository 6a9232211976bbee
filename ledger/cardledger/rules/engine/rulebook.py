"""Rules as data: a game's numbered clauses, and the rulings that cite them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from cardledger.rules.engine.rule_names import named
from cardledger.sentence import with_names


@dataclass(frozen=True, slots=True)
class Rule:
    """One clause of a rulebook.

    `breakable` marks a rule that can be broken at a real table (†); `ours` marks our own ruling on a point that the
    source leaves open. `name` is a name of its own, where that of its id (rule_names.py) does not fit.
    """

    id: str
    text: str
    breakable: bool = False
    ours: bool = False
    name: str = ""

    @property
    def title(self) -> str:
        """The rule in a few words."""
        return self.name or named(self.id)


COMMON = (
    Rule("table.turn", "Act only when it is your turn."),
    Rule("table.holding", "Play or give only a card you hold; a card already seen elsewhere cannot be yours."),
    Rule("table.phase", "Do only what fits the moment: no card before the deal, nothing after the match."),
    Rule("table.deck", "Cards dealt or drawn must be exactly those the pack still has."),
    Rule("table.range", "Seats, event numbers, options and lists must be of the size the match has."),
    Rule("claim.agreed", "The table may agree how the remaining tricks fall; they are counted and not judged."),
    Rule("score.agreed", "The table may write down the points of a hand; nothing is computed or judged."),
)  # fmt: skip
"""Rules that every game shares: what is impossible at any table, and how a hand may be cut short."""


class Rulebook:
    """The rules of one edition of a game; if a card breaks several, the first in order is named.

    `source` says where the game was published. A released edition never changes its rulings: results stay.
    """

    def __init__(self, game: str, edition: int, source: str, rules: tuple[Rule, ...]) -> None:
        self.game = game
        self.number = edition
        self.edition = f"{game}/{edition}"
        self.source = source
        self.rules = rules
        self._by_id = {rule.id: rule for rule in (*rules, *COMMON)}
        if len(self._by_id) != len(rules) + len(COMMON):
            raise ValueError(f"{game}: a rule id is given twice")

    def revised(self, edition: int, *rules: Rule) -> Rulebook:
        """Return a later edition, in which `rules` replace those of the same ids; raises KeyError for another id."""
        self.cite(*(rule.id for rule in rules))
        changed = {rule.id: rule for rule in rules}
        return Rulebook(self.game, edition, self.source, tuple(changed.get(rule.id, rule) for rule in self.rules))

    def __getitem__(self, id: str) -> Rule:
        return self._by_id[id]

    def __contains__(self, id: object) -> bool:
        return id in self._by_id

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules)

    def cite(self, *ids: str) -> tuple[str, ...]:
        """Return the ids as given.

        Raises KeyError for an id that is not in the book, so a wrong citation fails at import.
        """
        for id in ids:
            if id not in self._by_id:
                raise KeyError(f"the rulebook {self.edition} has no rule {id}: add it, or cite another")
        return ids


@dataclass(frozen=True, slots=True)
class Ruling:
    """An entry of the audit trail: the effect of `rule` on event `seq`, in words.

    `verdict` is `allowed` (the event was checked and passed), `broken` (it broke the rule), or `resolved` (the rule
    decided a taker, a leader, a score).
    """

    seq: int
    rule: str
    verdict: str
    text: str

    def with_names(self, names: Sequence[str]) -> Ruling:
        """Return the ruling with the players of seats called by their names."""
        return replace(self, text=with_names(self.text, names))


@dataclass(frozen=True, slots=True)
class Violation:
    """An irregular event: its number as first recorded, the seat, the first broken rule, and the legal cards or calls.

    `trick` is the number of the trick it was played to, 0 if it was no play.
    """

    seq: int
    seat: int
    rule: str
    legal: tuple[str, ...]
    trick: int = field(default=0, compare=False)

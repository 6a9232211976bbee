"""Decision review: the cost of each choice against the best alternative, by rollouts from what the seat could know.

All methods that average over possible worlds share some flaws (Long et al. 2010). After the choice everybody plays like
the bots, so a card that pays only as part of a plan is undervalued. (The bots do not see hidden hands, so there is no
strategy fusion; but they are no experts.) What the others would infer from the choice does not count (non-locality).
Possible worlds ignore bids and cards held back. So a cost is the cost among cautious players; it is always shown next
to the result of the hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from cardledger.errors import RuleError
from cardledger.rules.bots.trials import NOISE, Trials, options_of
from cardledger.rules.engine import events as ev
from cardledger.rules.knowledge.possible_worlds import Knowledge
from cardledger.rules.questions import BAD, MANY
from cardledger.study.stats.estimators import PUZZLES, REVIEW
from cardledger.study.stats.luck.deals import Dealt

if TYPE_CHECKING:
    from cardledger.rules.bots.likely_worlds import Choices


class Method(NamedTuple):
    """A way to review, by the name of its edition, which changes whenever its reviews do.

    The best alternative is chosen in so many possible worlds (`choosing`), and then compared with the actual choice in
    so many others (`judging`).
    """

    edition: str
    choosing: int
    judging: int

    @property
    def worlds(self) -> int:
        """How many possible worlds there are in all."""
        return self.choosing + self.judging


USUAL = Method(REVIEW.edition, 12, 24)
THOROUGH = Method(f"{REVIEW.edition}-thorough", 100, 100)
"""Five to six times the work: it finds small mistakes too, and so tells good players apart
(ledger/cardledger/study/stats/README.md)."""
FOR_PUZZLES = Method(PUZZLES.edition, 40, 80)
"""A puzzle is a claim about one position, so it is judged in more possible worlds."""
EDITION = USUAL.edition
SCREENING = 2
"""Number of worlds in which the promising options are found: there are 286 ways to pass three cards of thirteen."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision of a player: event `seq` of the match.

    `made` is what the player chose, `best` what did best in the possible worlds. `cost` is the difference in points of
    the hand, an unbiased estimate that can be negative, and `error` its standard error.
    """

    seq: int
    seat: int
    type: str
    made: str
    best: str
    options: int
    cost: float
    error: float

    @property
    def bad(self) -> bool:
        """Whether the cost is beyond doubt."""
        return self.cost > BAD * self.error and self.cost > 0


def review(
    dealt: Dealt,
    dealer: int,
    events: Sequence[tuple[int, ev.Event]],
    method: Method = USUAL,
    *,
    noise: float = NOISE,
    open_hands: bool = False,
) -> list[Decision]:
    """Return the unforced decisions of a hand in order; `events` are the ones that count, deal first.

    The random seed depends only on the deal and the decision. With `open_hands` the rollouts start from the true cards.
    """
    decisions = []
    for number, seq, act, options, table, knowledge in unforced(dealt, dealer, events):
        seed = f"{method.edition}/{dealt.key}/{number}"
        trials = Trials(table, act.seat, None if open_hands else knowledge, seed, noise)
        best, cost, error = _judged(trials, options, method)
        seat = (act.seat + dealer) % table.n
        decisions.append(
            Decision(seq, seat, ev.type_of(act), words(act), words(options[best]), len(options), cost, error)
        )
    return decisions


def unforced(
    dealt: Dealt, dealer: int, events: Sequence[tuple[int, ev.Event]], choices: Choices | None = None
) -> Iterator[tuple[int, int, Any, list[ev.Event], Any, Knowledge]]:
    """Yield the unforced decisions of a hand in order, with seats counted from the dealer on.

    Each with its number, its event's number, what was chosen, the options (that one first), the table before it, and
    what the seats know there. `choices` notes them all, if it is given. If the deal was not recorded, the play may have
    taken a course that the rules, now knowing the deal, do not allow: then it ends there.
    """
    n = dealt.situation.n
    table = dealt.table(strict=False)
    knowledge = Knowledge(n)
    for number, (seq, event) in enumerate(events[1:], 1):
        act = rotated(event, dealer, n)
        if act is None:
            continue
        if table.hand.over:
            break
        options = options_of(table, act)
        if len(options) > 1:
            yield number, seq, act, options, table, knowledge
        if choices is not None:
            choices.apply(table, act)
        try:
            knowledge.apply(table, act, seq)
        except RuleError:
            break


def rotated(event: ev.Event, dealer: int, n: int) -> Any:
    """Return an event with seats counted from the dealer on; None for an event that is not an act of a seat."""
    if not hasattr(event, "seat") or isinstance(event, ev.Claim):
        return None
    turned = {}
    for key in ("seat", "to", "source"):
        at = getattr(event, key, None)
        if type(at) is int:
            turned[key] = (at - dealer) % n
    return msgspec.structs.replace(ev.bare(event), **turned)


def _judged(trials: Trials, options: Sequence[ev.Event], method: Method) -> tuple[int, float, float]:
    """Return the best option, the cost of the first option against it, and the standard error of the cost.

    The best option is chosen in some worlds and judged in others, so luck in the choosing does not count (no winner's
    curse). If no option is ahead by more than the standard error, the cost is 0. Of very many options only the most
    promising are tried in all worlds.
    """
    if len(options) > MANY:
        tried = trials.promising(options, range(-SCREENING, 0))
        best, cost, error = _judged(trials, [options[i] for i in tried], method)
        return tried[best], cost, error
    chosen_on = trials.points(options, range(method.choosing))
    best = max(range(len(options)), key=lambda i: sum(chosen_on[i]))
    lead, error = difference(chosen_on[best], chosen_on[0])
    if lead <= error:
        return 0, 0.0, 0.0
    others = range(method.choosing, method.worlds)
    a, b = trials.points((options[best], options[0]), others)
    return best, *difference(a, b)


def difference(a: Sequence[int], b: Sequence[int]) -> tuple[float, float]:
    """Return the mean of pairwise differences and its standard error."""
    differences = [x - y for x, y in zip(a, b, strict=True)]
    n = len(differences)
    mean = sum(differences) / n
    return mean, sqrt(sum((one - mean) ** 2 for one in differences) / (n - 1) / n)


def words(event: Any) -> str:
    """Say what was chosen: a card, a bid, a pile, a suit or a seat."""
    match event:
        case ev.Bid(amount=amount):
            return str(amount)
        case ev.Draw(source=source):
            return str(source)
        case ev.Collect(source=source):
            return f"seat {source}"
        case ev.Ask(suit=suit):
            return str(suit)
        case ev.Pass():
            return "pass"
        case ev.Close(card=card):
            return f"close {card}"
        case ev.Call(call=call):
            return str(call)
        case ev.Give(cards=tuple() as cards):
            return " ".join(cards)
        case _:
            return str(event.card)

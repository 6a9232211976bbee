"""Decision review: what each choice gave up against the best alternative, judged by rollouts over what the seat could know.

Known flaws, of every method that averages over possible worlds (Long et al. 2010): after the choice all play as if
they saw no more than the bots do, so a card that pays only by a plan is undervalued (strategy fusion is avoided, as the bots do
not see hands, but they are no experts), and what others would infer from the choice counts for nothing (non-locality).
Worlds are drawn without regard to bids and to cards held back. So a cost is that of a choice among cautious
players, and is shown beside what came of the hand, never alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from random import Random
from typing import Any

import msgspec

from ledger import events as ev
from ledger.bots.random_bot import events_of
from ledger.errors import RuleError
from ledger.stats.deals import Dealt
from ledger.stats.possible import Knowledge, world
from ledger.stats.rollouts import drawn, play_out

EDITION = "review-1"
"""Names the method: raised whenever reviews change."""
CHOOSING = 12
"""Possible worlds in which the best alternative of a decision is chosen."""
JUDGING = 24
"""Other worlds, in which it is judged against what was done."""
NOISE = 0.1
"""Chance that a bot of the rollouts takes any legal card."""
BAD = 2.0
"""A choice is called bad when it gave up more than so many standard errors."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A choice somebody had: event `seq` of the match.

    `made` and `best` say what was chosen and what did best over all worlds; `cost` is what was given up, in points of
    the hand: an estimate without bias that may be below 0, with its standard error.
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
        """Whether it surely cost something."""
        return self.cost > BAD * self.error and self.cost > 0


def review(
    dealt: Dealt,
    dealer: int,
    events: Sequence[tuple[int, ev.Event]],
    *,
    noise: float = NOISE,
    open_hands: bool = False,
) -> list[Decision]:
    """Return every decision of a hand that was not forced, in order; `events` are those that count, the deal first.

    Chance comes from the content of deal and choice alone. A hand whose deal nobody had written down may have taken
    a course that the rules, knowing the deal, cannot follow: it is reviewed up to there. With `open_hands` rollouts start from the true lie of
    the cards.
    """
    n = dealt.situation.n
    table = dealt.table(strict=False)
    knowledge = Knowledge(n)
    found = []
    key = dealt.key
    for number, (seq, event) in enumerate(events[1:], 1):
        act = turned(event, dealer, n)
        if act is None:
            continue
        if table.hand is None:
            break
        options = _options(table, act)
        if len(options) > 1:
            trials = _Trials(table, None if open_hands else knowledge, f"{EDITION}/{key}/{number}", noise)
            best, cost, error = _judged(trials, options)
            seat = (table.turn + dealer) % n
            made, better = words(act), words(options[best])
            found.append(Decision(seq, seat, ev.type_of(event), made, better, len(options), cost, error))
        try:
            table.apply(act, seq)
        except RuleError:
            break
        knowledge.see(table, act)
    return found


def turned(event: ev.Event, dealer: int, n: int) -> Any:
    """Return an event of play with seats counted from the dealer on; None for what is no act of a seat."""
    if not hasattr(event, "seat"):
        return None
    turned = {}
    for key in ("seat", "to", "source"):
        at = getattr(event, key, None)
        if type(at) is int:
            turned[key] = (at - dealer) % n
    return msgspec.structs.replace(event, seq=None, id=None, at=None, by=None, **turned)


def _options(table: Any, made: Any) -> list[ev.Event]:
    """Return what the seat to act might do, what it did first; nothing where it is not known whose turn it is."""
    if table.turn is None:
        return []
    if isinstance(made, ev.Draw) and made.source == "stock":
        made = ev.Draw(seat=made.seat, source="stock", cards=())
    others = [
        event for choice in table.choices() if choice.seat is not None for event in events_of(choice) if event != made
    ]
    return [made, *others]


class _Trials:
    """Rollouts of options from the same worlds, with the same chance after them."""

    def __init__(self, table: Any, knowledge: Knowledge | None, seed: str, noise: float) -> None:
        self.table = table
        self.knowledge = knowledge
        self.seed = seed
        self.bots = (noise,) * table.n
        self.sign = -1 if table.game.fewest else 1

    def points(self, options: Sequence[ev.Event], numbers: range) -> list[list[int]]:
        """Return the seat's points (more are better) by option and world."""
        table, seat = self.table, self.table.turn
        found: list[list[int]] = [[] for _ in options]
        for number in numbers:
            rng = Random(f"{self.seed}/{number}")
            lie = table if self.knowledge is None else world(table, seat, self.knowledge, rng)
            chance = rng.getrandbits(64)
            for option, points in zip(options, found, strict=True):
                scores = self._after(lie.copy(), option, Random(chance))
                points.append(self.sign * scores[seat] if scores else 0)
        return found

    def _after(self, table: Any, option: ev.Event, rng: Random) -> list[int] | None:
        hand = table.hand
        if isinstance(option, ev.Draw) and option.source == "stock":
            option = drawn(table, rng)
        table.apply(option, table.seq)
        scores: list[int] | None = hand.scores
        return scores if table.hand is not hand else play_out(table, rng, self.bots)


def _judged(trials: _Trials, options: Sequence[ev.Event]) -> tuple[int, float, float]:
    """Return the best option, what the first one gave up against it, and the standard error of that.

    The best is chosen in some worlds and judged in others, so nothing is gained by having been lucky when chosen (no
    winner's curse). Where no other is ahead by more than the error of the trial, nothing was given up.
    """
    chosen_on = trials.points(options, range(CHOOSING))
    best = max(range(len(options)), key=lambda i: sum(chosen_on[i]))
    lead, error = _difference(chosen_on[best], chosen_on[0])
    if lead <= error:
        return 0, 0.0, 0.0
    a, b = trials.points((options[best], options[0]), range(CHOOSING, CHOOSING + JUDGING))
    return best, *_difference(a, b)


def _difference(a: Sequence[int], b: Sequence[int]) -> tuple[float, float]:
    """Return the mean of the differences of pairs, and its standard error."""
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
        case _:
            return str(event.card)

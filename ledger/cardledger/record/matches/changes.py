"""The effects of a correction.

Tricks, points, totals and violations, found by folding the match before and after it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from cardledger.rules.engine import events as ev
from cardledger.rules.engine.match import Match
from cardledger.rules.engine.rulebook import Violation
from cardledger.rules.engine.state import Hand, Trick
from cardledger.rules.stream import Stream, unroll


@dataclass(frozen=True, slots=True)
class HandChange:
    """A hand before and after (None: it did not exist), and its changed tricks, by number."""

    number: int
    before: Hand | None
    after: Hand | None
    tricks: tuple[tuple[int, Trick | None, Trick | None], ...]

    @property
    def scores(self) -> tuple[list[int] | None, list[int] | None]:
        """The points before and after; None if there are none."""
        return (
            None if self.before is None else self.before.scores,
            None if self.after is None else self.after.scores,
        )


@dataclass(frozen=True, slots=True)
class Change:
    """The effect of the retract, amend or void with number `seq`.

    `replaced` is the event that an amendment replaced. `gone` are the numbers of events that no longer count, `back`
    of those that count again. `ceased` and `arisen` are violations; `hands` the changed hands.
    """

    seq: int
    replaced: ev.Event | None
    gone: tuple[int, ...]
    back: tuple[int, ...]
    hands: tuple[HandChange, ...]
    ceased: tuple[Violation, ...]
    arisen: tuple[Violation, ...]
    before: Match[Any]
    after: Match[Any]


def changes(events: Sequence[ev.Event], among: range) -> Iterator[Change]:
    """Yield the effect of each correction whose number is in `among`; raises like folding."""
    corrections = [seq for seq in among if events[seq - 1].corrects]
    stream = Stream(events[0])
    for seq in corrections:
        stream.extend(events[stream.seq : seq - 1])
        before = stream.table  # a correction makes a new table and leaves this one unchanged
        stream.append(events[seq - 1])
        yield _change(seq, stream, before)


def _change(seq: int, stream: Stream, before: Match[Any]) -> Change:
    after = stream.table.copy()  # the next event changes the table itself
    counted, counts = (dict(unroll(stream.heads[place])) for place in (seq - 2, seq - 1))
    broken, broken_now = {*before.violations}, {*after.violations}
    hands = (_hand(number, *pair) for number, pair in enumerate(zip_longest(before.hands, after.hands), 1))
    return Change(
        seq,
        stream.corrections[-1].replaced,
        tuple(number for number in counted if number not in counts),
        tuple(number for number in counts if number not in counted and number != seq),
        tuple(hand for hand in hands if hand is not None),
        tuple(violation for violation in before.violations if violation not in broken_now),
        tuple(violation for violation in after.violations if violation not in broken),
        before,
        after,
    )


def _hand(number: int, before: Hand | None, after: Hand | None) -> HandChange | None:
    """Return the changes of a hand, None without any."""
    if before is after:
        return None
    pairs = zip_longest(before.tricks if before else (), after.tricks if after else ())
    tricks = tuple((place, old, new) for place, (old, new) in enumerate(pairs, 1) if old != new)
    if before and after and not tricks and (before.scores, before.taken) == (after.scores, after.taken):
        return None
    return HandChange(number, before, after, tricks)

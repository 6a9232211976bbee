"""What a correction changed: tricks, points, totals and violations, found by folding the match before and after it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from ledger import events as ev
from ledger.corrections import Stream, unroll
from ledger.hand import Hand, Trick
from ledger.rulebook import Violation
from ledger.table import Table


@dataclass(frozen=True, slots=True)
class HandChange:
    """A hand before and after (None: it was not there), and its tricks that are not the same, by number."""

    number: int
    before: Hand | None
    after: Hand | None
    tricks: tuple[tuple[int, Trick | None, Trick | None], ...]

    @property
    def scores(self) -> tuple[list[int] | None, list[int] | None]:
        """The points before and after; None as long as there are none."""
        return (
            None if self.before is None else self.before.scores,
            None if self.after is None else self.after.scores,
        )


@dataclass(frozen=True, slots=True)
class Change:
    """What became of a match by the retract or amend recorded as number `seq`.

    `replaced` is what an amendment replaced. `gone` are the numbers of the events that no longer count, `back` of those
    that count again. `ceased` and `arisen` are violations; `hands` those that are not the same.
    """

    seq: int
    replaced: ev.Event | None
    gone: tuple[int, ...]
    back: tuple[int, ...]
    hands: tuple[HandChange, ...]
    ceased: tuple[Violation, ...]
    arisen: tuple[Violation, ...]
    before: Table
    after: Table


def changes(events: Sequence[ev.Event], among: range) -> Iterator[Change]:
    """Yield what each correction whose number is in `among` changed; raises as folding does."""
    found = [seq for seq in among if isinstance(events[seq - 1], ev.Retract | ev.Amend)]
    stream = Stream(events[0])
    for seq in found:
        stream.extend(events[stream.seq : seq - 1])
        before = stream.table  # a correction makes a new one and leaves this as it was
        stream.append(events[seq - 1])
        yield _change(seq, stream, before)


def _change(seq: int, stream: Stream, before: Table) -> Change:
    after = stream.table.copy()  # what is recorded next goes on with the table itself
    counted, counts = (dict(unroll(stream.heads[place])) for place in (seq - 2, seq - 1))
    hands = (_hand(number, *pair) for number, pair in enumerate(zip_longest(before.hands, after.hands), 1))
    return Change(
        seq,
        stream.corrections[-1].replaced,
        tuple(number for number in counted if number not in counts),
        tuple(number for number in counts if number not in counted),
        tuple(hand for hand in hands if hand is not None),
        tuple(found for found in before.violations if found not in after.violations),
        tuple(found for found in after.violations if found not in before.violations),
        before,
        after,
    )


def _hand(number: int, before: Hand | None, after: Hand | None) -> HandChange | None:
    """Return how a hand differs, or None if it does not."""
    pairs = zip_longest(before.tricks if before else (), after.tricks if after else ())
    tricks = tuple((place, old, new) for place, (old, new) in enumerate(pairs, 1) if old != new)
    if before and after and not tricks and (before.scores, before.taken) == (after.scores, after.taken):
        return None
    return HandChange(number, before, after, tricks)

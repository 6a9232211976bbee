"""Histories of one match as its clients saw them, and a check that one order of events explains all their answers.

What a match is to its clients: a log. An operation is one of
* `append`: expecting the log to be `expected` long (None: however long it is), append one event marked `mark`; answered with
  the number it got, or refused with the length the log had then (which is not `expected`);
* `read`: answered with the marks of all events;
* either may go unanswered: an append that was lost may have taken effect once, at any time after it was sent, or never.
An append sent again with the same mark (a key, for the server) is the same operation until it is answered: it takes effect
once, between the first time it was sent and its answer.

A history is linearizable (Herlihy and Wing 1990) if each answered operation, and some of the unanswered appends, can be
given one moment between sending and answer so that a log to which they are done one by one in that order gives just these
answers. `linearizable` searches for the order as Wing and Gong (1993) do, with the memory of Lowe (2017): operations are
taken one after the other, each time one of those that were sent before the earliest answer that is still missing; a set of
operations done, with the log they made, that led nowhere once is not tried again.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Sequence

Log = tuple[str, ...]


@dataclass(frozen=True)
class Op:
    """A request of a client with its answer and times: `ended` is infinite for a request without an answer.

    `told` is for an append the number of its event or, if `refused`, how long the log was; for a read its marks.
    """

    kind: Literal["append", "read"]
    began: float
    ended: float = inf
    mark: str = ""
    expected: int | None = 0
    refused: bool = False
    told: int | Log | None = None

    def done_to(self, log: Log) -> Log | None:
        """Return what becomes of a log, None if the answer cannot be to that."""
        if self.kind == "read":
            return log if self.told == log else None
        fits = self.expected in (None, len(log))
        if self.ended == inf:
            return (*log, self.mark) if fits else None
        if self.refused:
            return log if not fits and self.told == len(log) else None
        return (*log, self.mark) if fits and self.told == len(log) + 1 else None


def linearizable(history: Sequence[Op], log: Log = ()) -> bool:
    """Tell whether an order explains a history that begins with a log."""
    # A lost read tells nothing and changes nothing.
    ops = sorted((op for op in history if op.kind == "append" or op.ended < inf), key=lambda op: op.began)
    answered = frozenset(number for number, op in enumerate(ops) if op.ended < inf)
    # A log only grows, so until the longest one is read, it begins as that one does. Without this, a slow machine, on
    # which many operations are under way at once, would leave too many orders to try.
    reads = [number for number in answered if ops[number].kind == "read"]
    longest = max(reads, key=lambda number: len(ops[number].told), default=None)  # type: ignore[arg-type]
    tried: set[tuple[frozenset[int], Log]] = set()
    stack: list[tuple[frozenset[int], Log]] = [(frozenset(), log)]
    while stack:
        done, log = stack.pop()
        if answered <= done:
            return True
        if (done, log) in tried:
            continue
        tried.add((done, log))
        first = min(ops[number].ended for number in answered - done)
        for number, op in enumerate(ops):
            if op.began > first:
                break
            if number in done or (after := op.done_to(log)) is None:
                continue
            if longest is None or longest in done or ops[longest].told[: len(after)] == after:  # type: ignore[index]
                stack.append((done | {number}, after))
    return False

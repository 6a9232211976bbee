"""A queue in which several parties take turns: each party's own are in the order in which they came."""

from __future__ import annotations

from collections import OrderedDict, deque
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Item = TypeVar("Item")


class FairQueue(Generic[Item]):
    """Takes the oldest of each party in turn, so that a party with a long line does not keep others waiting.

    `party` names the party of an item. With one party it is a queue as any other.
    """

    def __init__(self, party: Callable[[Item], str]) -> None:
        self._party = party
        self._lines: OrderedDict[str, deque[Item]] = OrderedDict()
        self._number = 0

    def append(self, item: Item) -> None:
        """Put an item at the end of its party's line."""
        self._lines.setdefault(self._party(item), deque()).append(item)
        self._number += 1

    def popleft(self) -> Item:
        """Take the next item; raises IndexError if there is none."""
        if not self._lines:
            raise IndexError("the queue is empty")
        party, line = self._lines.popitem(last=False)
        item = line.popleft()
        if line:
            self._lines[party] = line  # behind all others
        self._number -= 1
        return item

    def __len__(self) -> int:
        return self._number

    def __iter__(self) -> Iterator[Item]:
        return (item for line in self._lines.values() for item in line)

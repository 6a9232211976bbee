"""Event ids: those that follow from the id of a match need no list."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import eq
from typing import overload


def ids_of(match: str) -> Callable[[int], str]:
    """Return the function that makes event ids of their seq: UUIDs of version 8 (RFC 9562) that end in it."""
    uuid = match[-36:]  # after the kind of an evening
    family = f"{uuid[:14]}8{uuid[15:24]}"
    return lambda seq: match if seq == 1 else f"{family}{seq:012x}"


class OwnIds(Sequence[str]):
    """The ids of the first events of a match, if all follow from its own.

    >>> ids = OwnIds("7c1d6a52-5c0e-4f2c-9a39-2f8a6c4b1d10", 300)
    >>> ids[299], ids.index(ids[299]), "7c1d6a52-5c0e-8f2c-9a39-00000000012d" in ids
    ('7c1d6a52-5c0e-8f2c-9a39-00000000012c', 299, False)
    """

    __slots__ = ("_length", "_of", "match")

    def __init__(self, match: str, length: int = 0) -> None:
        self.match = match
        self._length = length
        self._of = ids_of(match)

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        seqs = range(1, self._length + 1)[index]
        return self._of(seqs) if isinstance(seqs, int) else [*map(self._of, seqs)]

    def __contains__(self, id: object) -> bool:
        return isinstance(id, str) and self._place(id) is not None

    def index(self, id: str, start: int = 0, stop: int | None = None) -> int:
        """Return the place of an id; raises ValueError."""
        place = self._place(id)
        if place is None or place not in range(self._length)[start:stop]:
            raise ValueError(f"{id} is not among the ids")
        return place

    def followed_by(self, ids: Sequence[str]) -> bool:
        """Tell whether the next ids follow from the match's own too."""
        return all(map(eq, map(self._of, range(self._length + 1, self._length + 1 + len(ids))), ids))

    def _place(self, id: str) -> int | None:
        if id == self.match:
            return 0 if self._length else None
        try:
            seq = int(id[-12:], 16)
        except ValueError:
            return None
        return seq - 1 if 1 < seq <= self._length and self._of(seq) == id else None


def extended_by(ids: Sequence[str], new: Sequence[str]) -> Sequence[str]:
    """Return the ids of a match with new ones: a list only if there are others than the match's own."""
    if isinstance(ids, OwnIds) and ids.followed_by(new):
        return OwnIds(ids.match, len(ids) + len(new))
    return [*ids, *new]

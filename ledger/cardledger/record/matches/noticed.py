"""What was noticed in files, by cause: those that a result depends on first, the rare ones before the frequent ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardledger.codes import OF_RESULTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cardledger.record.matches.matchfile import Warned

FIRST = 50
"""How many notices of a cause are kept; the others are counted."""


@dataclass(frozen=True, slots=True)
class Cause:
    """A code that was noticed: how often, whether a result may depend on it, and the first of its notices."""

    code: str
    count: int
    of_result: bool
    first: tuple[Warned, ...]


class Noticed:
    """Notices of some files; those of one cause cannot hide those of another."""

    def __init__(self) -> None:
        self._first: dict[str, list[Warned]] = {}
        self._count: dict[str, int] = {}

    def append(self, notice: Warned) -> None:
        """Take one more."""
        first = self._first.setdefault(notice.code, [])
        self._count[notice.code] = self._count.get(notice.code, 0) + 1
        if len(first) < FIRST:
            first.append(notice)

    def extend(self, notices: Iterable[Warned]) -> None:
        """Take several more."""
        for notice in notices:
            self.append(notice)

    @property
    def causes(self) -> list[Cause]:
        """The causes: first those that a result depends on, each kind from the rarest on."""
        found = [
            Cause(code, count, code in OF_RESULTS, tuple(self._first[code])) for code, count in self._count.items()
        ]
        return sorted(found, key=lambda cause: (not cause.of_result, cause.count, cause.code))

    @property
    def more(self) -> int:
        """How many notices were counted and not kept."""
        return sum(cause.count - len(cause.first) for cause in self.causes)

    def __iter__(self) -> Iterator[Warned]:
        """Yield the notices that were kept, cause by cause."""
        for cause in self.causes:
            yield from cause.first

    def __bool__(self) -> bool:
        return bool(self._count)

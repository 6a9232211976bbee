"""Definitions of figures: measures and estimators have editions, as rules do, and a history of what changed."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple


class Edition(NamedTuple):
    """An edition of a definition: the ISO day since which it holds, and a sentence on what changed."""

    since: str
    changed: str


History = tuple[Edition, ...]
"""The editions of a definition, the newest first."""


def first(since: str) -> History:
    """Return the history of a definition that never changed.

    >>> first("2026-11-21")
    (Edition(since='2026-11-21', changed='first edition'),)
    """
    return (Edition(since, "first edition"),)


class Definition:
    """What defines a figure: an id, and a history without which it cannot be declared.

    Whenever the same hands give other figures, the definition gets a new edition: an entry in front of its history.
    """

    __slots__ = ()
    id: str
    history: History

    def __post_init__(self) -> None:
        """Refuse a definition without an edition, or with a history that does not go back in time."""
        if not self.history:
            raise ValueError(f"{self.id} has no edition: say since when it holds, as history=first('2026-11-21')")
        days = [date.fromisoformat(one.since) for one in self.history]
        if days != sorted(days, reverse=True) or not all(one.changed.strip() for one in self.history):
            raise ValueError(f"the history of {self.id} goes from the newest edition back and says what changed")

    @property
    def edition(self) -> str:
        """The name of the present edition, such as `review-4`."""
        return self.edition_named(0)

    def edition_named(self, back: int) -> str:
        """Return the name of an edition: the present one, or so many editions back."""
        return f"{self.id}-{len(self.history) - back}"

    @property
    def whole(self) -> tuple[Definition, ...]:
        """The definition, and those that its figures rest on."""
        return (self,)

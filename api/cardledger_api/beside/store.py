"""What a store beside a ledger can do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

Result = TypeVar("Result")


class Changed(Protocol):
    """The result of a statement."""

    @property
    def rowcount(self) -> int:
        """The number of rows that it changed."""
        ...

    def fetchone(self) -> Any:
        """Return the next row that it found, or None."""
        ...


class Execute(Protocol):
    """Runs a statement with ? for each value."""

    def __call__(self, query: str, given: tuple[Any, ...], /) -> Changed:
        """Return its result."""
        ...


class BesideStore(Protocol):
    """A store beside a ledger, for every server of the ledger; it may be missing until its first row."""

    def rows(self, query: str, *given: object) -> list[Any]:
        """Return the rows that a query finds."""
        ...

    def change(self, work: Callable[[Execute], Result]) -> Result:
        """Return the result of work in one transaction."""
        ...

    def empty(self) -> None:
        """Leave nothing of what was changed or deleted in the file."""
        ...

    def clock(self) -> float:
        """Return the time in seconds, the same for every server."""
        ...

    def close(self) -> None:
        """Release what the store holds."""
        ...

"""A webhook, what was sent to it and withheld from it, and what stores webhooks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardledger_api.http.operations import Role
    from cardledger_api.http.streams import Filter

Result = TypeVar("Result")


class Hook(NamedTuple):
    """A webhook. `pending` is the last position of a batch that was sent in vain: it is sent again as it was."""

    id: str
    name: str
    url: str
    secret: str
    role: Role
    filter: Filter
    created: str
    position: int
    pending: int | None
    failures: int
    failing_since: float | None
    due: float
    disabled: str | None


class Delivery(NamedTuple):
    """One try to send a batch: its positions, the status of the answer if there was one, and what went wrong."""

    at: str
    first: int
    last: int
    status: int | None
    ms: int
    error: str | None


class Withheld(NamedTuple):
    """An event that readers may not see yet, or not in full: its place in the ledger and in its stream.

    `cut`: the webhook was sent it without what is secret. Otherwise it was left out, and so is what follows in its
    stream.
    """

    position: int
    stream: str
    seq: int
    cut: bool


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


class HookStore(Protocol):
    """The store of webhooks, for every server of the ledger; it may be missing until the first webhook."""

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

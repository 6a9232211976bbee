"""The quota of a ledger: how much it may hold. Whoever keeps several ledgers gives each its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cardledger.errors import QuotaError
from cardledger.sentence import Sentence

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from cardledger.record.store import Append, EventStore


class Quota(NamedTuple):
    """How many events a ledger may hold, and how many bytes its files; None: any number.

    `ask` says in words whom to ask for more.
    """

    events: int | None = None
    bytes: int | None = None
    ask: str = ""

    def expect(self, position: int, more: int, size: Callable[[], int]) -> None:
        """Refuse events beyond the quota; raises QuotaError.

        Args:
            position: the number of events that are there.
            more: the number of those to come.
            size: returns the bytes of all files.
        """
        if self.events is not None and position + more > self.events:
            raise QuotaError(Sentence(
                "this ledger may hold {most} events, has {used}, and {more} more would be too many: ask {ask} for more. "
                "All can still be read", most=self.events, used=position, more=more, ask=self.ask,
            ))  # fmt: skip
        if self.bytes is not None and (used := size()) >= self.bytes:
            raise QuotaError(Sentence(
                "the files of this ledger may have {most} MB and have {used}: ask {ask} for more. All can still be read",
                most=f"{self.bytes / 1e6:,.1f}", used=f"{used / 1e6:,.1f}", ask=self.ask,
            ))  # fmt: skip


def unlimited() -> Quota | None:
    """Return the quota of a ledger that its owner keeps: none."""
    return None


def expect_room(
    store: EventStore, appends: Collection[Append], *, erasing: bool, size: Callable[[], int] = lambda: 0
) -> None:
    """Refuse what a store may not take now; erasing somebody goes on beyond a quota.

    Raises the store's refusal, QuotaError. The bytes of a database are its server's to limit.
    """
    if not appends:
        return
    if store.refusal is not None:
        raise store.refusal
    if not erasing and (quota := store.quota()) is not None:
        quota.expect(store.last_given(), sum(len(each.lines) for each in appends), size)

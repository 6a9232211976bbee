"""What questions are asked of: a ledger with its read models."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from cardledger.record.people.people import People
    from cardledger.record.readmodels import ReadModels


class ReadableLedger(Protocol):
    """A ledger, as far as a question needs it."""

    @property
    def views(self) -> ReadModels:
        """Its read models."""
        ...

    def people(self) -> People:
        """Return the people now."""
        ...

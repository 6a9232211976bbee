"""Scopes: where an invitation makes a reader a scorer, which is one match, or one evening with its matches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardledger.errors import LedgerError
from cardledger.rules.evenings.session import SessionState

if TYPE_CHECKING:
    from cardledger.record.recording.ledger import Ledger


class Scope:
    """The streams that an invitation covers: its match, or its evening and the matches that are results there now.

    `stream in scope` looks at the evening as it is, so a round that is opened later is covered, and a match that was
    named by mistake no longer is.
    """

    def __init__(self, ledger: Ledger, id: str) -> None:
        self.id = id
        self._ledger = ledger

    def __contains__(self, stream: object) -> bool:
        """Tell whether an invited scorer may record to a stream, and see what is secret there."""
        return stream == self.id or stream in self._matches()

    def _matches(self) -> set[str | None]:
        try:
            state = self._ledger.evenings.stream(self.id).state
        except LedgerError:  # a match has none
            return set()
        return {result.match for _, result in state.results.values()} if isinstance(state, SessionState) else set()

"""What waits to be recorded, judged entry by entry as the server will judge it when it is sent.

An evening may wait for hours, so what was judged stays judged: one entry more is one entry to judge.
"""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Any

from cardledger.errors import LedgerError
from cardledger.record.matches.table_state import judged_after, tried_after

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardledger.rules.engine import events as ev
    from cardledger_web.views.desk import Desk


class Ahead:
    """A match and the entries that wait behind it, in their order."""

    def __init__(self, desk: Desk) -> None:
        self._recorded = desk
        self._seq = -1
        self._begin()

    def _begin(self) -> None:
        self._seq = self._recorded.stream.seq
        self._entries: list[ev.Event] = []
        self._desk = copy(self._recorded)
        self._asked: list[dict[str, Any]] = []

    def after(self, entries: Sequence[ev.Event]) -> Desk:
        """Return the match after entries, as they would be recorded; raises LedgerError with the `index` of one that is refused."""
        if self._seq != self._recorded.stream.seq or self._entries != [*entries[: len(self._entries)]]:
            self._begin()
        for index, event in enumerate(entries[len(self._entries) :], len(self._entries)):
            before = self._desk.stream
            try:
                tried = tried_after(before, [event], self._desk.own)
            except LedgerError as error:
                error.index = index
                raise
            self._asked.append(self._desk.said(judged_after(tried, before.seq, [event])))
            self._desk.stream = tried
            self._entries.append(event)
        return self._desk

    @property
    def asked(self) -> list[dict[str, Any]]:
        """The `violations` and `warnings` of each entry, as the server will find them."""
        return self._asked

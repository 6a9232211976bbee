"""An evening after each of some new events, for checks that recording makes beyond the rules of evenings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardledger.errors import LedgerError
from cardledger.rules.evenings.stream import EveningStream

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardledger.rules.engine.events import Event


def after_each(stream: EveningStream | None, events: Sequence[Event]) -> Iterator[tuple[int, Event, EveningStream]]:
    """Yield the index of each event, the event, and the evening after it.

    `stream` itself does not change; None is an evening that begins. It stops at an event that the rules of evenings
    refuse: that is left to them.
    """
    after = stream.copy() if stream else None
    for index, event in enumerate(events):
        try:
            if after is None:
                after = EveningStream(event)
            else:
                after.append(event)
        except LedgerError:
            return
        yield index, event, after

"""What stands for an event that may not be seen yet."""

from __future__ import annotations

from cardledger.rules.engine.event import Event


class WithheldEvent(Event, tag="withheld", frozen=True):
    """Stands for an event that may not be seen yet; it is never recorded."""

    words = "an event that is not shown yet"

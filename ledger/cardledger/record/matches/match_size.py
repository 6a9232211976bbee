"""How large a match may grow."""

from __future__ import annotations

from cardledger.errors import FormatError
from cardledger.rules.engine import events as ev
from cardledger.rules.stream import Stream
from cardledger.sentence import Sentence

MAX_EVENTS = 100_000
"""Greatest number of events in a match."""
MAX_AMENDED = 500_000
"""Greatest number of events that the amends of a match may replay: an amend of the first event replays all others."""


def expect_room(stream: Stream, event: ev.Event) -> None:
    """Refuse a further event of a full match; raises FormatError `format.size`."""
    if len(stream.events) >= MAX_EVENTS:
        raise FormatError(
            "format.size", Sentence("a match has at most {most} events: open another match", most=f"{MAX_EVENTS:,}")
        )
    if isinstance(event, ev.Amend) and stream.amended > MAX_AMENDED:
        raise FormatError(
            "format.size",
            f"the amends of this match have replayed more than {MAX_AMENDED:,} events: retract and record the"
            " correct events, or open another match",
        )

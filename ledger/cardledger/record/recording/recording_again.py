"""Taking events back and recording others in their place in one go, where amends one by one would be refused.

What came later is recorded again after them, so that it still counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from cardledger.rules.engine import events as ev
from cardledger.rules.stream import unroll

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardledger.rules.stream import Stream


def recorded_again(stream: Stream, wanted: Sequence[tuple[int, ev.Event]], reason: str | None) -> list[ev.Event]:
    """Return the events after which others count in the place of those that count now.

    Arguments:
        stream: the match.
        wanted: what is to count after the opening, each with its number so far; 0 for a new event.
        reason: why, for people who read the record later.
    """
    (_, opening), *counting = unroll(stream.heads[-1])
    same = (now[1] is then[1] for now, then in zip(counting, wanted, strict=False))
    first = next((place for place, one in enumerate(same) if not one), min(len(counting), len(wanted)))
    # A retract also takes back the amendments of events before it: then more is recorded again.
    as_recorded = [event is stream.events[seq - 1] for seq, event in counting]
    keep = min(first, as_recorded.index(False) if False in as_recorded else len(counting))
    events: list[ev.Event] = [ev.Retract(to=counting[keep - 1][0] if keep else 1, reason=reason)]
    if opening is not stream.events[0]:
        within: Any = ev.bare(opening)
        events.append(ev.Amend(about=1, event=within, reason=reason))
    begin = stream.seq + len(events) + 1
    moved = {seq: begin + place for place, (seq, _) in enumerate(wanted[keep:]) if seq}
    return [*events, *(_again(event, moved) for _, event in wanted[keep:])]


def _again(event: ev.Event, moved: dict[int, int]) -> ev.Event:
    """Return an event to record again; what it is about has another number now."""
    event = ev.bare(event)
    about = getattr(event, "about", None)
    return msgspec.structs.replace(event, about=moved[about]) if about in moved else event

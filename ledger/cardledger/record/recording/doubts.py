"""Doubts: recorded points that the rules of the game cannot give."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardledger.record.store.streams import is_match
from cardledger.rules.engine.score_sheet import Doubt, doubts_about

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardledger.record.recording.loaded_match import Live
    from cardledger.rules.engine import events as ev


def doubts(live: Live, before: int, events: Sequence[ev.Event]) -> tuple[Doubt, ...]:
    """Return the hands with impossible points among those touched by a match's events after a number."""
    if not is_match(live.folded.id):
        return ()
    return tuple(doubts_about(live.folded.stream.table, enumerate(events, before + 1)))

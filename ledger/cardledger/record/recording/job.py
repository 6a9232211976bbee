"""A job: events that wait to be recorded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardledger.record.people.recorders import Recorder
    from cardledger.record.recording.results import Recorded
    from cardledger.rules.engine import events as ev


@dataclass(slots=True, eq=False)
class Job:
    """Events to record, and their result: None while they wait."""

    match: str
    events: Sequence[ev.Event]
    expected: int
    by: Recorder
    outcome: Recorded | BaseException | None = None

"""The log of a club, an evening or a league as its page shows it: every event, also those taken back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardledger.rules.engine.events import Event, Note, Retract
from cardledger.rules.evenings import evening_events as ev
from cardledger.rules.stream import unroll

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardledger.record.recording.ledger import Ledger
    from cardledger.rules.evenings.stream import EveningStream

_APART = (Note, Retract, ev.EveningAmend)
"""Events that never count by themselves, and so are not taken back either."""


@dataclass(frozen=True, slots=True)
class LogLine:
    """An event of an evening: its number, words, author and time; `gone` if it was taken back."""

    seq: int
    words: str
    by: str | None
    at: str | None
    gone: bool


def evening_log(ledger: Ledger, id: str, stream: EveningStream, words: Callable[[Event], str]) -> list[LogLine]:
    """Return the events of a club, a session or a league as recorded, the latest first, with authors and times."""
    # A note counts only where it stands in place of what was taken back.
    counting = {seq for seq, event in unroll(stream.heads[-1]) if not isinstance(event, Note)}
    lines = [
        LogLine(
            seq, words(event), event.by, event.at,
            seq not in counting and not isinstance(event, _APART),
        )
        for seq, event in enumerate(ledger.evenings.events(id)[: stream.seq], 1)
    ]  # fmt: skip
    return lines[::-1]

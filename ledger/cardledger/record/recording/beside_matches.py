"""Events of a stream beside the matches (a question, a lesson, a discussion), recorded though others record there too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardledger.errors import ConflictError
from cardledger.record.people import recorders

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardledger.record.people.recorders import Recorder
    from cardledger.record.recording.ledger import Ledger
    from cardledger.rules.engine.event import Event

TRIES = 5


def record_beside(
    ledger: Ledger, stream: str, made: Callable[[], tuple[int, Sequence[Event]]], by: Recorder | str, tries: int = TRIES
) -> int:
    """Record events of a stream, and make them again if others were faster; return the number of the last of them.

    Arguments:
        ledger: the ledger.
        stream: the id of the stream.
        made: returns how many events the stream has, and the events to record after them; may refuse.
        by: who records them.
        tries: how often others may be faster.

    Raises what `made` raises, the error of an event that is refused, and ConflictError.
    """
    for tried in range(1, tries + 1):
        seq, events = made()
        try:
            ledger.take(stream, events, seq, recorders.by(by))
        except ConflictError:
            if tried == tries:
                raise
        else:
            return seq + len(events)
    raise AssertionError(tries)

"""Workers for commands that read a whole ledger."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager

from cardledger.crew import Crew, Processes, Work, cores
from cardledger.record.recording.ledger import Ledger

LARGE = 300_000
"""From so many events on, two workers gain more than their start takes."""


@contextmanager
def crew_for(work: Work, ledger: Ledger) -> Iterator[Crew | None]:
    """Give a worker process for each core to a large ledger; None where this process alone is as fast."""
    # What cannot be written is read from copies: each worker would make its own.
    if ledger.store.last_position() < LARGE or not ledger.store.writable or cores() == 1:
        yield None
        return
    with closing(Processes(work, cores())) as crew:
        yield crew

"""What `rebuild` fills the tables with: the rows of all streams, folded in this process, or in several."""

from __future__ import annotations

from contextlib import closing, suppress
from typing import TYPE_CHECKING, NamedTuple

from cardledger.crew import done
from cardledger.errors import LedgerError
from cardledger.record.people.people import STREAM
from cardledger.record.readmodels.catalogue import STREAM_MODELS
from cardledger.record.readmodels.model import Folded, Row
from cardledger.record.readmodels.rows import models_of
from cardledger.record.store.address import Where
from cardledger.record.store.chain import START, head
from cardledger.record.store.codec import decode
from cardledger.record.store.opening import opened
from cardledger.record.store.parts import parts
from cardledger.record.store.register import Register
from cardledger.record.store.streams import stream_type

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cardledger.crew import Crew
    from cardledger.record.people.people import People
    from cardledger.record.store import EventStore, Recording

_BATCH = 5_000


class Filling(NamedTuple):
    """The rows of some streams by table, and the number of their events."""

    rows: dict[str, list[Row]]
    events: int


def fillings(store: EventStore, people: People) -> Iterator[Filling]:
    """Yield the rows of all streams of a store, in the order of their ids, without those that do not fold."""
    rows, events = _nothing(), 0
    for folded in _folded(store, people, store.recordings()):
        _add(rows, folded)
        events += folded.stream.seq
        if events >= _BATCH:
            yield Filling(rows, events)
            rows, events = _nothing(), 0
    yield Filling(rows, events)


def fillings_by(crew: Crew, where: Where, store: EventStore, upto: int) -> Iterator[Filling]:
    """Yield the same by workers for `filling`, up to a position in the ledger; raises LedgerError `workers.lost`."""
    streams = sorted(stream for stream in store.matches() if stream != STREAM)
    tasks = ((where, part[0], part[-1], upto) for part in parts(store, streams))
    return (filled for _, filled in done(crew, tasks))


def filling(where: Where, first: str, last: str, upto: int) -> Filling:
    """Return the rows of the streams of a ledger whose ids are from one to another: a piece of work for a crew."""
    rows, events = _nothing(), 0
    with closing(opened(where, create=False)) as store:
        for folded in _folded(store, Register(store).people(), store.recordings(first, last, upto)):
            _add(rows, folded)
            events += folded.stream.seq
    return Filling(rows, events)


def _folded(store: EventStore, people: People, recordings: Iterable[Recording]) -> Iterator[Folded]:
    """Yield streams folded afresh; `verify` names those that do not fold."""
    for match, position, lines, hash, _ in recordings:
        if match != STREAM:
            with suppress(LedgerError):
                if head(START, lines) == hash:
                    events = decode(lines, store.names, match)
                    stream = stream_type(match).of(events)
                    yield Folded(match, position, events[0], events[-1], hash, stream, people)


def _add(rows: dict[str, list[Row]], folded: Folded) -> None:
    for model in models_of(folded.id):
        rows[model.name].extend(model.rows(folded, 1))


def _nothing() -> dict[str, list[Row]]:
    return {model.name: [] for model in STREAM_MODELS}

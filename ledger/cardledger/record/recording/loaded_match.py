"""A match in memory: folded from stored rows, with or without checks, and ready for new events.

Or a club, a session, a league.
"""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

import msgspec

from cardledger.errors import FormatError, LedgerError, StoreError
from cardledger.record.matches.match_size import MAX_EVENTS, expect_room
from cardledger.record.people.names import Names
from cardledger.record.people.recorders import Recorder
from cardledger.record.readmodels.model import Folded
from cardledger.record.recording.event_ids import OwnIds, extended_by, ids_of
from cardledger.record.recording.signing import signed_by
from cardledger.record.store import Append, Stored
from cardledger.record.store.chain import START, chain, expect_unbroken, unbroken
from cardledger.record.store.codec import decode, decode_each, decode_one
from cardledger.record.store.streams import is_match, is_match_id, stream_type
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.days import known_day
from cardledger.rules.evenings.evening_events import Publish
from cardledger.rules.stream import Stream
from cardledger.sentence import Sentence

_NAMESPACE = uuid.UUID("c2a9e4a6-6f0c-5f0e-9d0c-9a3f3b1f7c55")


@dataclass(frozen=True, slots=True)
class Live:
    """A folded match in memory, with the ids of its events.

    `generation` is that of the names when it was first read: once that has passed, it may hold erased names.
    """

    folded: Folded
    ids: Sequence[str]
    generation: int


def extended(match: str, live: Live | None, rows: Sequence[Stored], names: Names) -> Live:
    """Return a match with the rows stored since the last look; raises StoreError `store.line`, `store.name`."""
    generation = live.generation if live else names.generation
    events = decode((row.line for row in rows), names, match)
    if live is None:
        stream = stream_type(match).of(events)
        opening, position = events[0], rows[0].position
    else:
        stream = live.folded.stream.copy()
        stream.extend(events)
        opening, position = live.folded.opening, live.folded.position
    ids = extended_by(live.ids if live else OwnIds(match), [str(event.id) for event in events])
    return Live(Folded(match, position, opening, events[-1], rows[-1].hash, stream), ids, generation)


def judged(live: Live | None, events: Sequence[ev.Event], match: str = "") -> Stream:
    """Return a match, a new one with the id `match`, with new events folded in.

    Raises RuleError, FormatError with the index of the wrong one.
    """
    stream = live.folded.stream.copy() if live else None
    room = max(MAX_EVENTS - stream.seq, 0) if stream else MAX_EVENTS
    stream = _grown(stream, events[:room], match)
    if len(events) > room:
        try:
            expect_room(stream, events[room])
        except LedgerError as error:
            error.index = room
            raise
    return stream


def _grown(stream: Stream | None, events: Sequence[ev.Event], match: str) -> Stream:
    """Return a stream, None for one that begins, with more events.

    Raises LedgerError with the index of the wrong one.
    """
    before = stream.seq if stream else 0
    try:
        if stream is None:
            stream = stream_type(match)(events[0])
        stream.extend(events[stream.seq - before :])
    except LedgerError as error:
        error.index = stream.seq - before if stream else 0
        raise
    return stream


def prepare(
    match: str, live: Live | None, events: Sequence[ev.Event], stream: Stream, by: Recorder, now: datetime, names: Names
) -> tuple[Append, Live]:
    """Return the append for judged events, and the resulting match; `stream` has them folded.

    Raises StoreError `store.duplicate`, `store.recorder`, `store.time`, RuleError `people.name` with the index of the
    event. The append has pseudonyms in personal fields, and brings their names.
    """
    generation = live.generation if live else names.generation
    ids = live.ids if live else OwnIds(match)
    expected, own = len(ids), ids_of(match)
    new = [event.id or own(seq) for seq, event in enumerate(events, expected + 1)]
    if not expected:
        new[0] = match
    all_ids = extended_by(ids, new)
    if not isinstance(all_ids, OwnIds):  # the match's own are distinct
        _expect_distinct(ids, new)
    lines, used, first, last = signed_by(by, now, events, new, expected, names)
    linked = chain(live.folded.hash if live else START, lines)
    opening, position = (live.folded.opening, live.folded.position) if live else (first, 0)
    folded = Folded(match, position, opening, last, linked[-1][1], stream)
    return Append(match, expected, linked, used, fresh=True), Live(folded, all_ids, generation)


def _expect_distinct(ids: Sequence[str], new: Sequence[str]) -> None:
    """Refuse an id that a match has already; raises StoreError `store.duplicate` with the index of the new event."""
    seen = {id: seq for seq, id in enumerate(ids, 1)}
    for index, id in enumerate(new):
        if id in seen:
            raise StoreError(
                "store.duplicate", Sentence("the id {id} is that of event {other}", id=id, other=seen[id]), index
            )
        seen[id] = len(ids) + 1 + index


def bare(event: ev.Event) -> ev.Event:
    """Return an event without the keys that the ledger adds."""
    event = ev.bare(event)
    return msgspec.structs.replace(event, rules=None) if isinstance(event, ev.Open) else event


def same(event: ev.Event, stored: ev.Event) -> bool:
    """Tell whether an event to record equals the stored one in content, and in its id if it has one.

    An opening without a whole day may have got one when it was recorded, and a publication its position and hash.
    """
    if isinstance(event, Publish) and isinstance(stored, Publish):
        unset = {key: None for key in ("at_position", "hash") if getattr(event, key) is None}
        stored = msgspec.structs.replace(stored, **unset)
    if isinstance(event, ev.Open) and isinstance(stored, ev.Open) and known_day(event.date) is None:
        stored = msgspec.structs.replace(stored, date=event.date)
    return event.id in (None, stored.id) and bare(event) == bare(stored)


def missing_events(match: str, rows: Sequence[Stored], events: Sequence[ev.Event], names: Names) -> Sequence[ev.Event]:
    """Return the events that are missing from a stored match or evening.

    Raises StoreError `store.differs` if the two differ.
    """
    for event, row in zip(events, rows, strict=False):
        if not same(event, decode_one(row.line, names, match)):
            which = Sentence("match {match}", match=match) if is_match(match) else match
            differs = Sentence("{which} is stored already, and its event {seq} differs", which=which, seq=row.seq)
            if names.without(row.line):
                differs = Sentence("{differs}: a person was erased there", differs=differs)
            raise StoreError("store.differs", differs)
    return events[len(rows) :]


def match_id(match: str | None, first: ev.Event) -> str:
    """Return the id of a match to be recorded: as given, as its opening says, or a new one.

    Raises FormatError `format.value`.
    """
    id = match or first.id or str(uuid.uuid4())
    if not is_match_id(id):
        raise FormatError("format.value", Sentence("a match id is a UUID in lower case, not {id!r}", id=id))
    if isinstance(first, ev.Open) and first.id not in (None, id):
        raise FormatError(
            "format.value", Sentence("the opening has the id {own}, but it is sent as match {id}", own=first.id, id=id)
        )
    return id


def id_by_content(events: Sequence[ev.Event], copies: Counter[bytes]) -> str:
    """Return a match id computed from the content and the number of equal matches before, which `copies` counts by digest."""
    if not all(map(ev.is_bare, events)):
        events = [*map(ev.bare, events)]
    opening = bare(events[0])
    if isinstance(opening, ev.Open) and known_day(opening.date) is None:
        opening = msgspec.structs.replace(opening, date=None)  # what is known of its day may become more
    content = ev.encode_lines([opening, *events[1:]]).removesuffix(b"\n")
    digest = sha256(content).digest()
    copies[digest] += 1
    return str(uuid.uuid5(_NAMESPACE, f"{copies[digest]}\n{content.decode()}"))


def refold(match: str, rows: Sequence[Stored], names: Names | None = None) -> Folded:
    """Return a stored match, with numbers, hashes, names and rules of every event checked.

    Raises LedgerError with the place of the first event that does not fit as `index`.
    """
    assert rows
    try:
        events, stream = _all_at_once(match, rows, names)
    except LedgerError:
        events, stream = _one_by_one(match, rows, names)  # this names the event
    return Folded(match, rows[0].position, events[0], events[-1], rows[-1].hash, stream)


def _all_at_once(match: str, rows: Sequence[Stored], names: Names | None) -> tuple[Sequence[ev.Event], Stream]:
    """Return the events of a stored match and their fold.

    Raises LedgerError where `_one_by_one` does, but without the place.
    """
    lines = expect_unbroken(rows)
    # Line by line: two lines that are no events alone can be two together.
    events = decode_each(lines, names, match)
    if events[0].id != match or [event.seq for event in events] != [*range(1, len(events) + 1)]:
        raise StoreError("store.hash", Sentence("the event belongs to another match or place"))
    return events, stream_type(match).of(events)


def _one_by_one(match: str, rows: Sequence[Stored], names: Names | None) -> tuple[Sequence[ev.Event], Stream]:
    """Do the same event by event; raises LedgerError with the place of the first that does not fit as `index`."""
    events: list[ev.Event] = []
    wrong = None
    try:
        for row in unbroken(rows):
            event = decode_one(row.line, names, match)
            if event.seq != row.seq or not events and event.id != match:
                raise StoreError("store.hash", Sentence("the event belongs to another match or place"))
            events.append(event)
    except LedgerError as error:
        error.index, wrong = len(events), error
    if wrong is not None and not events:
        raise wrong
    stream = _grown(None, events, match)  # an earlier event may break a rule
    if wrong is not None:
        raise wrong
    return events, stream

"""A match in memory: folded from stored rows, in trust or checking everything, and made ready for new events."""

from __future__ import annotations

import re
import uuid
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

import msgspec

from ledger import events as ev
from ledger.corrections import Stream
from ledger.errors import FormatError, LedgerError, StoreError
from ledger.games import game
from ledger.personal import hidden
from ledger.readmodels.model import Folded
from ledger.store import Append, Stored
from ledger.store.chain import START, chain, unbroken
from ledger.store.codec import decode, decode_one
from ledger.store.naming import Names

_MATCH_ID = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_NAMESPACE = uuid.UUID("c2a9e4a6-6f0c-5f0e-9d0c-9a3f3b1f7c55")


@dataclass(frozen=True, slots=True)
class Live:
    """A match kept in memory, folded, with the ids of its events; `named` says that some came with ids of their own.

    `generation` is that of the names when it was first read: once that is over, it may say more than it should.
    """

    folded: Folded
    ids: list[str]
    named: bool
    generation: int


def extended(match: str, live: Live | None, rows: Sequence[Stored], names: Names) -> Live:
    """Return a match with the rows stored since it was looked at last; raises StoreError `store.line`, `store.name`."""
    generation = live.generation if live else names.generation
    events = decode((row.line for row in rows), names)
    if live is None:
        stream, ids = Stream.of(events), []
        opening, position = events[0], rows[0].position
    else:
        stream, ids = live.folded.stream.copy(), live.ids.copy()
        stream.extend(events)
        opening, position = live.folded.opening, live.folded.position
    own = ids_of(match)
    named = (
        live is not None
        and live.named
        or any(event.id != own(row.seq) for event, row in zip(events, rows, strict=True))
    )
    ids += [str(event.id) for event in events]
    return Live(Folded(match, position, opening, events[-1], rows[-1].hash, stream), ids, named, generation)


def judged(live: Live | None, events: Sequence[ev.Event]) -> Stream:
    """Return a match with new events folded in; raises RuleError, FormatError with the index of the wrong one."""
    stream = live.folded.stream.copy() if live else None
    for index, event in enumerate(events):
        try:
            stream = _grown(stream, event)
        except LedgerError as error:
            error.index = index
            raise
    assert stream is not None
    return stream


def _grown(stream: Stream | None, event: ev.Event) -> Stream:
    """Return a stream with one more event, its opening if there is none yet."""
    if stream is None:
        return Stream(event)
    stream.append(event)
    return stream


def prepare(
    match: str, live: Live | None, events: Sequence[ev.Event], stream: Stream, by: str, now: datetime, names: Names
) -> tuple[Append, Live]:
    """Return what to append for events judged already, and the match as it will be; `stream` has them folded.

    What is appended has pseudonyms in place of all that tells a person, with their names.
    """
    generation = live.generation if live else names.generation
    at = now.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    ids = live.ids.copy() if live else []
    expected, own = len(ids), ids_of(match)
    named = (
        live is not None
        and live.named
        or any(event.id is not None and event.id != own(seq) for seq, event in enumerate(events, expected + 1))
    )
    # The match's own ids cannot meet each other, and going through those of a long match takes longer than the rest.
    seen = set(ids) if named else set()
    stored: list[ev.Event] = []
    for index, event in enumerate(events):
        seq = expected + index + 1
        id = match if seq == 1 else event.id or own(seq)
        if id in seen:
            raise StoreError("store.duplicate", f"the id {id} is that of event {ids.index(id) + 1}", index)
        seen.add(id)
        ids.append(id)
        event = msgspec.structs.replace(event, seq=seq, id=id, at=event.at or at, by=event.by or by)
        if isinstance(event, ev.Open) and event.rules is None:
            event = msgspec.structs.replace(event, rules=game(event.game).book.edition)
        stored.append(event)
    lines, used = hidden(stored, names)
    linked = chain(live.folded.hash if live else START, lines)
    opening, position = (live.folded.opening, live.folded.position) if live else (stored[0], 0)
    folded = Folded(match, position, opening, stored[-1], linked[-1][1], stream)
    return Append(match, expected, linked, used, anew=True), Live(folded, ids, named, generation)


def ids_of(match: str) -> Callable[[int], str]:
    """Return what gives the events of a match ids by their seq: UUIDs of version 8 (RFC 9562) that end in it."""
    family = f"{match[:14]}8{match[15:24]}"
    return lambda seq: match if seq == 1 else f"{family}{seq:012x}"


def bare(event: ev.Event) -> ev.Event:
    """Return an event without what the ledger adds to it."""
    if isinstance(event, ev.Open):
        return msgspec.structs.replace(event, seq=None, id=None, at=None, by=None, rules=None)
    return msgspec.structs.replace(event, seq=None, id=None, at=None, by=None)


def same(event: ev.Event, stored: ev.Event) -> bool:
    """Tell whether an event to be recorded is the stored one: what it says is the same, and its id if it has one."""
    return event.id in (None, stored.id) and bare(event) == bare(stored)


def is_match_id(text: str) -> bool:
    """Tell whether a text is what ids of matches are: a UUID in lower case."""
    return _MATCH_ID.fullmatch(text) is not None


def lacking(match: str, rows: Sequence[Stored], events: Sequence[ev.Event], names: Names) -> Sequence[ev.Event]:
    """Return the events that a stored match lacks; raises StoreError `store.differs` if it took another course."""
    for event, row in zip(events, rows, strict=False):
        if not same(event, decode_one(row.line, names)):
            why = ": a person was erased there" if names.without(row.line) else ""
            raise StoreError(
                "store.differs", f"match {match} is stored already, and its event {row.seq} says something else{why}"
            )
    return events[len(rows) :]


def match_id(match: str | None, first: ev.Event) -> str:
    """Return the id of a match to be recorded: as given, as its opening says, or a new one; raises FormatError `format.value`."""
    id = match or first.id or str(uuid.uuid4())
    if not is_match_id(id):
        raise FormatError("format.value", f"a match id is a UUID in lower case, not {id!r}")
    if isinstance(first, ev.Open) and first.id not in (None, id):
        raise FormatError("format.value", f"the opening has the id {first.id}, but it is to be recorded as match {id}")
    return id


def id_by_content(events: Sequence[ev.Event], copies: Counter[str]) -> str:
    """Return a match id that follows from what was recorded, and from how many equal matches came before."""
    content = b"\n".join(ev.encode(bare(event)) for event in events).decode()
    copies[content] += 1
    return str(uuid.uuid5(_NAMESPACE, f"{copies[content]}\n{content}"))


def refold(match: str, rows: Sequence[Stored], names: Names | None = None) -> Folded:
    """Return a stored match, trusting nothing: numbers, hashes, names and rules are checked event by event.

    Raises LedgerError with the place of the first event that does not fit as `index`.
    """
    events: list[ev.Event] = []
    stream: Stream | None = None
    for index, row in enumerate(unbroken(rows)):
        try:
            event = decode_one(row.line, names)
            if event.seq != row.seq or index == 0 and event.id != match:
                raise StoreError("store.hash", "the event says that it belongs elsewhere")
            stream = _grown(stream, event)
        except LedgerError as error:
            error.index = index
            raise
        events.append(event)
    assert stream is not None
    return Folded(match, rows[0].position, events[0], events[-1], rows[-1].hash, stream)

"""Events that were recorded before and are sent again: they get the first answer."""

from __future__ import annotations

from collections.abc import Sequence

from cardledger.errors import StoreError
from cardledger.record.recording.doubts import doubts
from cardledger.record.recording.loaded_match import Live, same
from cardledger.record.recording.results import Recorded
from cardledger.record.store import EventStore
from cardledger.record.store.codec import decode_one
from cardledger.rules.engine import events as ev
from cardledger.sentence import Sentence, advising


def repeated(store: EventStore, match: str, live: Live, events: Sequence[ev.Event]) -> Recorded | None:
    """Return the first answer to events recorded before; None for new ones."""
    known = [event.id is not None and event.id in live.ids for event in events]
    if not any(known):
        return None
    first = live.ids.index(str(events[0].id)) if known[0] else 0
    there = slice(first, first + len(events))
    stored, ids = store.read(match)[there], live.ids[there]
    if not known[0] or len(ids) != len(events):
        raise StoreError(
            "store.duplicate",
            advising(Sentence("some of these events are stored already, others are not: send only the new ones")),
        )
    # An event without an id, after one with an id, is recognised by its place: an opening with its match, sent
    # again.
    for event, id, row in zip(events, ids, stored, strict=True):
        if not same(event, decode_one(row.line, store.names, match)):
            raise StoreError(
                "store.duplicate",
                Sentence(
                    "event {id} is stored already, and what is sent in its place differs: "
                    "send only new events, with new ids",
                    id=id,
                ),
            )
    found = doubts(live, first, events)
    return Recorded(match, stored[-1].seq, stored[-1].hash, False, tuple(ids), found)

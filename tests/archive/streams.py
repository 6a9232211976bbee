"""Streams of events for tests: any lines that a store can hold, and matches with every kind of correction."""

from __future__ import annotations

import json
from functools import cache
from types import NoneType
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

import msgspec
from hypothesis import strategies as st

from cardledger.errors import LedgerError
from cardledger.record.people import people
from cardledger.record.recording.event_ids import ids_of
from cardledger.record.store import Recording
from cardledger.record.store.chain import START, chain
from cardledger.rules.engine import events as ev
from cardledger.rules.stream import Stream
from tests.tables import any_match, hide

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

MATCH = "0d56af04-d013-50d2-ae22-347db56a53ca"
_NUMBERS = st.integers(-1, 9) | st.sampled_from([127, 128, -129, 2**31, -(2**31), 2**63 - 1, -(2**63)])
_TEXTS = st.sampled_from(["AS", "RY6", "80", "", " ", "A B", '"', "é", "\0", ',"seq":', "\u2028"]) | st.text(max_size=9)
_TIMES = st.one_of(
    st.builds(
        lambda time, precision: f"{time.isoformat(timespec=precision)}Z",
        st.datetimes(), st.sampled_from(["seconds", "milliseconds", "milliseconds", "microseconds"]),
    ),
    st.sampled_from(
        ["2026-01-01T00:00:00.1Z", "2026-01-01T00:00:00.123456789Z", "2026-01-01T00:00:00+00:00", "0001-01-01T00:00:00Z",
         "2026-01-01T23:59:60Z", "2026-01-01T00:00:00.000-00:00", "9999-12-31T23:59:59.999999Z", "2026-W01-1T00:00:00Z"]
    ),
    _TEXTS,
)  # fmt: skip
_JSON = st.recursive(
    st.none() | st.booleans() | _NUMBERS | st.floats(allow_nan=False, allow_infinity=False) | _TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXTS, inner, max_size=3),
    max_leaves=5,
)


def _of_type(kind: Any) -> st.SearchStrategy[Any]:
    """Return any value that a field of an event can hold."""
    known = {int: _NUMBERS, str: _TEXTS, NoneType: st.none(), float: st.floats(0, 99), Any: _JSON}
    if kind in known:
        return known[kind]
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return _events_of(kind)
    origin, args = get_origin(kind), get_args(kind)
    if origin is Literal:
        return st.sampled_from(args)
    if origin is tuple:
        return st.lists(_of_type(args[0]), max_size=4).map(tuple)
    if origin is dict:
        return st.dictionaries(_TEXTS, _JSON, max_size=3)
    # A key that is not there is a default of its own: `builds` leaves such fields out where it may.
    return st.one_of(*(_of_type(arg) for arg in args if arg is not msgspec.UnsetType))


@cache
def _events_of(cls: type[msgspec.Struct]) -> st.SearchStrategy[Any]:
    """Return events of a class, with anything in them that is its own."""
    fields = [field for field in msgspec.structs.fields(cls) if field.name not in ("seq", "id", "at", "by")]
    return st.builds(cls, **{field.name: st.deferred(lambda kind=field.type: _of_type(kind)) for field in fields})


@st.composite
def recordings(draw: st.DrawFn) -> Recording:
    """Return a stream of any events in any order, as a store might hold it that nobody guards."""
    match = draw(st.sampled_from([MATCH, MATCH, MATCH, "x", people.STREAM]))
    types = get_args(people.AnyEvent) if match == people.STREAM else ev.TYPES.values()
    plain = [_events_of(cls) for cls in types]
    events = draw(st.lists(st.one_of(plain), min_size=1, max_size=12))
    own, odd = ids_of(match), draw(st.booleans())
    at, by = draw(_TIMES), draw(_TEXTS)
    lines = []
    for seq, event in enumerate(events, 1):
        common = {"seq": seq, "id": own(seq), "at": at, "by": by}
        if odd:
            common = {
                "seq": draw(st.sampled_from([seq, seq, seq, None, 0])),
                "id": draw(st.sampled_from([own(seq), own(seq), None, MATCH]) | _TEXTS),
                "at": draw(st.just(at) | _TIMES | st.none()),
                "by": draw(st.just(by) | _TEXTS | st.none()),
            }
        line = ev.encode(msgspec.structs.replace(event, **common)).decode()
        lines.append(json.dumps(json.loads(line)) if odd and draw(st.integers(0, 9)) == 0 else line)
    return recorded(lines, match, draw(st.integers(0, 2**40)))


def recorded(lines: Sequence[str], match: str = MATCH, position: int = 1) -> Recording:
    """Return a match as a store gives it back."""
    return Recording(match, position, list(lines), chain(START, lines)[-1][1])


def stored(
    events: Sequence[ev.Event], match: str = MATCH, position: int = 1, at: str = "2026-11-21T17:29:54.887Z"
) -> Recording:
    """Return a match with what the ledger adds to its events."""
    own = ids_of(match)
    lines = [
        ev.encode(msgspec.structs.replace(event, seq=seq, id=own(seq), at=at, by="ana")).decode()
        for seq, event in enumerate(events, 1)
    ]
    return recorded(lines, match, position)


def corrected(game: str, n: int, rng: Random) -> list[ev.Event]:
    """Return a match under `record` played by chance, with notes, retracts and amends wherever they are allowed."""
    played = any_match(game, n, rng, "record", wild=0.2, events=rng.choice([3, 60, 150]))
    stream: Stream | None = None
    found: list[ev.Event] = []
    for event in hide(played, "record") if rng.random() < 0.2 else played:
        tried = [event]
        if stream is not None and rng.random() < 0.1:
            back = rng.randint(1, stream.seq)
            seq, counts = stream.heads[-1][:2]
            tried = [
                ev.Note(text="why?", about=back), ev.Retract(to=back, reason="slip"), ev.Retract(to=max(1, stream.seq - 1)),
                ev.Amend(about=seq, event=counts), ev.Note(text=""), event,
            ]  # fmt: skip
            if rng.random() < 0.2:
                tried.append(ev.Void(reason="the wrong table"))
            rng.shuffle(tried)
        for one in tried:
            try:
                if stream is None:
                    stream = Stream(one)
                else:
                    stream.append(one)
            except LedgerError:
                continue
            found.append(one)
    return found

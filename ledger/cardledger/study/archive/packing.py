"""Packing: matches as stored to rows of columns, and the lines that columns cannot restore to the byte."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from cardledger.errors import StoreError
from cardledger.record.people.people import STREAM
from cardledger.record.people.people import decode as decode_people
from cardledger.record.recording.event_ids import ids_of
from cardledger.record.store.chain import START, chain
from cardledger.record.store.codec import decode, decode_one
from cardledger.rules.engine import events as ev
from cardledger.sentence import advising
from cardledger.study.archive import times
from cardledger.study.archive.columns import COLUMNS, PLAYED, ROWS, SAID, SPARSE, Spec, fits, spec_of
from cardledger.study.archive.lines import COMPOSED, Common, beginning, encode_json, line_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from cardledger.record.store import Recording

Row = dict[str, Any]


class Part(NamedTuple):
    """Events of a match that share a row.

    The number of hands begun, the index of the first event, and that after the last.
    """

    hand: int
    start: int
    stop: int


def rows_of(recording: Recording) -> list[Row]:
    """Return the rows of a match.

    Raises StoreError `store.line`, and `store.hash` where the events are not those the hash was made of.
    """
    if chain(START, recording.lines)[-1][1] != recording.hash:
        raise StoreError(
            "store.hash",
            advising(f"match {recording.match} has been changed: run cardledger verify, which names the event"),
        )
    events = _decoded(recording)
    about = _about(recording, events)
    own = ids_of(recording.match)
    rows = []
    for part in parts(events):
        row = about | {"hand": part.hand, "first_seq": part.start + 1}
        _fill(row, events[part.start : part.stop])
        _complete(row, events[part.start : part.stop], recording.lines[part.start : part.stop], own)
        rows.append(row)
    rows[0]["names"] = [named._asdict() for named in recording.names] or None
    return rows


def _decoded(recording: Recording) -> Sequence[ev.Event]:
    if recording.match != STREAM:
        return decode(recording.lines)
    try:
        return [decode_people(line) for line in recording.lines]
    except msgspec.DecodeError as error:
        raise StoreError("store.line", f"a line is no event of people: {error}") from None


def parts(events: Sequence[ev.Event]) -> Iterator[Part]:
    """Yield the events of a match hand by hand; a hand that a retract returns to begins another part."""
    begun = [0]  # hands, after each event
    start = hand = 0
    for place, event in enumerate(events):
        now = begun[-1] + isinstance(event, ev.Deal)
        if now != hand or isinstance(event, ev.Deal):
            if place > start:
                yield Part(hand, start, place)
            start, hand = place, now
        if isinstance(event, ev.Retract) and 1 <= event.to <= place:
            now = begun[event.to]
        begun.append(now)
    yield Part(hand, start, len(events))


def _about(recording: Recording, events: Sequence[ev.Event]) -> Row:
    """Return the values common to every row of a match."""
    row: Row = dict.fromkeys(COLUMNS)
    row |= {
        "match": recording.match,
        "position": recording.position,
        "corrections": sum(event.corrects for event in events),
        "hash": recording.hash.hex(),
    }
    opening = events[0]
    if isinstance(opening, ev.Open):
        row |= {
            "game": opening.game, "players": opening.players, "options": encode_json(opening.options).decode(),
            "policy": opening.policy, "rules": opening.rules, "event": opening.event, "board": opening.table,
            "place": opening.place, "date": opening.date,
        }  # fmt: skip
    return row


def _fill(row: Row, events: Sequence[ev.Event]) -> None:
    """Fill the columns with one value a row."""
    for event in reversed(events):  # the first of each kind counts
        values: Row = {}
        if isinstance(event, ev.Deal):
            values = {
                "dealer": event.dealer, "starter": event.starter, "deal": event.hands, "aside": event.aside,
                "upcard": event.upcard or None, "stock": event.stock, "deal_board": event.board,
                "vulnerable": event.vulnerable, "contract": event.contract, "declarer": event.declarer,
            }  # fmt: skip
        elif isinstance(event, ev.Claim):
            values = {"claim": event.tricks}
        elif isinstance(event, ev.Score):
            values = {"score": event.scores}
        row |= {name: value for name, value in values.items() if value is None or fits(value, ROWS[name][0])}


def _complete(row: Row, events: Sequence[ev.Event], lines: Sequence[str], own: Callable[[int], str]) -> None:
    """Fill the lists, and add the lines that the columns do not restore."""
    specs = [_spec(line, event) for line, event in zip(lines, events, strict=True)]
    lists: dict[str, Any] = dict(zip(PLAYED, zip(*specs, strict=True), strict=True))
    first = row["first_seq"]
    moments = [times.read(event.at) if event.at else None for event in events]
    digits = next((moment[1] for moment in moments if moment), None)
    lists["times"] = [moment and moment[0] for moment in moments]
    lists["recorders"] = [event.by for event in events]
    lists["ids"] = [None if event.id == own(seq) else event.id for seq, event in enumerate(events, first)]
    unrestored = []
    for place, line in enumerate(lines):
        value, seq = lists["times"][place], first + place
        at = None if value is None else times.written(value, digits or 0)
        common = Common(seq, lists["ids"][place] or own(seq), at, lists["recorders"][place])
        restored = beginning(specs[place]) or _composed(specs[place], row)
        if restored is None or line_of(restored, common) != line:
            unrestored.append({"seq": seq, "line": line})
    for name in SPARSE:
        if all(value is None for value in lists[name]):
            lists[name] = None
    row |= lists
    row |= {"digits": digits, "rest": unrestored or None}


def _composed(spec: Spec, row: Row) -> ev.Event | None:
    """Return the event held by columns with one value a row."""
    names, make = COMPOSED.get(spec.types, ((), lambda: None))
    return make(*[row[name] for name in names])


def _spec(line: str, event: ev.Event) -> Spec:
    """Return the values of an event in the lists; lines with the same beginning have the same values."""
    if type(event) not in SAID:
        return Spec(ev.type_of(event))
    return _spec_of(line.rpartition(',"seq":')[0]) or spec_of(event)


@lru_cache(maxsize=65_536)
def _spec_of(text: str) -> Spec | None:
    try:
        return spec_of(decode_one(f"{text}}}"))
    except StoreError:
        return None

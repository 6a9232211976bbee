"""The form of events of evenings: JSON data become events, and keys that do not go together are refused."""

from __future__ import annotations

from datetime import date
from typing import Any

import msgspec

from cardledger.errors import FormatError
from cardledger.rules.engine.event import Event, type_of, what_is_wrong
from cardledger.rules.engine.events import Note
from cardledger.rules.engine.signature import signed
from cardledger.rules.evenings.evening_events import (
    FORMS,
    OPENINGS,
    TYPES,
    AnyEvent,
    EveningAdjust,
    EveningAmend,
    Layout,
    League,
    Masterpoints,
    Member,
    Result,
    Session,
)
from cardledger.rules.evenings.masterpoint_table import expect_table
from cardledger.rules.evenings.other_game import expect_other_game
from cardledger.sentence import Sentence, choosing

MOST_IGNORED = 200
"""The number of cells that a layout leaves out."""
MOST_ROWS = 10_000
"""The highest row of a sheet."""


def event_of(value: object) -> Event:
    """Return the event of JSON data; raises FormatError `format.value`, `format.key`, `format.type`."""
    kind = value.get("type") if isinstance(value, dict) else None
    if not (isinstance(value, dict) and isinstance(kind, str) and kind in TYPES):
        raise FormatError(
            "format.type", choosing(Sentence("there is no event of type {kind!r}", kind=kind), kind, TYPES)
        )
    try:
        event: Event = msgspec.convert(value, AnyEvent)
    except msgspec.ValidationError as error:
        raise FormatError("format.value", f"{kind}: {what_is_wrong(error)}") from None
    _refuse_null(TYPES[kind], value)
    refuse_shape(event)
    if isinstance(event, EveningAmend):
        _signed(event.event)
    return _signed(event)


def _signed(event: Event) -> Event:
    return signed(event, f"{type_of(event)}-" if isinstance(event, OPENINGS) else "")


def _refuse_null(kind: type[Event], value: dict[str, Any]) -> None:
    """Refuse a key that is null where it can be left out."""
    needed = {part.encode_name for part in msgspec.structs.fields(kind) if part.required}
    for key, item in value.items():
        if item is None and key not in needed:
            raise FormatError("format.value", f"{key} is null: leave the key out instead")
    if isinstance(within := value.get("event"), dict):
        _refuse_null(TYPES[within["type"]], within)


def refuse_shape(event: Event) -> None:
    """Refuse an event whose keys do not go together; raises FormatError `format.key`, `format.value`."""
    match event:
        case Result():
            _expect_one_form(event)
        case EveningAdjust():
            _expect_one_ruling(event)
        case Session(date=day):
            _expect_days(date=day)
            expect_other_game(event)
            if event.masterpoints is not None and event.club is None:
                raise FormatError("format.key", "'masterpoints' names a table of the club: give its 'club' too")
        case Member(since=since, until=until) | League(since=since, until=until):
            _expect_days(**{"from": since, "until": until})
        case Layout():
            _expect_layout(event)
        case Masterpoints():
            expect_table(event)
        case EveningAmend(event=within):
            if within.replaces == "none" and not isinstance(within, Note):
                raise FormatError("format.type", f"an event cannot be amended into a {type_of(within)}")
            refuse_shape(within)


def _expect_one_form(result: Result) -> None:
    given = [key for key in FORMS if getattr(result, key) is not None]
    if len(given) != 1:
        raise FormatError(
            "format.key", f"a result has one of {', '.join(FORMS)}, not {' and '.join(given) or 'none'}: give one"
        )
    needed = given == ["contract"] and result.contract != "pass"
    both = result.declarer is not None and result.tricks is not None
    neither = result.declarer is None and result.tricks is None
    if not (both if needed else neither):
        raise FormatError(
            "format.key", "'declarer' and 'tricks' go with a contract that is not passed out: give both there"
        )


def _expect_one_ruling(ruling: EveningAdjust) -> None:
    if (ruling.entry is None) != (ruling.penalty is None):
        raise FormatError("format.key", "a penalty is for an entry: give 'entry' and 'penalty'")
    at_table = ruling.round is not None and ruling.table is not None
    awards = ruling.ns is not None or ruling.ew is not None or ruling.group is not None
    if (ruling.entry is not None) == awards or awards != at_table:
        raise FormatError(
            "format.key", "a ruling is for a board ('round', 'table', 'ns' or 'ew'), or a penalty ('entry', 'penalty')"
        )
    for award in (ruling.ns, ruling.ew):
        if isinstance(award, tuple) and sum(each.weight for each in award) != 100:
            raise FormatError("format.value", Sentence("the weights of a ruling add up to 100: correct them"))


def _expect_layout(layout: Layout) -> None:
    """Refuse a layout that says nothing, or a part of an example; one that is forgotten says nothing else."""
    example = (layout.name_at, layout.score_at, layout.score_is)
    said = any(example) or layout.columns is not None or bool(layout.ignore)
    if (layout.shape is not None) != said:
        raise FormatError(
            "format.key",
            "a layout has a 'shape' and how it is read ('columns', an example or 'ignore'), or its name alone",
        )
    if any(example) and not all(example):
        raise FormatError(
            "format.key", "'name_at', 'score_at' and 'score_is' show one number together: give all, or none"
        )
    if len(layout.ignore) > MOST_IGNORED:
        raise FormatError("format.size", f"a layout leaves out at most {MOST_IGNORED} cells")
    for cell in filter(None, (layout.name_at, layout.score_at, *layout.ignore)):
        if len(cell) != len(("row", "column")) or not all(1 <= number <= MOST_ROWS for number in cell):
            raise FormatError("format.value", f"a cell is its row and its column, from 1 to {MOST_ROWS}")


def _expect_days(**days: str | None) -> None:
    """Refuse days that are not ISO days, or not in their order."""
    for key, day in days.items():
        try:
            if day is not None and date.fromisoformat(day).isoformat() != day:
                raise ValueError
        except ValueError:
            raise FormatError(
                "format.value", Sentence("{key} is not an ISO day (2026-01-31): {day!r}", key=key, day=day)
            ) from None
    since, until = days.get("from"), days.get("until")
    if since and until and until < since:
        raise FormatError(
            "format.value", Sentence("until {until} comes before from {since}: exchange them", until=until, since=since)
        )

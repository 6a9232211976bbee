"""The form of events of a match.

Lines and JSON data become events, and what does not fit its declaration is refused.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from contextlib import suppress
from datetime import date
from functools import cache
from typing import Any

import msgspec

from cardledger.errors import FormatError
from cardledger.listed import meant
from cardledger.record.matches.lines import MAX_LINE, too_long
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.cards import read_face
from cardledger.rules.engine.days import is_day
from cardledger.rules.engine.due import with_article
from cardledger.rules.engine.keys import cards_in
from cardledger.rules.engine.signature import signed
from cardledger.rules.engine.unseen import MAY_BE_NULL
from cardledger.rules.games import editions
from cardledger.sentence import Sentence, choosing


def parse(line: bytes) -> ev.Event:
    """Return the event on a line; raises FormatError.

    Codes: `format.size`, `format.json` (no JSON object in UTF-8), `format.key` (missing, unknown or repeated),
    `format.type` (no such event), `format.value` (of the wrong type or form).
    """
    return event_of(json_of(line))


def json_of(line: bytes) -> Any:
    """Return the JSON value on a line; raises FormatError `format.size`, and like `read_json`."""
    if too_long(line):
        raise FormatError("format.size", f"a line has at most {MAX_LINE:,} bytes")
    return read_json(line)


def read_json(text: bytes) -> Any:
    """Decode a JSON text; raises FormatError `format.json`, `format.key` (a repeated one), `format.value`."""
    try:
        value = _json.decode(text.decode())
        if b"\\u" in text:
            json.dumps(value, ensure_ascii=False).encode()
    except FormatError:
        raise
    except UnicodeEncodeError:
        raise FormatError(
            "format.value", Sentence("a text holds half a character (an unpaired surrogate): remove it")
        ) from None
    except UnicodeDecodeError as error:
        raise FormatError(
            "format.json", f"this is no text in UTF-8: see byte {error.start + 1}; save the file again in UTF-8"
        ) from None
    except json.JSONDecodeError as error:
        raise FormatError("format.json", f"this is not JSON: see character {error.pos + 1}") from None
    except (ValueError, RecursionError) as error:
        why = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise FormatError("format.json", f"this is not JSON: {why}") from None
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        twice, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise FormatError("format.key", f"the key {twice!r} is given twice")
    return value


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a number")


_json = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_no_constant)


def event_of(value: object) -> ev.Event:
    """Return the event of a JSON object; raises FormatError like `parse`."""
    if not isinstance(value, dict):
        raise FormatError("format.json", "an event is a JSON object")
    if "type" not in value:
        raise FormatError("format.key", "an event needs the key 'type'")
    kind = value["type"]
    cls = _class_of(kind)
    keys, allowed, needed = value.keys(), _keys_of(cls), _needed_by(cls)
    if not keys <= allowed:
        unknown = ", ".join(f"{key!r}{meant(key, allowed)}" for key in sorted(keys - allowed))
        raise FormatError("format.key", f"{kind} has no key {unknown}")
    if not keys >= needed:
        missing = sorted(needed - keys)
        unseen = ", null if nobody saw them" if (cls, missing[0]) in MAY_BE_NULL else ""
        raise FormatError("format.key", f"{kind} needs the key {', '.join(map(repr, missing))}{unseen}")
    if cls is ev.Give and ("card" in keys) == ("cards" in keys):
        wrong = "has 'card' or 'cards', not both" if "card" in keys else "needs the key 'card' (or 'cards')"
        raise FormatError("format.key", f"give {wrong}")
    for key, item in value.items():
        if item is None and (cls, key) not in MAY_BE_NULL:
            raise FormatError("format.value", f"{key} is null: leave the key out instead")
    if cls is ev.Amend:
        value = value | {"event": _replacement(value["event"])}
    for key in cards_in(cls):
        said = value.get(key)
        faces = read_face(said) if isinstance(said, str) else _faces(said)
        if faces != said:
            value = value | {key: faces}
    try:
        event: ev.Event = msgspec.convert(value, cls)
    except msgspec.ValidationError as error:
        raise FormatError("format.value", f"{kind}: {ev.what_is_wrong(error)}") from None
    if event.id is not None or event.at is not None or event.imported_at is not None or cls is ev.Open:
        event = _checked(event)
    return event


def _class_of(kind: object) -> type[ev.Event]:
    """Return the class of events with a type word; raises FormatError `format.type`."""
    for known in (dict, editions):  # the packages that bring games may bring events
        known()
        cls = ev.TYPES.get(kind) if isinstance(kind, str) else None
        if cls is not None:
            return cls
    raise FormatError(
        "format.type",
        choosing(Sentence("there is no event of type {kind!r}", kind=kind), kind, ev.TYPES),
    )


@cache
def _keys_of(cls: type[ev.Event]) -> frozenset[str]:
    return frozenset(cls.__struct_encode_fields__) | {"type"}


@cache
def _needed_by(cls: type[ev.Event]) -> frozenset[str]:
    return frozenset(field.encode_name for field in msgspec.structs.fields(cls) if field.required)


def _faces(value: object, depth: int = 2) -> object:
    """Return a card, cards or hands as they are stored, however they are written; all else as it is."""
    if isinstance(value, list) and depth:
        return [_faces(item, depth - 1) for item in value]
    return read_face(value) if isinstance(value, str) else value


def _replacement(value: object) -> object:
    """Check the event within an amend, which must be an event of play."""
    if not isinstance(value, dict):
        raise FormatError("format.value", "amend: expected an event at event")
    if "type" in value and _class_of(value["type"]).replaces == "none":
        raise FormatError("format.type", f"an event cannot be amended into {with_article(value['type'])}")
    return msgspec.to_builtins(event_of(value))


def _checked(event: ev.Event) -> ev.Event:
    event = signed(event)
    if isinstance(event, ev.Open) and event.date is not None:
        written_day(event.date)
    return event


def written_day(said: str) -> str:
    """Return what an opening may say of its day, such as 2026-01-31, 2026-01, 2026 or unknown.

    Raises FormatError `format.value`.
    """
    if is_day(said):
        return said
    likely = likely_day(said)
    wrong = Sentence(
        "date is not an ISO day (2026-01-31), month (2026-01) or year (2026), nor unknown: {said!r}", said=said
    )
    if likely:
        wrong = Sentence("{wrong}; write {likely}", wrong=wrong, likely=likely)
    raise FormatError("format.value", wrong)


def likely_day(text: str) -> str | None:
    """Return the day that a text most likely means, None where it may mean several.

    >>> likely_day("22.11.2026"), likely_day("2026/1/5"), likely_day("11/22/2026"), likely_day("1/2/2026")
    ('2026-11-22', '2026-01-05', '2026-11-22', None)
    """
    numbers = [int(part) for part in re.findall(r"\d+", text, re.ASCII)]
    if len(numbers) != 3 or len(text) > 20:
        return None
    orders = [(0, 1, 2)] if numbers[0] > 31 else [(2, 1, 0)] if "." in text else [(2, 1, 0), (2, 0, 1)]
    days = set()
    for year, month, day in orders:
        with suppress(ValueError, OverflowError):
            days.add(date(numbers[year], numbers[month], numbers[day]).isoformat())
    return days.pop() if len(days) == 1 else None

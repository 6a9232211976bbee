"""The id and the times that an event may carry: a UUID, and RFC 3339 times in UTC."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

import msgspec

from cardledger.errors import FormatError
from cardledger.rules.engine.events import Event

_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII)
_AT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|\+00:00|-00:00)", re.ASCII)


def signed(event: Event, kind: str = "") -> Event:
    """Return an event with its id in lower case; raises FormatError `format.value` for an id or a time that is none.

    `kind` stands before the UUID of an opening that is not that of a match, as `club-`.
    """
    if event.id is not None:
        canonical = event.id.lower()
        if not (canonical.startswith(kind) and _UUID.fullmatch(canonical.removeprefix(kind))):
            raise FormatError("format.value", f"id is not {f'{kind} and ' if kind else ''}a UUID: {event.id!r}")
        event = msgspec.structs.replace(event, id=canonical)
    for key, at in (("at", event.at), ("imported_at", event.imported_at)):
        if at is not None and not is_utc(at):
            raise FormatError("format.value", f"{key} is not an RFC 3339 time in UTC: {at!r}")
    return event


def is_utc(text: str) -> bool:
    """Tell whether a text is an RFC 3339 time in UTC."""
    if not _AT.fullmatch(text):
        return False
    try:
        return datetime.fromisoformat(text[:19] + "+00:00").utcoffset() == timedelta(0)
    except ValueError:
        return False

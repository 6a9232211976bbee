"""The streams of a ledger, known by their ids: a match has a UUID, a club, session or league its kind before one."""

from __future__ import annotations

import re

from cardledger.record.people.people import STREAM
from cardledger.rules.engine.events import Event, type_of
from cardledger.rules.evenings.evening_events import OPENINGS
from cardledger.rules.evenings.stream import EveningStream
from cardledger.rules.stream import Stream

KINDS = tuple(str(opening.__struct_config__.tag) for opening in OPENINGS)
"""The kinds of evening streams: the types of their openings."""
_BEGINNINGS = tuple(f"{kind}-" for kind in KINDS)
_UUID = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_MATCH = re.compile(_UUID)
_EVENING = re.compile(f"({'|'.join(KINDS)})-{_UUID}")


def is_evening(stream: str) -> bool:
    """Tell whether a stream is a club, a session or a league."""
    return stream.startswith(_BEGINNINGS)


def is_match(stream: str) -> bool:
    """Tell whether a stream is a match: neither an evening nor the people."""
    return stream != STREAM and not is_evening(stream)


def stream_type(stream: str) -> type[Stream]:
    """Return what folds the events of a match, or of a club, session or league."""
    return EveningStream if is_evening(stream) else Stream


def is_match_id(text: str) -> bool:
    """Tell whether a text can be the id of a match: a UUID in lower case."""
    return _MATCH.fullmatch(text) is not None


def is_evening_id(text: str, opening: Event) -> bool:
    """Tell whether a text can be the id of the stream with this opening: its kind, a hyphen and a UUID in lower case.

    >>> from cardledger.rules.evenings.evening_events import Club
    >>> is_evening_id("club-7c1d6a52-5c0e-4f2c-9a39-2f8a6c4b1d10", Club(name="Monday"))
    True
    """
    return _EVENING.fullmatch(text) is not None and text.startswith(f"{type_of(opening)}-")

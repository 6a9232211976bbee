"""The streams of a ledger, known by their ids: a match has a UUID, all others their kind before one.

A club, a session and a league are evenings; a question, a lesson and a discussion are about hands that were recorded.
"""

from __future__ import annotations

import re

from cardledger.record.people.people import STREAM
from cardledger.rules.engine.events import Event, type_of
from cardledger.rules.evenings.evening_events import OPENINGS
from cardledger.rules.evenings.stream import EveningStream
from cardledger.rules.lessons import lesson_events
from cardledger.rules.lessons.stream import LessonStream
from cardledger.rules.stream import Stream

KINDS = tuple(str(opening.__struct_config__.tag) for opening in OPENINGS)
"""The kinds of evening streams: the types of their openings."""
LESSON_KINDS = tuple(str(opening.__struct_config__.tag) for opening in lesson_events.OPENINGS)
"""The kinds of streams about recorded hands: questions and lessons."""
_EVENINGS = tuple(f"{kind}-" for kind in KINDS)
_LESSONS = tuple(f"{kind}-" for kind in LESSON_KINDS)
_UUID = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_MATCH = re.compile(_UUID)
_BESIDE = re.compile(f"({'|'.join((*KINDS, *LESSON_KINDS))})-{_UUID}")


def is_evening(stream: str) -> bool:
    """Tell whether a stream is a club, a session or a league."""
    return stream.startswith(_EVENINGS)


def is_lesson(stream: str) -> bool:
    """Tell whether a stream is a question or a lesson."""
    return stream.startswith(_LESSONS)


def is_match(stream: str) -> bool:
    """Tell whether a stream is a match: neither an evening, nor a question or lesson, nor the people."""
    return stream != STREAM and not stream.startswith((*_EVENINGS, *_LESSONS))


def stream_type(stream: str) -> type[Stream]:
    """Return what folds the events of a stream of this kind."""
    return EveningStream if is_evening(stream) else LessonStream if is_lesson(stream) else Stream


def is_match_id(text: str) -> bool:
    """Tell whether a text can be the id of a match: a UUID in lower case."""
    return _MATCH.fullmatch(text) is not None


def is_beside_id(text: str, opening: Event) -> bool:
    """Tell whether a text can be the id of the stream with this opening: its kind, a hyphen and a UUID in lower case.

    >>> from cardledger.rules.evenings.evening_events import Club
    >>> is_beside_id("club-7c1d6a52-5c0e-4f2c-9a39-2f8a6c4b1d10", Club(name="Monday"))
    True
    """
    return _BESIDE.fullmatch(text) is not None and text.startswith(f"{type_of(opening)}-")
